"""Direct mode: a chain of bones takes the shape of a stroke, by arc length ([DB] §3.3)."""

import math
from itertools import pairwise

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.posing.sketch.bones import Bones, Samples
from inbetweener.posing.sketch.guide import Guide, PlaneCurve
from inbetweener.posing.sketch.path import STILL, Path, require_chain
from inbetweener.posing.sketch.view import ViewPlane
from inbetweener.posing.sketch.wish import Wishes
from inbetweener.rig import ROOT

_ROUNDS = 40
_NEAR = 0.25
"""How far from a joint a corner may be to be meant for it, as a share of the shorter bone."""


class Direct:
    """A chain and the guide it follows: the first point of the stroke belongs to the nearer end of the chain."""

    def __init__(
        self, bones: Bones, chain: list[int], stroke: PlaneCurve, view: ViewPlane, *, stretch: bool = False
    ) -> None:
        require_chain(bones.rig, chain)
        self._rig, self._chain, self._view, self._stretch = bones.rig, chain, view, stretch
        samples = bones.samples({joint: bones.steps(joint) for joint in chain})
        start, end = view.project(samples.positions[[0, -1]])[0]
        first = stroke.positions([0.0])[0]
        backwards = bool(np.linalg.norm(first - end) < np.linalg.norm(first - start))
        # A chain that hangs on the body starts where it hangs; a whole body goes where the stroke is.
        hangs = bones.rig.joints[chain[0]].parent != ROOT
        self.guide = Guide(stroke, backwards=backwards, start=start if hangs else None, reach=samples.lengths[chain[0]])

    def wishes(self, samples: Samples) -> Wishes:
        """What the guide wishes of the samples of the chain."""
        path = Path.along(self._rig, self._chain, samples, self._view)
        arcs = self._arcs(path)[path.leaders]
        flat, headings = self.guide.at(arcs)
        angles = headings + self._meant(samples, self.guide.place(arcs)) - path.headings
        # Full turns by which the very first sample would spin on the spot are not meant.
        angles -= 2.0 * np.pi * np.round(angles[0] / (2.0 * np.pi))
        positions = self._view.lift(flat + _turned(path.offsets, angles), path.own_depths)
        drawn, headings = self.guide.drawn(self.guide.place(arcs))
        return Wishes(samples, angles, positions, drawn + _turned(path.offsets, headings - path.headings))

    def _meant(self, samples: Samples, places: Floats) -> Floats:
        """What to add to headings (M,) at places (M,) of the stroke so that a corner near a joint is the joint's.

        A bone before the joint keeps the heading before the corner, and the one behind it has that behind the corner
        from its start: nobody hits a joint to the millimetre.
        """
        meant, hair = places.copy(), 1e-9 * self.guide.length
        for above, below in pairwise(self._chain):
            before, after = samples.rows[above], samples.rows[below]
            joint = places[after.start]
            reach = _NEAR * min(samples.lengths[above], samples.lengths[below])
            for corner in self.guide.corners:
                if abs(corner - joint) < reach:
                    meant[before] = np.minimum(meant[before], corner - hair)
                    meant[after] = np.maximum(meant[after], corner + hair)
        if np.array_equal(meant, places):
            return np.zeros(len(places))
        return self.guide.drawn(meant)[1] - self.guide.drawn(places)[1]

    def length_ratio(self, samples: Samples) -> float:
        """How long the chain becomes, times how long it was."""
        path = Path.along(self._rig, self._chain, samples, self._view)
        return float(self._lengths(path, self._arcs(path)).sum() / path.lengths.sum())

    def _arcs(self, path: Path) -> Floats:
        """Where along the guide every sample of the path goes (n,): evenly over all of it, or keeping lengths."""
        if self._stretch:
            return path.arcs * (self.guide.length / path.arcs[-1])
        if math.isinf(self._view.distance):
            return path.arcs
        # Farther from the eye a metre of bone is less than a metre of stroke.
        arcs = path.arcs
        for _ in range(_ROUNDS):
            long = self._lengths(path, arcs)
            ratio = np.divide(path.lengths, long, out=np.ones_like(long), where=long > STILL)
            arcs = np.concatenate([[0.0], np.cumsum(np.diff(arcs) * ratio)])
            if np.abs(ratio - 1.0).max() < 1e-12:
                break
        return arcs

    def _lengths(self, path: Path, arcs: Floats) -> Floats:
        """Metres (n − 1,) between samples once they lie on the guide: chords, and what arcs are longer than those."""
        flat, _ = self.guide.at(arcs)
        chords = np.diff(self._view.lift(flat, path.depths), axis=0)
        size = self._view.magnification(path.depths)
        arched = np.diff(arcs) ** 2 - (np.diff(flat, axis=0) ** 2).sum(axis=1)
        return np.sqrt((chords**2).sum(axis=1) + size[1:] * size[:-1] * np.maximum(arched, 0.0))


def _turned(offsets: Floats, angles: Floats) -> Floats:
    """Vectors (n, 2) turned counter-clockwise by angles (n,)."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([c * offsets[:, 0] - s * offsets[:, 1], s * offsets[:, 0] + c * offsets[:, 1]], axis=1)
