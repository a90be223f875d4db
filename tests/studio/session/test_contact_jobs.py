"""Contacts are found and held beside the worker, as one step each."""

import re
from collections.abc import Iterator
from threading import Event

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import poses_apart, sliding, snap_poses
from inbetweener.tangents import Contact
from tests.studio.pages import PATIENCE, PageForTests, page_of, place, session_of

page = page_of(lambda: ib.example("diver"))


def test_contacts_are_found_once_and_held(page: PageForTests) -> None:
    assert page.done("suggest-contacts") == "2 contacts found"
    assert page.known.history["labels"] == ["Open", "Add 2 contacts"]
    assert page.done("suggest-contacts") == "0 contacts found, 2 were there already"
    document = page.session.editor.document
    clip = document.clips[0].name
    before = [sliding(document.motion(clip), r.point, r.start, r.end) for r in document.rules(clip)]
    said = page.done("hold-contacts")
    assert page.known.history["labels"][-1] == "Hold contacts"
    document = page.session.editor.document
    after = [sliding(document.motion(clip), r.point, r.start, r.end) for r in document.rules(clip)]
    assert max(after) < 1e-3 < 0.05 < max(before)
    told = f"2 contacts: the worst slid {1000 * max(before):.1f} mm and slides {1000 * max(after):.2g} mm"
    said, apart = said.split("; key poses are ")
    assert said == told
    apart, jerked = apart.split("; jerked now: ")
    assert re.fullmatch(r"0\.\d\d mm and 0\.\d° apart, make them agree for less", apart)
    assert re.match(r"chest on frame 7 \(4 → \d\d mm a frame²\), ", jerked)
    states = [message["state"] for message in page.told if message["type"] == "job"]
    assert states == ["running", "done"] * 3


@pytest.fixture
def boxer() -> Iterator[PageForTests]:
    """A boxer whose toes are planted, which his key poses put in different places."""
    session = session_of(ib.example("boxer"))
    page = PageForTests(session)
    for toe in ("toe_l", "toe_r"):
        page.done("add-contact", place=place(toe), start=0.0, end=54 / 24)
    yield page
    session.stop()


def aparts(page: PageForTests) -> list[float]:
    return [each["apart"] for each in page.known.constraints]


def test_key_poses_are_told_apart_made_to_agree_and_undone_in_one_step(boxer: PageForTests) -> None:
    editor = boxer.session.editor
    planted, clip = editor.document, editor.document.clip()
    told = [poses_apart(planted.motion(), rule).distance for rule in planted.rules()]
    assert aparts(boxer) == pytest.approx(told)
    assert min(told) > 5e-4
    said = boxer.done("agree-poses")
    agreed = snap_poses(planted.rig, clip, planted.rules(), onto="mean")
    assert said == str(agreed)
    assert editor.document.clip() == agreed.clip
    assert boxer.known.history["labels"][-1] == "Make poses agree"
    assert aparts(boxer) == [0.0, 0.0]
    boxer.done("undo")
    assert editor.document == planted
    assert aparts(boxer) == pytest.approx(told)


def test_one_contact_agrees_by_its_name_while_the_other_stays(boxer: PageForTests) -> None:
    before = aparts(boxer)
    boxer.done("agree-poses", constraint="toe_r contact")
    assert boxer.known.history["labels"][-1] == "Make poses of toe_r contact agree"
    assert aparts(boxer) == [pytest.approx(before[0], rel=1e-3), 0.0]


def test_pins_stay_and_what_is_no_contact_is_refused(boxer: PageForTests) -> None:
    boxer.done("add-pin", place=place("foot_r"))
    editor = boxer.session.editor
    ankle, times = editor.document.rig.point("foot_r"), editor.document.clip().frame_times
    arc = editor.document.motion().states(times, ankle)[0]
    boxer.done("agree-poses")
    np.testing.assert_array_equal(editor.document.motion().states(times, ankle)[0], arc)
    assert "is no contact" in boxer.refused("agree-poses", constraint="foot_r pin")
    for toe in ("toe_l", "toe_r"):
        boxer.done("switch-constraint", name=f"{toe} contact", on=False)
    assert "no contact is on" in boxer.refused("agree-poses")


@pytest.mark.thorough
def test_holding_says_when_key_poses_are_what_is_left(boxer: PageForTests) -> None:
    said = boxer.done("hold-contacts")
    assert said is not None
    assert "; key poses are 1.28 mm and 0.4° apart, make them agree for less; jerked now: " in said
    boxer.done("agree-poses")
    again = boxer.done("hold-contacts")
    assert again is not None
    assert "apart" not in again
    motion = boxer.session.editor.document.motion()
    assert max(sliding(motion, each.point, each.start, each.end) for each in motion_contacts(boxer)) < 3e-4


def motion_contacts(page: PageForTests) -> list[Contact]:
    return [rule for rule in page.session.editor.document.rules() if isinstance(rule, Contact)]


def test_a_result_for_another_document_is_dropped(page: PageForTests) -> None:
    go_on = Event()
    session = page.session
    began = session.editor.document

    def start() -> None:
        session.jobs.start(
            "Slow",
            lambda _: go_on.wait(PATIENCE),
            lambda _: session.apply_later(began, "Slow", lambda _: ib.example("waving")),
        )

    session.worker.submit(start)
    page.done("rename-document", name="meanwhile")
    renamed = session.editor.document
    go_on.set()
    page._work_on()
    ended = [message for message in page.told if message["type"] == "job"][-1]
    assert ended["state"] == "failed"
    assert "changed meanwhile" in ended["text"]
    assert session.editor.document is renamed


def test_a_page_that_joins_is_told_of_work_under_way(page: PageForTests) -> None:
    go_on = Event()
    page.session.worker.submit(
        lambda: page.session.jobs.start("Slow", lambda _: go_on.wait(PATIENCE), lambda _: None) and None
    )
    page.flush()
    other = PageForTests(page.session)
    (job,) = [message for message in other.told if message["type"] == "job"]
    assert (job["label"], job["state"]) == ("Slow", "running")
    assert other.done("cancel-job", job=job["job"]) is None
    assert page.told[-1]["state"] == "cancelled"
    go_on.set()
