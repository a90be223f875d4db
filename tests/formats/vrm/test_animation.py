"""Clips as VRM animations, judged by plain forward kinematics on the nodes of the file."""

from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.errors import FormatError
from inbetweener.formats import read, write
from inbetweener.formats.gltf.vrm.humanoid import human_bones
from inbetweener.motion import Clip, Curves
from tests.conftest import REAL_FILES
from tests.formats.gltf.oracle import Oracle
from tests.formats.vrm.made import BONES, person, stored


def bones(file: Oracle) -> dict[str, int]:
    named = file.json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"]
    return {name: each["node"] for name, each in named.items()}


def joints_of(document: Document) -> dict[str, int]:
    return {bone: document.rig.joint_index(name) for bone, name in human_bones(document.anatomy()).items()}


def assert_t_pose(file: Oracle) -> None:
    """As the specification has it: nothing is turned or scaled, arms to the sides, looking along +Z."""
    nodes = bones(file)
    assert all("rotation" not in node and "scale" not in node for node in file.nodes)
    world = file.world(None, np.zeros(1))[0]
    places = {name: world[node, :3, 3] for name, node in nodes.items()}
    for side, way in (("left", 1.0), ("right", -1.0)):
        arm = places[f"{side}Hand"] - places[f"{side}UpperArm"]
        assert way * arm[0] > 0.99 * np.linalg.norm(arm)
        leg = places[f"{side}Foot"] - places[f"{side}UpperLeg"]
        assert -leg[1] > 0.99 * np.linalg.norm(leg)


@pytest.mark.parametrize("name", ["waving", "boxer"])
def test_bones_go_the_ways_of_the_joints(tmp_path: Path, name: str) -> None:
    document = ib.example(name)
    write(document, tmp_path / "clip.vrma")
    file = Oracle(tmp_path / "clip.vrma")
    assert_t_pose(file)
    times = document.clip().frame_times
    nodes, joints = bones(file), joints_of(document)
    assert {"hips", "spine", "head", "leftHand", "rightFoot"} <= nodes.keys() <= joints.keys()
    world = file.world(0, times - times[0])[:, list(nodes.values())][:, :, :3, 3]
    there = document.motion().joint_positions(times)[:, [joints[bone] for bone in nodes]]
    # These bodies look along +Z too, so nothing is turned on the way.
    assert np.abs(world - there).max() < 2e-5


@pytest.mark.parametrize("version", [0, 1])
def test_faces_and_eyes_are_in_it(tmp_path: Path, version: int) -> None:
    document = read(stored(person(version), tmp_path / "someone.vrm")).document
    times = np.linspace(0.0, 1.0, 4)
    curves = {
        "happy": Curve.sampled(times, np.array([0.0, 1.0, 0.5, 0.0])),
        "frown": Curve.sampled(times, np.array([0.0, 0.2, 0.3, 1.0])),
        "face.Blink_L": Curve.sampled(times, np.array([0.0, 1.0, 1.0, 0.0])),
        "leftEye.jnt.ry": Curve.sampled(times, np.array([0.0, 0.2, 0.2, 0.0])),
        "rightEye.jnt.ry": Curve.sampled(times, np.array([0.0, 0.2, 0.2, 0.0])),
        "leftUpperArm.jnt.rz": Curve.sampled(times, np.array([0.0, 0.5, 1.0, 0.0])),
    }
    document = edits.add_clip(document, Clip("talk", 1.0, rate=30.0, curves=Curves(curves)))
    losses = write(document, tmp_path / "talk.vrma", clip="talk")
    assert any("1 shapes" in line for line in losses)
    file = Oracle(tmp_path / "talk.vrma")
    assert_t_pose(file)
    record = file.json["extensions"]["VRMC_vrm_animation"]
    assert record["expressions"].keys() == {"preset", "custom"}
    at = np.array([1 / 3])
    weight = file.world(0, at)[0, record["expressions"]["preset"]["happy"]["node"], :3, 3]
    np.testing.assert_allclose(weight, [1.0, 0.0, 0.0], atol=1e-6)
    gaze = file.world(0, at)[0, record["lookAt"]["node"], :3, :3]
    np.testing.assert_allclose(gaze @ [0, 0, 1], [np.sin(0.2), 0, np.cos(0.2)], atol=1e-6)
    moved = {each["target"]["node"] for each in file.json["animations"][0]["channels"]}
    assert moved.isdisjoint({bones(file)["leftEye"], bones(file)["rightEye"]})
    # A character of 0.x looks along −Z and is turned about; its arm goes up all the same.
    places = file.world(0, at)[0]
    hand = places[bones(file)["leftHand"], :3, 3] - places[bones(file)["leftUpperArm"], :3, 3]
    turned = 0.5 if version else -0.5
    np.testing.assert_allclose(hand / np.linalg.norm(hand), [np.cos(0.5), np.sin(turned), 0.0], atol=1e-5)


@pytest.mark.skipif(not REAL_FILES.is_dir(), reason="no real files beside the checkout")
def test_a_real_animation_goes_through(tmp_path: Path) -> None:
    """Spines of seven joints and scaled nodes included: hands and feet come to the same places."""
    document = read(REAL_FILES / "gltf" / "vrm" / "chatvrm_idle_loop.vrma").document
    write(document, tmp_path / "again.vrma")
    file = Oracle(tmp_path / "again.vrma")
    assert_t_pose(file)
    count = len(file.accessor(file.json["animations"][0]["samplers"][0]["input"]))
    times = np.arange(count)[::20] / document.clip().rate
    nodes, joints = bones(file), joints_of(document)
    world = file.world(0, times)[:, list(nodes.values())][:, :, :3, 3]
    there = document.motion().joint_positions(document.clip().start + times)[:, [joints[bone] for bone in nodes]]
    # Joints between two human bones bend the way from one to the next.
    assert np.abs(world - there).max() < 0.02


def test_what_is_no_person_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a VRM animation is of a person"):
        write(ib.example("fox-tail"), tmp_path / "fox.vrma")
    with pytest.raises(FormatError, match="has no clip"):
        write(read(stored(person(1), tmp_path / "x.vrm")).document.__class__("nobody"), tmp_path / "x.vrma")
    assert len(BONES) == 23
