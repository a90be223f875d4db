"""Edits that take a while, run as jobs: fitting, contacts, looseness."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from inbetweener.arrays import Floats
from inbetweener.document import Document, edits
from inbetweener.document.edits.clean import CleanResult
from inbetweener.document.edits.contacts import counted
from inbetweener.document.edits.curves import FitResult
from inbetweener.document.edits.retarget import RetargetResult
from inbetweener.document.edits.several import AddResult
from inbetweener.document.edits.words import frame_read
from inbetweener.errors import InvalidEdit
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, window_error
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.protocol import edit_requests, loose, loose_requests
from inbetweener.studio.protocol.to_page import Notice
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page import Page
from inbetweener.studio.session.page_view import text

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session

MOST_ROWS = 200
"""Faults that are listed on the page; the command line lists all."""


def solve(session: "Session", page: Page, _request: loose_requests.SolveTargets) -> Job:
    """Find the corrections with which all targets that are on are hit, and keep them as layers."""
    clip = page.view.clip
    targets = edits.targets_of(session.document, clip)
    if not targets:
        raise InvalidLooseness("no target is on; add one where the motion has to be")
    label = f"Solve for {next(iter(targets)) if len(targets) == 1 else f'{len(targets)} targets'}"
    return session.carry_out(label, lambda document, progress: edits.solve(document, clip=clip, progress=progress))


def hold_contact(session: "Session", page: Page, request: loose_requests.ContactToTargets) -> Job:
    """Let a target hold what a contact plants."""
    session.document.constraint(request.constraint)
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
        page.send([text(loose.Windows(lengths=lengths.tolist(), errors=errors.tolist()))])
        worst = int(errors.argmax())
        return Ending(
            f"windows leave {100 * errors[worst]:.2g} cm at most, on frame {frame_read(motion.clip, times[worst])}"
        )

    return session.jobs.start("Measure windows", work, then)


def _loose(session: "Session", page: Page) -> tuple[Document, LooseMotion]:
    session.gestures.require_free()
    document, clip = session.document, page.view.clip
    if not isinstance(motion := document.shown_motion(clip), LooseMotion):
        raise InvalidLooseness("nothing is loose here; loosen some joints, and switch looseness on")
    return document, motion


def clean(session: "Session", page: Page, request: edit_requests.CleanCapture) -> Job:
    """Mend what is wrong with a captured clip; or only tell of it, one line a fault."""
    document, clip = session.document, page.view.clip
    if request.mend:
        return session.carry_out(
            "Clean capture",
            lambda document, _: edits.clean(document, clip=clip),
            lambda result: f"Clean {result.counted}",
        )

    def then(result: CleanResult) -> Ending:
        rows = [str(each) for each in result.faults]
        page.send([text(Notice(level="info", text=result.lines[0], more=rows[:MOST_ROWS]))])
        return Ending(result.lines[0])

    return session.jobs.start("Find faults of capture", lambda _: edits.clean(document, clip=clip), then)


def bring(session: "Session", _page: Page, request: edit_requests.BringClip) -> Job:
    """Bring in a clip of another character, as a new clip."""

    def verb(document: Document, progress: Callable[[int, int], None]) -> RetargetResult:
        source = session.library(request.source)
        return edits.retarget(document, source, request.clip, travels=request.travels, progress=progress)

    return session.carry_out("Bring in a clip", verb, lambda result: f"Bring in {result.clip.name}")


def bend_path(session: "Session", page: Page, request: edit_requests.BendPath) -> Job:
    """Lead the shown clip along a line that was drawn on the ground."""
    require_sane("a point of a line", *request.points)
    if len(request.points) % 2:
        raise InvalidEdit("points are x and z by turns; one is missing", "points")
    clip, points = page.view.clip, list(zip(request.points[::2], request.points[1::2], strict=True))
    return session.carry_out(
        f"Bend the way of {clip}", lambda document, _: edits.bend_path(document, points, clip=clip)
    )


def travel(session: "Session", page: Page, request: edit_requests.Travel) -> Job:
    """Let the shown clip go on over the ground, or stay in place."""
    clip, in_place = page.view.clip, request.in_place
    label = f"{clip} in place" if in_place else f"{clip} walks on"
    return session.carry_out(label, lambda document, _: edits.travel(document, in_place=in_place, clip=clip))


def add(session: "Session", page: Page, request: edit_requests.AddCharacter) -> Job:
    """Add a character or prop to the document; its first clip joins the shown one."""
    clip = page.view.clip

    def verb(document: Document, _: Callable[[int, int], None]) -> AddResult:
        other = session.library(request.source)
        return edits.add(
            document,
            other,
            name=request.name,
            position=request.position,
            heading=request.heading,
            into=clip if other.clips and document.clips else None,
        )

    return session.carry_out("Add a character", verb, lambda result: f"Add {result.name}")


def remove(session: "Session", _page: Page, request: edit_requests.RemoveCharacter) -> Job:
    """Take a character away again."""
    return session.carry_out(f"Remove {request.name}", lambda document, _: edits.remove(document, request.name))


def fit(session: "Session", page: Page, request: edit_requests.FitKeys) -> Job:
    """Give the shown clip as few keys as keep every joint within the tolerance, or so many poses."""
    require_sane("a tolerance", request.tolerance)
    tolerance, poses, align, clip = request.tolerance, request.poses, request.align, page.view.clip

    def verb(document: Document, progress: Callable[[int, int], None]) -> FitResult:
        return edits.fit(document, tolerance=tolerance, poses=poses, align=align, clip=clip, progress=progress)

    if request.keep:
        return session.carry_out("Fit keys" if poses is None else f"Fit {poses} poses", verb)
    document = session.document
    return session.jobs.start(
        "Count keys",
        lambda progress: verb(document, lambda done, total: progress(done / total)),
        lambda result: Ending(result.lines[0]),
    )


def suggest(session: "Session", page: Page, _request: edit_requests.SuggestContacts) -> Job:
    """Find where feet stand, and add the contacts that are not there yet."""
    clip = page.view.clip
    return session.carry_out(
        "Find contacts",
        lambda document, _: edits.suggest_contacts(document, clip=clip),
        lambda result: f"Add {counted(len(result.added))}",
    )


def hold(session: "Session", page: Page, _request: edit_requests.HoldContacts) -> Job:
    """Hold all contacts that are on by tangents of the base curves; no key changes its value, pins that are on stay."""
    clip = page.view.clip
    return session.carry_out("Hold contacts", lambda document, _: edits.hold(document, clip=clip))


def remove_slide(session: "Session", page: Page, _request: edit_requests.RemoveSlide) -> Job:
    """Make the key poses of all contacts that are on agree, and hold them; pins that are on stay."""
    clip = page.view.clip
    return session.carry_out(
        "Remove slide", lambda document, progress: edits.remove_slide(document, clip=clip, progress=progress)
    )


def agree(session: "Session", page: Page, request: edit_requests.AgreePoses) -> Job:
    """Bring the key poses of one contact together, or of all that are on; pins and other contacts that are on stay."""
    clip, only = page.view.clip, request.constraint
    return session.carry_out(
        "Make poses agree" if only is None else f"Make poses of {only} agree",
        lambda document, progress: edits.agree_poses(
            document, None if only is None else [only], clip=clip, progress=progress
        ),
    )
