"""Bodies built as robots are: hinges on top of each other in one place, and a tree that begins at the chest."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.anatomy import recognise
from inbetweener.anatomy.shape import _begun_at
from inbetweener.document import edits
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, joint_channels
from tests.retarget.people import person, stepping


def nameless(rig: Rig) -> Rig:
    return Rig(tuple(replace(joint, name=f"j{j}") for j, joint in enumerate(rig.joints)))


@pytest.mark.parametrize("named", [True, False])
def test_a_tree_that_begins_at_the_chest_is_the_same_body(named: bool) -> None:
    plain = person().rig
    whole = Rig(tuple(replace(j, parent=j.parent - 1) for j in plain.joints[1:]))
    turned = _begun_at(whole, whole.joint_index("chest"))
    assert turned.joints[0].name == "chest"
    for name in ("hand_l", "foot_r"):
        there, here = (rig.rest_world()[rig.joint_index(name), :, 3] for rig in (whole, turned))
        np.testing.assert_allclose(here, there, atol=1e-12)
    found = recognise(turned if named else nameless(turned))
    right = {joint.name: recognise(whole)[joint.name].role for joint in turned.joints}
    told = {joint.name: part.role for joint, part in zip(turned.joints, found, strict=True)}
    limbs = [n for n in right if n.rpartition("_")[0] in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")]
    assert len(limbs) == 12
    assert [told[name] for name in limbs] == [right[name] for name in limbs]
    assert told["hips"] == "hips"
    assert found.kind == "humanoid"


def test_hinges_in_one_place_are_one_joint() -> None:
    joints: list[Joint] = []
    at: dict[str, int] = {}
    for joint in person().rig.joints:
        parent = at[person().rig.joints[joint.parent].name] if joint.parent >= 0 else -1
        rest = joint.rest
        if joint.name.startswith(("thigh", "upper_arm", "foot")):
            for axis in ("rz", "ry"):
                joints.append(Joint(joint.name + axis, parent, rest))
                parent, rest = len(joints) - 1, Transform((0.0, 0.0, 0.0))
        at[joint.name] = len(joints)
        joints.append(Joint(joint.name, parent, rest))
    found = recognise(Rig(tuple(joints)))
    for side in "lr":
        for role in ("thigh", "upper_arm"):
            # A limb begins with its first hinge; what is between twists.
            parts = [found[f"{role}_{side}{axis}"] for axis in ("rz", "ry", "")]
            assert [(part.role, part.number) for part in parts] == [(role, 1), ("twist", 0), (role, 2)]
        assert [found[f"foot_{side}{axis}"].role for axis in ("rz", "ry", "")] == ["twist", "twist", "foot"]
    assert found.kind == "humanoid"


def test_who_lies_is_no_beast() -> None:
    rig = person().rig
    lying = replace(rig.joints[0], rest=Transform((0.0, 0.1, 0.0), (np.cos(np.pi / 4), -np.sin(np.pi / 4), 0.0, 0.0)))
    assert recognise(Rig((lying, *rig.joints[1:]))).kind == "humanoid"


def test_a_clip_comes_to_a_body_that_begins_at_the_chest() -> None:
    whole = person()
    turned = _begun_at(Rig(tuple(replace(j, parent=j.parent - 1) for j in whole.rig.joints[1:])), 3)
    assert turned.joints[0].name == "chest"
    channels = [
        channel
        for n, joint in enumerate(turned.joints)
        for channel in joint_channels(joint, "tx ty tz rx ry rz" if n == 0 else "rx ry rz")
    ]
    result = edits.retarget(replace(whole, rig=Rig(turned.joints, tuple(channels))), stepping())
    assert result.quality.missed.max() < 0.01
    assert result.quality.slide.max() < 1e-3
