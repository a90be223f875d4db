"""Turns as rotations: a ball joint against a rigid body solved by scipy, MuJoCo's ball joints, and itself elsewhere.

The equations here are those of one rigid body on a pivot that moves and turns, with orientations by scipy, and what is
off as the logarithm of a matrix; nothing of ours is used but the simulation itself.
"""

import math

import mujoco
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from inbetweener.dynamics import Body, Movement
from inbetweener.dynamics.forward import Simulation, turning_inertias
from inbetweener.dynamics.forward.turning_kernels import (
    bend_rates,
    bends,
    lean,
    off_moving,
    off_of,
    off_rates,
    off_turn,
    off_ways,
    turn_by,
)
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.rig.masses import MassModel
from tests.dynamics.test_forward_continuous import PRESETS, STEP, Wave

MASS, CENTRE = 1.4, np.array([0.25, -0.05, 0.08])
INERTIA = np.array([[0.012, 0.002, -0.001], [0.002, 0.03, 0.003], [-0.001, 0.003, 0.025]])
PIVOT = INERTIA + MASS * (CENTRE @ CENTRE * np.eye(3) - np.outer(CENTRE, CENTRE))
"""About the joint."""

BASE = {"tx": Wave(((0.25, 4, 0.3),)), "ty": Wave(((0.15, 6, 1.0),)), "rz": Wave(((0.5, 5, 0.2),))}
SWEEP = {"x": Wave(((0.4, 5, 0.4), (0.1, 11, 1.0))), "y": Wave(((0.3, 7, 2.0),)), "z": Wave(((0.5, 3, 0.0),))}
POLES = {"upright": 0.0, "near the pole": 1.45}
"""What is added to the middle angle, y of ZYX."""


def cross_matrix(v: np.ndarray) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rate_matrix(e: np.ndarray) -> np.ndarray:
    """J(e): ∫ exp(s [e]) ds from 0 to 1."""
    size, cross = math.sqrt(e @ e), cross_matrix(e)
    if size < 1e-5:
        return np.eye(3) + cross / 2
    return np.eye(3) + (1 - math.cos(size)) / size**2 * cross + (size - math.sin(size)) / size**3 * cross @ cross


