"""A run outlives its page: whoever comes next finds it as it is, and may steer, keep or discard it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document
from inbetweener.studio.session import Session
from tests.studio.pages import PageForTests, session_of
from tests.studio.session.test_guiding import ARM, guidance, rest, settings, wait_until


@pytest.fixture
def session() -> Iterator[Session]:
    session = session_of(ib.example("waving"))
    yield session
    session.stop()


def offer(page: PageForTests) -> dict[str, Any]:
    (found,) = (message for message in page.told if message["type"] == "guidance-offer")
    return found


def leave(page: PageForTests) -> None:
    page.session.leave(page.page)
    page.flush()


def out_heights(document: Document, channel: str) -> np.ndarray:
    return np.array(document.clip().curves[channel].outs[:, 1])


def test_a_run_waits_for_the_next_page_with_all_that_steers_it(session: Session) -> None:
    before = session.editor.document
    first = PageForTests(session)
    wished = settings(regularise=0.1, kernels=[{"centre": 1.0, "width": 0.2, "depth": 0.5}])
    first.begin("guide", gesture=7, settings=wished)
    end = rest(first)
    shown = session.editor.shown
    leave(first)
    assert session.editor.shown is shown
    second = PageForTests(session)
    told = offer(second)
    assert (told["gesture"], told["layer"]) == (7, None)
    assert told["settings"]["regularise"] == 0.1
    assert told["settings"]["kernels"] == wished["kernels"]
    assert guidance(second)[-1] == end
    # The curves as they were, for the overlay: of those that changed, and no others.
    names = [channel.name for channel in before.rig.channels]
    assert {names[each["channel"]] for each in told["before"]} == set(ARM)
    for each in told["before"]:
        rows = np.array(each["rows"]).reshape(-1, 8)
        np.testing.assert_allclose(rows[:, 5], out_heights(before, names[each["channel"]]), rtol=1e-6, atol=1e-9)
    assert second.move(1, gesture=7)["reached"]
    second.done("commit", gesture=7)
    assert second.known.history["labels"] == ["Open", "Guide 3 channels"]
    assert session.editor.document != before


def test_a_run_that_ends_while_nobody_looks_is_still_there(session: Session) -> None:
    before = session.editor.document
    first = PageForTests(session)
    first.begin("guide", settings=settings(channels=None))
    leave(first)
    second = PageForTests(session)
    assert offer(second)["gesture"] == 1
    assert rest(second)["iterate"] > 2
    second.done("cancel", gesture=1)
    assert session.editor.shown == before


def test_a_job_that_ends_meanwhile_leaves_it_alone(session: Session) -> None:
    first = PageForTests(session)
    # The keys to be fitted are those before the run: what comes of it is refused, and the run is not touched.
    fit = first.send("fit-keys", tolerance=0.01)
    first.begin("guide", settings=settings())
    rest(first)
    shown = session.editor.shown
    leave(first)
    while session.jobs.running:
        first._work_on()
    assert first.answers[fit]["type"] in ("done", "refused")
    second = PageForTests(session)
    assert offer(second)["gesture"] == 1
    assert session.editor.shown is shown
    second.done("commit", gesture=1)
    assert session.editor.document == shown


def test_another_tab_takes_it_over_at_once(session: Session) -> None:
    first, second = PageForTests(session), PageForTests(session)
    first.begin("guide", settings=settings())
    rest(first)
    assert guidance(second) == []
    assert "is over" in second.refused("commit", gesture=1)
    leave(first)
    assert offer(second)["gesture"] == 1
    told = len(guidance(second))
    second.done("steer-guidance", gesture=1, settings=settings(regularise=2.0))
    wait_until(second, lambda: len(guidance(second)) > told and guidance(second)[-1]["text"] != "")
    second.done("commit", gesture=1)
    assert session.gestures.hand is None


def test_looking_at_the_motion_before_does_not_move_the_run(session: Session) -> None:
    before = session.editor.document
    page = PageForTests(session)
    page.begin("guide", settings=settings())
    end = rest(page)
    shown = session.editor.shown
    page.move(-1)
    assert session.editor.shown == before
    told = guidance(page)[-1]
    assert told["before"]
    assert {**told, "before": False} == end
    page.move(end["iterate"])
    assert session.editor.shown == shown
    assert not guidance(page)[-1]["before"]
    page.move(-1)
    # Whatever comes next keeps what the run has come to, not what it is compared with.
    page.done("rename-document", name="compared")
    assert session.editor.document.clip().curves == shown.clip().curves
    assert page.known.history["labels"] == ["Open", "Guide 3 channels", "Rename to compared"]
