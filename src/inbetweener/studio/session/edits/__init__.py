"""Edits in one stroke, by the request that asks for them: one file a theme."""

from inbetweener.studio.session.edits.constraints import CONSTRAINT_EDITS
from inbetweener.studio.session.edits.keys import KEY_EDITS
from inbetweener.studio.session.edits.loose import LOOSE_EDITS
from inbetweener.studio.session.edits.stroke import CLIP_EDITS, RIG_EDITS, Editing, Stroke

__all__ = ["EDITS", "Stroke"]

EDITS: dict[type, Editing] = {**CONSTRAINT_EDITS, **KEY_EDITS, **RIG_EDITS, **CLIP_EDITS, **LOOSE_EDITS}
