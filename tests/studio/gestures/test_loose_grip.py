"""A hand on loose motion takes hold of what it sees: nothing jumps, and the keyed motion moves as far as the hand."""

from collections.abc import Callable

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.kinodynamics import Looseness, everywhere, preset
from inbetweener.maths import quaternions
from inbetweener.rig import Point
from tests.studio.documents import loose_arm
from tests.studio.gestures.hands import hold
from tests.studio.pages import place

TIME = 0.4


def boxer() -> Document:
    document = ib.example("boxer")
    springs = everywhere(document.rig, preset("relaxed"))
    return edits.set_looseness(document, document.clip().name, Looseness(springs, window=0.4))


def seen(document: Document, joint: str, time: float = TIME) -> np.ndarray:
    return document.shown_motion().states([time], Point(joint))[0][0]


def keyed(document: Document, joint: str, time: float = TIME) -> np.ndarray:
    return document.motion().states([time], Point(joint))[0][0]


def test_taking_hold_moves_nothing() -> None:
    document = loose_arm()
    hand = hold(document, "drag-arc", place=place("hand"), time=TIME)
    start = seen(document, "hand")
    assert np.linalg.norm(start - keyed(document, "hand")) > 0.02
    outcome = hand.to([*start])
    times = document.clip().frame_times
    moved = outcome.document.shown_motion().joint_positions(times) - document.shown_motion().joint_positions(times)
    assert np.abs(moved).max() < 2e-3


@pytest.mark.parametrize(("made", "joint"), [(loose_arm, "hand"), (boxer, "hand_r")])
def test_the_keyed_point_moves_as_far_as_the_hand(made: Callable[[], Document], joint: str) -> None:
    document = made()
    hand = hold(document, "drag-arc", clip=document.clip().name, place=place(joint), time=TIME)
    start, was = seen(document, joint), keyed(document, joint)
    for step in range(1, 9):
        way = step * np.array([0.0, 0.005, 0.002])
        outcome = hand.to([*(start + way)])
        assert outcome.reached
        assert outcome.wish == pytest.approx(tuple(start + way))
        assert outcome.position == pytest.approx(outcome.wish, abs=2e-3)
        assert keyed(outcome.document, joint) == pytest.approx(was + way, abs=2e-3)
    assert np.linalg.norm(seen(outcome.document, joint) - start) > 0.01


def test_a_turn_is_taken_from_what_is_seen() -> None:
    document = loose_arm()
    turn = document.shown_motion().states([TIME], Point("elbow"))[1][0]
    outcome = hold(document, "drag-arc", place=place("elbow"), time=TIME, wanted="orientation").to(
        [*quaternions.from_matrix(turn)]
    )
    assert outcome.reached
    times = document.clip().frame_times
    moved = outcome.document.motion().joint_positions(times) - document.motion().joint_positions(times)
    assert np.abs(moved).max() < 2e-3


def test_the_keyed_curve_can_be_dragged_as_well() -> None:
    document = loose_arm()
    start = keyed(document, "hand")
    outcome = hold(document, "drag-arc", place=place("hand"), time=TIME, keyed=True).to([*(start + 0.02)])
    assert outcome.reached
    assert outcome.position == pytest.approx(tuple(keyed(outcome.document, "hand")), abs=1e-9)
    assert outcome.distance < 1e-3


@pytest.mark.parametrize("kind", ["pull-pose", "move-tick"])
def test_other_hands_take_hold_of_what_is_seen(kind: str) -> None:
    document, time = loose_arm(), 0.5
    start = seen(document, "hand", time)
    hand = hold(document, kind, place=place("hand"), time=time)
    outcome = hand.to([*start])
    assert outcome.position == pytest.approx(tuple(start), abs=5e-3)
    assert outcome.reached
    times = document.clip().frame_times
    moved = outcome.document.motion().joint_positions(times) - document.motion().joint_positions(times)
    assert np.abs(moved).max() < 5e-3


def test_where_it_blows_up_the_keyed_motion_is_dragged() -> None:
    document = loose_arm()
    wild = Looseness(dict(document.loosening().looseness.springs), window=0.4, gravity=1e7)
    document = edits.set_looseness(document, "swing", wild)
    start = keyed(document, "hand")
    outcome = hold(document, "drag-arc", place=place("hand"), time=TIME).to([*(start + 0.02)])
    assert outcome.reached
    assert outcome.distance < 1e-3
