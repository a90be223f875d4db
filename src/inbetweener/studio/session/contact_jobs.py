"""Finding contacts and holding them: long work, each one step of the history."""

from dataclasses import replace
from typing import TYPE_CHECKING

from inbetweener.contacts import Held, NothingToHold, Suggestion, hold, suggest_contacts
from inbetweener.document import Document, edits
from inbetweener.rig import Place
from inbetweener.studio.protocol import to_server
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page import Page
from inbetweener.tangents import Contact, Pin

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session

TRUSTED = 0.55
"""Suggested contacts that are trusted less are left out; hands that rest in the air are below."""


def suggest(session: "Session", page: Page, _request: to_server.SuggestContacts) -> Job:
    """Find where feet stand, and add the contacts that are not there yet."""
    session.holding.require_free()
    document, clip = session.editor.document, page.showing.clip
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


def hold_all(session: "Session", page: Page, _request: to_server.HoldContacts) -> Job:
    """Remove the slide of all contacts that are on, by tangents of the base curves; pins that are on stay."""
    session.holding.require_free()
    document, clip = session.editor.document, page.showing.clip
    rules = document.rules(clip)
    first, last = document.clip(clip).start, document.clip(clip).end
    contacts = [
        replace(rule, start=max(rule.start, first), end=min(rule.end, last))
        for rule in rules
        if isinstance(rule, Contact) and rule.start < last and first < rule.end
    ]
    if not contacts:
        raise NothingToHold("no contact is on; plant a foot or let the Studio find contacts first")
    pins = [rule for rule in rules if isinstance(rule, Pin)]
    motion = document.motion(clip)

    def work(progress: Progress) -> Held:
        progress()
        return hold(motion, contacts, pins)

    def then(held: Held) -> Ending:
        before = document.clip(clip).curves
        changed = {name: curve for name, curve in held.curves.items() if curve != before.get(name)}
        if changed:
            session.apply_later(document, "Remove slide", lambda old: edits.set_curves(old, clip, changed))
        before_mm, after_mm = (1000 * max(getattr(each, side) for each in held.report) for side in ("before", "after"))
        count = _contacts(len(held.report))
        return Ending(f"{count}: the worst slid {before_mm:.1f} mm and slides {after_mm:.2g} mm")

    return session.jobs.start("Remove slide", work, then)


def _contacts(count: int) -> str:
    return f"{count} contact{'' if count == 1 else 's'}"


def _is_there(document: Document, clip: str, contact: Contact) -> bool:
    """Whether the point is planted already at any time of the range."""
    return any(
        each.clip == clip
        and isinstance(each.rule, Contact)
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
