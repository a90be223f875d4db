"""Joints with all three turns loose: the same motion whatever order their angles have, and angles that can be keyed."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, PointTarget, Spring, bake, solve
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Point, Rig, joint_channels

SWING = smooth(Curve.sampled([0.0, 0.4, 0.9, 1.3, 2.0], [0.0, 0.5, -0.6, 0.4, 0.0]))
SWAY = smooth(Curve.sampled([0.0, 0.5, 1.0, 1.6, 2.0], [0.0, 0.3, -0.2, 0.25, 0.0]))
LIMP = Spring(2.0, 0.3)
TIMES = np.linspace(0.0, 2.0, 49)


def armed(order: str, limits: dict[str, tuple[float, float]] | None = None) -> Rig:
    """A base that shifts and turns, a shoulder of an order, and an elbow below it."""
    joints = (
        Joint("base", -1),
        Joint("shoulder", 0, Transform((0.0, 1.4, 0.0)), order=order),
        Joint("elbow", 1, Transform((0.3, 0.0, 0.05))),
        Joint("hand", 2, Transform((0.25, 0.0, 0.0))),
    )
    channels = [*joint_channels(joints[0], "tx ty rz"), *joint_channels(joints[1], "rx ry rz")]
    channels += joint_channels(joints[2], "ry")
    bounded = {f"shoulder.{axis}": ends for axis, ends in (limits or {}).items()}
    return Rig(
        joints,
        tuple(
            replace(c, lower=bounded[c.name][0], upper=bounded[c.name][1]) if c.name in bounded else c for c in channels
        ),
    )


def moved(order: str, shoulder: dict[str, Curve], springs: dict[str, Spring], **world: float) -> LooseMotion:
    curves = {"base.tx": SWAY, "base.rz": SWING, "elbow.ry": SWAY}
    curves |= {f"shoulder.{axis}": curve for axis, curve in shoulder.items()}
    rig = armed(order)
    clip = Clip("swing", 2.0, rate=24.0, curves=Curves(curves))
    return LooseMotion(Loosened(rig, Looseness(springs, window=0.8, **world), 24.0), clip)  # type: ignore[arg-type]


def negative(curve: Curve) -> Curve:
    return replace(curve, values=-curve.values, ins=curve.ins * (1, -1), outs=curve.outs * (1, -1))


def places(motion: Motion, times: Floats = TIMES) -> Floats:
    return motion.rig.world_from_joint(motion.channels(times))


def test_locked_angles_swing_as_free_ones() -> None:
    """Rz(a) Ry(π/2) is locked in ZYX, where x and z turn about the same axis; as Ry(π/2) Rx(−a) it is not in YXZ."""
    springs, side = {"shoulder": LIMP, "elbow": LIMP}, Curve.constant(math.pi / 2)
    locked = moved("ZYX", {"rz": SWING, "ry": side}, springs, gravity=1.0)
    free = moved("YXZ", {"ry": side, "rx": negative(SWING)}, springs, gravity=1.0)
    np.testing.assert_allclose(places(locked.tight), places(free.tight), rtol=0, atol=1e-12)
    assert np.abs(places(locked) - places(locked.tight))[..., 3].max() > 0.1, "it is to swing"
    np.testing.assert_allclose(places(locked), places(free), rtol=0, atol=1e-9)


@pytest.mark.parametrize("pose", [(0.3, math.pi / 2, -0.4), (0.2, math.pi / 2 - 1e-4, 0.1), (1.0, 0.7, -2.0)])
def test_a_held_pose_swings_alike_in_every_order(pose: tuple[float, float, float]) -> None:
    """Whichever of them is locked there: first the shoulder's own angles as ZYX, then the same pose in other orders."""
    turn = Rotation.from_euler("ZYX", pose[::-1])
    found = []
    for order in ("ZYX", "XYZ", "YZX", "XZY"):
        found_angles = pose[::-1] if order == "ZYX" else turn.as_euler(order)
        angles = dict(zip((f"r{axis.lower()}" for axis in order), found_angles, strict=True))
        shoulder = {axis: Curve.constant(float(angle)) for axis, angle in angles.items()}
        found.append(places(moved(order, shoulder, {"shoulder": LIMP}, drag=0.0)))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=0, atol=1e-8)


