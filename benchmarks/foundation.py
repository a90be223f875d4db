"""Curves, kinematics, opening and fitting files, starting up: each against a straightforward implementation.

`python -m benchmarks.foundation [--json]`
"""

import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import inbetweener as ib
from benchmarks.harness import Figure, interleaved, main
from inbetweener.curves import Bundle, Curve, Key, Tangent
from inbetweener.maths import euler
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, fit_clip
from inbetweener.rig import Joint, Rig, joint_channels


def measure() -> list[Figure]:
    return [*curve_evaluation(), *forward_kinematics(), *opening_bvh(), *fitting(), *starting()]


def curve_evaluation() -> list[Figure]:
    """200 channels × 1,000 frames against vectorised numpy (Newton on whole arrays)."""
    rng = np.random.default_rng(1)
    curves = [_random_curve(rng) for _ in range(200)]
    bundle = Bundle.of(curves)
    times = np.linspace(0.0, 40.0, 1000)
    ours, peer = interleaved([lambda: bundle.evaluate(times), lambda: numpy_evaluate(curves, times)])
    error = np.abs(bundle.evaluate(times) - numpy_evaluate(curves, times)).max()
    return [
        Figure("curves, 200 channels × 1,000 frames, median", ours.median * 1e3, "ms"),
        Figure("curves, 200 channels × 1,000 frames, p95", ours.p95 * 1e3, "ms"),
        Figure("curves, vectorised numpy, median", peer.median * 1e3, "ms"),
        Figure("curves, times faster than numpy", peer.median / ours.median, "×", at_least=5),
        Figure("curves, largest difference to numpy", float(error), "", at_most=1e-9),
    ]


