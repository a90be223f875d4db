"""Bones of files from elsewhere keep their lengths, whatever is pulled; what carries a body is free to move."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.characters.stretch import STRETCH, changed_lengths, ends, opened, stretched
from inbetweener import formats
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.formats.bones import with_bones
from inbetweener.guidance import NothingToGuide
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, joint_channels

CARRIERS = {
    "gltf/characters/kaykit_mannequin/Med_General.glb": ["hips"],
    "gltf/characters/quaternius_Horse/Horse.gltf": [
        "FrontFoot.R", "Body", "BackFoot.R", "FrontFoot.L", "BackFoot.L",
    ],
    "gltf/characters/quaternius_CyberpunkCharacter.glb": ["Body", "Foot.L", "PT.L", "Foot.R", "PT.R"],
    "gltf/characters/quaternius_Trex.glb": ["Body", "BackFoot.R", "BackFoot.L"],
    "gltf/hands/aframe_leftHandHigh.glb": ["Armature", "Palm"],
    "gltf/khronos-samples/CesiumMan.glb": ["Skeleton_torso_joint_1"],
    "bvh/cmu/09_03_run.bvh": ["Hips"],
}  # fmt: skip
"""Of every kind one: what may move freely, by looking at what hangs on what."""


@pytest.mark.parametrize("name", CARRIERS)
def test_no_bone_of_a_real_character_changes_its_length(data: Path, name: str) -> None:
    document = opened(data / name)
    free = [c.drives[0].joint for c in document.rig.channels if c.kind == "translation" and c.free]
    assert list(dict.fromkeys(free)) == CARRIERS[name]
    worst, where, count = stretched(document, ends(document.rig, most=1))
    assert count == 2
    assert worst <= STRETCH, where


def arm(*moving: str, far: float = 0.2) -> tuple[Rig, Clip]:
    """An armature, hips, and two rows of bones; joints that are `moving` do so by a share of their length."""
    joints = (
        Joint("armature"),
        Joint("hips", 0, Transform((0.0, 1.0, 0.0))),
        Joint("upper", 1, Transform((0.5, 0.0, 0.0))),
        Joint("lower", 2, Transform((0.5, 0.0, 0.0))),
        Joint("hand", 3, Transform((0.5, 0.0, 0.0))),
        Joint("leg", 1, Transform((0.0, -0.5, 0.0))),
    )
    channels = tuple(c for joint in joints for c in joint_channels(joint, "tx ty tz rx ry rz sx sy sz"))
    curves = {}
    for channel in channels:
        joint = channel.drives[0].joint
        size = float(np.linalg.norm(next(j for j in joints if j.name == joint).rest.translation)) or 1.0
        by = far * size if joint in moving and channel.name.endswith("tx") else 0.0
        swing = 0.2 if channel.kind == "rotation" else 0.0
        curves[channel.name] = Curve.sampled(
            np.array([0.0, 0.5, 1.0]), channel.default + np.array([0.0, by + swing, 0.0])
        )
    clip = Clip("swing", 1.0, curves=Curves({name: edit_smooth(curve) for name, curve in curves.items()}))
    return Rig(joints, channels), clip


def edit_smooth(curve: Curve) -> Curve:
    from inbetweener.curves import set_interpolation, tangent_presets

    return tangent_presets.smooth(set_interpolation(curve, "bezier").curve)


def read(*moving: str, far: float = 0.2) -> tuple[Document, list[str]]:
    rig, clip = arm(*moving, far=far)
    rig, told = with_bones(rig, (), (clip,))
    return Document("arm", rig, clips=(clip,)), told


def free_joints(document: Document) -> set[str]:
    return {c.drives[0].joint for c in document.rig.channels if c.kind == "translation" and c.free}


def test_what_carries_the_body_is_free_and_a_moving_bone_is_told() -> None:
    assert [free_joints(read(*moving)[0]) for moving in ((), ("hips",), ("armature", "hips", "lower"))] == [
        {"hips"}
    ] * 3
    assert read("hips")[1] == []
    assert read("lower", far=1e-5)[1] == [], "an exporter's rounding is no movement"
    (line,) = read("lower", "hand")[1]
    assert "2 bones are moved along" in line
    assert "lower, hand" in line


def test_rotations_stay_free_and_scales_only_of_what_stands_alone() -> None:
    rig = read("hips")[0].rig
    turning = {c.drives[0].joint for c in rig.channels if c.kind == "rotation" and c.free}
    assert turning == {joint.name for joint in rig.joints} - {"armature"}, "what the body stands in is held"
    assert not any(channel.free for channel in rig.channels if channel.kind == "scale")
    ball = Joint("ball")
    alone, told = with_bones(Rig((ball,), joint_channels(ball, "tx sx")), (), ())
    assert all(channel.free for channel in alone.channels)
    assert told == []


def test_a_pull_neither_moves_nor_keys_what_the_body_stands_in() -> None:
    document, _ = read()
    bare = edits.new_clip(replace(document, clips=()), "blank")
    pulled = edits.pull(bare, "hand", frame=0, by=(-0.1, 0.2, 0.05), pins=["leg", "hips"], key=True, clip="blank")
    keyed = {bare.rig.channel(name).drives[0].joint for name in pulled.document.clip("blank").curves}
    assert keyed >= {"upper", "lower"}
    assert "armature" not in keyed
    (before,), (after,) = (each.motion("blank").joint_positions([0.0]) for each in (bare, pulled.document))
    still = [bare.rig.joint_index(name) for name in ("armature", "hips", "leg")]
    assert after[still] == pytest.approx(before[still], abs=1e-4)


def test_a_bone_that_is_freed_gives_way_and_one_that_is_held_again_does_not() -> None:
    document, _ = read("hips")
    wish = {"time": 0.5, "to": (5.0, 5.0, 0.0)}
    held = [f"{name}.{axis}" for name in ("armature", "hips") for axis in ("tx", "ty", "tz")]
    document = edits.free(document, held, free=False).document
    times = np.linspace(0.0, 1.0, 9)

    def stretch(before: Document) -> float:
        return changed_lengths(before, edits.pull(before, "hand", **wish).document, times)[0]

    assert stretch(document) <= STRETCH
    result = edits.free(document, ["lower"])
    assert result.channels == tuple(f"lower.{dof}" for dof in ("tx", "ty", "tz", "sx", "sy", "sz"))
    assert changed_lengths(
        replace(document, clips=result.document.clips), edits.pull(result.document, "hand", **wish).document, times
    )[0] > 0.1  # fmt: skip
    again = edits.free(result.document, ["lower"], free=False)
    assert again.document == document
    assert "all were held already" in str(edits.free(again.document, ["lower"], free=False))


def test_drags_and_guidance_leave_lengths_alone_unless_they_are_named() -> None:
    document, _ = read("hips", "lower")
    times = np.linspace(0.0, 1.0, 9)
    dragged = edits.drag(document, "hand", time=0.25, by=(0.4, 0.3, 0.0))
    assert changed_lengths(document, dragged.document, times)[0] <= STRETCH
    named = edits.drag(document, "hand", time=0.25, by=(0.4, 0.3, 0.0), channels=["lower.tx"])
    assert changed_lengths(document, named.document, times)[0] > 0.01
    guided = edits.guide(document)
    assert guided.document != document
    assert changed_lengths(document, guided.document, times)[0] <= STRETCH
    with pytest.raises(NothingToGuide):
        edits.guide(edits.free(document, [c.name for c in document.rig.channels], free=False).document)


def test_what_is_free_is_saved_and_undone(tmp_path: Path) -> None:
    document = edits.free(read("hips")[0], ["hand.tx"]).document
    formats.save(document, tmp_path / "arm.tween")
    assert formats.load(tmp_path / "arm.tween") == document
    assert document.rig.channel("hand.tx").free
    assert not document.rig.channel("hand.ty").free


def test_names_that_mean_nothing_are_told() -> None:
    document, _ = read()
    with pytest.raises(UnknownName, match="no joint or channel called 'arm'"):
        edits.free(document, ["arm"])
    bare = replace(document, rig=Rig((Joint("stick"),)), clips=())
    with pytest.raises(InvalidDocument, match="has no channel that moves or scales it"):
        edits.free(bare, ["stick"])
