"""Contacts of a document: found, brought together, held and cleaned, while its own pins and contacts count."""

from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from inbetweener.builtin import example
from inbetweener.contacts import NothingToHold, Slide, SlideReport, poses_apart, sliding
from inbetweener.document import Document, edits
from inbetweener.document.edits.contacts import HeldResult, SlideResult
from inbetweener.errors import InvalidEdit, UnknownName
from inbetweener.motion.jerks import Jerk
from inbetweener.tangents import Contact, Pin
from tests.verbs.rows_motion import boxer, captured_stance


@pytest.fixture(scope="module")
def planted() -> Document:
    return boxer()


def contacts(document: Document) -> list[Contact]:
    return [rule for rule in document.rules() if isinstance(rule, Contact)]


def slide(document: Document, contact: Contact) -> float:
    return sliding(document.motion(), contact.point, contact.start, contact.end)


def arc(document: Document, pin: Pin) -> np.ndarray:
    times = document.clip().frame_times
    return document.motion().states(times[(times >= pin.start) & (times <= pin.end)], pin.point)[0]


def test_found_contacts_are_added_once() -> None:
    diver = example("diver")
    found = edits.suggest_contacts(diver)
    assert str(found) == "2 contacts found"
    assert contacts(found.document) == list(found.added)
    again = edits.suggest_contacts(found.document)
    assert again.document is found.document
    assert str(again) == "0 contacts found, 2 were there already"
    waving = example("waving")
    assert edits.suggest_contacts(waving, ["hand_l"]).added[0].point == waving.rig.point("hand_l")
    with pytest.raises(UnknownName, match="wing"):
        edits.suggest_contacts(diver, ["wing"])


def test_holding_changes_tangents_and_no_value(planted: Document) -> None:
    held = edits.hold(planted)
    before, after = planted.clip().curves, held.document.clip().curves
    changed = {name for name in before if after[name] != before[name]}
    assert changed
    assert all(after[name] is before[name] for name in before.keys() - changed)
    for name in changed:
        assert replace(after[name], ins=before[name].ins, outs=before[name].outs) == before[name]
    for contact in contacts(planted):
        apart = poses_apart(planted.motion(), contact).distance
        assert slide(held.document, contact) < 1.2 * apart + 2e-4 < slide(planted, contact)
    first, second, third = str(held).splitlines()
    assert first.startswith("2 contacts: the worst slid ")
    assert second.endswith("make them agree for less")
    assert third.startswith("jerked now: ")
    assert held.problem == ""  # an animator's poses may be meant so


def jerked(before: Document, after: Document) -> dict[str, float]:
    """How much harder each joint and point is jerked than an eye overlooks."""
    times, places = before.clip().frame_times, before.rig.places
    was, is_now = (
        np.linalg.norm(np.diff(each.motion().point_positions(times, places), 2, axis=0), axis=-1)
        for each in (before, after)
    )
    beyond = (is_now - 1.5 * was - 0.005).max(axis=0)
    return {str(place): much for place, much in zip(places, beyond, strict=True) if much > 0}


@pytest.mark.parametrize("verb", [edits.hold, edits.remove_slide])
def test_what_is_jerked_between_poses_is_named_and_no_problem(planted: Document, verb) -> None:
    result = verb(planted)
    expected = jerked(planted, result.document)
    assert bool(expected) == (verb is edits.hold)
    assert [each["point"] for each in result.facts["jerks"]] == sorted(expected, key=lambda name: -expected[name])
    assert ("jerked now" in "\n".join(result.lines)) == bool(expected)
    assert result.problem == ""


def test_what_is_jerked_in_captured_motion_is_a_problem(planted: Document) -> None:
    jerk, slides = Jerk("head", 27, 0.007, 0.061, 3), (Slide(contacts(planted)[0], 0.1, 1e-4),)
    for by_poses in (False, True):
        made = SlideReport(slides, (), 0.0, 0.0, "hips", (jerk,), by_poses)
        for result in (HeldResult(planted, slides, None, (jerk,), by_poses), SlideResult(planted, made)):
            told, other = (result.problem, result.lines)[:: -1 if by_poses else 1]
            assert "jerked now: head on frame 27 (7 → 61 mm a frame²)" in told
            assert "jerked" not in str(other)
            assert result.facts["jerks"][0]["frames"] == 3


