"""Requests that cannot be are refused in one clear line."""

import numpy as np
import pytest

from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.posing import InvalidRequest, NothingToPose, Pin, PoseDrag, PoseRequest, Pull, State, build, solve
from tests.posing.figures import flat_arm, human


def test_a_request_needs_a_pull():
    with pytest.raises(InvalidRequest, match="name at least one point"):
        PoseRequest(())


@pytest.mark.parametrize("weight", [0.0, -1.0, np.nan, np.inf])
def test_weights_are_positive_and_finite(weight):
    with pytest.raises(InvalidRequest, match="palm_l"):
        Pull(human().point("palm_l"), weight=weight)


@pytest.mark.parametrize(
    ("state", "what"),
    [
        (lambda: State((0.0, 1.0)), "shape"),
        (lambda: State((0.0, np.nan, 0.0)), "finite"),
        (lambda: State(turn=np.full((3, 3), 0.5)), "no rotation"),
    ],
)
def test_states_are_checked(state, what):
    with pytest.raises(InvalidRequest, match=what):
        state()


def test_each_pull_needs_its_target():
    rig = human()
    drag = PoseDrag(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")), Pull(rig.point("palm_r")))))
    with pytest.raises(InvalidRequest, match="1 states given for 2 pulls"):
        drag.to(State((0.0, 1.0, 0.0)))


def test_channel_values_are_checked():
    rig = human()
    request = PoseRequest((Pull(rig.point("palm_l")),))
    with pytest.raises(InvalidRequest, match="expected"):
        build(rig, np.zeros(3), request)
    broken = rig.defaults.copy()
    broken[rig.channel_index("neck.rx")] = np.nan
    with pytest.raises(InvalidRequest, match=r"neck\.rx"):
        build(rig, broken, request)


def test_unknown_channels_and_points_are_named():
    rig = human()
    with pytest.raises(UnknownName, match="hips"):
        build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), channels=frozenset({"hips.rq"})))


def test_nothing_that_could_move_is_said():
    rig, pose = flat_arm(2)
    with pytest.raises(NothingToPose, match="none of the channels allowed"):
        build(rig, pose, PoseRequest((Pull(rig.point("tip")),), channels=frozenset()))
    with pytest.raises(NothingToPose, match="loosen a pin"):
        build(rig, pose, PoseRequest((Pull(rig.point("tip")),), (Pin(rig.point("tip"), "both"),)))
    with pytest.raises(NothingToPose, match="no channel moves it"):
        build(rig.__class__(rig.joints), np.zeros(0), PoseRequest((Pull(rig.point("tip")),)))
    assert issubclass(NothingToPose, InbetweenerError)


def test_the_same_request_gives_the_same_bits():
    rig = human()
    problem = build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),)))
    first, second = (solve(problem, State((0.4, 1.5, 0.4))).channels for _ in range(2))
    assert np.array_equal(first, second)
    assert not first.flags.writeable
