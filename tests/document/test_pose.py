"""Kept poses: files that hold them, and characters that take them by names or by roles."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

import inbetweener as ib
from inbetweener.arrays import Floats
from inbetweener.document import Document, Pose, edits, read_pose, write_pose
from inbetweener.document.edits.pull import NoKeyThere
from inbetweener.errors import FormatError, InvalidEdit
from tests.studio.documents import arm

LIMBS = (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot"))


def pose_at(document: Document, clip: str, time: float) -> Floats:
    return document.motion(clip).channels([time])[0]


def directions(document: Document, clip: str, time: float) -> dict[tuple[str, str], Floats]:
    """Which way the bones of arms and legs point, by roles."""
    posed = document.rig.posed(document.motion(clip).channels([time]))
    places, anatomy = posed.world_from_joint[0, :, :, 3], document.anatomy()
    found = {}
    for side in ("left", "right"):
        for upper, lower in LIMBS:
            one, other = (places[document.rig.joint_index(anatomy.find(r, side)[0].joint)] for r in (upper, lower))
            found[upper, side] = (other - one) / np.linalg.norm(other - one)
    return found


def test_a_pose_comes_back_from_its_file_and_onto_its_character(tmp_path: Path) -> None:
    document = arm()
    pose = Pose.of(document, "bent", "swing", 0.25)
    write_pose(pose, tmp_path / "bent.pose")
    assert read_pose(tmp_path / "bent.pose") == pose

    result = edits.apply_pose(document, pose, frame=12, clip="swing")
    assert np.allclose(pose_at(result.document, "swing", 0.5), pose_at(document, "swing", 0.25), atol=1e-12)
    half = edits.apply_pose(document, pose, frame=12, clip="swing", amount=0.5).document
    between = (pose_at(document, "swing", 0.25) + pose_at(document, "swing", 0.5)) / 2
    assert np.allclose(pose_at(half, "swing", 0.5), between, atol=1e-12)
    assert result.facts["channels"] == len(document.rig.channels)
    assert result.problem == ""


def test_only_chosen_joints_are_kept_and_only_chosen_ones_take_it() -> None:
    document = arm()
    hand = Pose.of(document, "flick", "swing", 0.25, ["elbow.rz", "elbow.ry"])
    assert [joint.name for joint in hand.joints] == ["elbow"]
    made = edits.apply_pose(document, hand, frame=12, clip="swing").document
    before, after = pose_at(document, "swing", 0.5), pose_at(made, "swing", 0.5)
    changed = {document.rig.channels[c].name for c in np.flatnonzero(np.abs(after - before) > 1e-12)}
    assert changed == {"elbow.rz", "elbow.ry"}
    with pytest.raises(InvalidEdit, match="nothing to say of what is chosen"):
        edits.apply_pose(document, hand, frame=12, clip="swing", joints=["hips"])


def test_without_keying_a_pose_needs_a_key_there() -> None:
    document = arm()
    pose = Pose.of(document, "bent", "swing", 0.25)
    assert edits.apply_pose(document, pose, frame=12, clip="swing", key=False).document != document
    with pytest.raises(NoKeyThere, match="no key on frame 15"):
        edits.apply_pose(document, pose, frame=15, clip="swing", key=False)


def test_other_names_take_it_by_roles(data: Path) -> None:
    """Bones of a character with other names, axes and numbers of joints point where those of the pose did."""
    boxer, man = ib.example("boxer"), ib.load(data / "gltf/khronos-samples/CesiumMan.glb")
    clip, shown = boxer.clip(), man.clips[0]
    pose = Pose.of(boxer, "guard", clip.name, clip.start + 0.5)
    result = edits.apply_pose(man, pose, time=shown.start, clip=shown.name)
    wished, found = directions(boxer, clip.name, clip.start + 0.5), directions(result.document, shown.name, shown.start)
    rest = directions(man, shown.name, shown.start)
    for bone, way in wished.items():
        assert way @ found[bone] > np.cos(np.radians(0.1)), bone
    assert min(float(way @ rest[bone]) for bone, way in wished.items()) < 0.8, "it was not there before"
    assert "eye_l" in result.left_out


def test_renamed_joints_take_it_by_roles_part_by_part() -> None:
    """A pose of one arm moves that arm of a character with the same bones under other names, and nothing else."""
    boxer = ib.example("boxer")
    clip = boxer.clip()
    arm_channels = [c.name for c in boxer.rig.channels if {d.joint for d in c.drives} <= {"upper_arm_l", "forearm_l"}]
    arm_channels = [name for name in arm_channels if name.endswith((".rx", ".ry", ".rz"))]
    pose = Pose.of(boxer, "arm", clip.name, clip.start + 0.5, arm_channels)
    other = boxer
    for name in ("upper_arm_l", "forearm_l"):
        other = edits.rename_joint(other, name, f"Left{name.removesuffix('_l').title().replace('_', '')}")
    moved = edits.apply_pose(other, pose, time=clip.start).document
    before, after = (pose_at(each, clip.name, clip.start) for each in (other, moved))
    wished = pose_at(boxer, clip.name, clip.start + 0.5)
    changed = np.flatnonzero(np.abs(after - before) > 1e-9)
    numbers = [boxer.rig.channel_index(name) for name in arm_channels]
    assert set(changed) <= set(numbers)
    assert np.allclose(after[numbers], wished[numbers], atol=1e-6)


def test_mirrored_it_is_the_other_arm() -> None:
    boxer = ib.example("boxer")
    clip = boxer.clip()
    left = [c.name for c in boxer.rig.channels if any(d.joint in ("upper_arm_l", "forearm_l") for d in c.drives)]
    pose = Pose.of(boxer, "arm", clip.name, clip.start + 0.5, left)
    moved = edits.apply_pose(boxer, pose, time=clip.start, mirrored=True).document
    before, after = (pose_at(each, clip.name, clip.start) for each in (boxer, moved))
    changed = {boxer.rig.channels[c].name for c in np.flatnonzero(np.abs(after - before) > 1e-9)}
    assert changed
    assert {name.partition(".")[0] for name in changed} <= {"upper_arm_r", "forearm_r"}
    there, here = directions(boxer, clip.name, clip.start + 0.5), directions(moved, clip.name, clip.start)
    # The angle between the bones of an arm is the same in a mirror.
    bends = [float(d["upper_arm", side] @ d["forearm", side]) for d, side in ((there, "left"), (here, "right"))]
    assert bends[0] == pytest.approx(bends[1], abs=1e-9)


def test_a_character_that_shares_nothing_is_told(tmp_path: Path) -> None:
    spider = ib.example("spider-walk")
    pose = Pose.of(arm(), "bent", "swing", 0.25)
    with pytest.raises(InvalidEdit, match="says nothing to 'spider"):
        edits.apply_pose(spider, pose, time=spider.clip().start, clip=spider.clip().name)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "this is no pose"),
        (b'{"format": "inbetweener-keys", "version": 1}', "this is no pose"),
        (b'{"format": "inbetweener-keys", "version": 1, "pose": {"name": "a", "channels": {"b": 1}}}', "inbetweener-k"),
        (b'{"format": "inbetweener-pose", "version": 9, "pose": {"name": "a", "channels": {"b": 1}}}', "version 9"),
        (b'{"format": "inbetweener-pose", "version": 1, "pose": {"name": "a", "channels": {}}}', "has no values"),
        (b'{"format": "inbetweener-pose", "version": 1, "pose": {"name": "a", "channels": {"b": 1e300}}}', "channels"),
    ],
)
def test_files_that_are_none_are_told(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "odd.pose"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said):
        read_pose(path)
    with pytest.raises(FormatError):
        read_pose(tmp_path / "absent.pose")
    with pytest.raises(FormatError, match=r"end in \.pose"):
        write_pose(Pose("a", {"b": 1.0}), tmp_path / "a.json")


def test_a_turn_that_is_none_is_told(tmp_path: Path) -> None:
    boxer = ib.example("boxer")
    pose = Pose.of(boxer, "guard", boxer.clip().name, 0.0)
    write_pose(pose, tmp_path / "guard.pose")
    kept = msgspec.json.decode((tmp_path / "guard.pose").read_bytes())
    kept["pose"]["posture"]["parts"][0]["turn"] = [0, 0, 0, 0]
    (tmp_path / "guard.pose").write_bytes(msgspec.json.encode(kept))
    with pytest.raises(FormatError, match="turned by no rotation"):
        read_pose(tmp_path / "guard.pose")
    assert replace(pose, name="other").posture is pose.posture
