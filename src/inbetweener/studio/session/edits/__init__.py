"""Edits in one stroke, by the request that asks for them."""

from inbetweener.studio.session.edits import stroke
from inbetweener.studio.session.edits.loose import LOOSE_EDITS
from inbetweener.studio.session.edits.stroke import Editing, Stroke

__all__ = ["EDITS", "Stroke"]

EDITS: dict[type, Editing] = {**stroke.EDITS, **LOOSE_EDITS}
