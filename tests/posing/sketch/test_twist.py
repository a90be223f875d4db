"""Twists: where they start, where they end, and that no turn is lost."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.posing.sketch import NotAChain, NothingToSketch, ViewPlane, sketch, twist
from tests.posing.sketch.drawn import arc, bent_by, chain, frames, positions, tree

BONES = ("bone_1", "bone_2", "bone_3", "bone_4")


def about_x(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


@given(st.floats(-8 * math.pi, 8 * math.pi), st.floats(0.3, 1.0), st.floats(0.0, 1.5))
def test_a_bone_turns_evenly_up_to_the_place_and_fades_in_through_all_turns(
    angle: float, place: float, value: float
) -> None:
    rig = chain()
    bent, pose = bent_by(rig, twist(rig, rig.defaults, ("bone_2",), angle, place), value=value)
    found = frames(bent, pose, "bone_2")
    steps = np.linspace(0.0, 1.0, len(found))
    exact = [n for n, s in enumerate(steps) if s <= place or math.floor(place * (len(steps) - 1)) < n - 1]
    for n in exact:
        np.testing.assert_allclose(found[n, :, :3], about_x(value * angle * min(steps[n] / place, 1.0)), atol=1e-8)
    np.testing.assert_allclose(bent.world_from_joint(pose[None])[0, :, :, 3], rig.rest_world()[..., 3], atol=1e-9)


def test_three_turns_over_a_chain_are_shared_by_length() -> None:
    rig = chain()
    made = twist(rig, rig.defaults, BONES, 6 * math.pi, 0.5)
    turned = [made.screws[bone][:, 0].sum() for bone in BONES]
    assert turned == pytest.approx([12 * math.pi / 7] * 3 + [6 * math.pi / 7])
    assert all(np.linalg.norm(steps[:, :3], axis=1).max() <= math.radians(36) + 1e-9 for steps in made.screws.values())


def test_a_bent_bone_keeps_its_shape() -> None:
    rig = chain()
    stroke = arc((0.0, 1.0), 0.3, 1.0, 3.0)
    bent, pose = bent_by(rig, sketch(rig, rig.defaults, BONES, stroke, ViewPlane.named("front")))
    before = positions(bent, pose, *BONES)
    made = twist(bent, pose, ("bone_2",), 1.8 * math.pi, onto=bent.bends[0].name)
    turned, pose = bent_by(bent, made, pose)
    after = positions(turned, pose, "bone_1", "bone_2")
    np.testing.assert_allclose(after, before[: len(after)], atol=1e-9)
    assert set(made.screws) == set(BONES)


def test_twists_that_make_no_sense_are_refused() -> None:
    rig = tree()
    with pytest.raises(NothingToSketch, match="no bones"):
        twist(rig, rig.defaults, (), 1.0)
    with pytest.raises(NothingToSketch, match="places go from 0 to 1"):
        twist(rig, rig.defaults, ("left",), 1.0, 1.5)
    with pytest.raises(NotAChain):
        twist(rig, rig.defaults, ("left", "right"), 1.0)
