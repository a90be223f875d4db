"""Which bones a stroke means: those it is drawn along or across."""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.posing.sketch.bones import Bones
from inbetweener.posing.sketch.view import ViewPlane
from inbetweener.rig import ROOT, Rig

Selecting = Literal["chain", "connected", "all"]
SELECTING: tuple[Selecting, ...] = get_args(Selecting)

NEAR = 0.035
"""How near a stroke must come to a bone, as a share of the size of the whole body in the picture."""
_ALONG = 0.5
"""How much of a bone a stroke beside it must go along."""


_OWN = 0.6
"""… and how near it must come, as a share of the bone's own length."""


class NothingSelected(InbetweenerError, ValueError):
    """A selecting stroke that meets no bone."""


def select(
    stroke: npt.ArrayLike,
    rig: Rig,
    channels: npt.ArrayLike,
    view: ViewPlane,
    selecting: Selecting = "chain",
    *,
    near: float | None = None,
) -> tuple[str, ...]:
    """The bones, parents first, that a stroke of points (n, 2) in the view plane means.

    A "chain" is the one run of bones from parent to child that the stroke covers most of, a "connected" set all bones
    it meets and those between them; "all" are all bones, if it meets any. `near` is in metres in the plane.
    """
    if selecting not in SELECTING:
        raise UnknownName("way of selecting", selecting, SELECTING)
    bones = Bones.of(rig, np.asarray(channels, np.float64))
    samples = bones.samples({joint: bones.steps(joint) for joint in range(len(rig.joints))})
    whole = view.project(samples.positions)[0]
    seen = [whole[rows] for rows in samples.rows.values()]
    if near is None:
        near = NEAR * float(np.linalg.norm(np.ptp(whole, axis=0)))
    drawn = _dense(np.asarray(stroke, np.float64).reshape(-1, 2), near)
    covered = np.array([_covered(samples, drawn, near) for samples in seen])
    if not covered.any():
        raise NothingSelected("the stroke meets no bone; draw it along or across the bones to be chosen")
    if selecting == "chain":
        chosen = _chain(rig, covered)
    elif selecting == "connected":
        chosen = _connected(rig, np.flatnonzero(covered).tolist())
    else:
        chosen = list(range(len(rig.joints)))
    return tuple(rig.joints[joint].name for joint in chosen)


def _covered(samples: Floats, drawn: Floats, near: float) -> float:
    """How many metres of a bone (S + 1, 2) the stroke (n, 2) goes along, fewer the farther away; 0 where it misses."""
    steps = np.linalg.norm(np.diff(samples, axis=0), axis=1)
    length = float(steps.sum())
    if not length > 1e-9:
        return 0.0
    # Small bones want to be met more closely: fingers lie side by side.
    near = min(near, _OWN * length)
    away = np.linalg.norm(samples[:, None] - drawn[None], axis=2).min(axis=1)
    close = away <= near
    along = close[1:] & close[:-1]
    if float(steps @ along) >= _ALONG * length:
        nearness = 1.0 - 0.5 * (away[1:] + away[:-1]) / near
        return float(steps @ (along * nearness)) + 1e-9
    return 0.5 * near if _crosses(samples[0], samples[-1], drawn) else 0.0


def _crosses(start: Floats, end: Floats, drawn: Floats) -> bool:
    """Whether any piece of the stroke meets the line from start to end, well within it."""
    axis = end - start
    length = float(np.linalg.norm(axis))
    if length <= 1e-9 or len(drawn) < 2:
        return False
    away = drawn - start
    along, aside = away @ axis / length**2, (away[:, 1] * axis[0] - away[:, 0] * axis[1]) / length
    swaps = np.flatnonzero((aside[1:] > 0.0) != (aside[:-1] > 0.0))
    share = aside[swaps] / (aside[swaps] - aside[swaps + 1])
    at = along[swaps] + share * (along[swaps + 1] - along[swaps])
    return bool(((at > 0.1) & (at < 0.9)).any())


def _chain(rig: Rig, covered: Floats) -> list[int]:
    """The run of bones, each the parent of the next, of which the stroke covers most metres."""
    best = covered.copy()
    before: dict[int, int] = {}
    for joint, each in enumerate(rig.joints):
        if each.parent != ROOT:
            best[joint] += best[each.parent]
            before[joint] = each.parent
    end = int(np.argmax(np.where(covered > 0.0, best, -1.0)))
    chain = [end]
    while chain[-1] in before:
        chain.append(before[chain[-1]])
    chain.reverse()
    while not covered[chain[0]]:
        chain.pop(0)
    return chain


def _connected(rig: Rig, met: list[int]) -> list[int]:
    """Bones and all that lie between them in the tree."""
    ways = []
    for joint in met:
        way = [joint]
        while rig.joints[way[-1]].parent != ROOT:
            way.append(rig.joints[way[-1]].parent)
        ways.append(way[::-1])
    # The bone that all ways share and that lies deepest joins them; above it, nothing is between them.
    shared = 0
    while all(len(way) > shared + 1 and way[shared + 1] == ways[0][shared + 1] for way in ways):
        shared += 1
    if any(way[0] != ways[0][0] for way in ways):
        return sorted({joint for way in ways for joint in way})
    joins = ways[0][shared]
    # Limbs that hang on a bone are joined by it; a chain needs no more than its own bones.
    return sorted({joint for way in ways for joint in way[shared:]} | {joins})


def _dense(points: Floats, near: float) -> Floats:
    """The same stroke with points closer together than half of `near`."""
    if len(points) < 2:
        return points
    arcs = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    count = min(2000, 1 + int(np.ceil(arcs[-1] / max(0.5 * near, 1e-9))))
    at = np.union1d(arcs, np.linspace(0.0, arcs[-1], count))
    return np.stack([np.interp(at, arcs, points[:, axis]) for axis in range(2)], axis=1)
