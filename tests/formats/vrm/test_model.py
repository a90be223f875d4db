"""VRM characters opened, changed and saved: everything but the animation stays, springs go both ways."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.errors import FormatError
from inbetweener.formats import read, write
from inbetweener.formats.gltf.vrm.swing import RATE, numbers_of, spring_of
from inbetweener.kinodynamics import Spring
from inbetweener.motion import Clip, Curves
from tests.conftest import REAL_FILES
from tests.formats.gltf.oracle import Oracle
from tests.formats.gltf.test_whole import assert_only_animation_differs
from tests.formats.vrm.made import BONES, person, stored

VERSIONS = (0, 1)
REAL = sorted((REAL_FILES / "gltf" / "vrm").glob("*.vrm")) if REAL_FILES.is_dir() else []


def opened(tmp_path: Path, version: int, **springs: Any) -> tuple[Path, Document]:
    path = stored(person(version, **springs), tmp_path / "someone.vrm")
    return path, read(path).document


def waving(document: Document) -> Document:
    """The document with a clip that turns an arm, made through an edit as a hand would."""
    arm = next(joint.name for joint in document.rig.joints if "UpperArm" in joint.name or "Arm" in joint.name)
    curve = Curve.sampled(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.4, 0.0]))
    return edits.add_clip(document, Clip("wave", 1.0, rate=30.0, curves=Curves({f"{arm}.rz": curve})))


@pytest.mark.parametrize("version", VERSIONS)
def test_only_animation_differs_after_an_edit(tmp_path: Path, version: int) -> None:
    path, document = opened(tmp_path, version)
    losses = write(waving(document), tmp_path / "saved.vrm")
    assert any(".vrma" in line for line in losses)
    assert_only_animation_differs(path, tmp_path / "saved.vrm")
    again = read(tmp_path / "saved.vrm").document
    assert [clip.name for clip in again.clips] == ["wave"]


@pytest.mark.skipif(not REAL, reason="no real files beside the checkout")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_characters_keep_all_but_animation(tmp_path: Path, path: Path) -> None:
    write(waving(read(path).document), tmp_path / "saved.vrm")
    assert_only_animation_differs(path, tmp_path / "saved.vrm")


@pytest.mark.parametrize("version", VERSIONS)
def test_unchanged_is_the_same_document(tmp_path: Path, version: int) -> None:
    path, document = opened(tmp_path, version)
    assert write(document, tmp_path / "saved.vrm") == ()
    again = read(tmp_path / "saved.vrm").document
    assert replace(again, name=document.name, source=None) == replace(document, source=None)
    assert Oracle(path).json["extensions"] == Oracle(tmp_path / "saved.vrm").json["extensions"]
    assert "animations" not in Oracle(tmp_path / "saved.vrm").json


@pytest.mark.parametrize("version", VERSIONS)
def test_bones_and_expressions_have_their_names(tmp_path: Path, version: int) -> None:
    _, document = opened(tmp_path, version)
    roles = {part.joint: (part.role, part.side) for part in document.roles}
    assert roles["leftUpperArm.jnt"] == ("upper_arm", "left")
    assert len(roles) == len(BONES)
    shapes = [channel.name for channel in document.rig.channels if channel.kind == "shape"]
    # A blink is made of shapes that winks are made of too: those stay as the file calls them.
    assert shapes == ["happy", "face.Blink_L", "face.Blink_R", "frown"]


def test_expressions_that_make_no_sense_are_kept(tmp_path: Path) -> None:
    made = person(1)
    made.json["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"]["morphTargetBinds"] = [{"node": "x"}]
    reading = read(stored(made, tmp_path / "odd.vrm"))
    assert any("expressions make no sense" in line for line in reading.losses)
    assert "face.Joy" in [channel.name for channel in reading.document.rig.channels]


# Springs.


def swung(stiffness: float, drag: float, length: float, frames: int) -> np.ndarray:
    """A tail that is let go 0.01 rad aside, frame by frame, as VRM's specification moves it."""
    dt, tail, before = 1 / RATE, None, None
    tail = before = length * np.array([math.sin(0.01), -math.cos(0.01)])
    angles = [0.01]
    for _ in range(frames):
        moved = tail + (tail - before) * (1 - drag) + stiffness * dt * np.array([0.0, -1.0])
        before, tail = tail, length * moved / np.linalg.norm(moved)
        angles.append(math.atan2(tail[0], -tail[1]))
    return np.array(angles)


