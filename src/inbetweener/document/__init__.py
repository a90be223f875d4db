"""Documents, and how they change: edits, transactions, history, journal, the native file."""

from inbetweener.document.document import Document, Prop, Source, View

__all__ = ["Document", "Prop", "Source", "View"]
