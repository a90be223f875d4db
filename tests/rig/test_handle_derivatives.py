"""The derivative of handled angles against central differences at two step sizes."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.rig import Handle, Point, Rig
from inbetweener.rig.dof_map import derivative
from tests.rig.limbs import armed_person, chain_length, channels_of, limb, reaching
from tests.rig.test_jacobians import differences


def check(rig: Rig, pose: np.ndarray, tolerance: float = 2e-6) -> np.ndarray:
    """Compare; returns the exact derivative (D, C)."""
    exact = derivative(rig.dof_map, pose).toarray()
    size = max(1.0, np.abs(exact).max())
    errors = []
    for step in (1e-4, 1e-5):
        steps = step * np.eye(len(pose))
        coarse = (rig.dof_map.dofs(pose + steps) - rig.dof_map.dofs(pose - steps)).T / (2 * step)
        assert not np.array_equal(coarse, exact)
        errors.append(np.abs(coarse - exact).max() / size)
    assert errors[1] < tolerance
    # The error is the differences' own: it falls with the square of the step, down to their rounding.
    assert errors[1] < 0.05 * errors[0] + 1e-9
    return exact


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("blend", [1.0, 0.4, 0.0])
def test_an_arm(seed: int | None, blend: float) -> None:
    rig = armed_person(seed)
    at = channels_of(rig)
    for pose in reaching(rig, 8, 1):
        pose[at[6]] = blend
        exact = check(rig, pose)
        rows = [9 * rig.joint_index(name) + d for name in rig.handles[0].joints for d in (3, 4, 5)]
        by_target, by_spine = exact[rows][:, at[:3]], exact[rows][:, rig.channel_index("spine.rx")]
        assert (np.abs(by_target).max() > 0.5) == (blend > 0)
        assert (np.abs(by_spine).max() > 1e-3) == (blend > 0)
        assert np.abs(exact[rows][:, at[6]]).max() > 0.01


@pytest.mark.parametrize("tip_below", [False, True])
@pytest.mark.parametrize("bones", [2, 3, 6])
def test_a_limb_with_every_freedom(bones: int, tip_below: bool) -> None:
    for seed in range(3):
        rig = limb(bones, seed, tip_below=tip_below)
        for pose in reaching(rig, 3, seed, (0.35, 0.7)):
            pose[channels_of(rig)[6]] = 0.8
            exact = check(rig, pose)
            moved = [rig.channel_index(name) for name in ("base0.sy", "base1.rz", "c0.tx", "c1.ty", f"c{bones - 1}.sx")]
            assert (np.abs(exact[:, moved]).max(axis=0) > 1e-3).all()


@pytest.mark.parametrize("bones", [2, 4])
@pytest.mark.parametrize("share", [0.05, 0.985, 0.995, 1.01, 1.05])
def test_nearly_straight_straight_and_folded(bones: int, share: float) -> None:
    rig = limb(bones, 1, wild=0.0)
    pose = reaching(rig, 1, 1, (share, share))[0]
    assert chain_length(rig) > 0.5
    check(rig, pose, 2e-3)


@pytest.mark.parametrize("share", [0.98, 0.995, 1.0, 1.003, 1.006, 1.02, 1.1])
def test_through_straight_and_back(share: float) -> None:
    rig = limb(2, 1, wild=0.0)
    rig = replace(rig, handles=(replace(rig.handles[0], back=0.15),))
    check(rig, reaching(rig, 1, 1, (share, share))[0], 2e-4)


def test_a_handle_on_what_another_handle_carries() -> None:
    spine = armed_person().with_handle(
        Handle("back", ("spine", "chest"), Point("chest", (0.0, 0.2, 0.03)), (1.0, 0, 0))
    )
    pose = reaching(spine, 1, 3, (0.5, 0.6))[0]
    back = channels_of(spine, 1)
    pose[back[:3]] = spine.world_from_joint(pose[None])[0, spine.joint_index("hips"), :, 3] + (0.05, 0.45, 0.1)
    pose[back[6]] = 1.0
    exact = check(spine, pose)
    arm = [9 * spine.joint_index("upper_arm_l") + d for d in (3, 4, 5)]
    assert np.abs(exact[arm][:, back[:3]]).max() > 0.05


def test_jacobians_of_points_see_the_handle() -> None:
    rig = armed_person()
    pose = reaching(rig, 1, 4, (0.5, 0.8))[0]
    points = [Point("hand_l"), Point("forearm_l"), Point("hand_l", (0.1, 0.02, 0.0))]
    exact = rig.jacobians(pose[None], points)[0]
    np.testing.assert_allclose(exact, differences(rig, pose, points, 1e-5), rtol=0, atol=1e-8)
    # The hand goes where its target goes, and nowhere with the body.
    at = channels_of(rig)
    np.testing.assert_allclose(exact[0, :3, at[:3]].T, np.eye(3), rtol=0, atol=1e-12)
    np.testing.assert_allclose(exact[0, :3, rig.channel_index("chest.ry")], 0, rtol=0, atol=1e-12)
    assert np.abs(exact[1, :3, rig.channel_index("chest.ry")]).max() > 0.01


@pytest.mark.parametrize("bones", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_wanted_channels_alone_are_the_same(bones: int, seed: int) -> None:
    rig = limb(bones, seed, tip_below=True)
    mapping, poses = rig.dof_map, reaching(rig, 3, seed, (0.35, 0.7))
    dofs, weights = mapping.solved(poses)
    np.testing.assert_array_equal(dofs, mapping.dofs(poses))
    random = np.random.default_rng(seed)
    shares = [np.arange(len(rig.channels)) == c for c in channels_of(rig)]
    for wanted in (*shares, *(random.random((20, len(rig.channels))) < random.uniform(0.02, 0.5, (20, 1)))):
        same, some = mapping.solved(poses, wanted)
        theirs = wanted[mapping.channels]
        np.testing.assert_array_equal(same, dofs)
        np.testing.assert_allclose(some[:, theirs], weights[:, theirs], rtol=0, atol=1e-13 * np.abs(weights).max())
        rows = np.repeat(np.arange(len(dofs[0])), np.diff(mapping.starts))
        handled = np.isin(rows, mapping.limbs[0].rows)  # type: ignore[attr-defined]
        assert not some[:, handled & ~theirs].any()