@pytest.mark.parametrize(
    ("stiffness", "drag", "length"),
    [(1.0, 0.4, 0.1), (4.0, 0.4, 0.05), (0.2, 0.9, 0.2), (0.5, 0.0, 0.1), (0.05, 0.1, 0.3)],
)
def test_a_spring_swings_as_its_spring_bone(stiffness: float, drag: float, length: float) -> None:
    spring = spring_of(stiffness, drag, length)
    assert spring is not None
    angles = swung(stiffness, drag, length, 40)
    # Nothing but the bone moves: joint and air hold against the same.
    omega = 2 * math.pi * spring.frequency
    zeta = spring.damping + spring.air / (2 * omega)
    roots = omega * (-zeta + np.array([1, -1]) * np.emath.sqrt(zeta**2 - 1))
    times = np.arange(41) / RATE
    # The one solution of the spring's equation through the first two frames is that of all others.
    shares = np.linalg.solve(np.exp(np.outer(times[:2], roots)), angles[:2])
    np.testing.assert_allclose((np.exp(np.outer(times, roots)) @ shares).real, angles, atol=2e-6)
    assert numbers_of(spring, length) == pytest.approx((stiffness, drag), rel=1e-9, abs=1e-9)


def test_what_vrm_cannot_swing_is_as_near_as_it_can() -> None:
    stiffness, drag = numbers_of(Spring(3.0, 0.0), 0.1)
    assert drag == 0.0
    assert stiffness > 0
    assert spring_of(0.0, 0.4, 0.1) is None
    assert all(map(math.isfinite, numbers_of(Spring(1000.0, 100.0), 0.0)))


@pytest.mark.parametrize("version", VERSIONS)
def test_spring_bones_are_springs_that_are_off(tmp_path: Path, version: int) -> None:
    _, document = opened(tmp_path, version)
    loosening = document.loosening()
    # The last joint of a row of VRM 1.0 is only its end; VRM 0.x swings it too.
    assert list(loosening.looseness.springs) == ["hair_1", "hair_2", "hair_3", "hair_end"][: 4 - version]
    assert not document.is_loose()
    assert loosening.looseness.gravity == 0.0


def test_what_is_kept_and_not_simulated_is_told(tmp_path: Path) -> None:
    made = person(1)
    made.json["extensions"]["VRMC_springBone"]["springs"][0] |= {"center": 0, "colliderGroups": [0]}
    losses = read(stored(made, tmp_path / "someone.vrm")).losses
    assert [word for word in ("centres", "colliders and hit radii") for line in losses if word in line] == [
        "centres",
        "colliders and hit radii",
    ]
    plain = read(stored(person(0), tmp_path / "plain.vrm")).losses
    assert not [line for line in plain if "centres" in line or "colliders" in line]


def test_gravity_comes_along_where_it_is_one(tmp_path: Path) -> None:
    _, document = opened(tmp_path, 1, gravityPower=0.1)
    assert document.loosening().looseness.gravity == pytest.approx(0.1 * 60 / 9.81, rel=0.2)
    made = person(1, gravityPower=0.1)
    made.json["extensions"]["VRMC_springBone"]["springs"][0]["joints"][1]["gravityPower"] = 0.5
    reading = read(stored(made, tmp_path / "odd.vrm"))
    assert reading.document.loosening().looseness.gravity == 0.0
    assert any("gravity" in line for line in reading.losses)


def lost(spring: Spring) -> float:
    """By how much a second a bone comes to rest, by its joint and by air."""
    return 4 * math.pi * spring.frequency * spring.damping + spring.air


