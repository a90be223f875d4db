"""Solving for a relaxed boxer's punch: how long, by how many simulated windows, and Algorithm 1 of [IKD] beside it."""

from dataclasses import replace

from benchmarks.gestures.boxer import CLIP, PUNCHES
from benchmarks.gestures.upper_body import upper_body
from benchmarks.harness import Figure, interleaved
from benchmarks.kinodynamics.comparison import convergence
from inbetweener.builtin import example
from inbetweener.document.edits import set_looseness
from inbetweener.kinodynamics import Bell, LooseMotion, PointTarget, Window
from inbetweener.kinodynamics.solve import solve

WINDOW = 0.3
"""Seconds, as [IKD] has it for its punch; the automatic one is looked at too."""

PUBLISHED_MS = 500.0


def measure() -> list[Figure]:
    fixed, found = punch(WINDOW), punch("auto")
    name, target = aim()
    rough, fine, own = interleaved(
        [
            lambda: solve(fixed, {name: target}, tolerance=1e-4),
            lambda: solve(fixed, {name: target}, tolerance=1e-8),
            lambda: solve(found, {name: target}, tolerance=1e-4),
        ],
        rounds=15,
    )
    figures = [
        Figure("punch: misses by", 100 * solve(fixed, {name: target}).outcomes[0].before.distance, "cm"),
        Figure("punch: solved to 1e-2 cm", rough.median * 1e3, "ms", at_most=50),
        Figure("punch: times faster than published", PUBLISHED_MS / (rough.median * 1e3), "×"),
        Figure("punch: solved to 1e-6 cm", fine.median * 1e3, "ms"),
        Figure("punch: automatic window", found.window([target.time])[0], "s"),
        Figure("punch: solved to 1e-2 cm with that window, found anew", own.median * 1e3, "ms"),
    ]
    for curve in convergence(fixed, target):
        for centimetres in (1e-2, 1e-6):
            needed = next((w for w, e in zip(curve.windows, curve.errors, strict=True) if 100 * e <= centimetres), None)
            bound = 20 if curve.label == "coupled" and centimetres == 1e-6 else None
            figures.append(
                Figure(
                    f"punch: windows to {centimetres:g} cm, {curve.label}, bell of {curve.width:g} s",
                    float("nan") if needed is None else float(needed),
                    "" if needed is not None else "(not reached)",
                    at_most=bound,
                )
            )
    return figures


def aim() -> tuple[str, PointTarget]:
    """The jab where its keys have it."""
    time, palm = PUNCHES["jab"]
    return "jab", PointTarget(time, example("boxer").rig.point(palm), bell=Bell(0.5, 0.5))


def punch(window: Window) -> LooseMotion:
    """A boxer, relaxed from the hips up."""
    document = upper_body(example("boxer"), "relaxed")
    looseness = replace(document.loosening(CLIP).looseness, window=window)
    return set_looseness(document, CLIP, looseness).loose_motion(CLIP)
