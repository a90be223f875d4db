"""Two hosts in plain numpy and scipy: a chain that turns by quaternions, and a two-bone IK that can only be asked."""

from itertools import pairwise

import numpy as np
from scipy.spatial.transform import Rotation

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, Key, Tangent
from inbetweener.host import TurnedRig, quaternion_joint
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Curves
from inbetweener.rig import Channel, Drive, Joint

BONES = ("upper", "lower", "hand")
REST = Rotation.from_euler("xyz", [[0.3, -0.2, 0.1], [0.0, 0.4, -0.3], [-0.2, 0.1, 0.5]])
OFFSETS = np.array([[0.1, 0.0, 1.2], [0.0, 0.5, 0.0], [0.0, 0.45, 0.0]])
TIP = (0.0, 0.2, 0.0)


def chain() -> TurnedRig:
    """Three bones that turn by quaternions, the first of which moves too, along its own turned axes."""
    joints: list[Joint] = []
    channels: list[Channel] = []
    turning = []
    for n, name in enumerate(BONES):
        x, y, z, w = (float(v) for v in REST[n].as_quat())
        rest = Transform(tuple(map(float, OFFSETS[n])), (w, x, y, z))  # type: ignore[arg-type]
        pair, four, quaternion = quaternion_joint(
            Joint(name, len(joints) - 1, rest),
            tuple(f"{name}.q{part}" for part in "wxyz"),  # type: ignore[arg-type]
        )
        first, second = pair
        joints += [first, Joint(second.name, len(joints), second.rest)]
        channels += four
        turning.append(quaternion)
    axes = REST[0].as_matrix()
    for n, axis in enumerate("xyz"):
        drives = tuple(Drive(f"{joints[0].name}.t{row}", float(axes[r, n])) for r, row in enumerate("xyz"))
        channels.append(Channel(f"upper.{axis}", "translation", drives))
    return TurnedRig(tuple(joints), tuple(channels), quaternions=tuple(turning))


def chain_frames(values: Floats) -> Floats:
    """(T, 3, 3, 4) where the bones are for channel values (T, 15): what the host says, by scipy alone."""
    found = np.zeros((len(values), 3, 3, 4))
    turn, place = Rotation.identity(len(values)), np.zeros((len(values), 3))
    for n in range(3):
        local = np.tile(OFFSETS[n], (len(values), 1))
        if n == 0:
            local = local + REST[0].apply(values[:, 12:15])
        place = place + turn.apply(local)
        q = values[:, 4 * n : 4 * n + 4]
        turn = turn * REST[n] * Rotation.from_quat(q[:, [1, 2, 3, 0]])
        found[:, n, :, :3], found[:, n, :, 3] = turn.as_matrix(), place
    return found


UPPER, LOWER = 0.5, 0.45
IK_CHANNELS = (
    *(Channel(f"target.{axis}", "translation") for axis in "xyz"),
    Channel("pole", "control"),
    *(Channel(f"wrist.{axis}", "rotation") for axis in "xyz"),
    Channel("ik", "control", default=1.0, free=False),
    *(Channel(f"root.{axis}", "translation") for axis in "xyz"),
    Channel("unused", "rotation"),
)
BODIES = ("elbow", "hand")


def ik_frames(values: Floats) -> Floats:
    """(T, 2, 3, 4) elbow and hand of a two-bone IK for IK_CHANNELS (T, 12), in single precision as hosts count.

    `ik` blends to a straight arm, so what is not free still matters.
    """
    found = np.zeros((len(values), 2, 3, 4), np.float32)
    for t, (tx, ty, tz, pole, wx, wy, wz, blend, rx, ry, rz, _) in enumerate(values):
        root = np.array([rx, ry, rz + 1.4])
        way = np.array([tx, ty, tz]) - root
        far = float(np.linalg.norm(way))
        reach = min(far, 0.999 * (UPPER + LOWER))
        axis = way / far
        aside = np.cross(axis, [0.0, 1.0, 0.0])
        aside /= np.linalg.norm(aside)
        side = Rotation.from_rotvec(pole * axis).apply(aside)
        cosine = (UPPER**2 + reach**2 - LOWER**2) / (2.0 * UPPER * reach)
        bent = UPPER * (cosine * axis + np.sqrt(max(0.0, 1.0 - cosine**2)) * side)
        elbow = root + blend * bent + (1.0 - blend) * UPPER * np.array([1.0, 0.0, 0.0])
        hand = root + reach * axis
        x = (hand - elbow) / np.linalg.norm(hand - elbow)
        z = np.cross(x, side)
        z /= np.linalg.norm(z)
        frame = np.stack([x, np.cross(z, x), z], axis=1)
        found[t, 0] = np.column_stack([frame, elbow])
        found[t, 1] = np.column_stack([frame @ Rotation.from_euler("xyz", [wx, wy, wz]).as_matrix(), hand])
    return found.astype(np.float64)


def keyed(values: Floats, length: float = 0.5) -> Curve:
    """Tied keys at `values`, `length` seconds apart, each with a slope of its own."""
    tangent = length / 3.0
    slopes = np.gradient(values) / length
    return Curve.from_keys(
        Key(n * length, float(v), Tangent(tangent, tangent * float(s)), Tangent(tangent, tangent * float(s)))
        for n, (v, s) in enumerate(zip(values, slopes, strict=True))
    )


def evaluated(curves: Curves, channels: tuple[Channel, ...], times: Floats) -> Floats:
    """(T, C) channel values at times, by bisection on the Bezier's own time: no code of ours."""
    found = np.zeros((len(times), len(channels)))
    for c, channel in enumerate(channels):
        curve = curves.get(channel.name)
        if curve is None:
            found[:, c] = channel.default
            continue
        for t, time in enumerate(times):
            k = int(np.clip(np.searchsorted(curve.times, time, side="right") - 1, 0, len(curve) - 2))
            knots = [curve.times[k], curve.times[k] + curve.outs[k, 0], curve.times[k + 1] - curve.ins[k + 1, 0]]
            heights = [curve.values[k], curve.values[k] + curve.outs[k, 1], curve.values[k + 1] - curve.ins[k + 1, 1]]
            low, high = 0.0, 1.0
            for _ in range(60):
                u = 0.5 * (low + high)
                low, high = (u, high) if _cubic([*knots, curve.times[k + 1]], u) < time else (low, u)
            found[t, c] = _cubic([*heights, curve.values[k + 1]], low)
    return found


def _cubic(points: list[float], u: float) -> float:
    while len(points) > 1:
        points = [(1.0 - u) * a + u * b for a, b in pairwise(points)]
    return points[0]
