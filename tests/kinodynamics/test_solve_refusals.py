"""What cannot be: out of reach, against each other, outside the clip, immovable. Named, bounded, nothing lost."""

import numpy as np
import pytest

from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import InvalidLooseness, PointTarget, PoseTarget
from inbetweener.kinodynamics.solve import MOST, solve
from tests.kinodynamics.bodies import JAB, loose, off, scene, watched


def palm(side: str = "l", time: float = JAB, **wishes: object) -> PointTarget:
    return PointTarget(time, scene("boxer").rig.point(f"palm_{side}"), **wishes)  # type: ignore[arg-type]


def test_out_of_reach_comes_near_and_says_how_far_it_is_off() -> None:
    motion, target = loose("boxer", "relaxed"), palm(position=(0.0, 1.3, 3.0))
    solution = solve(motion, [target])
    outcome, seen = solution.outcomes[0], watched(motion, solution)
    assert not solution.reached
    assert solution.ending == "stuck"
    assert "still" in outcome.summary
    assert outcome.after.distance == pytest.approx(off(seen, target, motion), abs=1e-9)
    assert outcome.after.distance < off(motion, target, motion) - 0.2
    assert np.allclose(outcome.state, seen.channels([JAB])[0], rtol=0, atol=1e-9)
    assert solution.windows < MOST + 200


def test_weights_decide_where_not_all_can_be_met() -> None:
    """Both hands cannot be 3 m apart: the one that counts more comes nearer."""
    motion = loose("boxer", "firm")
    ends = (palm("l", position=(-0.6, 1.4, 0.6)), palm("r", position=(0.9, 1.2, -0.2)))
    missed = []
    for weights in ((100.0, 1.0), (1.0, 100.0)):
        targets = [PointTarget(t.time, t.point, t.position, weight=w) for t, w in zip(ends, weights, strict=True)]
        missed.append([outcome.after.distance for outcome in solve(motion, targets, most=300).outcomes])
    assert missed[0][0] < missed[1][0]
    assert missed[0][1] > missed[1][1]


def test_never_worse_than_before() -> None:
    motion = loose("boxer", "drunk")
    for height in (0.2, 2.4):
        target = palm(position=(0.3, height, -0.8))
        solution = solve(motion, [target], most=60)
        assert off(watched(motion, solution), target, motion) <= off(motion, target, motion)


def test_two_targets_against_each_other_are_named() -> None:
    targets = {"high": palm(position=(0.0, 1.5, 0.7)), "low": palm(position=(0.0, 1.1, 0.7))}
    with pytest.raises(InvalidLooseness, match=r"'high' and 'low'.*same part at 0\.58"):
        solve(loose("boxer", "relaxed"), targets)
    poses = {"a": PoseTarget(JAB, {"neck.ry": 0.1}), "b": PoseTarget(JAB, {"neck.ry": 0.2, "neck.rx": 0.0})}
    with pytest.raises(InvalidLooseness, match="'a' and 'b'"):
        solve(loose("boxer", "relaxed"), poses)


def test_the_same_wish_twice_is_no_contradiction() -> None:
    motion = loose("boxer", "relaxed")
    assert solve(motion, [palm(), palm()]).reached


def test_outside_the_clip_is_named() -> None:
    with pytest.raises(InvalidLooseness, match="'palm_l target' at 9 s lies outside the clip 'jab and cross'"):
        solve(loose("boxer", "relaxed"), [palm(time=9.0)])


def test_what_nothing_moves_is_named() -> None:
    motion, rig = loose("boxer", "relaxed"), scene("boxer").rig
    with pytest.raises(InvalidLooseness, match="no channel that may give way moves hips"):
        solve(motion, [PointTarget(JAB, rig.point("hips"))])
    with pytest.raises(InvalidLooseness, match="moves palm_l"):
        solve(motion, [palm(channels=frozenset({"shank_r.rx"}))])
    with pytest.raises(UnknownName, match="elbow"):
        solve(motion, [palm(channels=frozenset({"elbow"}))])


def test_channels_that_may_give_way_are_the_only_ones_that_do() -> None:
    motion, chosen = (
        loose("boxer", "firm"),
        frozenset({"upper_arm_l.rx", "upper_arm_l.ry", "upper_arm_l.rz", "hips.tx"}),
    )
    target = palm(channels=chosen)
    solution = solve(motion, [target])
    assert set(solution.outcomes[0].correction) <= chosen
    assert off(watched(motion, solution), target, motion) <= 1.1e-8