def test_springs_of_channels_differ_smoothly_from_those_of_joints() -> None:
    def shown(spring: Spring) -> Floats:
        springs = {"shoulder": LIMP, "shoulder.ry": spring}
        return places(moved("ZYX", {"rz": SWING, "ry": Curve.constant(0.4)}, springs))

    alike, almost, other = (
        shown(LIMP),
        shown(Spring(LIMP.frequency * (1 + 1e-6), LIMP.damping)),
        shown(Spring(9.0, 0.9)),
    )
    np.testing.assert_allclose(almost, alike, rtol=0, atol=1e-5)
    assert np.abs(other - alike).max() > 0.02


def test_one_turn_less_is_simulated_angle_by_angle() -> None:
    motion = moved("ZYX", {"rz": SWING}, {"shoulder.rx": LIMP, "shoulder.rz": LIMP})
    assert not motion.loosened.balls
    assert not motion.loosened.simulation.branches.plan.turning.any()


def stopped(limits: dict[str, tuple[float, float]], shoulder: dict[str, Curve], spring: Spring) -> LooseMotion:
    curves = {"base.tx": SWAY, "base.rz": SWING} | {f"shoulder.{axis}": curve for axis, curve in shoulder.items()}
    looseness = Looseness({"shoulder": spring}, window=0.8, gravity=1.0)
    clip = Clip("swing", 2.0, rate=24.0, curves=Curves(curves))
    return LooseMotion(Loosened(armed("ZYX", limits), looseness, 24.0), clip)


@pytest.mark.parametrize(("axis", "end"), [("rz", 0.55), ("ry", 0.05), ("rx", 0.05)])
def test_a_rotation_stops_where_an_angle_has_its_limit(axis: str, end: float) -> None:
    motion = stopped({axis: (-end, end)}, {"rz": SWING}, Spring(1.5, 0.2))
    # Where the middle angle cannot come near the lock, angles do as well.
    assert bool(motion.loosened.balls) == (axis != "ry")
    times, channel = np.linspace(0.0, 2.0, 150), motion.rig.channel_index(f"shoulder.{axis}")
    shown, keyed = motion.channels(times)[:, channel], motion.tight.channels(times)[:, channel]
    free = stopped({}, {"rz": SWING}, Spring(1.5, 0.2)).channels(times)[:, channel]
    assert np.abs(free).max() > 1.3 * end, "it is to be stopped"
    assert np.abs(shown).max() == pytest.approx(max(end, np.abs(keyed).max()), abs=1e-11)
    assert np.ptp(shown) > 0.5 * end


@pytest.mark.parametrize("end", [1e-6, 0.05])
def test_a_rotation_is_stopped_as_its_angle_is(end: float) -> None:
    """Far from the lock it makes no odds whether what is stopped is a rotation or an angle, and what goes on along the
    stop keeps its speed.
    """
    limits = {"rx": (-end, end), "ry": (-2.0, 2.0), "rz": (-2.0, 2.0)}
    whole, angles = (stopped(limits, {"rz": SWING}, LIMP) for _ in range(2))
    assert whole.loosened.balls
    angles.loosened.balls = {}
    hands, others, keyed = (places(motion)[:, 3, :, 3] for motion in (whole, angles, whole.tight))
    assert np.linalg.norm(hands - keyed, axis=1).max() > 0.15, "it is to swing"
    assert np.linalg.norm(hands - others, axis=1).max() < 0.005


@pytest.mark.parametrize("side", [1.4, math.pi / 2])
def test_limits_that_are_not_touched_change_nothing(side: float) -> None:
    limits = {"rx": (-3.1, 3.1), "ry": (-2.5, 2.5), "rz": (-3.1, 3.1)}
    shoulder = {"rz": SWING, "ry": Curve.constant(side)}
    bounded, free = stopped(limits, shoulder, LIMP), stopped({}, shoulder, LIMP)
    assert np.array_equal(places(bounded), places(free))


def test_past_the_lock_nothing_stops() -> None:
    """An arm that is swept over the lock, as a punch does, passes it on a side, where angles run through half a turn:
    what their limits leave out there is no wall, and states are as smooth as those without limits.
    """
    limits = {"rx": (-1.92, 1.92), "ry": (-2.44, 1.05), "rz": (-1.31, 2.44)}
    sweep = smooth(Curve.sampled([0.0, 0.6, 0.85, 1.3, 2.0], [0.1, 0.1, -2.3, -2.3, 0.1]))
    shoulder = {"ry": sweep, "rx": Curve.constant(-1.3), "rz": Curve.constant(0.7)}
    bounded, free = (stopped(ends, shoulder, Spring(3.5, 0.5)) for ends in (limits, {}))
    times = np.linspace(0.5, 1.5, 241)

    def jolt(motion: LooseMotion) -> float:
        hand = motion.states(times, Point("hand"))[0]
        return float(np.linalg.norm(np.diff(hand, n=2, axis=0), axis=1).max() * 240**2)

    assert jolt(bounded) < 1.5 * jolt(free)


