"""Derivatives of forces against differences, at two step sizes: near, nearer, and never the same to the bit."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Bundle, Curve, Key, Tangent
from inbetweener.dynamics import Body, InverseDynamics, Loads, Movement
from inbetweener.rig import Point, Rig, joint_channels
from tests.dynamics.specimens import random_body, random_channels, random_rig
from tests.rig.limbs import armed_person, limb, reaching

FRAMES = 3


def loads_on(rig: Rig) -> Loads:
    points = [Point("joint 3", (0.2, 0.1, -0.3)), Point("joint 7", (-0.1, 0.3, 0.2)), Point("joint 3", (0.0, 0.4, 0.0))]
    return Loads.of(rig, points, np.random.default_rng(8).normal(scale=40.0, size=(FRAMES, 3, 3)))


def differences(
    dynamics: InverseDynamics, channels: np.ndarray, order: int, step: float, loads: Loads | None = None
) -> np.ndarray:
    """(T, A, R) by central differences in value (order 0), velocity (1) or acceleration (2) of each channel."""
    found = []
    for channel in dynamics.plan.channels:
        either = []
        for sign in (1.0, -1.0):
            moved = channels.copy()
            moved[:, channel, order] += sign * step
            either.append(dynamics.forces(Movement.of(dynamics.body.rig, moved), loads))
        found.append((either[0] - either[1]) / (2.0 * step))
    return np.stack(found, axis=1)


@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_all_blocks_agree_with_differences(seed: int, loaded: bool) -> None:
    body = random_body(seed, roots=1 + seed % 2)
    dynamics = InverseDynamics.of(body, floating=False)
    channels = random_channels(body.rig, FRAMES, seed)
    loads = loads_on(body.rig) if loaded else None
    forces, exact = dynamics.differentiate(Movement.of(body.rig, channels), loads=loads)
    plain = dynamics.forces(Movement.of(body.rig, channels), loads)
    np.testing.assert_allclose(forces, plain, rtol=0, atol=1e-13 * np.abs(plain).max())
    for order in range(3):
        size = np.abs(exact[:, :, order]).max()
        assert size > 1.0
        coarse, fine = (
            np.abs(differences(dynamics, channels, order, step, loads) - exact[:, :, order]).max() / size
            for step in (1e-3, 1e-4)
        )
        assert 0.0 < fine < 1e-7
        if order == 0:
            # Forces bend with the pose, so a tenth of the step has a hundredth of the error.
            assert 50.0 < coarse / fine < 200.0
        else:
            # In velocities they are quadratic and in accelerations linear: differences err by rounding alone.
            assert coarse < 1e-10


def test_mass_matrix_is_symmetric_and_positive() -> None:
    body = random_body(11)
    rig = Rig(body.rig.joints, body.rig.channels[:-1])  # without the control, channels are degrees of freedom
    dynamics = InverseDynamics.of(Body.of(rig, body.masses), floating=False)
    assert dynamics.dofs == dynamics.channels
    movement = Movement.of(rig, random_channels(rig, FRAMES, 12))
    inertia = dynamics.differentiate(movement)[1][:, :, 2]
    np.testing.assert_allclose(inertia, np.swapaxes(inertia, 1, 2), rtol=0, atol=1e-13 * np.abs(inertia).max())
    assert (np.linalg.eigvalsh(inertia) > 0).all()


def test_chosen_rows_and_columns_are_those_of_the_whole() -> None:
    body = random_body(3)
    movement = Movement.of(body.rig, random_channels(body.rig, FRAMES, 4))
    whole = InverseDynamics.of(body, floating=False)
    part = InverseDynamics.of(body, dofs=["joint 5.ry", "joint 0.tx", "joint 2.rz"], channels=["curl", "joint 4.rx"])
    rows = [whole.dofs.index(name) for name in part.dofs]
    columns = [whole.channels.index(name) for name in part.channels]
    np.testing.assert_array_equal(
        part.differentiate(movement)[1], whole.differentiate(movement)[1][:, columns][..., rows]
    )


def test_slopes_contract_the_blocks() -> None:
    body = random_body(5)
    dynamics = InverseDynamics.of(body)
    movement = Movement.of(body.rig, random_channels(body.rig, FRAMES, 6))
    slopes = np.random.default_rng(7).normal(size=(FRAMES, len(dynamics.channels), 3, 4))
    blocks = dynamics.differentiate(movement)[1]
    memory = np.full((FRAMES, len(dynamics.channels), 4, len(dynamics.dofs)), np.nan)
    forces, found = dynamics.differentiate(movement, slopes, out=memory)
    assert found is memory
    np.testing.assert_array_equal(forces, dynamics.forces(movement))
    np.testing.assert_allclose(found, np.einsum("taik,tair->takr", slopes, blocks), rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="memory of shape"):
        dynamics.differentiate(movement, slopes, out=memory[:, :, :3])
    with pytest.raises(ValueError, match="slopes of shape"):
        dynamics.differentiate(movement, slopes[:, 1:])


def test_forces_follow_tangents() -> None:
    rig = random_rig(9, 4)
    random = np.random.default_rng(10)

    def curves(handle: float = 0.0) -> list[Curve]:
        made = []
        for index in range(len(rig.channels)):
            y = 0.3 * np.sin(np.arange(4) + index)
            width = 0.2 + (handle if index == 7 else 0.0)
            made.append(
                Curve.from_keys([
                    Key(0.0, y[0], out_tangent=Tangent(width, y[1])), Key(0.6, y[2], in_tangent=Tangent(0.25, y[3])),
                ])
            )  # fmt: skip
        return made

    body = random_body(9, 4)
    dynamics = InverseDynamics.of(body, channels=[rig.channels[7].name])
    times = np.sort(random.uniform(0.05, 0.55, 5))
    bundle = Bundle.of(curves())
    slopes = bundle.differentiate(times)[1][:, [7]]
    found = dynamics.differentiate(Movement.of(rig, bundle.evaluate_motion(times)), slopes)[1][:, 0, 0]
    step = 1e-5
    either = [
        dynamics.forces(Movement.of(rig, Bundle.of(curves(sign * step)).evaluate_motion(times))) for sign in (1, -1)
    ]
    expected = (either[0] - either[1]) / (2 * step)
    assert np.abs(expected).max() > 1e-2
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("bones", [0, 2, 3])
def test_forces_follow_channels_through_handles(bones: int) -> None:
    """On a person's arm, and on chains of two and three bones by themselves."""
    rig = armed_person(3) if bones == 0 else evenly_scaled(limb(bones, 1))
    random = np.random.default_rng(13)
    channels = np.stack(
        [reaching(rig, FRAMES, 14), *(0.4 * random.normal(size=(2, FRAMES, len(rig.channels))))], axis=2
    )
    body = Body.of(rig)
    handle = rig.handles[0].channels
    above = rig.joints[0].name
    dynamics = InverseDynamics.of(body, channels=[*handle, f"{above}.rx", f"{handle_joint(rig)}.rz"], floating=False)
    exact = dynamics.differentiate(Movement.of(rig, channels))[1]
    for order in range(3):
        size = np.abs(exact[:, :, order]).max()
        assert size > 1e-3
        fine = np.abs(differences(dynamics, channels, order, 1e-5) - exact[:, :, order]).max() / size
        assert 0.0 < fine < 5e-6


def handle_joint(rig: Rig) -> str:
    return rig.handles[0].joints[1]


def evenly_scaled(rig: Rig) -> Rig:
    joints = tuple(replace(j, rest=replace(j.rest, scale=(1.1, 1.1, 1.1))) for j in rig.joints)
    channels = tuple(c for j in joints for c in joint_channels(j, "tx ty tz rx ry rz"))
    return Rig(joints, channels).with_handle(rig.handles[0])