@pytest.mark.parametrize("version", VERSIONS)
def test_changed_springs_come_back(tmp_path: Path, version: int) -> None:
    path, document = opened(tmp_path, version)
    clip, old = document.clips[0].name, document.loosening().looseness.springs
    # Twice as slow, all of them: which groups of VRM 0.x can say but for how long each bone is.
    changed = edits.set_springs(document, clip, {name: each.scaled(0.5) for name, each in old.items()})
    losses = write(changed, tmp_path / "saved.vrm")
    again = read(tmp_path / "saved.vrm").document.loosening().looseness.springs
    assert list(again) == list(old)
    if version:
        assert all("one drag" in line for line in losses)
        for name in old:
            assert again[name].frequency == pytest.approx(0.5 * old[name].frequency, rel=1e-6)
            # How much of it is air's follows from the rest, and air is felt by a bone alone.
            assert lost(again[name]) == pytest.approx(lost(changed.loosening().looseness.springs[name]), rel=0.02)
    else:
        assert any("mean" in line for line in losses)
        ratios = [again[name].frequency / old[name].frequency for name in old]
        assert 0.4 < min(ratios) <= max(ratios) < 0.65
    one, two = Oracle(path).json, Oracle(tmp_path / "saved.vrm").json
    assert {**one["extensions"], "VRMC_springBone": 0, "VRM": 0} == {
        **two["extensions"],
        "VRMC_springBone": 0,
        "VRM": 0,
    }


def test_springs_taken_off_and_put_on(tmp_path: Path) -> None:
    _, document = opened(tmp_path, 1)
    clip = document.clips[0].name
    changed = edits.set_springs(
        document, clip, {"hair_2": None, "leftShoulder.jnt": Spring(3.0, 0.5), "leftToes.jnt": Spring(3.0)}
    )
    losses = write(changed, tmp_path / "saved.vrm")
    assert any("leftToes.jnt" in line for line in losses)
    springs = Oracle(tmp_path / "saved.vrm").json["extensions"]["VRMC_springBone"]["springs"]
    rows = [[joint["node"] for joint in spring["joints"]] for spring in springs]
    first = len(BONES)
    shoulder, arm = list(BONES).index("leftShoulder"), list(BONES).index("leftUpperArm")
    assert rows == [[first, first + 1], [first + 2, first + 3], [shoulder, arm]]
    again = read(tmp_path / "saved.vrm").document.loosening().looseness.springs
    assert set(again) == {"leftShoulder.jnt", "hair_1", "hair_3"}
    assert again["leftShoulder.jnt"].frequency == pytest.approx(3.0, rel=1e-6)


def test_a_group_of_the_older_kind_is_added(tmp_path: Path) -> None:
    _, document = opened(tmp_path, 0)
    changed = edits.set_springs(document, document.clips[0].name, {"leftToes.jnt": Spring(3.0, 0.5)})
    write(changed, tmp_path / "saved.vrm")
    groups = Oracle(tmp_path / "saved.vrm").json["extensions"]["VRM"]["secondaryAnimation"]["boneGroups"]
    assert groups[1]["bones"] == [list(BONES).index("leftToes")]
    again = read(tmp_path / "saved.vrm").document.loosening().looseness.springs
    assert again["leftToes.jnt"].frequency == pytest.approx(3.0, rel=1e-6)


@pytest.mark.parametrize(
    "broken", [[], "x", {"springs": 3}, {"springs": [{"joints": [{"node": "a"}]}]}, {"springs": [{}]}]
)
def test_spring_bones_that_make_no_sense_are_kept(tmp_path: Path, broken: Any) -> None:
    made = person(1)
    made.json["extensions"]["VRMC_springBone"] = broken
    document = read(stored(made, tmp_path / "odd.vrm")).document
    assert not document.loosenings
    write(document, tmp_path / "saved.vrm")
    assert json.dumps(Oracle(tmp_path / "saved.vrm").json["extensions"]["VRMC_springBone"]) == json.dumps(broken)


def test_only_what_was_a_vrm_file_is_written_as_one(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"only what was opened from a \.vrm file.*\.vrma"):
        write(ib.example("waving"), tmp_path / "waving.vrm")
    assert not (tmp_path / "waving.vrm").exists()