def test_a_whole_turn_between_keys_is_no_jump() -> None:
    """Angles that go on a turn further at a key are another matter for channels, not for the joint."""
    there = Curve.sampled([0.0, 1.0031, 1.0031 + 1e-6, 2.0], [0.2, 0.2, 0.2 + 2 * math.pi, 0.2 + 2 * math.pi])
    jumping = moved("ZYX", {"rz": there}, {"shoulder": LIMP})
    steady = moved("ZYX", {"rz": Curve.constant(0.2)}, {"shoulder": LIMP})
    times = TIMES[np.abs(TIMES - 1.0) > 0.02]
    np.testing.assert_allclose(places(jumping, times), places(steady, times), rtol=0, atol=1e-6)


def test_where_keys_jump_springs_pull_after() -> None:
    """A step of a radian: the joint is where it was, and comes after."""
    there = Curve.sampled([0.0, 1.0031, 1.0031 + 1e-6, 2.0], [0.0, 0.0, 1.0, 1.0])
    curves = Curves({"shoulder.ry": there})
    looseness = Looseness({"shoulder": Spring(2.0, 0.5)}, window=0.8, drag=0.0)
    motion = LooseMotion(Loosened(armed("ZYX"), looseness, 24.0), Clip("step", 2.0, rate=24.0, curves=curves))
    shown = motion.channels([0.99, 1.02, 1.2, 1.8])[:, motion.rig.channel_index("shoulder.ry")]
    assert shown[0] == pytest.approx(0.0, abs=1e-6)
    assert 0.0 < shown[1] < 0.2
    assert 0.6 < shown[2] < 1.3
    assert shown[3] == pytest.approx(1.0, abs=0.02)


def test_a_bake_is_the_preview_at_the_lock() -> None:
    motion = moved("ZYX", {"rz": SWING, "ry": Curve.constant(math.pi / 2)}, {"shoulder": LIMP}, gravity=1.0)
    made = bake(motion, tolerance=None)
    clip = replace(motion.clip, layers=(made.layer,))
    times = clip.frame_times
    np.testing.assert_allclose(places(Motion(motion.rig, clip), times), places(motion, times), rtol=0, atol=1e-9)
    assert made.error < 1e-9


@pytest.mark.parametrize("side", [1.4, math.pi / 2])
def test_targets_are_hit_near_the_lock(side: float) -> None:
    motion = moved("ZYX", {"rz": SWING, "ry": Curve.constant(side)}, {"shoulder": LIMP, "elbow": LIMP})
    time = 1.1
    wanted = motion.states([time], Point("hand"))[0][0] + (0.04, 0.06, 0.05)
    solution = solve(motion, [PointTarget(time, Point("hand"), position=tuple(wanted))])
    after = LooseMotion(motion.loosened, solution.applied(motion.clip))
    assert np.linalg.norm(after.states([time], Point("hand"))[0][0] - wanted) < 1e-6


def test_ten_targets_of_ten_are_hit_at_the_lock() -> None:
    """Anywhere within 5 to 12 cm that the arm can reach."""
    chance, missed = np.random.default_rng(1), []
    for _ in range(10):
        motion = moved("ZYX", {"rz": SWING, "ry": Curve.constant(1.4)}, {"shoulder": LIMP, "elbow": LIMP})
        time, way = float(chance.uniform(0.5, 1.8)), chance.normal(size=3)
        way *= chance.uniform(0.05, 0.12) / np.linalg.norm(way)
        (pivot,), (hand,) = (motion.states([time], Point(name))[0] for name in ("shoulder", "hand"))
        arm = hand + way - pivot
        wanted = pivot + arm * min(1.0, 0.53 / np.linalg.norm(arm))
        solution = solve(motion, [PointTarget(time, Point("hand"), position=tuple(wanted))])
        after = LooseMotion(motion.loosened, solution.applied(motion.clip))
        missed.append(np.linalg.norm(after.states([time], Point("hand"))[0][0] - wanted))
    assert max(missed) < 1e-5
