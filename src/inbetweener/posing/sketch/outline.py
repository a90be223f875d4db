"""Outline mode: a stroke says where the edge of the skin goes, and the bones follow ([DB] §7: silhouette lines)."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InbetweenerError
from inbetweener.posing.sketch.bones import Bones
from inbetweener.posing.sketch.guide import PlaneCurve
from inbetweener.posing.sketch.path import Path, require_chain
from inbetweener.posing.sketch.view import ViewPlane
from inbetweener.posing.strokes import StrokeCurve, fit_stroke
from inbetweener.rig import Rig

BINS = 40
"""How many places along a chain know how thick it is."""
LEAD = 2.5
"""On how many times the way aside a chain comes round to where the stroke has it."""
STEPS = 400
"""In how many steps a stroke is gone along."""


class NoOutline(InbetweenerError, ValueError):
    """Bones without a skin whose edge a stroke could be."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """How far the edge of the skin is seen from a chain of bones.

    line (n, 2) is the chain in the view plane, from its start; arcs (BINS,) are metres along it, and left and right
    (BINS,) how thick it is there on either side.
    """

    line: Floats
    arcs: Floats
    left: Floats
    right: Floats

    @classmethod
    def of(cls, rig: Rig, channels: Floats, chain: list[int], vertices: Floats, view: ViewPlane) -> Self:
        """Of a chain in the pose of channel values (C,), with the vertices (V, 3) of the skin that follows it."""
        require_chain(rig, chain)
        bones = Bones.of(rig, channels)
        samples = bones.samples({joint: bones.steps(joint) for joint in chain})
        path = Path.along(rig, chain, samples, view)
        _, first = np.unique(path.leaders, return_index=True)
        line = (view.project(samples.positions)[0] - path.offsets)[first]
        line = line[np.append(True, np.linalg.norm(np.diff(line, axis=0), axis=1) > 0.0)]
        along, aside = _beside(line, view.project(vertices)[0])
        length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
        arcs = (np.arange(BINS) + 0.5) * length / BINS
        cells = np.clip((along * BINS / length).astype(np.int64), 0, BINS - 1)
        # What lies beyond an end of the chain says nothing of how thick it is.
        within = (along > 0.0) & (along < length)
        sides = []
        for side in (aside, -aside):
            most = np.full(BINS, -np.inf)
            np.maximum.at(most, cells[within], side[within])
            known = most > 0.0
            if not known.any():
                raise NoOutline("no skin follows these bones on both sides; draw over the bones themselves (direct)")
            sides.append(np.interp(arcs, arcs[known], most[known]))
        return cls(line, arcs, *sides)

    def middle(self, stroke: PlaneCurve) -> StrokeCurve:
        """The stroke that the chain lies on when the edge of its skin lies on `stroke`.

        The first point of the stroke belongs to the nearer end of the chain, and to the side that it is on.
        """
        places = np.linspace(0.0, stroke.length, STEPS)
        drawn = stroke.positions(places)
        if np.linalg.norm(drawn[0] - self.line[-1]) < np.linalg.norm(drawn[0] - self.line[0]):
            drawn = drawn[::-1]
        ahead = np.gradient(drawn, axis=0)
        ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-300)
        normals = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
        along, aside = _beside(self.line, drawn[:1])
        thick, inward = (self.left, -normals) if aside[0] > 0.0 else (self.right, normals)
        passed = float(np.clip(along[0], 0.0, self.arcs[-1]))
        found, at = [drawn[0] + np.interp(passed, self.arcs, thick) * inward[0]], [passed]
        for point, way, heading in zip(drawn[1:], inward[1:], ahead[1:], strict=True):
            here = point + np.interp(at[-1], self.arcs, thick) * way
            step = here - found[-1]
            # Within a bend that is tighter than the limb is thick the middle would go back: it waits instead.
            if step @ heading > 0.0:
                at.append(at[-1] + float(np.linalg.norm(step)))
                found.append(here)
        return fit_stroke(self._joined(np.array(found), np.array(at)))

    def _joined(self, found: Floats, at: Floats) -> Floats:
        """Points found (m, 2) at metres (m,) along the chain, and before them the chain as it is.

        The farther they are beside it, the longer the way from one to the other, so that no bone has to turn back.
        """
        start = np.array([np.interp(at[0], self._places, self.line[:, axis]) for axis in (0, 1)])
        room = min(LEAD * float(np.linalg.norm(found[0] - start)), 0.5 * float(at[-1]))
        kept = self._places <= max(0.0, at[0] - room)
        return np.concatenate([self.line[kept], found[at > max(at[0], room)]])

    @property
    def _places(self) -> Floats:
        """Metres (n,) along the line."""
        return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.line, axis=0), axis=1))])


def _beside(line: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Where along a line (n, 2) points (p, 2) are nearest to it, in metres, and how far to its left they are."""
    ways = np.diff(line, axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    starts = np.concatenate([[0.0], np.cumsum(lengths)])
    away = points[:, None] - line[:-1]
    share = np.einsum("psi,si->ps", away, ways) / lengths**2
    # Straight on beyond both ends, so that sides can be told there too.
    share = np.clip(share, np.r_[-np.inf, np.zeros(len(ways) - 1)], np.r_[np.ones(len(ways) - 1), np.inf])
    apart = np.linalg.norm(away - share[..., None] * ways, axis=2)
    nearest = apart.argmin(axis=1)
    rows = np.arange(len(points))
    left = ways[nearest, 0] * away[rows, nearest, 1] - ways[nearest, 1] * away[rows, nearest, 0]
    return starts[nearest] + share[rows, nearest] * lengths[nearest], np.copysign(apart[rows, nearest], left)
