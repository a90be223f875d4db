"""How fast strokes become curves and bare meshes get weights, and how near they come."""

from collections.abc import Callable

import numpy as np

import inbetweener as ib
from benchmarks.harness import Figure, interleaved, main
from inbetweener.posing.strokes import StrokeCurve, fit_stroke
from inbetweener.skinning.automatic import bind, heat_weights

POINTS = 200


def measure() -> list[Figure]:
    return [*fitting(), *binding()]


def strokes(count: int = POINTS) -> dict[str, np.ndarray]:
    """Shapes (n, 2) of size about one, drawn at an uneven pace."""
    time = np.linspace(0.0, 1.0, count)
    t = time - 0.1 * np.sin(2.0 * np.pi * time)
    a = 2.0 * np.pi * t
    zigzag = np.abs((4.0 * t + 1.0) % 2.0 - 1.0)
    return {
        "line": np.stack([t, 0.3 * t], 1),
        "arc": 0.5 * np.stack([np.cos(0.8 * a), np.sin(0.8 * a)], 1),
        "S": np.stack([t, 0.2 * np.sin(a)], 1),
        "spiral": 0.4 * (0.3 + t)[:, None] * np.stack([np.cos(3.0 * a), np.sin(3.0 * a)], 1),
        "loop": 0.7 * np.stack([t + 0.6 * np.sin(a), -0.6 * np.cos(a)], 1),
        "zigzag": np.stack([t, 0.3 * zigzag], 1),
    }


def fitting() -> list[Figure]:
    figures, drawn = [], {}
    random = np.random.default_rng(3)
    for name, truth in strokes().items():
        drawn[name] = truth + random.normal(0.0, 0.002, truth.shape)
    runs: list[Callable[[], StrokeCurve]] = [lambda points=points: fit_stroke(points) for points in drawn.values()]
    for name, timing, run in zip(drawn, interleaved(runs), runs, strict=True):
        figures.append(Figure(f"{name}: fit of {POINTS} points, median", 1e3 * timing.median, "ms", at_most=20.0))
        off = distances(strokes()[name], run())
        figures.append(Figure(f"{name}: rms off what was meant, noise 0.2 %", 100.0 * off, "%", at_most=0.2))
    many = np.stack([np.interp(np.linspace(0, POINTS - 1, 10_000), np.arange(POINTS), c) for c in drawn["spiral"].T], 1)
    slow = interleaved([lambda: fit_stroke(many)], rounds=7)[0]
    figures.append(Figure("spiral: fit of 10000 points, median", 1e3 * slow.median, "ms", at_most=50.0))
    return figures


def distances(truth: np.ndarray, curve: StrokeCurve) -> float:
    """The rms distance of places from a curve."""
    from scipy.spatial import cKDTree

    fine = curve.positions(np.linspace(0.0, curve.length, 20_001))
    return float(np.sqrt((np.asarray(cKDTree(fine).query(truth)[0]) ** 2).mean()))


def binding() -> list[Figure]:
    figures = []
    document = ib.example("drummer")
    mesh = max(document.meshes, key=lambda each: each.weights.shape[1])
    timing = interleaved([lambda: bind(mesh, document.rig)], rounds=3, warm_up=1)[0]
    what = f"human, {len(mesh.vertices)} vertices, {len(mesh.joints)} bones: weights"
    figures.append(Figure(what, timing.median, "s", at_most=10.0))
    for along, around in ((200, 100), (500, 200)):
        vertices, triangles = grid_tube(along, around)
        ends = np.linspace(0.0, 2.0, 21)[:, None] * [1.0, 0.0, 0.0]
        timing = interleaved(
            [lambda v=vertices, f=triangles, e=ends: heat_weights(v, f, e[:-1], e[1:])], rounds=3, warm_up=1
        )[0]
        bound = 10.0 if len(vertices) <= 25_000 else None
        figures.append(Figure(f"tube, {len(vertices)} vertices, 20 bones: weights", timing.median, "s", at_most=bound))
    return figures


def grid_tube(along: int, around: int) -> tuple[np.ndarray, np.ndarray]:
    """A tube of length 2 and radius 0.1, open at its ends."""
    angle = 2.0 * np.pi * np.arange(around) / around
    x, a = (each.ravel() for each in np.meshgrid(np.linspace(0.0, 2.0, along), angle, indexing="ij"))
    vertices = np.stack([x, 0.1 * np.cos(a), 0.1 * np.sin(a)], 1)
    i, j = (each.ravel() for each in np.meshgrid(np.arange(along - 1), np.arange(around), indexing="ij"))
    p, q = i * around + j, i * around + (j + 1) % around
    return vertices, np.concatenate([np.stack([p, q + around, q], 1), np.stack([p, p + around, q + around], 1)])


if __name__ == "__main__":
    main("strokes", measure)
