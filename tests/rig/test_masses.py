"""Box masses and the arithmetic of mass models."""

import math
from collections.abc import Iterable

import mujoco
import numpy as np
import pytest

from inbetweener.errors import InvalidRig
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Point, Rig, joint_channels, masses
from inbetweener.rig.mirror import Mirror
from tests.rig.specimens import person, random_poses, random_rig


def assert_physical(model: masses.MassModel) -> None:
    """Inertias are symmetric and positive definite, and no moment exceeds the sum of the other two."""
    assert (model.masses > 0).all()
    assert np.array_equal(model.inertias, np.swapaxes(model.inertias, -1, -2))
    moments = np.linalg.eigvalsh(model.inertias)
    assert (moments > 0).all()
    assert (moments[:, 0] + moments[:, 1] >= moments[:, 2] * (1 - 1e-9)).all()


def assert_symmetric(model: masses.MassModel) -> None:
    """Partners weigh the same, and their centres and moments of inertia mirror each other in the world."""
    rig = model.rig
    partner = Mirror.of(rig).joints
    across = np.diag([-1.0, 1.0, 1.0])
    world, orientation = (a[0] for a in rig.skeleton.forward(rig.dof_map.dofs(rig.defaults[None])))
    centres = np.einsum("jrc,jc->jr", world[..., :3], model.centres) + world[..., 3]
    inertias = orientation @ model.inertias @ np.swapaxes(orientation, -1, -2)
    np.testing.assert_allclose(model.masses[partner], model.masses, rtol=1e-12)
    np.testing.assert_allclose(centres[partner], centres @ across, rtol=0, atol=1e-12)
    np.testing.assert_allclose(inertias[partner], across @ inertias @ across, rtol=0, atol=1e-12)


def test_box_inertia_is_the_closed_form() -> None:
    inertia = masses.box_inertia(12.0, (1.0, 2.0, 3.0))
    assert np.array_equal(inertia, np.diag([4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0]))


def test_two_half_boxes_make_a_whole() -> None:
    half = masses.box_inertia(6.0, (1.0, 2.0, 3.0))
    both = [(6.0, np.array([side, 0.0, 0.0]), half) for side in (2.5, 3.5)]
    mass, centre, inertia = masses.merged(both)
    assert mass == 12.0
    assert centre.tolist() == [3.0, 0.0, 0.0]
    np.testing.assert_allclose(inertia, masses.box_inertia(12.0, (2.0, 2.0, 3.0)), rtol=1e-14)


