"""The session: the document, the worker that changes it, and the pages that are shown it."""

from inbetweener.studio.session.page import Page
from inbetweener.studio.session.session import Handler, Session
from inbetweener.studio.session.worker import Refusal, Worker

__all__ = ["Handler", "Page", "Refusal", "Session", "Worker"]
