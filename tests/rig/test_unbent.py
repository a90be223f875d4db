"""A rig without bends that stands and moves, in one pose, as the bent one does."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.maths.transforms import Transform
from inbetweener.rig import Bend, BlendedPoint, Joint, Point, Rig, bent
from inbetweener.rig.channel import Drive, bend_channel, joint_channels
from inbetweener.rig.unbent import Unbent


def curled() -> Rig:
    """A spine with an arm that hangs on its middle; both bones bend, and one bend turns its joint too."""
    joints = (
        Joint("hips", rest=Transform((0.0, 1.0, 0.0))),
        Joint("chest", 0, Transform((0.0, 0.4, 0.0))),
        Joint("arm", 0, Transform((0.1, 0.2, 0.0), (np.sqrt(0.5), 0.0, 0.0, -np.sqrt(0.5)))),
        Joint("hand", 2, Transform((0.0, 0.5, 0.0)), order="XYZ"),
    )
    rng = np.random.default_rng(3)
    screws = {
        name: rng.normal(size=(steps, 6)) * [0.2, 0.2, 0.2, 0.01, 0.01, 0.01]
        for name, steps in (("hips", 10), ("arm", 12), ("hand", 5))
    }
    channels = (
        *joint_channels(joints[0], "tx ty tz rx ry rz"),
        *(channel for joint in joints[1:] for channel in joint_channels(joint, "rx ry rz")),
        replace(bend_channel("curl"), drives=(Drive("arm.ry", 0.3),)),
        bend_channel("droop"),
    )
    bends = (Bend("curl", "curl", screws), Bend("droop", "droop", {"arm": rng.normal(size=(12, 6)) * 0.05}))
    return Rig(joints, channels, bends=bends)


values = st.lists(st.floats(-1.5, 1.5), min_size=17, max_size=17)
PLACES = [
    Point("hand"),
    Point("hand", (0.0, 0.12, 0.03)),
    Point("arm", (0.05, 0.2, 0.0)),
    Point("chest", (0.1, 0.0, 0.0)),
]


@given(values, values)
def test_it_moves_as_the_bent_one_while_bends_stay(pose: list[float], other: list[float]) -> None:
    rig = curled()
    assert len(rig.channels) == len(pose)
    channels, moved = np.array(pose), np.array(other)
    moved[-2:] = channels[-2:]
    unbent = Unbent.at(rig, channels)
    assert unbent.rig.bends == ()
    np.testing.assert_allclose(unbent.rig.world_from_joint(moved[None]), rig.world_from_joint(moved[None]), atol=1e-12)


@pytest.mark.parametrize("place", [*PLACES, BlendedPoint(((PLACES[1], 0.25), (PLACES[2], 0.75)))], ids=str)
@given(values)
def test_places_on_bent_bones_are_found(place: Point, pose: list[float]) -> None:
    rig, channels = curled(), np.array(pose)
    unbent = Unbent.at(rig, channels)
    position, turn = bent.states(rig, channels[None], place)
    found = unbent.place(place)
    straight = unbent.rig.world_from_joint(channels[None])[0]
    at = sum(w * (straight[unbent.rig.joint_index(p.joint)] @ [*p.offset, 1.0]) for p, w in found.parts)
    np.testing.assert_allclose(at, position[0], atol=1e-12)
    joint = straight[unbent.rig.joint_index(place.parts[0][0].joint), :, :3]
    np.testing.assert_allclose(joint @ unbent.turn(place), turn[0], atol=1e-12)


def test_a_rig_without_bends_is_itself() -> None:
    rig = curled().keyed
    unbent = Unbent.at(rig, rig.defaults)
    assert unbent.rig is rig
    assert unbent.place(PLACES[1]) is PLACES[1]
