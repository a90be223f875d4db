"""What goes along with a sketch and what stays: children, other bends, handles, scale."""

import math
from dataclasses import replace

import numpy as np
import pytest

from inbetweener.errors import UnknownName
from inbetweener.posing.sketch import NothingToSketch, ViewPlane, sketch
from inbetweener.rig import Handle, Point
from tests.posing.sketch.drawn import LENGTH, arc, bent_by, chain, frames, line, positions, tree

FRONT = ViewPlane.named("front")
BONES = ("bone_1", "bone_2", "bone_3", "bone_4")


def test_what_hangs_elsewhere_is_untouched_to_the_last_bit() -> None:
    rig = tree()
    made = sketch(rig, rig.defaults, ("left", "twig"), arc((0.05, 0.6), 0.3, 0.55, 1.2), FRONT)
    bent, pose = bent_by(rig, made)
    before, after = rig.rest_world(), bent.world_from_joint(pose[None])[0]
    for name in ("trunk_1", "trunk_2", "trunk_3", "right"):
        np.testing.assert_array_equal(after[rig.joint_index(name)], before[rig.joint_index(name)])


def test_children_go_along_or_keep_their_orientation() -> None:
    rig = tree()
    stroke = arc((0.0, 0.4), math.pi / 2, 0.4, 1.5)
    for carry in (True, False):
        made = sketch(rig, rig.defaults, ("trunk_2",), stroke, FRONT, carry=carry)
        bent, pose = bent_by(rig, made)
        before, after = rig.rest_world(), bent.world_from_joint(pose[None])[0]
        moved = after[..., 3] - before[..., 3]
        top, left, twig = (rig.joint_index(name) for name in ("trunk_3", "left", "twig"))
        np.testing.assert_allclose(after[top, :2, 3], stroke.positions([0.4])[0], atol=1e-9)
        if carry:
            assert math.atan2(after[top, 1, 0], after[top, 0, 0]) == pytest.approx(1.5)
            assert math.atan2(after[left, 1, 0], after[left, 0, 0]) == pytest.approx(0.75)
        else:
            np.testing.assert_allclose(after[..., :3], before[..., :3], atol=1e-12)
            np.testing.assert_allclose(moved[twig], moved[left], atol=1e-12)
        assert set(made.screws) == {"trunk_2"}


def test_a_second_sketch_on_other_bones_keeps_the_first() -> None:
    rig = tree()
    first = sketch(rig, rig.defaults, ("left", "twig"), arc((0.05, 0.6), 0.3, 0.55, 1.2), FRONT)
    bent, pose = bent_by(rig, first)
    name = bent.bends[0].name
    second = sketch(bent, pose, ("right",), arc((-0.05, 0.6), math.pi, 0.15, 0.8), FRONT, onto=name)
    both, pose = bent_by(bent, second, pose)
    for bone in ("left", "twig"):
        np.testing.assert_array_equal(second.screws[bone], first.screws[bone])
    assert {dof: second.turns[dof] for dof in first.turns} == pytest.approx(first.turns)
    stroke = arc((-0.05, 0.6), math.pi, 0.15, 0.8)
    np.testing.assert_allclose(
        positions(both, pose, "right")[:, :2], stroke.positions(np.linspace(0, 0.15, 11)), atol=1e-9
    )


def test_redrawing_bent_bones_replaces_their_shape() -> None:
    """Onto the same bend or over another: the bones lie on the last stroke, whatever they were."""
    rig = chain()
    one, other = arc((0.0, 1.0), 0.3, 1.0, 4.0), arc((0.0, 1.0), -0.6, 1.0, -2.0)
    bent, pose = bent_by(rig, sketch(rig, rig.defaults, BONES, one, FRONT))
    for onto in (bent.bends[0].name, None):
        made = sketch(bent, pose, BONES, other, FRONT, onto=onto)
        again, dialled = bent_by(bent, made, pose)
        assert len(again.bends) == (1 if onto else 2)
        found = positions(again, dialled, *BONES)
        nearest = np.linalg.norm(found[:, None, :2] - other.positions(np.linspace(0, 1, 20001)), axis=2).min(axis=1)
        assert nearest.max() < 1e-4
        assert made.stroke_error < 1e-9


