"""Finding contacts, making their key poses agree and holding them: long work, each one step of the history."""

from typing import TYPE_CHECKING

from inbetweener.contacts import (
    Agreed,
    Apart,
    HoldResult,
    NothingToHold,
    Suggestion,
    hold,
    poses_apart,
    snap_poses,
    suggest_contacts,
)
from inbetweener.contacts.slide import TRUSTED
from inbetweener.document import Document, edits
from inbetweener.rig import Place, chains
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page import Page
from inbetweener.tangents import Constraint, Contact

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session


def suggest(session: "Session", page: Page, _request: edit_requests.SuggestContacts) -> Job:
    """Find where feet stand, and add the contacts that are not there yet."""
    session.gestures.require_free()
    document, clip = session.editor.document, page.view.clip
    motion = document.motion(clip)

    def work(progress: Progress) -> tuple[Suggestion, ...]:
        progress()
        return suggest_contacts(motion)

    def then(found: tuple[Suggestion, ...]) -> Ending:
        trusted = [each.contact for each in found if each.confidence >= TRUSTED]
        new = [each for each in trusted if not _is_there(document, clip, each)]
        label = f"Add {_contacts(len(new))}"

        def added(old: Document) -> Document:
            for contact in new:
                old = edits.add_constraint(old, clip, contact)
            return old

        if new:
            session.apply_later(document, label, added)
        known = len(trusted) - len(new)
        return Ending(f"{_contacts(len(new))} found" + (f", {known} were there already" if known else ""))

    return session.jobs.start("Find contacts", work, then)


def hold_all(session: "Session", page: Page, _request: edit_requests.HoldContacts) -> Job:
    """Remove the slide of all contacts that are on, by tangents of the base curves; pins that are on stay."""
    session.gestures.require_free()
    document, clip = session.editor.document, page.view.clip
    contacts, kept = _that_are_on(document, clip)
    pins = [rule for rule in kept if not rule.stands]
    motion = document.motion(clip)

    def work(progress: Progress) -> HoldResult:
        progress()
        return hold(motion, contacts, pins)

    def then(held: HoldResult) -> Ending:
        before = document.clip(clip).curves
        changed = {name: curve for name, curve in held.curves.items() if curve != before.get(name)}
        if changed:
            session.apply_later(document, "Remove slide", lambda old: edits.set_curves(old, clip, changed))
        before_mm, after_mm = (1000 * max(getattr(each, side) for each in held.report) for side in ("before", "after"))
        told = f"{_contacts(len(held.report))}: the worst slid {before_mm:.1f} mm and slides {after_mm:.2g} mm"
        apart = Apart.worst(poses_apart(motion, contact) for contact in contacts)
        # What is left is the poses' own only where tangents have done all that they can.
        blames = apart.is_noticed(chains.size(document.rig)) and after_mm > 500 * apart.distance
        return Ending(f"{told}; key poses are {apart} apart, make them agree for less" if blames else told)

    return session.jobs.start("Remove slide", work, then)


def agree(session: "Session", page: Page, request: edit_requests.AgreePoses) -> Job:
    """Bring the key poses of one contact together, or of all that are on; pins and other contacts that are on stay."""
    session.gestures.require_free()
    document, clip = session.editor.document, page.view.clip
    contacts, kept = _that_are_on(document, clip, request.constraint, planted=True)
    label = "Make poses agree" if request.constraint is None else f"Make poses of {request.constraint} agree"

    def work(progress: Progress) -> Agreed:
        return snap_poses(
            document.rig,
            document.clip(clip),
            contacts,
            kept,
            onto="mean",
            progress=lambda done, total: progress(done / total),
        )

    def then(agreed: Agreed) -> Ending:
        before = document.clip(clip).curves
        changed = {name: curve for name, curve in agreed.clip.curves.items() if curve != before[name]}
        if changed:
            session.apply_later(document, label, lambda old: edits.set_curves(old, clip, changed))
        return Ending(str(agreed))

    return session.jobs.start(label, work, then)


def _that_are_on(
    document: Document, clip: str, only: str | None = None, *, planted: bool = False
) -> tuple[list[Constraint], list[Constraint]]:
    """What stands and is to be worked on, cut to the clip: one by its name, or all that are on; and what else is on.

    Only what stands in the world, where that is wanted.
    """
    shown = document.clip(clip)
    named = None if only is None else document.constraint(only)
    contacts: list[Constraint] = []
    kept: list[Constraint] = []
    for each in document.constraints:
        rule = each.rule
        if each.clip != clip or not (each.on or each is named):
            continue
        within = rule.start < shown.end and shown.start < rule.end
        if (rule.is_planted if planted else rule.stands) and within and (named is None or each is named):
            contacts.append(rule.during(max(rule.start, shown.start), min(rule.end, shown.end)))
        else:
            kept.append(rule)
    if not contacts:
        what = "no contact is on" if only is None else f"{only} is no contact of this clip"
        raise NothingToHold(f"{what}; plant a foot or let the Studio find contacts first")
    return contacts, kept


def _contacts(count: int) -> str:
    return f"{count} contact{'' if count == 1 else 's'}"


def _is_there(document: Document, clip: str, contact: Contact) -> bool:
    """Whether the point is planted already at any time of the range."""
    return any(
        each.clip == clip
        and each.rule.is_planted
        and _same_spot(each.rule.point, contact.point)
        and each.rule.start < contact.end
        and contact.start < each.rule.end
        for each in document.constraints
    )


def _same_spot(one: Place, other: Place) -> bool:
    """The same joints and offsets, whatever they are called."""
    return [(point.joint, point.offset, weight) for point, weight in one.parts] == [
        (point.joint, point.offset, weight) for point, weight in other.parts
    ]
