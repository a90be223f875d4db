"""Hands and sticks are where the scenes say they are."""

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.builtin.scenes import drummer
from inbetweener.document import Document, Prop
from inbetweener.maths import transforms
from inbetweener.maths.solids import Capsule, Sphere


def prop_named(document: Document, name: str) -> Prop:
    return next(prop for prop in document.props if prop.name == name)


def held(document: Document, name: str, frame: float, local: tuple[float, float, float]) -> np.ndarray:
    """Where a place on a prop that a joint carries is in the world."""
    prop = prop_named(document, name)
    assert prop.joint is not None
    world = document.motion().world_from_joint([frame / 24])[0, document.rig.joint_index(prop.joint)]
    return transforms.apply(transforms.product(world, prop.transform.matrix()), np.array([local]))[0]


@pytest.mark.parametrize(("stick", "target", "skin"), [("stick_r", "ride", "ride"), ("stick_l", "snare", "snare_skin")])
def test_sticks_hit_on_the_beat_and_only_then(stick: str, target: str, skin: str) -> None:
    document = example("drummer")
    solid = prop_named(document, stick).solid
    assert isinstance(solid, Capsule)
    drum = prop_named(document, skin).transform
    top = drum.translation[1] + drum.scale[1]
    for frame in range(49):
        tip = held(document, stick, frame, (0.0, solid.half, 0.0))
        if frame in drummer.HITS[target]:
            assert abs(tip[1] - top) < 0.02
            assert np.hypot(tip[0] - drum.translation[0], tip[2] - drum.translation[2]) < drum.scale[0]
        elif frame % 12 == 6:
            assert tip[1] > top + 0.1


@pytest.mark.parametrize(("glove", "frame"), [("glove_l", 14), ("glove_r", 34)])
def test_punches_reach_the_bag(glove: str, frame: int) -> None:
    document = example("boxer")
    bag = prop_named(document, "bag")
    knuckles = held(document, glove, frame, (1.0 if glove.endswith("l") else -1.0, 0.0, 0.0))
    distance = bag.solid.distance(knuckles - np.array(bag.transform.translation))
    assert abs(distance) < 0.06


def test_the_fretting_hand_stays_on_the_neck() -> None:
    document = example("guitarist")
    neck = prop_named(document, "neck")
    motion, rig = document.motion(), document.rig
    worlds = motion.world_from_joint(document.clip().frame_times)
    for world in worlds:
        palm = transforms.apply(world[rig.joint_index("hand_l")], np.array([[0.085, -0.028, 0.0]]))
        world_from_neck = transforms.product(world[rig.joint_index("chest")], neck.transform.matrix())
        assert neck.solid.distance(transforms.apply(transforms.inverse(world_from_neck), palm))[0] < 0.05


def test_the_diver_flies_as_gravity_wants() -> None:
    document = example("diver")
    hips = document.rig.joint_index("hips")
    heights = document.motion().joint_positions(np.arange(57) / 24)[:, hips, 1]
    take_off, entry, top = 24, 51, 34
    assert heights[take_off:entry].argmax() + take_off == top
    # Highest on frame 34; the fall from there to the water takes 17 frames.
    fall = heights[top] - heights[entry]
    assert fall == pytest.approx(0.5 * 9.81 * ((entry - top) / 24) ** 2, rel=0.05)


def test_the_hat_meets_the_lintel_and_the_head_does_not() -> None:
    document = example("hat-and-door")
    lintel = prop_named(document, "lintel")
    times = document.clip().frame_times
    points = [document.rig.point("hat_top"), document.rig.point("head_top")]
    hat, head = np.moveaxis(document.motion().point_positions(times, points), 1, 0)
    bottom = lintel.transform.translation[1] - 0.06
    under = np.abs(head[:, 2]) < 0.1
    assert under.any()
    assert (head[under, 1] < bottom).all()
    assert (hat[np.abs(hat[:, 2]) < 0.1, 1] > bottom).any()


def test_gloves_and_sticks_are_carried_by_hands() -> None:
    for name, joints in (("boxer", {"hand_l", "hand_r"}), ("drummer", {"hand_l", "hand_r"}), ("guitarist", {"chest"})):
        document = example(name)
        assert {prop.joint for prop in document.props if prop.joint} == joints
    assert isinstance(prop_named(example("boxer"), "glove_l").solid, Sphere)
