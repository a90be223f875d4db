"""A renamed joint is renamed everywhere, and nothing moves."""

import numpy as np

from inbetweener.document import edits, validate
from tests.document.puppet import puppet


def test_renamed_everywhere() -> None:
    after = edits.rename_joint(puppet(), "arm.l", "wing")
    validate(after)
    assert [joint.name for joint in after.rig.joints] == ["hips", "wing"]
    assert [c.name for c in after.rig.channels][-5:] == ["wing.rx", "wing.ry", "wing.rz", "bend", "smile"]
    assert [drive.dof for drive in after.rig.channel("bend").drives] == ["hips.rz", "wing.rz"]
    assert after.rig.point("hand").joint == "wing"
    assert [mesh.joints for mesh in after.meshes] == [("hips", "wing"), ("wing",)]
    assert [prop.joint for prop in after.props] == [None, None, "wing"]
    assert "arm.l" not in str(
        [list(clip.curves) + [list(layer.curves) for layer in clip.layers] for clip in after.clips]
    )


def test_nothing_moves() -> None:
    before = puppet()
    after = edits.rename_joint(before, "arm.l", "wing")
    times = np.linspace(0, 2, 21)
    world = [document.motion("walk").world_from_joint(times) for document in (before, after)]
    np.testing.assert_array_equal(*world)


def test_back_again_is_the_same_document() -> None:
    there = edits.rename_joint(puppet(), "arm.l", "wing")
    assert edits.rename_joint(there, "wing", "arm.l") == puppet()


def test_what_does_not_name_the_joint_is_shared() -> None:
    before = puppet()
    after = edits.rename_joint(before, "arm.l", "wing")
    assert after.props[0] is before.props[0]
    assert after.clips[1] is before.clips[1]
    assert after.rig.joints[0] is before.rig.joints[0]
    assert after.rig.channel("hips.rx") is before.rig.channel("hips.rx")
    assert after.meshes[0].vertices is before.meshes[0].vertices
    walk = after.clip("walk")
    assert walk.curves["wing.rz"] is before.clip("walk").curves["arm.l.rz"]


def test_its_own_name_changes_nothing() -> None:
    document = puppet()
    assert edits.rename_joint(document, "hips", "hips") is document
