"""Long work on loose motion: solving for targets, baking, and measuring windows against a whole simulation."""

import math
from typing import TYPE_CHECKING

from inbetweener.arrays import Floats
from inbetweener.document import Document, edits
from inbetweener.document.edits.contact_targets import Standing
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, window_error
from inbetweener.kinodynamics.bake import Bake
from inbetweener.kinodynamics.run import TOLERANCE
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import Solver
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol import loose_messages, loose_requests
from inbetweener.studio.pursuit import pursue
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page import Page
from inbetweener.studio.session.page_view import text

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session


def solve(session: "Session", page: Page, _request: loose_requests.SolveTargets) -> Job:
    """Find the corrections with which all targets that are on are hit, and keep them as layers."""
    session.gestures.require_free()
    document, clip = session.editor.document, page.view.clip
    targets = edits.targets_of(document, clip) if clip else {}
    if not targets:
        raise InvalidLooseness("no target is on; add one where the motion has to be")
    # With looseness switched off, targets are solved for as well, on the motion as keyed. A hand may hold windows of
    # what is watched meanwhile, so this is another one.
    motion = document.loose_motion(clip)
    label = f"Solve for {next(iter(targets)) if len(targets) == 1 else f'{len(targets)} targets'}"

    def work(progress: Progress) -> Solution:
        def tell(solver: Solver) -> None:
            progress(_share(solver.history[0].error, solver.error, solver.tolerance))

        progress()
        return pursue(motion, targets, tolerance=TOLERANCE, tell=tell)

    def then(solution: Solution) -> Ending:
        session.apply_later(document, label, lambda old: edits.solved_targets(old, clip, solution))
        return Ending(solution.summary)

    return session.jobs.start(label, work, then)


def hold_contact(session: "Session", page: Page, request: loose_requests.ContactToTargets) -> Job:
    """Let targets hold what a contact plants, as few as will do."""
    session.gestures.require_free()
    document = session.editor.document
    document.constraint(request.constraint)
    label = f"Hold {request.constraint} by targets"

    def work(progress: Progress) -> tuple[Document, Standing]:
        progress()
        return edits.contact_to_targets(document, request.constraint)

    def then(found: tuple[Document, Standing]) -> Ending:
        changed, standing = found
        session.apply_later(document, label, lambda _: changed)
        count = f"{standing.targets} target{'' if standing.targets == 1 else 's'}"
        was, now = 100 * standing.loose, 100 * standing.held
        return Ending(f"{count}: it strayed {was:.2g} cm and strays {now:.2g} cm")

    return session.jobs.start(label, work, then)


def bake(session: "Session", page: Page, request: loose_requests.BakeLoose) -> Job:
    """Put what swings into a layer of keys, and switch looseness off."""
    require_sane("a tolerance", request.tolerance)
    document, _ = _loose(session, page)
    clip = page.view.clip

    def work(progress: Progress) -> tuple[Document, Bake]:
        progress()
        return edits.bake_loose(document, clip, tolerance=None if request.dense else request.tolerance)

    def then(found: tuple[Document, Bake]) -> Ending:
        changed, baked = found
        session.apply_later(document, "Bake looseness", lambda _: changed)
        return Ending(str(baked))

    return session.jobs.start("Bake looseness", work, then)


def measure(session: "Session", page: Page, _request: loose_requests.MeasureWindows) -> Job:
    """Tell a page how far the windows of every frame leave any part from a simulation of the whole clip."""
    _, motion = _loose(session, page)
    times = motion.clip.frame_times

    def work(progress: Progress) -> tuple[Floats, Floats]:
        progress()
        return motion.window(times), window_error(motion, times)

    def then(found: tuple[Floats, Floats]) -> Ending:
        lengths, errors = found
        page.send([text(loose_messages.Windows(lengths=lengths.tolist(), errors=errors.tolist()))])
        worst = int(errors.argmax())
        return Ending(f"windows leave {100 * errors[worst]:.2g} cm at most, on frame {worst}")

    return session.jobs.start("Measure windows", work, then)


def _loose(session: "Session", page: Page) -> tuple[Document, LooseMotion]:
    session.gestures.require_free()
    document, clip = session.editor.document, page.view.clip
    if not clip or not isinstance(motion := document.shown_motion(clip), LooseMotion):
        raise InvalidLooseness("nothing is loose here; loosen some joints, and switch looseness on")
    return document, motion


def _share(first: float, now: float, tolerance: float) -> float:
    """How far a run has come, 0 to 1: every digit counts the same."""
    if first <= tolerance:
        return 1.0
    return math.log(first / max(now, tolerance)) / math.log(first / tolerance)
