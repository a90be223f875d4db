"""What all gestures have in common."""

from msgspec import Struct


class Gesture(Struct, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    """Base of all gestures; a gesture becomes one step of the history."""
