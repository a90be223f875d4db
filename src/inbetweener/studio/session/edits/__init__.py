"""Edits in one stroke, by the request that asks for them."""

from inbetweener.studio.session.edits import characters, clips, constraints, keys, loose, poses
from inbetweener.studio.session.edits.stroke import Editing, Stroke

__all__ = ["EDITS", "Stroke"]

EDITS: dict[type, Editing] = {
    request: edit
    for theme in (clips, poses, keys, characters, constraints, loose)
    for request, edit in theme.EDITS.items()
}
