"""Edits in one stroke: what a request does to the document, and what the history calls it."""

import math
from collections.abc import Callable
from typing import Any

from inbetweener.document import Document, edits
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import to_server
from inbetweener.tangents import Contact, Pin

Edit = Callable[[Document], Document]


def _add_pin(document: Document, clip: str, request: to_server.AddPin) -> tuple[str, Edit]:
    place = to_place(document.rig, request.place)
    start = -math.inf if request.start is None else request.start
    end = math.inf if request.end is None else request.end
    pin = Pin(place, request.wanted, start, end)
    return f"{'Lock' if start == end else 'Pin'} {place}", lambda old: edits.add_constraint(old, clip, pin)


def _add_contact(document: Document, clip: str, request: to_server.AddContact) -> tuple[str, Edit]:
    place = to_place(document.rig, request.place)
    contact = Contact(place, request.start, request.end, request.wanted)
    return f"Plant {place}", lambda old: edits.add_constraint(old, clip, contact)


def _switch(_document: Document, _clip: str, request: to_server.SwitchConstraint) -> tuple[str, Edit]:
    verb = "Switch on" if request.on else "Switch off"
    return f"{verb} {request.name}", lambda old: edits.switch_constraint(old, request.name, request.on)


def _remove(_document: Document, _clip: str, request: to_server.RemoveConstraint) -> tuple[str, Edit]:
    return f"Remove {request.name}", lambda old: edits.remove_constraint(old, request.name)


EDITS: dict[type, Callable[[Document, str, Any], tuple[str, Edit]]] = {
    to_server.AddPin: _add_pin,
    to_server.AddContact: _add_contact,
    to_server.SwitchConstraint: _switch,
    to_server.RemoveConstraint: _remove,
}
