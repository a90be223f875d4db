"""Pins as they are kept with an object: told, toggled, and refused where a newer version wrote them."""

import json
import math

import pytest

from extension.blender.pins import PROPERTY, Held, held, keep, toggled
from extension.blender.refusal import Refused
from inbetweener.motion import Contact, Pin
from inbetweener.rig import Point

HAND, FOOT = Held("hand.L", "TAIL"), Held("foot.L", "HEAD", "contact", 10.0, 20.0)


def test_what_is_kept_comes_back() -> None:
    keeper: dict[str, str] = {}
    assert held(keeper) == []
    keep(keeper, [HAND, FOOT])
    assert held(keeper) == [HAND, FOOT]


def test_the_same_pin_twice_is_none() -> None:
    assert toggled([HAND], HAND) == []
    assert toggled([HAND], FOOT) == [HAND, FOOT]


def test_what_a_newer_version_wrote_is_refused() -> None:
    with pytest.raises(Refused, match="update the extension"):
        held({PROPERTY: json.dumps({"version": 99, "held": []})})


def test_frames_become_seconds() -> None:
    pin = HAND.constraint(lambda place: Point(place[0]), 25.0)
    assert isinstance(pin, Pin)
    assert (pin.start, pin.end) == (-math.inf, math.inf)
    contact = FOOT.constraint(lambda place: Point(place[0]), 25.0)
    assert isinstance(contact, Contact)
    assert (contact.start, contact.end) == (0.4, 0.8)
    assert [FOOT.holds_at(frame) for frame in (9.0, 10.0, 20.0, 21.0)] == [False, True, True, False]
    assert [str(each) for each in (HAND, FOOT)] == ["hand.L tail", "foot.L, 10–20"]
