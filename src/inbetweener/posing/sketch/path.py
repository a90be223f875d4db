"""The way along a chain of bones, as it is seen in the view plane."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.errors import InbetweenerError
from inbetweener.posing.sketch.bones import Samples
from inbetweener.posing.sketch.view import ViewPlane
from inbetweener.rig import Rig, bent

STILL = 1e-6
"""Metres that are none."""


class NotAChain(InbetweenerError, ValueError):
    """Bones that do not follow one another, so that no single stroke gives them their shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """From where the first bone of a chain starts to where the last one ends.

    By sample on the way: depths (n,), arcs (n,), metres in the plane from the start, and lengths (n − 1,), metres in
    space to the next one. A bent bone counts as long as it is, not as its samples are apart. By sample of all bones:
    leaders (M,), which sample on the way it follows; offsets (M, 2) from that; own_depths (M,); headings (M,).
    """

    depths: Floats
    arcs: Floats
    lengths: Floats
    leaders: Ints
    offsets: Floats
    own_depths: Floats
    headings: Floats

    @classmethod
    def along(cls, rig: Rig, chain: list[int], samples: Samples, view: ViewPlane) -> Self:
        """The way along a chain, its samples given."""
        seen, seen_depths = view.project(samples.positions)
        on_way: list[Ints] = []
        leaders: list[Ints] = []
        headings: list[Floats] = []
        passed, heading = 0, 0.0
        for joint, below in zip(chain, [*chain[1:], None], strict=True):
            rows = samples.rows[joint]
            used = count = rows.stop - rows.start - 1
            # The next bone may hang anywhere along this one; what is beyond is no part of the way and goes along.
            if below is not None:
                used = max(1, bent.steps_passed(float(rig.bones.attachments[below]), count))
            ways = _headings(seen[rows], heading)
            ways[used + 1 :] = ways[used]
            heading = float(ways[-1])
            headings.append(ways)
            on_way.append(np.arange(rows.start, rows.start + used + 1))
            leaders.append(passed + np.minimum(np.arange(count + 1), used))
            passed += used + 1
        way, leader = np.concatenate(on_way), np.concatenate(leaders)
        flat, depths = seen[way], seen_depths[way]
        apart = np.linalg.norm(np.diff(samples.positions[way], axis=0), axis=1)
        own = samples.own_steps[way[:-1]]
        lengths = np.where(samples.owners[way[1:]] == samples.owners[way[:-1]], own, apart)
        # Lengths without their share in depth, at the size they are seen.
        across = np.sqrt(np.maximum(lengths**2 - np.diff(depths) ** 2, 0.0))
        size = view.magnification(0.5 * (depths[1:] + depths[:-1]))
        arcs = np.concatenate([[0.0], np.cumsum(across / size)])
        if np.linalg.norm(np.diff(flat, axis=0), axis=1).sum() < STILL:
            raise NotAChain("from here the bones are seen end on, as a single point; turn the view")
        offsets = seen - flat[leader]
        return cls(depths, arcs, lengths, leader, offsets, seen_depths, np.concatenate(headings))


def require_chain(rig: Rig, chain: list[int]) -> None:
    """Refuse bones of which one is not the parent of the next."""
    joints = rig.joints
    for above, below in pairwise(chain):
        if joints[below].parent != above:
            raise NotAChain(
                f"{joints[above].name} and {joints[below].name} do not follow one another; "
                "choose bones that make a chain, or sketch a line of action"
            )


def _headings(flat: Floats, before: float) -> Floats:
    """Which way a bone goes (S + 1,) at its samples (S + 1, 2), the shorter way round from `before`."""
    steps = np.diff(flat, axis=0)
    seen = np.flatnonzero(np.linalg.norm(steps, axis=1) > STILL)
    if not len(seen):
        return np.full(len(flat), before)
    angles = np.unwrap([before, *np.arctan2(steps[seen, 1], steps[seen, 0])])[1:]
    # Steps know the heading halfway between samples; before the first and behind the last it goes on as it changed.
    at = np.interp(np.arange(len(flat)), seen + 0.5, angles)
    if len(angles) > 1:
        at[0] += 0.5 * (angles[0] - angles[1])
        at[-1] += 0.5 * (angles[-1] - angles[-2])
    return at
