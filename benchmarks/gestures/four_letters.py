"""Four letters: a loose dancer is late for every pose; the C is asked for as a whole pose, and struck exactly."""

import numpy as np

from benchmarks.gestures.upper_body import effort, upper_body
from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.builtin.scenes.four_letters import LETTERS
from inbetweener.document import Document
from inbetweener.document.edits import add_target, solve
from inbetweener.kinodynamics import Bell, PoseTarget
from inbetweener.kinodynamics.solution import Solution

CLIP, TIME = "y m c a", LETTERS["C"] / 24


def worked() -> Worked:
    """Tight, loose, with the C struck, and with all four letters struck."""
    tight = example("four-letters")
    loose = upper_body(tight, "loose")
    struck, solution = after(loose, "C")
    spelt, _ = after(loose, "YMCA")
    figures = [
        Figure("the C, worst turn off", np.degrees(pose_error(loose, "C")), "°", at_least=5),
        Figure("the C, worst joint off", 100 * joint_error(tight, loose, "C"), "cm", at_least=5),
        Figure("the C when solved, worst turn off", np.degrees(pose_error(struck, "C")), "°", at_most=1e-5),
        Figure("the C when solved, worst joint off", 100 * joint_error(tight, struck, "C"), "cm", at_most=1e-4),
        *(
            Figure(f"the {letter} of all four, worst joint off", 100 * joint_error(tight, spelt, letter), "cm",
                   at_most=2.5 if letter == "Y" else 0.05)
            for letter in LETTERS
        ),
        *effort(solution),
    ]  # fmt: skip
    return Worked({"tight": tight, "loose": loose, "C struck": struck, "all struck": spelt}, figures)


def after(document: Document, letters: str) -> tuple[Document, Solution]:
    """Letters as keyed, every loose turn of them."""
    for letter in letters:
        document = add_target(document, CLIP, PoseTarget(LETTERS[letter] / 24, bell=Bell(0.5, 0.5)), name=letter)
    result = solve(document, clip=CLIP)
    return result.document, result.solution


def pose_error(document: Document, letter: str) -> float:
    """Radians: how far the furthest turn of a letter is seen off its key."""
    tight = example("four-letters")
    time = [LETTERS[letter] / 24]
    return float(np.abs(document.shown_motion().channels(time) - tight.motion().channels(time)).max())


def joint_error(tight: Document, document: Document, letter: str) -> float:
    """Metres: how far the furthest joint of a letter is seen off its place."""
    time = [LETTERS[letter] / 24]
    apart = document.shown_motion().joint_positions(time) - tight.motion().joint_positions(time)
    return float(np.linalg.norm(apart, axis=-1).max())
