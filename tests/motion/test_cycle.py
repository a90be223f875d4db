"""Rounds cut out of a motion: where they are found, and that they flow on."""

from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.errors import InvalidDocument
from inbetweener.maths import euler
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.motion.cycle import close_cycle, ends_apart, find_cycle
from inbetweener.rig import Joint, Rig, joint_channels

ROUND = 1.1


def walker(*, drift: float = 0.0, dense: bool = True) -> tuple[Rig, Clip]:
    """Two swinging limbs under hips that go along x, bob, and slowly lean as nobody repeats himself exactly."""
    places = [("hips", -1, 0.0, 0.9), ("left", 0, 0.1, -0.05), ("left_end", 1, 0.0, -0.8)]
    places += [("right", 0, -0.1, -0.05), ("right_end", 3, 0.0, -0.8)]
    joints = [Joint(name, parent, Transform((0.0, y, z))) for name, parent, z, y in places]
    rig = Rig(tuple(joints), tuple(each for joint in joints for each in joint_channels(joint, "tx ty tz rx ry rz")))
    times = np.arange(0.0, 4.0001, 1 / 60)
    phase = 2 * np.pi * times / ROUND
    values = {
        "hips.tx": 1.3 * times,
        "hips.ty": 0.03 * np.cos(2 * phase),
        "hips.rz": 0.05 * np.sin(phase) + drift * times,
        "left.rz": 0.6 * np.sin(phase),
        "right.rz": -0.6 * np.sin(phase),
    }
    curves = Curves({name: Curve.sampled(times, each) for name, each in values.items()})
    clip = Clip("walk", 4.0, rate=60.0, curves=curves)
    if not dense:
        clip = ib.motion.fit_clip(rig, clip, 0.002)[0]
    return rig, clip


def test_a_round_is_found_wherever_on_the_ground_it_ends():
    rig, clip = walker(drift=0.002)
    found = find_cycle(rig, clip)
    assert found.end - found.start == pytest.approx(ROUND, abs=1.01 / 60), "one round, not two, nor a half"
    assert found.apart_m < 0.02
    half = ends_apart(rig, clip, found.start, found.start + ROUND / 2)
    assert half > 5 * found.apart_m


def test_rest_is_no_round():
    rig, clip = walker()
    times = np.arange(0.0, 8.0001, 1 / 60)
    late = {n: Curve.sampled(times, np.interp(times - 4.0, c.times, c.values)) for n, c in clip.curves.items()}
    found = find_cycle(rig, replace(clip, end=8.0, curves=Curves(late)))
    assert found.start > 3.9
    assert found.end - found.start == pytest.approx(ROUND, abs=1.01 / 60)


@pytest.mark.parametrize("dense", [True, False], ids=["dense", "keyed"])
@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "travelling"])
def test_a_round_flows_on(dense, in_place):
    rig, clip = walker(drift=0.02, dense=dense)
    found = find_cycle(rig, clip)
    made = close_cycle(rig, clip, found.start, found.end, in_place=in_place)
    assert made.loops
    assert (made.start, made.end) == (0.0, found.end - found.start)
    ends = Motion(rig, made).channels([made.start, made.end])
    way = rig.channel_index("hips.tx")
    others = np.delete(np.arange(len(rig.channels)), way)
    assert np.abs(ends[1] - ends[0])[others].max() < 1e-9
    gone = 0.0 if in_place else clip.curves["hips.tx"].values[-1] / 4.0 * (found.end - found.start)
    assert ends[1, way] - ends[0, way] == pytest.approx(gone, abs=2e-3)
    # Speeds of joints just before the end and just after the start, by plain differences: no jerk.
    h = 1e-4
    path = Motion(rig, made).joint_positions([made.start, made.start + h, made.end - h, made.end])
    assert np.abs((path[1] - path[0]) - (path[3] - path[2])).max() / h < 0.02
    # And it is the motion that was asked for: nothing is off by more than its ends were apart.
    times = np.linspace(0.0, made.end, 50)
    off = Motion(rig, made).joint_positions(times) - Motion(rig, clip).joint_positions(times + found.start)
    off[..., 0] = 0.0
    assert np.linalg.norm(off, axis=-1).max() < 0.05


def test_whole_turns_stay():
    rig, clip = walker()
    spin = Curve.sampled([0.0, 4.0], [0.0, 4.0 * 2 * np.pi / ROUND + 0.3])
    clip = replace(clip, curves=clip.curves.replaced({"left.ry": spin}))
    made = close_cycle(rig, clip, 0.5, 0.5 + ROUND)
    ends = made.curves["left.ry"].values[[0, -1]]
    assert ends[1] - ends[0] == pytest.approx(2 * np.pi, abs=1e-9)
    turns = [euler.to_matrix(np.array([0.0, angle, 0.0]), "XYZ") for angle in ends]
    np.testing.assert_allclose(turns[0], turns[1], atol=1e-9)


def test_what_cannot_go_round_is_said():
    rig, clip = walker()
    with pytest.raises(InvalidDocument, match=r"too short to find a round in: 0"):
        find_cycle(rig, replace(clip, end=0.3))
    with pytest.raises(InvalidDocument, match="no stretch from 3 to 9 s"):
        close_cycle(rig, clip, 3.0, 9.0)
    with pytest.raises(InvalidDocument, match=r"too few frames to find a round in, 0.1 a second; raise its rate"):
        find_cycle(rig, replace(clip, rate=0.1))
