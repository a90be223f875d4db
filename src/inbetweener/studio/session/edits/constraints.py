"""Pins, contacts and whatever else is held."""

import math

from inbetweener.contacts import planted, sliding
from inbetweener.document import Document, edits
from inbetweener.document.edits.constraints import NOTICED
from inbetweener.document.edits.words import frame_read
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip
from inbetweener.rig import chains
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import edit_requests
from inbetweener.studio.session.edits.stroke import Editing, Stroke
from inbetweener.tangents import Constraint, Contact, Pin


def _add_pin(document: Document, clip: str, request: edit_requests.AddPin) -> Stroke:
    place, shown = to_place(document.rig, request.place), document.clip(clip)
    first, last = _cut(shown, request.start, request.end)
    start = -math.inf if request.start is None else first
    end = math.inf if request.end is None else last
    pin = Pin(place, request.wanted, start, end)
    if start == end:
        label = f"Lock {place} at frame {frame_read(shown, start)}"
    elif pin.is_endless:
        label = f"Pin {place}"
    else:
        label = f"Pin {place} {_frames(shown, first, last)}"
    return Stroke(label, edits.add_constraint(document, clip, pin))


def _add_contact(document: Document, clip: str, request: edit_requests.AddContact) -> Stroke:
    """A contact is added even where its point slides: that is what the animator wants to be rid of."""
    place, shown = to_place(document.rig, request.place), document.clip(clip)
    start, end = _cut(shown, request.start, request.end)
    motion = document.motion(clip)
    if request.wanted is None and start < end:
        contact = planted(motion, place, start, end)
    else:
        contact = Contact(place, start, end, request.wanted or "both")
    changed = edits.add_constraint(document, clip, contact)
    slides = sliding(motion, place, start, end) if start < end else 0.0
    # Orientations have no distance; a planted one may well travel.
    noticed = contact.wanted != "orientation" and slides > NOTICED * chains.size(document.rig)
    text = f"{place} slides {100 * slides:.1f} cm; drag it or use Remove slide" if noticed else None
    return Stroke(f"Plant {place} {_frames(shown, start, end)}", changed, text)


def _add(document: Document, clip: str, request: edit_requests.AddConstraint) -> Stroke:
    """A constraint of whatever kind, which says itself what it is called."""
    if request.kind not in Constraint.KINDS:
        raise UnknownName("kind of constraint", request.kind, Constraint.KINDS)
    place, shown = to_place(document.rig, request.place), document.clip(clip)
    start, end = _cut(shown, request.start, request.end)
    joint, prop = (None, None) if request.to is None else document.carrier(request.to)
    rule = Constraint.KINDS[request.kind].made(place, request.wanted, start, end, joint, prop)
    return Stroke(f"Hold {rule.label} {_frames(shown, start, end)}", edits.add_constraint(document, clip, rule))


def _switch(document: Document, _clip: str, request: edit_requests.SwitchConstraint) -> Stroke:
    label = f"Switch {'on' if request.on else 'off'} {request.name}"
    return Stroke(label, edits.switch_constraint(document, request.name, request.on))


def _set_state(document: Document, _clip: str, request: edit_requests.SetConstraintState) -> Stroke:
    state = {"both": "position and orientation"}.get(request.wanted, request.wanted)
    rule = document.constraint(request.name).rule.wanting(request.wanted)
    return Stroke(f"Hold {state} of {request.name}", edits.replace_rule(document, request.name, rule))


def _remove(document: Document, _clip: str, request: edit_requests.RemoveConstraint) -> Stroke:
    return Stroke(f"Remove {request.name}", edits.remove_constraint(document, request.name))


def _cut(clip: Clip, start: float | None, end: float | None) -> tuple[float, float]:
    """The part of a range that lies within the clip; an end that is not given is the clip's."""
    first = clip.start if start is None else start
    last = clip.end if end is None else end
    if first > clip.end or last < clip.start:
        raise InvalidDocument(f"frames {frame_read(clip, first)} to {frame_read(clip, last)} lie outside the clip")
    # An end before its start stays so, and is refused with the reason.
    return max(first, clip.start), min(last, clip.end)


def _frames(clip: Clip, start: float, end: float) -> str:
    return f"from frame {frame_read(clip, start)} to {frame_read(clip, end)}"


EDITS: dict[type, Editing] = {
    edit_requests.AddPin: _add_pin,
    edit_requests.AddContact: _add_contact,
    edit_requests.SetConstraintState: _set_state,
    edit_requests.AddConstraint: _add,
    edit_requests.SwitchConstraint: _switch,
    edit_requests.RemoveConstraint: _remove,
}
