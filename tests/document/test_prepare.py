"""Characters from elsewhere become bodies: what they weigh, where they are taken hold of, which way they bend."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from benchmarks.characters.stretch import opened
from inbetweener import formats
from inbetweener.anatomy import Part
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidDocument
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Pin
from inbetweener.rig import Joint, Point, Rig, chains
from inbetweener.rig.mirror import mirrored_name

PEOPLE = {
    "gltf/characters/gdquest_mannequiny.glb": (55, 85),
    "gltf/characters/quaternius_Farmer.glb": (60, 95),
    "gltf/characters/kaykit_mannequin/Med_General.glb": (25, 60),
    "gltf/khronos-samples/CesiumMan.glb": (25, 60),
    "gltf/vrm/VRMC_materials_mtoon_UV_Animation_Test.vrm": (50, 80),
    "bvh/cmu/09_03_run.bvh": (45, 80),
    "bvh/clips/rokoko_jesse_dance.bvh": (55, 90),
}
"""Kilograms that people of their height weigh; KayKit's and Cesium's are no taller than children."""
BEASTS = (
    "gltf/characters/quaternius_Horse/Horse.gltf",
    "gltf/characters/quaternius_Trex.glb",
    "gltf/characters/quaternius_Stag.glb",
    "gltf/khronos-samples/Fox.glb",
)


def read(path: Path) -> Document:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return formats.load(path)


@pytest.mark.parametrize("name", PEOPLE)
def test_people_weigh_what_people_do_and_move_as_before(data: Path, name: str) -> None:
    document = read(data / name)
    result = edits.prepare(document)
    low, high = PEOPLE[name]
    assert low < result.kilograms < high
    assert result.weighed == "human"
    assert result.document.clips == document.clips, "not a key is touched"
    assert all(result.document.loosening(c.name).looseness.masses == "human" for c in document.clips)
    anatomy = document.anatomy()
    masses = dict(zip((j.name for j in document.rig.joints), result.document.body().masses.masses, strict=True))
    assert all(masses[part.joint] == 0.0 for part in anatomy if part.role in ("root", "end", "control"))
    again = edits.prepare(result.document)
    assert (again.document, again.limited, again.points) == (result.document, (), ())
    heavier = edits.prepare(document, total=90.0).document
    if document.clips:
        assert heavier.body().total == pytest.approx(90.0)


@pytest.mark.parametrize("name", BEASTS)
def test_beasts_weigh_what_their_size_says(data: Path, name: str) -> None:
    """A fox weighs 6 kg and its head is 0.5 m high, a horse 500 kg and 2.2 m: some fifty times the cube."""
    document = read(data / name)
    result = edits.prepare(document)
    # The fox was made in centimetres.
    metres = chains.height(document.rig) * (0.01 if "Fox" in name else 1.0)
    assert result.shrunk == ("Fox" in name)
    assert 10 < result.kilograms / metres**3 < 400
    assert result.document.body().total == pytest.approx(result.kilograms)
    assert {"head_top", "snout"} <= set(result.points)


def test_no_clip_breaks_soft_limits(data: Path) -> None:
    from inbetweener.curves import breaches

    document = edits.prepare(read(data / "gltf" / "characters" / "gdquest_mannequiny.glb")).document
    channels = {c.name: c for c in document.rig.channels}
    assert sum(np.isfinite(c.lower) for c in channels.values()) > 60
    for clip in document.clips:
        for name, curve in clip.curves.items():
            assert not breaches(curve, channels[name].lower, channels[name].upper)


def bends(document: Document, lower: Part, end: str, pose: np.ndarray) -> float:
    """Degrees by which a limb is bent in the way of its rest pose or, where that is straight, of its kind."""
    rig, rest = document.rig, document.rig.rest_world()
    world = rig.world_from_joint(pose[None])[0]
    b, c = rig.joint_index(lower.joint), rig.joint_index(end)
    a = rig.joints[b].parent
    legs = [rest[rig.joint_index(document.anatomy().find("thigh", side)[0].joint), :, 3] for side in ("left", "right")]
    ahead = np.cross(legs[0] - legs[1], [0.0, 1.0, 0.0])
    upper, onward = rest[b, :, 3] - rest[a, :, 3], rest[c, :, 3] - rest[b, :, 3]
    hinge = np.cross(upper, onward)
    if np.linalg.norm(hinge) < 0.17 * np.linalg.norm(upper) * np.linalg.norm(onward):
        hinge = np.cross(upper, ahead if lower.role == "forearm" else -ahead)
    turned = world[a, :, :3] @ np.linalg.inv(rest[a, :, :3]) @ hinge
    upper, onward = world[b, :, 3] - world[a, :, 3], world[c, :, 3] - world[b, :, 3]
    turned /= np.linalg.norm(turned)
    return float(np.degrees(np.arctan2(np.cross(upper, onward) @ turned, upper @ onward)))


@pytest.mark.parametrize(
    "name",
    [
        "gltf/vrm/VRMC_materials_mtoon_UV_Animation_Test.vrm",
        "gltf/characters/quaternius_Farmer.glb",
        "gltf/characters/babylon_riggedMesh.glb",
        "gltf/characters/kaykit_mannequin/manny_med_mod.gltf",
        "bvh/fixtures/pybvh_test1_zup.bvh",
    ],
)
def test_elbows_and_knees_do_not_bend_backwards_when_pulled(data: Path, name: str) -> None:
    document = edits.prepare(opened(data / name), masses=False).document
    anatomy, clip = document.anatomy(), document.clips[0]
    time = float(clip.frame_times[0])
    before = document.motion(clip.name).channels([time])[0]
    for role, tip in (("forearm", "hand"), ("shin", "foot")):
        for lower in anatomy.find(role):  # type: ignore[arg-type]
            end = next(n for n in chains.descendants(document.rig, lower.joint) if anatomy[n].role == tip)
            hips = Pin(Point(anatomy.find("hips")[0].joint), "both")
            least = min(0.0, bends(document, lower, end, before)) - 5.0
            here = document.motion(clip.name).states([time], Point(end))[0][0]
            for away in np.random.default_rng(3).normal(size=(4, 3)):
                to = here + 0.3 * chains.size(document.rig) * away / np.linalg.norm(away)
                pulled = edits.pull(document, end, time=time, to=to, pins=[hips]).document
                pose = pulled.motion(clip.name).channels([time])[0]
                assert bends(document, lower, end, pose) > least, (lower.joint, to)


def test_a_pull_with_hips_and_toes_pinned_moves_no_root(data: Path) -> None:
    document = opened(data / "gltf" / "characters" / "kaykit_mannequin" / "Med_General.glb")
    clip = document.clips[0]
    time = float(document.motion().key_times(Point("hand.l"))[0])
    pins = [Pin(Point(name), "position") for name in ("hips", "toes.l", "toes.r")]
    here = document.motion().states([time], Point("hand.l"))[0][0]
    pulled = edits.pull(document, "hand.l", time=time, to=here + np.array([0.1, 0.3, 0.2]), pins=pins).document
    changed = {n for n in pulled.clips[0].curves if pulled.clips[0].curves[n] != clip.curves.get(n)}
    assert changed
    assert not {n for n in changed if n.startswith(("Rig_Medium.", "root."))}
    # Whoever takes hold of the root itself moves it.
    moved = edits.pull(document, "root", time=time, by=(0.2, 0.0, 0.0))
    assert moved.reached


def test_points_lie_where_they_are_called(data: Path) -> None:
    document = read(data / "gltf" / "characters" / "quaternius_Farmer.glb")
    rig = edits.prepare(document, limits="none", masses=False, stiffness=False).document.rig
    world = rig.rest_world()
    at = {
        p.name: world[rig.joint_index(p.joint), :, :3] @ p.offset + world[rig.joint_index(p.joint), :, 3]
        for p in rig.points
    }
    every = np.concatenate([mesh.vertices for mesh in document.meshes])
    assert at["head_top"][1] > 1.7
    for side in "lr":
        heel, ball, tip = at[f"heel_{side}"], at[f"ball_{side}"], at[f"toe_tip_{side}"]
        assert heel[2] < ball[2] < tip[2]
        assert max(heel[1], ball[1]) < 0.03
        assert abs(at[f"middle_tip_{side}"][0]) > abs(at[f"palm_{side}"][0]) + 0.1
    for name, place in at.items():
        np.testing.assert_allclose(
            at[mirrored_name(name)], place * [1 if mirrored_name(name) == name else -1, 1, 1], atol=2e-3
        )
    assert len(every) > 100


def test_each_gift_can_be_left_out() -> None:
    waving = ib.example("waving")
    assert edits.prepare(waving, limits="none", stiffness=False, masses=False, points=False).document is waving
    only = edits.prepare(waving, limits="none", stiffness=False, masses=True, points=False)
    assert only.document.rig is waving.rig
    assert only.document.loosening().looseness.masses == "human"
    assert "kg by the human table" in str(only)


def test_who_is_nobody_is_told_what_would_help() -> None:
    crate = Document("crate", Rig((Joint("lid"), Joint("hinge", 0, Transform((0.0, 1.0, 0.0))))))
    with pytest.raises(InvalidDocument, match="no body was recognised in 'crate'; say what its joints are"):
        edits.prepare(crate)


def test_what_somebody_said_of_a_joint_counts_for_what_it_weighs() -> None:
    document = replace(ib.example("waving"))
    said = edits.set_roles(document, [Part("hand_l", "control", "left")], mirror=True)
    masses = dict(zip((j.name for j in said.rig.joints), said.body(masses="human").masses.masses, strict=True))
    assert masses["hand_l"] == masses["hand_r"] == 0.0
    assert masses["forearm_l"] > 0.0
