"""Fitting sparse keys to dense motion: long work, one step of the history."""

from typing import TYPE_CHECKING

from inbetweener.document import edits
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.jobs import Job
from inbetweener.studio.session.page import Page

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session


def fit(session: "Session", page: Page, request: edit_requests.FitKeys) -> Job:
    """Give the shown clip as few keys as keep every joint within the tolerance."""
    require_sane("a tolerance", request.tolerance)
    tolerance, clip = request.tolerance, page.view.clip
    return session.carry_out(
        "Fit keys", lambda document, progress: edits.fit(document, tolerance=tolerance, clip=clip, progress=progress)
    )