@pytest.mark.parametrize("verb", [edits.hold, edits.agree_poses, edits.remove_slide])
def test_own_pins_stay_unless_left_out(planted: Document, verb) -> None:
    pin = Pin(planted.rig.point("foot_r"), "position", 0.2, 1.2)
    pinned = edits.add_constraint(planted, planted.clip().name, pin)
    given = ["toe_r contact"]
    kept, free = (verb(pinned, given, own=own).document for own in (True, False))
    moved = [np.linalg.norm(arc(each, pin) - arc(pinned, pin), axis=1).max() for each in (kept, free)]
    assert moved[0] < 4e-4
    assert moved[1] > 10 * moved[0]


def test_removing_slide_makes_key_poses_agree_and_holds_them(planted: Document) -> None:
    cleaned = edits.remove_slide(planted)
    for contact in contacts(planted):
        assert poses_apart(planted.motion(), contact).distance > 5e-4
        assert slide(cleaned.document, contact) < 5e-4
    (pin,) = (rule for rule in planted.rules() if isinstance(rule, Pin))
    assert np.linalg.norm(arc(cleaned.document, pin) - arc(planted, pin), axis=1).max() < 4e-4
    assert max(each["after"] for each in cleaned.facts["slide_cm"]) < 0.05


def test_other_contacts_of_the_document_stay_where_they_are(planted: Document) -> None:
    left, right = contacts(planted)
    cleaned = edits.remove_slide(planted, ["toe_r contact"]).document
    assert slide(cleaned, right) < 5e-4
    assert slide(cleaned, left) == pytest.approx(slide(planted, left), abs=5e-4)


def test_dense_motion_keeps_its_frames_and_stays_planted_when_fitted() -> None:
    captured = captured_stance()
    cleaned = edits.remove_slide(captured)
    assert str(cleaned).startswith("2 contacts: ")
    assert cleaned.problem == ""
    # Nothing is fitted: every frame has its key, and between a few of them are more, where a toe would bulge.
    moved = [curve for name, curve in cleaned.document.clip().curves.items() if curve != captured.clip().curves[name]]
    assert all(np.isin(captured.clip().frame_times, curve.times).all() for curve in moved)
    assert max(map(len, moved)) < 1.5 * len(captured.clip().frame_times)
    fitted = edits.fit(cleaned.document)
    assert fitted.report.holds
    for document in (cleaned.document, fitted.document):
        assert max(slide(document, contact) for contact in contacts(captured)) < 1e-3
    assert max(len(curve) for curve in fitted.document.clip().curves.values()) < 40


def test_what_slides_still_or_was_left_is_a_problem_that_is_named(planted: Document) -> None:
    low, high = contacts(planted)[:2]

    def told(after: float, *left: Contact) -> str:
        slides = (Slide(low, 0.3417, 1e-4), Slide(high, 0.3417, after))
        return SlideResult(planted, SlideReport(slides, left, 0.0, 0.0, "hips")).problem

    assert told(1e-4) == ""
    assert "slides still" in told(0.093)
    assert str(high.point) in told(0.093)
    assert "by 93 mm" in told(0.093)
    assert str(low.point) not in told(0.093)
    assert "without a pop" in told(1e-4, low)
    assert str(low.point) in told(1e-4, low)


def test_dense_motion_is_planted_on_one_core_and_says_how_far_it_is() -> None:
    captured = captured_stance()
    told: list[tuple[int, int]] = []
    threads: set[int] = set()

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        threads.update(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")

    edits.remove_slide(captured, progress=progress)
    assert told[-1] == (len(contacts(captured)),) * 2
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert threads == {1}


def test_contacts_are_named_or_said(planted: Document) -> None:
    said = edits.agree_poses(planted, ["toe_r@0:0.9"])
    assert said.document == edits.agree_poses(planted, ["toe_r contact"]).document
    with pytest.raises(InvalidEdit, match="needs its times"):
        edits.hold(planted, ["toe_r"])
    with pytest.raises(NothingToHold, match="hand_l pin is no contact"):
        edits.agree_poses(planted, ["hand_l pin"])


def test_nothing_to_hold_is_said(planted: Document) -> None:
    bare = example("boxer")
    for document, own in ((bare, True), (planted, False)):
        with pytest.raises(NothingToHold, match="no contact is on"):
            edits.hold(document, own=own)
    with pytest.raises(NothingToHold, match="within the clip"):
        edits.hold(bare, [Contact(bare.rig.point("toe_l"), 90.0, 91.0)])
    assert edits.remove_slide(bare, []).document is bare