def test_one_bone_is_a_box_from_end_to_end() -> None:
    rig = Rig((Joint("bar"),), (), (Point("bar", (0.0, 2.0, 0.0), "end"),))
    model = masses.boxes(rig)
    side = masses.SLENDERNESS * 2.0
    assert model.total == pytest.approx(1000.0 * 2.0 * side * side)
    np.testing.assert_allclose(model.centres[0], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(model.inertias[0], masses.box_inertia(model.total, (side, 2.0, side)), atol=1e-9)


@pytest.mark.parametrize("axes", [None, 8])
def test_boxes_are_physical_and_symmetric(axes: int | None) -> None:
    model = masses.boxes(person(axes))
    assert_physical(model)
    assert_symmetric(model)
    assert 25 < model.total < 120  # a person of water, roughly
    assert model.unmatched == ()


@pytest.mark.parametrize("seed", range(5))
def test_boxes_of_any_tree_are_physical(seed: int) -> None:
    model = masses.boxes(random_rig(seed, 20), total=50.0)
    assert_physical(model)
    assert model.total == pytest.approx(50.0, rel=1e-15)


def test_local_axes_do_not_change_what_is_weighed() -> None:
    plain, turned = masses.boxes(person()), masses.boxes(person(9))
    np.testing.assert_allclose(turned.masses, plain.masses, rtol=1e-9)
    com = [m.centre_of_mass(m.rig.rest_world()) for m in (plain, turned)]
    np.testing.assert_allclose(com[0], com[1], rtol=0, atol=1e-9)


def test_a_rig_in_centimetres_weighs_the_same_as_in_metres() -> None:
    def leg(unit: float) -> Rig:
        scale = (unit, unit, unit)
        return Rig(
            (
                Joint("root", rest=Transform(scale=scale)),
                Joint("thigh", 0, Transform((0.0, 0.9 / unit, 0.0))),
                Joint("shank", 1, Transform((0.0, -0.4 / unit, 0.0))),
            ),
            (),
            (Point("shank", (0.0, -0.45 / unit, 0.1 / unit), "heel"),),
        )

    metres, centimetres = masses.boxes(leg(1.0)), masses.boxes(leg(0.01))
    np.testing.assert_allclose(centimetres.masses, metres.masses, rtol=1e-12)
    np.testing.assert_allclose(centimetres.inertias, metres.inertias, rtol=0, atol=1e-12)
    for model in (metres, centimetres):
        middle = model.centre_of_mass(model.rig.rest_world())
        np.testing.assert_allclose(middle, metres.centre_of_mass(metres.rig.rest_world()), rtol=0, atol=1e-12)


def test_joints_without_any_extent_get_a_small_cube() -> None:
    model = masses.boxes(Rig((Joint("a"), Joint("b", 0))))
    assert_physical(model)
    assert masses.boxes(Rig()).total == 0.0


def test_a_replaced_mass_takes_its_inertia_along() -> None:
    model = masses.boxes(person())
    index = model.rig.joint_index("hand_r")
    heavy = model.replaced("hand_r", 2 * float(model.masses[index]))
    np.testing.assert_allclose(heavy.inertias[index], 2 * model.inertias[index], rtol=1e-12)
    assert heavy.total == pytest.approx(model.total + model.masses[index])
    hammer = model.replaced("hand_r", 3.0, centre=(-0.1, 0.2, 0.0), inertia=np.eye(3))
    assert hammer.centres[index].tolist() == [-0.1, 0.2, 0.0]


def test_impossible_masses_are_refused() -> None:
    model = masses.boxes(person())
    with pytest.raises(InvalidRig, match=r"'hand_l': mass -1 kg"):
        model.replaced("hand_l", -1.0)
    with pytest.raises(InvalidRig, match="total mass 0 kg"):
        model.scaled(0.0)
    with pytest.raises(InvalidRig, match="centres has shape"):
        masses.MassModel(model.rig, model.masses, model.centres[:2], model.inertias)


def test_centre_of_mass_moves_with_the_body() -> None:
    rig = person()
    model = masses.boxes(rig)
    poses = random_poses(rig, 4, 0)
    world = rig.world_from_joint(poses)
    moved = world.copy()
    moved[..., 3] += (1.0, 2.0, 3.0)
    centres = model.centre_of_mass(world)
    assert centres.shape == (4, 3)
    np.testing.assert_allclose(model.centre_of_mass(moved), centres + np.array([1, 2, 3]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.centre_of_mass(world[2]), centres[2], rtol=0, atol=1e-14)


def as_mjcf(model: masses.MassModel) -> str:
    """The rig as nested MuJoCo bodies with one hinge each, written from the model's own numbers."""

    def body(index: int) -> str:
        joint = model.rig.joints[index]
        i = model.inertias[index]

        def text(numbers: Iterable[float]) -> str:
            return " ".join(repr(float(number)) for number in numbers)

        return (
            f'<body pos="{text(joint.rest.translation)}" quat="{text(joint.rest.rotation)}">'
            f'<joint type="hinge" axis="0 0 1"/>'
            f'<inertial mass="{float(model.masses[index])!r}" pos="{text(model.centres[index])}"'
            f' fullinertia="{text((i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]))}"/>'
            + "".join(body(n) for n, each in enumerate(model.rig.joints) if each.parent == index)
            + "</body>"
        )

    return f"<mujoco><compiler angle='radian'/><worldbody>{body(0)}</worldbody></mujoco>"


def test_agrees_with_mujoco_on_a_chain() -> None:
    half = math.sqrt(0.5)
    joints = (
        Joint("base", rest=Transform((0.1, 0.5, 0.2), (half, half, 0.0, 0.0))),
        Joint("middle", 0, Transform((0.4, 0.1, 0.0), (0.8, 0.0, 0.6, 0.0))),
        Joint("fork_a", 1, Transform((0.3, 0.2, 0.1))),
        Joint("fork_b", 1, Transform((0.3, -0.2, 0.0), (0.6, 0.0, 0.0, 0.8))),
    )
    rig = Rig(joints, tuple(c for joint in joints for c in joint_channels(joint, "rz")))
    model = masses.boxes(rig, total=7.5)
    # MuJoCo orders bodies depth first, which is the rig's own order here.
    oracle = mujoco.MjModel.from_xml_string(as_mjcf(model))
    oracle.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    state = mujoco.MjData(oracle)
    state.qvel[:] = 1.0
    for pose in random_poses(rig, 5, seed=1):
        state.qpos[:] = pose
        mujoco.mj_forward(oracle, state)
        world, orientation = (a[0] for a in rig.skeleton.forward(rig.dof_map.dofs(pose[None])))
        np.testing.assert_allclose(state.subtree_com[1], model.centre_of_mass(world), rtol=0, atol=1e-12)
        # Kinetic energy at unit speed of all hinges, from our masses and Jacobians and by MuJoCo.
        points = [Point(j.name, tuple(c)) for j, c in zip(joints, model.centres, strict=True)]
        speed = rig.jacobians(pose[None], points)[0] @ np.ones(len(joints))
        turning = np.einsum("jba,jb->ja", orientation, speed[:, 3:])
        energy = 0.5 * (model.masses @ (speed[:, :3] ** 2).sum(axis=1))
        energy += 0.5 * np.einsum("ja,jab,jb->", turning, model.inertias, turning)
        assert energy == pytest.approx(state.energy[1], rel=1e-10)
