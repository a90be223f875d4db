"""Long work on loose motion: solving for targets, baking, and measuring windows against a whole simulation."""

from typing import TYPE_CHECKING

from inbetweener.arrays import Floats
from inbetweener.document import Document, edits
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, window_error
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol import loose_messages, loose_requests
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page import Page
from inbetweener.studio.session.page_view import text

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session


def solve(session: "Session", page: Page, _request: loose_requests.SolveTargets) -> Job:
    """Find the corrections with which all targets that are on are hit, and keep them as layers."""
    clip = page.view.clip
    targets = edits.targets_of(session.editor.document, clip) if clip else {}
    if not targets:
        raise InvalidLooseness("no target is on; add one where the motion has to be")
    label = f"Solve for {next(iter(targets)) if len(targets) == 1 else f'{len(targets)} targets'}"
    return session.carry_out(label, lambda document, progress: edits.solve(document, clip=clip, progress=progress))


def hold_contact(session: "Session", page: Page, request: loose_requests.ContactToTargets) -> Job:
    """Let targets hold what a contact plants, as few as will do."""
    session.editor.document.constraint(request.constraint)
    return session.carry_out(
        f"Hold {request.constraint} by targets",
        lambda document, _progress: edits.contact_to_targets(document, request.constraint),
    )


def bake(session: "Session", page: Page, request: loose_requests.BakeLoose) -> Job:
    """Put what swings into a layer of keys, and switch looseness off."""
    require_sane("a tolerance", request.tolerance)
    _loose(session, page)
    clip, tolerance = page.view.clip, None if request.dense else request.tolerance
    return session.carry_out(
        "Bake looseness", lambda document, _progress: edits.bake(document, clip=clip, tolerance=tolerance)
    )


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