def parted(turn: np.ndarray, axis: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A turn as a swing across an axis after a twist about it, by axis, and what units of these turn it by."""
    x, y, z, w = Rotation.from_matrix(turn).as_quat(canonical=True)
    twist = 2 * math.atan2((x, y, z)[axis], w)
    swung = turn @ Rotation.from_rotvec(-twist * np.eye(3)[axis]).as_matrix()
    off = Rotation.from_matrix(swung).as_rotvec()
    assert abs(off[axis]) < 1e-9, "a swing has no part about the axis"
    ways = rate_matrix(off)
    ways[:, axis], off[axis] = swung[:, axis], twist
    return off, ways


def ball(order: str = "ZYX") -> Body:
    joints = Joint("base", -1), Joint("ball", 0, order=order)
    channels = (*joint_channels(joints[0], "tx ty rz"), *joint_channels(joints[1], "rx ry rz"))
    rig = Rig(joints, channels)
    masses = MassModel(
        rig, np.array([1.0, MASS]), np.array([np.zeros(3), CENTRE]), np.array([0.01 * np.eye(3), INERTIA])
    )
    return Body.of(rig, masses)


def simulated(pole: float, springs: np.ndarray, drag: float) -> tuple[np.ndarray, np.ndarray]:
    """Times (n + 1,) and orientations (n + 1, 3, 3) of the ball relative to its base, by our steps."""
    body, t = ball(), np.arange(round(1.2 / STEP) + 1) * STEP
    places = np.repeat(body.rig.rest_dofs[None], len(t), axis=0)
    speeds, pushes = np.zeros_like(places), np.zeros_like(places)
    waves = dict(zip((0, 1, 5), BASE.values(), strict=True)) | dict(zip((12, 13, 14), SWEEP.values(), strict=True))
    for dof, wave in waves.items():
        places[:, dof], speeds[:, dof] = wave.along(t), wave.along(t, 1)
        pushes[:, dof] = (wave.along(t + STEP / 2, 1) - wave.along(t - STEP / 2, 1)) / STEP
    places[:, 13] += pole
    simulation = Simulation.of(body, [12, 13, 14], balls={1: np.diag(PIVOT)})
    # Wide enough that none is touched.
    rows = np.column_stack([springs, [-3.1, -2.9, -3.1], [3.1, 2.9, 3.1]])[simulation.dofs - 12]
    found, *_ = simulation.trace(Movement(places, speeds, pushes, None), np.arange(len(t)), rows, STEP, drag)
    assert simulation.dofs.tolist() == [14, 13, 12]
    return t, Rotation.from_euler("ZYX", found).as_matrix()


def keyed(s: float, pole: float) -> tuple[np.ndarray, np.ndarray]:
    """Orientation relative to the base, and how fast it turns, seen from itself: R = Rz Ry Rx."""
    x, y, z = (SWEEP[a](s) for a in "xyz")
    xd, yd, zd = (SWEEP[a](s, 1) for a in "xyz")
    y += pole
    turn = Rotation.from_euler("ZYX", [z, y, x]).as_matrix()
    about_y = Rotation.from_euler("X", -x).apply([0.0, 1.0, 0.0])
    return turn, xd * np.array([1.0, 0, 0]) + yd * about_y + zd * (turn.T @ [0.0, 0.0, 1.0])


def solved(pole: float, stiffness: np.ndarray, damping: np.ndarray, drag: float, t: np.ndarray) -> np.ndarray:
    """The same orientations by scipy: the body's own orientation and angular velocity, in the world."""

    def rates(s: float, state: np.ndarray) -> np.ndarray:
        orientation, w = state[:9].reshape(3, 3), state[9:]
        base, faster = Rotation.from_euler("Z", BASE["rz"](s)).as_matrix(), np.array([0.0, 0.0, BASE["rz"](s, 1)])
        turn, spin = keyed(s, pole)
        joint = base @ turn
        e, ways = parted(joint.T @ orientation)
        ed = np.linalg.solve(ways, joint.T @ (w - faster) - spin)
        pull = -stiffness @ e - damping @ (ed + drag * np.linalg.solve(ways, spin))
        torque = joint @ np.linalg.solve(ways.T, pull)
        inertia, centre = orientation @ PIVOT @ orientation.T, orientation @ CENTRE
        lifted = np.array([BASE["tx"](s, 2), BASE["ty"](s, 2) + 9.81, 0.0])
        gained = np.linalg.solve(inertia, torque - np.cross(w, inertia @ w) - MASS * np.cross(centre, lifted))
        return np.concatenate([(cross_matrix(w) @ orientation).ravel(), gained])

    turn, spin = keyed(0.0, pole)
    first = Rotation.from_euler("Z", BASE["rz"](0.0)).as_matrix()
    start = np.concatenate([(first @ turn).ravel(), [0, 0, BASE["rz"](0.0, 1)] + first @ turn @ spin])
    found = (
        solve_ivp(rates, (0.0, t[-1]), start, rtol=1e-8, atol=1e-9, t_eval=t, method="LSODA").y[:9].T.reshape(-1, 3, 3)
    )
    bases = Rotation.from_euler("Z", BASE["rz"].along(t)[:, None]).as_matrix()
    return bases.swapaxes(1, 2) @ found


def apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return Rotation.from_matrix(one.swapaxes(-1, -2) @ other).magnitude()


@pytest.mark.parametrize("drag", [0.0, 1.0])
@pytest.mark.parametrize("preset", ["firm", "loose"])
@pytest.mark.parametrize("pole", POLES)
def test_a_ball_is_that_of_the_continuous_spring(pole: str, preset: str, drag: float) -> None:
    """ω² I e and 2 ζ ω I ė, I what turns about each axis, on a base that moves and turns."""
    frequency, damping = PRESETS[preset]
    omega, moments = 2 * math.pi * frequency, np.diag(PIVOT)
    springs = np.column_stack([moments * omega**2, moments * 2 * damping * omega])
    t, found = simulated(POLES[pole], springs, drag)
    exact = solved(POLES[pole], np.diag(springs[:, 0]), np.diag(springs[:, 1]), drag, t)
    asked = np.array([keyed(s, POLES[pole])[0] for s in t])
    assert apart(exact, asked).max() > 0.03, "it is to swing"
    assert apart(found, exact)[t > 1 / frequency].max() < 1e-3


def test_a_chain_swings_as_mujocos_ball_joints() -> None:
    """Two heavy balls in a row let go where their angles lock, against MuJoCo's own springs and its own steps."""
    step, seconds, stiff, lengths = 1 / 480, 0.8, (60.0, 18.0), (0.3, 0.25)
    joints = Joint("upper", -1, order="ZYX"), Joint("lower", 0, Transform((lengths[0], 0.0, 0.0)), order="XZY")
    rig = Rig(joints, tuple(channel for joint in joints for channel in joint_channels(joint, "rx ry rz")))
    own, centres = np.diag([0.02, 0.05, 0.06]), np.array([[0.15, 0.02, 0.0], [0.12, 0.0, 0.03]])
    body = Body.of(rig, MassModel(rig, np.array([2.0, 1.1]), centres, np.array([own, own])))
    pose = rig.rest_dofs.copy()
    # Both middle angles at a quarter of a turn: y of ZYX, z of XZY.
    pose[[3, 4, 5, 12, 13, 14]] = 0.3, math.pi / 2, -0.2, 0.5, 0.1, math.pi / 2
    count = round(seconds / step)
    poses = np.repeat(pose[None], count + 1, axis=0)
    simulation = Simulation.of(body, [3, 4, 5, 12, 13, 14], balls={0: own.diagonal(), 1: own.diagonal()})
    springs = np.array([[k, 0.0, -3.1, 3.1] for k in stiff for _ in range(3)])
    still = Movement(poses, np.zeros_like(poses), np.zeros_like(poses), None)
    places, *_ = simulation.trace(still, np.arange(count + 1), springs, step)
    final = np.repeat(pose[None], 1, axis=0)
    final[:, simulation.dofs] = places[-1]
    ours = rig.skeleton.forward(final)[0][0]

    turns = Rotation.from_euler("ZYX", pose[[5, 4, 3]]), Rotation.from_euler("XZY", pose[[12, 14, 13]])
    inner = ""
    for n in (1, 0):
        x, y, z, w = turns[n].as_quat(canonical=True)
        place = "0 0 0" if n == 0 else f"{lengths[0]} 0 0"
        c = " ".join(map(str, centres[n]))
        inner = (
            f'<body pos="{place}" quat="{w} {x} {y} {z}">'
            f'<joint type="ball"/>'
            f'<inertial pos="{c}" mass="{(2.0, 1.1)[n]}" diaginertia="0.02 0.05 0.06"/>{inner}</body>'
        )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler boundinertia="0"/><option gravity="0 -9.81 0" timestep="{step}" integrator="RK4"/>'
        f"<worldbody>{inner}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)

    def pull(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Springs that are ours, on joints and bodies that are not: what balls feel is seen from the ball."""
        for n, stiffness in enumerate(stiff):
            turn = Rotation.from_quat(np.roll(data.qpos[4 * n : 4 * n + 4], -1)).as_matrix()
            off, ways = parted(turn)
            rate = np.linalg.solve(ways, turn @ data.qvel[3 * n : 3 * n + 3])
            back = np.linalg.solve(ways.T, stiffness * (off + 0.16 * step * rate))
            data.qfrc_passive[3 * n : 3 * n + 3] = -turn.T @ back

    mujoco.set_mjcb_passive(pull)
    try:
        for _ in range(count):
            mujoco.mj_step(model, data)
    finally:
        mujoco.set_mjcb_passive(None)
    theirs = data.xmat[1:].reshape(-1, 3, 3)
    started = rig.skeleton.forward(pose[None])[0][0]
    assert apart(theirs, started[:, :, :3]).max() > 0.3, "they are to swing"
    assert apart(theirs, ours[:, :, :3]).max() < 1e-3


def test_what_turns_is_seen_from_the_joint() -> None:
    """Whatever its own angles are at rest, be they locked."""
    body = ball()
    for turn in ((0.0, 0.0, 0.0), (0.4, math.pi / 2, -1.0)):
        pose = body.rig.rest_dofs.copy()
        pose[12:15] = turn
        np.testing.assert_allclose(turning_inertias(body, pose, np.array([1]))[0], np.diag(PIVOT), rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [0.0, 1e-7, 1e-3, 0.5, 0.999, 1.001, 2.5, math.pi, 4.7])
def test_turns_and_their_rates(size: float) -> None:
    random = np.random.default_rng(7)
    axis, rate = random.normal(size=3), random.normal(size=3)
    e = size * axis / np.linalg.norm(axis)
    a, b = bends(tuple(e))
    J = np.array(lean(tuple(e), a, b))
    np.testing.assert_allclose(
        np.array(turn_by(tuple(e), a, b)), Rotation.from_rotvec(e).as_matrix(), rtol=0, atol=1e-14
    )
    larger = np.zeros((6, 6))
    larger[:3, :3], larger[:3, 3:] = cross_matrix(e), np.eye(3)
    np.testing.assert_allclose(J, expm(larger)[:3, 3:], rtol=0, atol=1e-14)
    for step in (1e-3, 5e-4):
        ahead, behind = (np.array(bends(tuple(e + k * step * rate))) for k in (1, -1))
        slopes = (ahead - behind) / (2 * step)
        np.testing.assert_allclose(bend_rates(tuple(e), tuple(rate), a, b), slopes, rtol=0, atol=step**2)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_what_is_off_is_a_swing_and_a_twist(axis: int) -> None:
    random = np.random.default_rng(axis)
    for _ in range(8):
        c, rate, step = random.normal(size=3), random.normal(size=3), 1e-5
        turn = np.array(off_turn(tuple(c), axis))
        off, ways = parted(turn, axis)
        np.testing.assert_allclose(off, c, rtol=0, atol=1e-12)
        np.testing.assert_allclose(off_of(tuple(map(tuple, turn)), axis, c[axis]), c, rtol=0, atol=1e-12)
        np.testing.assert_allclose(off_ways(tuple(c), axis), ways, rtol=0, atol=1e-12)
        np.testing.assert_allclose(ways @ off_rates(tuple(c), axis, tuple(rate)), rate, rtol=0, atol=1e-12)
        found, also, spin, gain = (np.array(each) for each in off_moving(tuple(c), tuple(rate), axis))
        assert np.array_equal(found, turn)
        assert np.array_equal(also, off_ways(tuple(c), axis))
        np.testing.assert_allclose(spin, ways @ rate, rtol=0, atol=1e-12)
        ahead, behind = (np.array(off_ways(tuple(c + k * step * rate), axis)) for k in (1, -1))
        np.testing.assert_allclose(gain, (ahead - behind) / (2 * step) @ rate, rtol=0, atol=1e-7)
