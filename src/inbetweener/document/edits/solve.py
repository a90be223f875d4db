"""Solving for a clip's targets, as an edit: corrections come as layers, one a target, and no key moves."""

from dataclasses import replace

from inbetweener.document.document import Document
from inbetweener.document.edits.clips import replace_clip
from inbetweener.kinodynamics import Target
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import solve


def targets_of(document: Document, clip: str) -> dict[str, Target]:
    """The targets of a clip that are on, by name: what a solver takes."""
    return {aim.name: aim.target for aim in document.loosening(clip).aims if aim.on}


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
