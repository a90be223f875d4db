"""Whatever contact is to be held by targets: it is, or a line says why not; and it costs what the clip is long."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from inbetweener.document import Document, edits
from inbetweener.kinodynamics import InvalidLooseness, PointTarget, PoseTarget, Target
from inbetweener.kinodynamics.problem import LED
from inbetweener.kinodynamics.solution import Solution
from inbetweener.kinodynamics.solve import MOST, solve
from inbetweener.rig import Point
from inbetweener.tangents import Contact
from tests.studio.documents import arm, loose_arm
from tests.studio.pages import PageForTests, place, session_of

FRAME = 1.0 / 24.0
ODD = [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.5, 0.5 + 1e-9), (0.5, 0.5 + FRAME), (-2.0, 0.0), (1.0, 9.0)]
"""Contacts of one moment, of next to none, of a frame, and such that meet the clip in one of its ends."""


@pytest.mark.parametrize("made", [arm, loose_arm])
def test_contacts_of_a_moment_are_held_or_refused_in_words(made: Callable[[], Document]) -> None:
    session = session_of(made())
    page = PageForTests(session)
    for start, end in ODD:
        for joint, what, said in (("hand", "done", "strays"), ("hips", "refused", "no channel that may give way")):
            page.done("add-contact", place=place(joint), start=start, end=end, wanted="both")
            answer = page.ask("contact-to-targets", constraint=f"{joint} contact")
            assert answer["type"] == what, (start, end, answer)
            assert said in answer["text"]
            for _ in range(1 + (what == "done")):
                page.done("undo")
    session.stop()


def test_a_clip_of_one_frame_is_held_too() -> None:
    session = session_of(arm())
    page = PageForTests(session)
    page.done("show-clip", clip="still")
    page.done("add-contact", place=place("hand"), start=0.0, end=0.0)
    assert "strays 0 cm" in page.done("contact-to-targets", constraint="hand contact")
    session.stop()


@pytest.mark.parametrize("offset", [1e10, 1e155, 1e160, 1e300])
@pytest.mark.parametrize("end", [0.5, 0.52])
@pytest.mark.filterwarnings("error")
def test_a_contact_beyond_what_can_be_squared_is_refused_in_words(offset: float, end: float) -> None:
    """No page can ask for one, but a file or a program may hold one, and its matrices would have no values."""
    far = Point("hand", (offset, 0.0, 0.0))
    session = session_of(edits.add_constraint(loose_arm(), "swing", Contact(far, 0.5, end, "both")))
    page = PageForTests(session)
    before = session.editor.document
    assert "bring it nearer" in page.refused("contact-to-targets", constraint="hand contact")
    assert session.editor.document is before
    session.stop()


FAR: list[Target] = [
    PointTarget(0.5, Point("hand"), (1e200, 0.0, 0.0)),
    PointTarget(0.5, Point("hand"), None, None, (0.0, 1e200, 0.0)),
    PoseTarget(0.5, {"elbow.rz": 1e200}),
]


@pytest.mark.parametrize("target", FAR)
@pytest.mark.filterwarnings("error")
def test_nothing_can_be_aimed_there_either(target: Target) -> None:
    document = edits.add_target(arm(), "swing", target, name="moon")
    with pytest.raises(InvalidLooseness, match=r"target 'moon' .* bring it nearer"):
        edits.solve(document, clip="swing")


def test_a_contact_for_ever_costs_no_more_than_one_to_the_clips_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows are what a search spends its time on; one that never ends, or is never met, stops at a number of them."""
    spent: list[int] = []

    def counted(*given: Any, **settings: Any) -> Solution:
        solution = solve(*given, **settings)
        spent.append(solution.windows)
        return solution

    monkeypatch.setattr(import_module("inbetweener.document.edits.solve"), "solved", counted)
    for end in (1.0, 1e308):
        session = session_of(edits.add_constraint(loose_arm(), "swing", Contact(Point("hand"), 0.9, end)))
        page = PageForTests(session)
        page.done("contact-to-targets", constraint="hand contact")
        session.stop()
    assert spent[0] == spent[1]
    led = 1 + LED * round(0.1 / FRAME)
    assert 0 < spent[1] <= MOST * led
