"""Long work on loose motion: solving for targets, baking, and measuring windows against a whole simulation."""

import math
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document, edits
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import Solver
from inbetweener.studio.protocol import loose_messages, loose_requests
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page import Page
from inbetweener.studio.session.showing import text
from inbetweener.studio.watched import loose_motion

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session


def solve(session: "Session", page: Page, _request: loose_requests.SolveTargets) -> Job:
    """Find the corrections with which all targets that are on are hit, and keep them as layers."""
    document, motion = _loose(session, page)
    clip = motion.clip.name
    targets = {aim.name: aim.target for aim in document.loosening(clip).aims if aim.on}
    if not targets:
        raise InvalidLooseness("no target is on; add one where the motion has to be")
    label = f"Solve for {next(iter(targets)) if len(targets) == 1 else f'{len(targets)} targets'}"

    def work(progress: Progress) -> Solution:
        progress()
        solver = Solver(motion, targets)
        for done in solver:
            progress(_share(solver.history[0].error, done.error, solver.tolerance))
        return solver.solution()

    def then(solution: Solution) -> Ending:
        changed = solution.applied(motion.clip)
        if any(layer.curves for layer in solution.layers) or changed != motion.clip:
            session.apply_later(document, label, lambda old: edits.replace_clip(old, clip, changed))
        return Ending(solution.summary)

    return session.jobs.start(label, work, then)


def measure(session: "Session", page: Page, _request: loose_requests.MeasureWindows) -> Job:
    """Tell a page how far the windows of every frame leave any joint from a simulation of the whole clip."""
    _, motion = _loose(session, page)
    times = motion.clip.frame_times

    def work(progress: Progress) -> tuple[Floats, Floats]:
        progress()
        return motion.window(times), window_errors(motion, times)

    def then(found: tuple[Floats, Floats]) -> Ending:
        lengths, errors = found
        page.send([text(loose_messages.Windows(lengths=lengths.tolist(), errors=errors.tolist()))])
        worst = int(errors.argmax())
        return Ending(f"windows leave {100 * errors[worst]:.2g} cm at most, on frame {worst}")

    return session.jobs.start("Measure windows", work, then)


def window_errors(motion: LooseMotion, times: Floats) -> Floats:
    """(T,) metres: how far any joint is from where one simulation of the whole clip has it."""
    whole = motion.rig.world_from_joint(motion.simulated(times))[..., 3]
    return np.asarray(np.linalg.norm(motion.joint_positions(times) - whole, axis=2).max(axis=1))


def _loose(session: "Session", page: Page) -> tuple[Document, LooseMotion]:
    session.holding.require_free()
    document = session.editor.document
    motion = loose_motion(document, page.showing.clip) if page.showing.clip else None
    if motion is None:
        raise InvalidLooseness("nothing is loose here; loosen some joints, and switch looseness on")
    return document, motion


def _share(first: float, now: float, tolerance: float) -> float:
    """How far a run has come, 0 to 1: every digit counts the same."""
    if first <= tolerance:
        return 1.0
    return math.log(first / max(now, tolerance)) / math.log(first / tolerance)
