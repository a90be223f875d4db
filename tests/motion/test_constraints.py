"""Kinds of constraints say themselves what they are."""

import math

import numpy as np
import pytest

from inbetweener.errors import InvalidDocument
from inbetweener.motion import Constraint, Contact, Lock, Pin
from inbetweener.rig import Point

HAND = Point("hand")


def test_all_kinds_are_known_by_name() -> None:
    assert Constraint.KINDS["pin"] is Pin
    assert Constraint.KINDS["contact"] is Contact
    assert all(kind.kind == name for name, kind in Constraint.KINDS.items())


@pytest.mark.parametrize("kind", [Pin, Contact])
def test_a_constraint_needs_its_point(kind: type[Constraint]) -> None:
    with pytest.raises(TypeError, match="point"):
        kind()


def test_a_pin_keeps_each_moment_and_a_contact_its_start() -> None:
    times = np.array([0.2, 0.4])
    np.testing.assert_array_equal(Pin(HAND).reference(times), times)
    np.testing.assert_array_equal(Contact(HAND, 0.1, 0.5).reference(times), [0.1, 0.1])
    assert Contact(HAND, 0.1, 0.5).is_planted
    assert not Pin(HAND).is_planted


def test_a_pin_of_one_moment_is_a_lock() -> None:
    assert (Pin(HAND).label, Pin(HAND, start=0.5, end=0.5).label) == ("hand pin", "hand lock")
    locked = Lock(0.5, tolerance=0.01).of(HAND)
    assert (locked.point, locked.start, locked.end, locked.name) == (HAND, 0.5, 0.5, "lock at 0.5 s")
    assert locked.is_momentary


def test_each_has_its_own_tolerance() -> None:
    assert Pin(HAND).allowed(2.0, 1e-4) == (1e-4, 1e-4)
    assert Pin(HAND, tolerance=0.01).allowed(2.0, 1e-4) == (0.005, 0.01)
    assert Pin(HAND, tolerance=math.nan).problems((), ()) == ["its tolerance nan must be positive and finite"]


def test_what_is_made_by_name() -> None:
    assert Constraint.KINDS["pin"].made(HAND, "both", 0.0, 1.0) == Pin(HAND, "both", 0.0, 1.0)
    assert Constraint.KINDS["contact"].made(HAND, "both", 0.0, 1.0) == Contact(HAND, 0.0, 1.0, "both")
    with pytest.raises(InvalidDocument, match="a pin holds in the world, not in the space of 'cup'"):
        Pin.made(HAND, "both", 0.0, 1.0, "hand", "cup")
    assert Contact(HAND, 0.0, 1.0).during(0.2, 0.4) == Contact(HAND, 0.2, 0.4)
