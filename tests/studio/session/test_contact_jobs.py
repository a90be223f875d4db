"""Contacts are found and held beside the worker, as one step each."""

from collections.abc import Iterator
from threading import Event

import pytest

import inbetweener as ib
from inbetweener.contacts import sliding
from tests.studio.pages import PATIENCE, PageForTests, session_of


@pytest.fixture
def page() -> Iterator[PageForTests]:
    session = session_of(ib.example("diver"))
    yield PageForTests(session)
    session.stop()


def test_contacts_are_found_once_and_held(page: PageForTests) -> None:
    assert page.done("suggest-contacts") == "2 contacts found"
    assert page.known.history["labels"] == ["Open", "Add 2 contacts"]
    assert page.done("suggest-contacts") == "0 contacts found, 2 were there already"
    document = page.session.editor.document
    clip = document.clips[0].name
    before = [sliding(document.motion(clip), r.point, r.start, r.end) for r in document.rules(clip)]
    said = page.done("hold-contacts")
    assert page.known.history["labels"][-1] == "Remove slide"
    document = page.session.editor.document
    after = [sliding(document.motion(clip), r.point, r.start, r.end) for r in document.rules(clip)]
    assert max(after) < 1e-3 < 0.05 < max(before)
    assert said == f"2 contacts: the worst slid {1000 * max(before):.1f} mm and slides {1000 * max(after):.2g} mm"
    states = [message["state"] for message in page.told if message["type"] == "job"]
    assert states == ["running", "done"] * 3


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
