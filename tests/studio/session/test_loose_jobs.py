"""Long work on loose motion: solving can be stopped, bakes move as was seen, windows are measured, contacts held."""

import re

import numpy as np
import pytest

from inbetweener.kinodynamics import window_error
from tests.studio.documents import arm, loose_arm
from tests.studio.pages import PageForTests, page_of, place, session_of

page = page_of(loose_arm)


def test_a_dense_bake_moves_as_was_seen_and_switches_looseness_off(page: PageForTests) -> None:
    before = page.session.editor.document
    times = before.clip("swing").frame_times
    seen = before.shown_motion("swing").channels(times)
    page.done("bake-loose", dense=True)
    after = page.session.editor.document
    assert not after.loosening("swing").on
    assert after.clip("swing").curves == before.clip("swing").curves
    assert after.shown_motion("swing").channels(times) == pytest.approx(seen, abs=1e-9)
    assert page.known.history["labels"] == ["Open", "Bake looseness"]
    page.settle()
    assert not page.known.looseness["loose"]
    assert page.known.poses[12][1] == pytest.approx(seen[12], abs=1e-6)
    page.done("undo")
    page.settle()
    assert page.known.looseness["loose"]


def test_a_sparse_bake_keeps_its_tolerance(page: PageForTests) -> None:
    before = page.session.editor.document
    times = before.clip("swing").frame_times
    seen = before.shown_motion("swing").joint_positions(times)
    said = page.done("bake-loose", tolerance=0.004)
    after = page.session.editor.document
    baked = after.shown_motion("swing").joint_positions(times)
    assert np.linalg.norm(baked - seen, axis=2).max() <= 0.004
    assert "keys from 25 frames" in said
    assert sum(len(curve) for curve in after.clip("swing").layers[-1].curves.values()) < 4 * 25


def test_windows_are_measured_against_a_simulation_of_the_whole(page: PageForTests) -> None:
    page.done("measure-windows")
    told = next(each for each in page.told if each["type"] == "windows")
    motion = page.session.editor.document.shown_motion("swing")
    times = motion.clip.frame_times
    assert told["lengths"] == pytest.approx(motion.window(times).tolist())
    assert len(told["errors"]) == 25
    whole = motion.rig.world_from_joint(motion.simulated(times))[..., 3]
    apart = np.linalg.norm(motion.joint_positions(times) - whole, axis=2).max(axis=1)
    # The end of the hand, which no joint marks, strays most.
    assert (np.array(told["errors"]) >= apart - 1e-9).all()
    assert max(told["errors"]) > 2 * apart.max()
    assert told["errors"] == pytest.approx(window_error(motion, times).tolist(), abs=1e-12)
    # A longer window is nearer to the whole, where there is as much before it.
    assert told["errors"][-1] > 1e-4
    page.told.clear()
    settings = page.known.looseness["settings"]
    page.done("loosen", settings={**settings, "window": 0.9})
    page.done("measure-windows")
    assert next(each for each in page.told if each["type"] == "windows")["errors"][-1] < 0.5 * told["errors"][-1]


def test_a_contact_becomes_targets_that_hold_it() -> None:
    session = session_of(loose_arm())
    page = PageForTests(session)
    page.done("remove-target", name="palm target")
    page.done("add-contact", place=place("hand"), start=0.4, end=0.6)
    said = page.done("contact-to-targets", constraint="hand contact")
    assert "strays" in said
    assert [each["solved"] for each in page.known.looseness["targets"]] == [True] * len(page.known.looseness["targets"])
    assert page.known.history["labels"][-1] == "Hold hand contact by targets"
    # With its hips where they are the arm cannot hold its hand quite still, only better.
    was, now = map(float, re.findall(r"([\d.]+) cm", said))
    assert now < was
    session.stop()


REFUSALS = [
    ("solve-targets", {}, "no target is on"),
    ("bake-loose", {}, "nothing is loose"),
    ("measure-windows", {}, "nothing is loose"),
    ("contact-to-targets", {"constraint": "foot contact"}, "no constraint called"),
    ("contact-to-targets", {"constraint": "hips pin"}, "is no contact"),
]


@pytest.mark.parametrize(("kind", "fields", "why"), REFUSALS)
def test_where_nothing_is_loose_it_is_refused(kind: str, fields: dict, why: str) -> None:
    session = session_of(arm())
    page = PageForTests(session)
    before = session.editor.document
    assert why in page.refused(kind, **fields)
    assert session.editor.document is before
    session.stop()


def test_solving_can_be_cancelled_and_changes_nothing(page: PageForTests) -> None:
    before = page.session.editor.document
    number = page.send("solve-targets")
    page.send("cancel-job", job=1)
    page.flush()
    for _ in range(100):
        if number in page.answers:
            break
        page._work_on()
    assert page.answers[number]["type"] == "refused"
    assert "cancelled" in page.answers[number]["text"]
    assert page.session.editor.document is before


def test_a_solution_is_dropped_when_the_document_has_changed_meanwhile(page: PageForTests) -> None:
    number = page.send("solve-targets")
    page.send("rename-document", name="pole")
    page.flush()
    for _ in range(100):
        if number in page.answers:
            break
        page._work_on()
    answer = page.answers[number]
    assert answer["type"] == "refused"
    assert "changed meanwhile" in answer["text"]
    assert [layer.name for layer in page.session.editor.document.clip("swing").layers] == ["lean"]