def test_a_sketch_half_dialled_in_is_folded_as_it_shows() -> None:
    rig = tree()
    first = sketch(rig, rig.defaults, ("left",), arc((0.05, 0.6), 0.3, 0.3, 1.2), FRONT)
    bent, pose = bent_by(rig, first, value=0.5)
    shown = bent.world_from_joint(pose[None])[0]
    second = sketch(bent, pose, ("right",), line((-0.05, 0.6), (-0.2, 0.6)), FRONT, onto=bent.bends[0].name)
    both, full = bent_by(bent, second, pose)
    np.testing.assert_allclose(both.world_from_joint(full[None])[0], shown, atol=1e-9)


def test_a_scaled_body_is_sketched_in_its_own_size() -> None:
    rig = chain()
    root = replace(rig.joints[0], rest=replace(rig.joints[0].rest, scale=(2.0, 2.0, 2.0)))
    rig = replace(rig, joints=(root, *rig.joints[1:]))
    stroke = arc((0.0, 1.0), 0.3, 2.0, 2.5)
    made = sketch(rig, rig.defaults, BONES, stroke, FRONT)
    bent, pose = bent_by(rig, made)
    along = np.concatenate([np.linspace(n * 2 * LENGTH, (n + 1) * 2 * LENGTH, 11) for n in range(4)])
    np.testing.assert_allclose(positions(bent, pose, *BONES)[:, :2], stroke.positions(along), atol=1e-9)


def test_bones_stretched_unevenly_still_lie_on_the_stroke() -> None:
    rig = chain()
    squashed = replace(rig.joints[0], rest=replace(rig.joints[0].rest, scale=(1.5, 0.8, 1.0)))
    rig = replace(rig, joints=(squashed, *rig.joints[1:]))
    stroke = arc((0.0, 1.0), 0.2, 1.5, 0.8)
    made = sketch(rig, rig.defaults, ("bone_1",), stroke, FRONT)
    bent, pose = bent_by(rig, made)
    found = positions(bent, pose, "bone_1")
    nearest = np.linalg.norm(found[3:, None, :2] - stroke.positions(np.linspace(0, 1.5, 20001)), axis=2).min(axis=1)
    assert nearest.max() < 1e-4
    assert made.stroke_error < 1e-6


def test_bones_on_an_ik_handle_come_round_to_the_stroke() -> None:
    rig = chain()
    rig = rig.with_handle(Handle("arm", ("bone_1", "bone_2"), Point("bone_3"), hinge=(0.0, 0.0, 1.0)))
    keyed = rig.defaults.copy()
    keyed[rig.channel_index("arm.x")], keyed[rig.channel_index("arm.y")] = 0.4, 1.1
    made = sketch(rig, keyed, ("bone_1", "bone_2", "bone_3"), arc((0.0, 1.0), 0.4, 0.75, 1.0), FRONT)
    assert not any(dof.startswith(("bone_1", "bone_2")) for dof in made.turns)
    bent, pose = bent_by(rig, made, keyed)
    stroke = arc((0.0, 1.0), 0.4, 0.75, 1.0).positions(np.linspace(0.0, 0.75, 20001))
    for bone in ("bone_1", "bone_2", "bone_3"):
        found = positions(bent, pose, bone)
        assert np.linalg.norm(found[:, None, :2] - stroke, axis=2).min(axis=1).max() < 1e-4
    heading = frames(bent, pose, "bone_3")[-1]
    assert math.atan2(heading[1, 0], heading[0, 0]) == pytest.approx(1.4, abs=1e-6)


def test_strokes_that_no_bone_can_follow_are_refused() -> None:
    rig = tree()
    with pytest.raises(NothingToSketch, match="no bones are chosen"):
        sketch(rig, rig.defaults, (), line((0, 0), (0, 1)), FRONT)
    with pytest.raises(UnknownName, match="no bone called 'lft'; did you mean left"):
        sketch(rig, rig.defaults, ("lft",), line((0, 0), (0, 1)), FRONT)
    with pytest.raises(NothingToSketch, match="stays 200 cm away"):
        sketch(rig, rig.defaults, ("left",), line((0.2, 2.6), (0.3, 2.7)), FRONT)
    with pytest.raises(UnknownName, match="no mode called 'straight'"):
        sketch(rig, rig.defaults, ("left",), line((0, 0), (0, 1)), FRONT, mode="straight")  # type: ignore[arg-type]
