"""Finding contacts, making their key poses agree, holding them, removing slide: long work, each one step."""

from typing import TYPE_CHECKING

from inbetweener.document import edits
from inbetweener.document.edits.contacts import counted
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.jobs import Job
from inbetweener.studio.session.page import Page

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session


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
    return session.carry_out("Remove slide", lambda document, _: edits.remove_slide(document, clip=clip))


def agree(session: "Session", page: Page, request: edit_requests.AgreePoses) -> Job:
    """Bring the key poses of one contact together, or of all that are on; pins and other contacts that are on stay."""
    clip, only = page.view.clip, request.constraint
    return session.carry_out(
        "Make poses agree" if only is None else f"Make poses of {only} agree",
        lambda document, progress: edits.agree_poses(
            document, None if only is None else [only], clip=clip, progress=progress
        ),
    )
