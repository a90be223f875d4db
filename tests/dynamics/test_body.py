"""Weighing a rig, and bodies that weigh nothing where mass matters."""

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.curves import Curve
from inbetweener.dynamics import Body
from inbetweener.dynamics.human import human
from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Rig, masses
from inbetweener.rig.masses import MassModel
from tests.rig.specimens import person, random_poses


def weightless(rig: Rig) -> MassModel:
    count = len(rig.joints)
    return MassModel(rig, np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3)))


def test_boxes_people_and_given_masses() -> None:
    rig = person()
    np.testing.assert_array_equal(Body.of(rig).masses.masses, masses.boxes(rig).masses)
    np.testing.assert_array_equal(Body.of(rig, "human").masses.masses, human(rig).masses)
    given = masses.boxes(rig, density=500.0)
    assert Body.of(rig, given).masses is given
    assert Body.of(rig, "human", total=55.0).total == pytest.approx(55.0)


def test_overrides_come_after_the_total() -> None:
    body = Body.of(person(), total=60.0, overrides={"hand_l": 5.0})
    plain = Body.of(person(), total=60.0)
    hand = body.rig.joint_index("hand_l")
    assert body.masses.masses[hand] == 5.0
    assert body.total == pytest.approx(60.0 + 5.0 - plain.masses.masses[hand])
    np.testing.assert_allclose(
        body.masses.inertias[hand], plain.masses.inertias[hand] * 5.0 / plain.masses.masses[hand]
    )
    with pytest.raises(UnknownName, match="paw"):
        Body.of(person(), overrides={"paw": 1.0})


def test_what_a_joint_carries_is_all_below_it() -> None:
    body = Body.of(person())
    at = body.rig.joint_index
    weights = dict(zip((joint.name for joint in body.rig.joints), body.masses.masses, strict=True))
    arm = sum(weights[f"{part}_l"] for part in ("upper_arm", "forearm", "hand"))
    assert body.carried[at("upper_arm_l")] == pytest.approx(arm)
    assert body.carried[at("hips")] == pytest.approx(body.total)
    assert body.hanging[at("chest"), at("hand_r")]
    assert not body.hanging[at("hand_r"), at("chest")]


def test_a_body_says_where_its_masses_are_from() -> None:
    rig = person()
    assert Body.of(rig).source == "boxes"
    assert Body.of(rig, "human").source == "human table"
    assert Body.of(rig, masses.boxes(rig)).source == "given masses"
    assert Body.of(rig, overrides={"hand_l": 1.0, "head": 5.0}).source == "boxes, but for hand_l, head"
    waving = example("waving")
    assert Body.from_meshes(waving.rig, waving.meshes).source == "mesh volume"


def test_nothing_cannot_be_a_body() -> None:
    rig = person()
    with pytest.raises(InvalidRig, match="weighs nothing; give at least one joint a mass"):
        Body.of(rig, weightless(rig))
    with pytest.raises(InvalidRig, match="cannot be scaled to 70 kg"):
        Body.of(rig, weightless(rig), total=70.0)
    with pytest.raises(InvalidRig, match="has none"):
        Body.of(Rig())


def test_joints_that_move_no_mass_are_named() -> None:
    body = Body.of(person(), overrides={"hand_l": 0.0})
    body.require_mass(["hips", "hand_l"])
    with pytest.raises(InvalidRig, match="joint 'hand_l' and all below it weigh nothing"):
        body.require_mass(["hand_l"])


def test_the_centre_of_mass_of_poses_and_of_a_motion() -> None:
    rig = person(3)
    body = Body.of(rig, "human")
    poses = random_poses(rig, 4, 2)
    expected = body.masses.centre_of_mass(rig.world_from_joint(poses))
    np.testing.assert_array_equal(body.centre_of_mass(poses), expected)
    curves = {c.name: Curve.constant(float(v)) for c, v in zip(rig.channels, poses[1], strict=True)}
    motion = Motion(rig, Clip("held", curves=curves, start=0.0, end=1.0))
    np.testing.assert_allclose(body.centre_path(motion, [0.0, 0.7]), expected[[1, 1]], rtol=0, atol=1e-15)