def forward_kinematics() -> list[Figure]:
    """60 joints × 1,000 frames against batched numpy matrices, one joint at a time."""
    rng = np.random.default_rng(2)
    joints = [Joint(f"j{i}", (i - 1) // 2 if i else -1, Transform((0.0, 0.1, 0.02))) for i in range(60)]
    rig = Rig(tuple(joints), tuple(c for joint in joints for c in joint_channels(joint)))
    channels = rng.normal(size=(1000, len(rig.channels)))
    ours, peer = interleaved([lambda: rig.world_from_joint(channels), lambda: numpy_forward(rig, channels)])
    error = np.abs(rig.world_from_joint(channels)[..., 3] - numpy_forward(rig, channels)).max()
    return [
        Figure("forward kinematics, 60 joints × 1,000 frames, median", ours.median * 1e3, "ms", at_most=10),
        Figure("forward kinematics, 60 joints × 1,000 frames, p95", ours.p95 * 1e3, "ms"),
        Figure("forward kinematics, times faster than batched numpy", peer.median / ours.median, "×"),
        Figure("forward kinematics, largest difference to numpy", float(error), "m", at_most=1e-9),
    ]


def opening_bvh() -> list[Figure]:
    """A 10,000-frame, 31-joint BVH against bvhio's plain reader (its hierarchy takes ten times longer still)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # bvhio's own dependencies, on import
        import bvhio

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.bvh"
        ib.save(dancer(joints=31, frames=10_000, rate=120.0), path)
        size = path.stat().st_size / 2**20
        ours, peer = interleaved([lambda: _load(path), lambda: bvhio.readAsBvh(str(path))], rounds=3, warm_up=1)
    return [
        Figure("opening a 10,000-frame BVH, size", size, "MiB"),
        Figure("opening a 10,000-frame BVH, median", ours.median * 1e3, "ms"),
        Figure("opening a 10,000-frame BVH, bvhio", peer.median * 1e3, "ms"),
        Figure("opening a 10,000-frame BVH, times faster than bvhio", peer.median / ours.median, "×", at_least=5),
    ]


def fitting() -> list[Figure]:
    """A 30-joint, 1,000-frame clip as sparse keys."""
    document = dancer(joints=30, frames=1000, rate=60.0)
    fit_clip(document.rig, document.clip())
    started = time.perf_counter()
    _, report = fit_clip(document.rig, document.clip())
    seconds = time.perf_counter() - started
    return [
        Figure("fitting 30 joints × 1,000 frames", seconds, "s", at_most=5),
        Figure("fitting, mean joint error", report.mean_error_m * 1e3, "mm", at_most=2),
        Figure("fitting, largest joint error", report.max_error_m * 1e3, "mm"),
        Figure("fitting, keys as share of the frames", report.key_share * 100, "%", at_most=10),
    ]


def starting() -> list[Figure]:
    """Warm starts, each in a fresh process; a bare interpreter as the peer."""
    bare, package, command = (
        _process_seconds(arguments)
        for arguments in (["-c", "pass"], ["-c", "import inbetweener"], ["-m", "inbetweener", "examples"])
    )
    return [
        Figure("a bare interpreter", bare, "s"),
        Figure("import inbetweener, interpreter included", package, "s", at_most=0.5),
        Figure("inbetweener examples, whole process", command, "s", at_most=1.0),
    ]


def numpy_evaluate(curves: list[Curve], times: np.ndarray) -> np.ndarray:
    """Bezier curves the straightforward way: find segments, then Newton on whole arrays until all have converged."""
    result = np.empty((len(times), len(curves)))
    for c, curve in enumerate(curves):
        k = np.clip(np.searchsorted(curve.times, times, side="right") - 1, 0, len(curve) - 2)
        h = curve.times[k + 1] - curve.times[k]
        s = np.clip((times - curve.times[k]) / h, 0.0, 1.0)
        a, b = curve.outs[k, 0] / h, curve.ins[k + 1, 0] / h
        u = s.copy()
        for _ in range(50):
            v = 1 - u
            error = 3 * a * u * v**2 + 3 * (1 - b) * u**2 * v + u**3 - s
            if np.abs(error).max() < 1e-14:
                break
            slope = 3 * (a * v**2 + 2 * (1 - a - b) * u * v + b * u**2)
            u = np.clip(u - error / np.maximum(slope, 1e-9), 0.0, 1.0)
        v = 1 - u
        p0, p3 = curve.values[k], curve.values[k + 1]
        p1, p2 = p0 + curve.outs[k, 1], p3 - curve.ins[k + 1, 1]
        result[:, c] = v**3 * p0 + 3 * u * v**2 * p1 + 3 * u**2 * v * p2 + u**3 * p3
    return result


def numpy_forward(rig: Rig, channels: np.ndarray) -> np.ndarray:
    """Joint positions with numpy matrices, batched over frames."""
    dofs = rig.dof_map.dofs(channels).reshape(len(channels), -1, 9)
    linear: list[np.ndarray] = []
    position: list[np.ndarray] = []
    for j, joint in enumerate(rig.joints):
        local = euler.to_matrix(dofs[:, j, 3:6], joint.order)
        if joint.parent < 0:
            linear.append(local)
            position.append(dofs[:, j, :3])
        else:
            above = linear[joint.parent]
            linear.append(above @ local)
            position.append(np.einsum("trc,tc->tr", above, dofs[:, j, :3]) + position[joint.parent])
    return np.stack(position, axis=1)


def _random_curve(rng: np.random.Generator) -> Curve:
    times = np.cumsum(rng.uniform(0.5, 1.5, 40))
    slopes = rng.normal(size=40)
    widths = rng.uniform(0.1, 0.24, (40, 2))
    return Curve.from_keys(
        Key(t, v, Tangent(w[0], w[0] * s), Tangent(w[1], w[1] * s))
        for t, v, s, w in zip(times, rng.normal(size=40), slopes, widths, strict=True)
    )


def dancer(joints: int, frames: int, rate: float) -> ib.Document:
    """A person-sized tree whose joints swing in several rhythms, with beats and rests, as captured motion does."""
    rng = np.random.default_rng(3)
    tree = [
        Joint(f"joint_{i}", (i - 1) // 2 if i else -1, Transform((0.0, 0.25 if i else 0.9, 0.05)))
        for i in range(joints)
    ]
    rig = Rig(
        tuple(tree),
        (*joint_channels(tree[0], "tx ty tz rx ry rz"), *(c for joint in tree[1:] for c in joint_channels(joint))),
    )
    times = np.arange(frames) / rate
    curves = {}
    for channel in rig.channels:
        swing = np.zeros(frames)
        for hertz in rng.uniform(0.15, 1.6, 4):
            swing += rng.normal(scale=0.12 / (1 + hertz)) * np.sin(2 * np.pi * (hertz * times + rng.uniform()))
        rests = np.clip(np.sin(2 * np.pi * (0.1 * times + rng.uniform())) * 2 + 0.6, 0.0, 1.0)
        curves[channel.name] = Curve.sampled(times, channel.default + swing * rests)
    clip = Clip("dance", end=float(times[-1]), rate=rate, curves=Curves(curves))
    return ib.Document(name="dancer", rig=rig, clips=(clip,))


def _load(path: Path) -> ib.Document:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the guessed unit; not what is measured
        return ib.load(path)


def _process_seconds(arguments: list[str], rounds: int = 7) -> float:
    seconds = []
    for _ in range(rounds + 1):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds[1:])


if __name__ == "__main__":
    main("foundation", measure)
