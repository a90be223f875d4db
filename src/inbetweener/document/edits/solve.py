"""Solving for a clip's targets, as an edit: corrections come as layers, one a target, and no key moves."""

from dataclasses import replace

from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.kinodynamics import PointTarget, Target
from inbetweener.kinodynamics.problem import giving_way
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import solve
from inbetweener.rig.freedom import channels_moving


def targets_of(document: Document, clip: str) -> dict[str, Target]:
    """The targets of a clip that are on, by name: what a solver takes.

    Where a target does not say which channels may give way, what moves a point that is pinned or planted meanwhile does
    not: an arm reaches for its mark without pulling at the feet.
    """
    return {aim.name: _sparing(document, clip, aim.target) for aim in document.loosening(clip).aims if aim.on}


def solve_targets(document: Document, clip: str) -> tuple[Document, Solution]:
    """A clip whose targets are hit or, out of reach, come near, and what became of each.

    With looseness switched off they are solved for as well, on the motion as keyed.
    """
    targets = targets_of(document, clip)
    if not targets:
        return document, Solution((), (), "reached")
    solution = solve(document.loose_motion(clip), targets)
    return solved_targets(document, clip, solution), solution


def solved_targets(document: Document, clip: str, solution: Solution) -> Document:
    """A clip with the corrections of a solution, on top, in full; those that the same targets had before are gone."""
    old = document.clip(clip)
    new = solution.layers
    names = {layer.name for layer in new}
    return replace_clip(
        document, clip, replace(old, layers=(*(each for each in old.layers if each.name not in names), *new))
    )


def _sparing(document: Document, clip: str, target: Target) -> Target:
    """The target with what may give way for it: all that does by itself, but for what pins and contacts hold."""
    if not isinstance(target, PointTarget) or isinstance(target.point, SoftPoint) or target.channels is not None:
        return target
    rig, looped = document.rig, document.clip(clip).loops
    usual = frozenset(giving_way(rig, target.point).tolist())
    left, since, until = usual, target.time - target.bell.before, target.time + target.bell.after
    for rule in document.rules(clip):
        meanwhile = looped or (rule.start < until and since < rule.end)
        if meanwhile and rule.point.parts != target.point.parts:
            # What hangs on a held point, as a heel does beside its toes, can be moved in no other way.
            left = left - channels_moving(rig, rule.point, rule.wanted) or left
    return target if left == usual else replace(target, channels=frozenset(rig.channels[c].name for c in left))
