"""A tail from rest to the right, to the left and to rest: does its tip come late in every sweep?"""

from dataclasses import replace

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.document.edits import guide
from inbetweener.motion import Curves, Motion

SWEEP = 0.5
"""Seconds from one key to the next."""
SWEEPS = ("to the right", "to the left", "to rest")
TORQUE: dict[str, float] = {"torque": 1}
LIMP: dict[str, float] = {"torque": 0.5, "follow-through": 4}
"""Joints that give way count eight times as much as effort."""
REGULARISE = 0.1


def worked() -> Worked:
    """Four keys: guided by squared torque alone, and with follow-through."""
    before = scene()
    versions = {"before": before, "squared torque": guided(before, TORQUE), "follow-through": guided(before, LIMP)}
    figures = [
        Figure(f"tip behind the root {way} {name}", 1e3 * late, "ms", at_least=20 if name == "follow-through" else None)
        for name, document in versions.items()
        for way, late in zip(SWEEPS, lags(document.motion()), strict=True)
    ]
    return Worked(versions, figures, ("tail_9",))


def guided(document: Document, terms: dict[str, float]) -> Document:
    """All tangents of the tail led to less of these."""
    return guide(document, channels="tail*", terms=terms, regularise=REGULARISE).document


def scene(sweep: float = SWEEP) -> Document:
    """The fox's tail, which rests, goes to the right as far as it is keyed there, as far to the left, and rests."""
    fox = example("fox-tail")
    curves, times = {}, sweep * np.arange(4)
    for name, curve in fox.clip().curves.items():
        if name.startswith("tail"):
            far = float(curve.values[1])
            flat = np.stack([np.full(4, sweep / 3), np.zeros(4)], axis=1)
            values = np.array([0.0, far, -far, 0.0])
            curves[name] = Curve(times, values, flat, flat, np.full(4, 2, np.uint8), np.ones(4, np.bool_))
    return replace(fox, clips=(replace(fox.clip(), end=3 * sweep, loops=False, curves=Curves(curves)),))


def lags(motion: Motion, sweep: float = SWEEP, sweeps: int = 3, tip: str = "tail_9") -> list[float]:
    """How much later than the root the tip is halfway, as seen from where the tail begins, sweep by sweep, seconds."""
    found = []
    for number in range(sweeps):
        times = sweep * (number + np.linspace(0.0, 1.0, 2001))
        halfway = [times[int(np.argmax(_way(motion, joint, times) >= 0.5))] for joint in ("tail_2", tip)]
        found.append(float(halfway[1] - halfway[0]))
    return found


def _way(motion: Motion, joint: str, times: Floats) -> Floats:
    """How much of its way a joint has gone, by its bearing from the first of the tail."""
    ends = [motion.states(times, motion.rig.point(name))[0] for name in ("tail_1", joint)]
    x, _, z = (ends[1] - ends[0]).T
    bearing = np.unwrap(np.arctan2(x, -z))
    return np.asarray((bearing - bearing[0]) / (bearing[-1] - bearing[0]))
