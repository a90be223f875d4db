"""What all messages to the page have in common."""

from msgspec import Struct


class Message(Struct, tag_field="type", kw_only=True):
    """Base of all messages to the page."""
