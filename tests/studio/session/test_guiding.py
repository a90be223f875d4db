"""Guidance in a session: it streams, rests, goes back, is steered, and is one step of the history."""

from collections.abc import Callable
from threading import Event
from typing import Any

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document
from inbetweener.guidance import Meter, Torque
from tests.studio.pages import PATIENCE, PageForTests, page_of, place, session_of

ARM = ["upper_arm_r.rx", "upper_arm_r.ry", "upper_arm_r.rz"]


page = page_of(lambda: ib.example("waving"))


def settings(**others: Any) -> dict[str, Any]:
    return {"terms": [{"name": "torque", "weight": 1.0}], "channels": ARM, **others}


def guidance(page: PageForTests) -> list[dict[str, Any]]:
    return [message for message in page.told if message["type"] == "guidance"]


def wait_until(page: PageForTests, is_so: Callable[[], bool]) -> None:
    """Look again after every message that the page is told."""
    looked, listen = Event(), page._text

    def heard(message: dict[str, Any]) -> None:
        listen(message)
        looked.set()

    page._text = heard  # type: ignore[method-assign]
    while not is_so():
        assert looked.wait(PATIENCE), guidance(page)[-1:]
        looked.clear()
    page._text = listen  # type: ignore[method-assign]
    page.flush()


def rest(page: PageForTests) -> dict[str, Any]:
    wait_until(page, lambda: bool(guidance(page)) and guidance(page)[-1]["text"] != "")
    return guidance(page)[-1]


def same_keys(one: Document, other: Document) -> bool:
    before, after = one.clip().curves, other.clip().curves
    return all(
        np.array_equal(before[n].times, after[n].times) and np.array_equal(before[n].values, after[n].values)
        for n in before
    )


def test_a_run_streams_rests_and_is_one_step(page: PageForTests) -> None:
    before = page.session.editor.document
    page.begin("guide", settings=settings())
    end = rest(page)
    assert end["state"] == "resting"
    assert end["iterate"] == len(end["costs"]) - 1 > 2
    assert all(b <= a for a, b in zip(end["costs"], end["costs"][1:], strict=False))
    assert end["costs"][-1] < 0.9 * end["costs"][0]
    assert sum(each["cost"] for each in end["terms"]) == pytest.approx(end["costs"][-1])
    assert "torque −" in end["text"]
    assert page.done("commit", gesture=1) == "Guide 3 channels"
    assert guidance(page)[-1]["state"] == "over"
    after = page.session.editor.document
    assert same_keys(before, after)
    assert {n for n in before.clip().curves if before.clip().curves[n] != after.clip().curves[n]} == set(ARM)
    assert page.known.history["labels"] == ["Open", "Guide 3 channels"]
    page.done("undo")
    assert page.session.editor.document == before


def test_stopped_midway_the_best_so_far_is_kept(page: PageForTests) -> None:
    page.begin("guide", settings=settings(channels=None))
    wait_until(page, lambda: bool(guidance(page)) and guidance(page)[-1]["iterate"] >= 2)
    page.done("stop-guidance", gesture=1)
    stopped = rest(page)
    assert stopped["state"] == "resting"
    assert 2 <= stopped["iterate"] < 20
    shown = page.session.editor.shown
    page.done("commit", gesture=1)
    assert page.session.editor.document == shown
    assert page.known.history["at"] == 1


def test_it_goes_back_along_its_way_and_on_from_there(page: PageForTests) -> None:
    before = page.session.editor.document
    page.begin("guide", settings=settings())
    end = rest(page)
    assert page.move(0)["reached"]
    assert page.session.editor.shown == before
    page.move(1)
    back = rest(page)
    assert (back["iterate"], len(back["costs"])) == (1, len(end["costs"]))
    first = page.session.editor.shown
    page.move(end["iterate"])
    assert page.session.editor.shown != first
    page.move(1)
    stiff = settings(joints=[{"joint": "upper_arm_r", "factor": 1e5}], regularise=5.0)
    page.done("steer-guidance", gesture=1, settings=stiff)
    wait_until(page, lambda: guidance(page)[-1]["state"] == "resting" and guidance(page)[-1]["iterate"] > 1)
    arm = ARM[0]
    free, held = first.clip().curves[arm].outs, page.session.editor.shown.clip().curves[arm].outs
    was = before.clip().curves[arm].outs
    assert np.abs(held - was).max() < 0.1 * np.abs(free - was).max()
    page.done("cancel", gesture=1)
    assert page.session.editor.shown == before
    assert page.known.history["labels"] == ["Open"]


def test_another_edit_keeps_the_run_and_goes_on(page: PageForTests) -> None:
    page.begin("guide", settings=settings())
    rest(page)
    page.done("rename-document", name="guided")
    assert page.known.history["labels"] == ["Open", "Guide 3 channels", "Rename to guided"]
    assert "is over" in page.refused("steer-guidance", gesture=1, settings=settings())


def test_undo_takes_a_run_back_that_is_still_going(page: PageForTests) -> None:
    before = page.session.editor.document
    page.begin("guide", settings=settings(channels=None))
    wait_until(page, lambda: bool(guidance(page)) and guidance(page)[-1]["iterate"] >= 1)
    assert page.done("undo") == "Guide all channels"
    assert page.session.editor.document == before


def test_what_cannot_be_is_named_and_nothing_is_lost(page: PageForTests) -> None:
    before = page.session.editor.document
    unknown = settings(joints=[{"joint": "tail", "factor": 2.0}])
    assert "tail" in page.refused("begin", gesture=1, what={"kind": "guide", "settings": unknown})
    far = settings(kernels=[{"centre": 1e300, "width": 0.1}])
    assert "centre" in page.refused("begin", gesture=1, what={"kind": "guide", "settings": far})
    narrow = settings(kernels=[{"centre": 1.0, "width": 0.0}])
    assert "width" in page.refused("begin", gesture=1, what={"kind": "guide", "settings": narrow})
    obstacles = settings(terms=[{"name": "obstacles", "weight": 1.0}])
    assert "no obstacle" in page.refused("begin", gesture=2, what={"kind": "guide", "settings": obstacles})
    page.begin("guide", gesture=3, settings=settings(start=50.0, end=60.0))
    wait_until(page, lambda: bool(guidance(page)) and guidance(page)[-1]["state"] == "over")
    failed = next(message for message in guidance(page) if message["state"] == "failed")
    assert failed["text"]
    assert page.session.editor.shown is before
    assert page.done("rename-document", name="free again") is None


def test_pins_and_contacts_that_are_on_hold(page: PageForTests) -> None:
    page.done("add-pin", place=place("forearm_r"))
    document = page.session.editor.document
    times = np.linspace(document.clip().start, document.clip().end, 200)
    elbow = document.rig.joint_index("forearm_r")
    was = document.motion().joint_positions(times)
    arm = [*ARM, "forearm_r.rx", "forearm_r.ry"]
    page.begin("guide", settings=settings(channels=arm, regularise=0.05))
    rest(page)
    off = np.linalg.norm(page.session.editor.shown.motion().joint_positions(times) - was, axis=-1)
    assert off[:, elbow].max() < 1e-3 < 5e-3 < off.max()


def test_a_bad_wish_does_not_end_the_run(page: PageForTests) -> None:
    page.begin("guide", settings=settings())
    end = rest(page)
    assert "tail" in page.refused(
        "steer-guidance", gesture=1, settings=settings(joints=[{"joint": "tail", "factor": 2.0}])
    )
    assert not page.move(1e9)["reached"]
    assert page.move(1e5)["reached"]
    assert guidance(page)[-1]["iterate"] == end["iterate"]
    page.done("commit", gesture=1)


def test_a_kernel_lets_effort_be(page: PageForTests) -> None:
    page.begin("guide", settings=settings())
    steps = len(rest(page)["costs"])
    even = page.session.editor.shown
    kernels = [{"centre": 1.0, "width": 0.3}]
    page.done("steer-guidance", gesture=1, settings=settings(kernels=kernels))
    wait_until(page, lambda: len(guidance(page)[-1]["costs"]) > steps and guidance(page)[-1]["text"] != "")
    eased = page.session.editor.shown
    # At the top of the bell costs do not count at all, so that the arm may work harder there.
    torque = Meter(even.rig, Torque.of(even.rig))
    loud = [np.linalg.norm(torque.measure(each.motion(), np.linspace(0.7, 1.3, 60)).values) for each in (even, eased)]
    assert loud[1] > 1.05 * loud[0]


def test_a_loop_stays_seamless() -> None:
    session = session_of(ib.example("spider-walk"))
    page = PageForTests(session)
    page.begin("guide", settings=settings(channels=None, regularise=0.1, seamless=True))
    rest(page)
    page.done("commit", gesture=1)
    for each in session.editor.document.clip().curves.values():
        assert each.outs[0, 1] / each.outs[0, 0] == pytest.approx(each.ins[-1, 1] / each.ins[-1, 0], abs=1e-9)
    session.stop()


def test_kernels_are_steps_of_the_history_and_a_kept_run_leaves_its_own(page: PageForTests) -> None:
    bell, other = {"centre": 1.0, "width": 0.2, "depth": 1.0}, {"centre": 0.5, "width": 0.1, "depth": 0.5}
    page.done("set-kernels", kernels=[bell])
    assert page.known.clip is not None
    assert page.known.clip["kernels"] == [bell]
    assert page.known.history is not None
    assert page.known.history["labels"] == ["Open", "Add kernel"]
    page.begin("guide", settings=settings())
    rest(page)
    assert page.session.editor.shown.clip().kernels == page.session.editor.document.clip().kernels
    # Tried under way, and gone with the run.
    page.done("steer-guidance", gesture=1, settings=settings(kernels=[bell, other]))
    wait_until(page, lambda: page.known.clip is not None and page.known.clip["kernels"] == [bell, other])
    page.done("cancel", gesture=1)
    assert page.known.clip["kernels"] == [bell]
    page.begin("guide", gesture=2, settings=settings(kernels=[other]))
    wait_until(page, lambda: guidance(page)[-1]["gesture"] == 2 and guidance(page)[-1]["text"] != "")
    page.done("commit", gesture=2)
    assert page.known.clip["kernels"] == [other]
    page.done("undo")
    assert page.known.clip["kernels"] == [bell]
    page.done("undo")
    assert page.known.clip["kernels"] == []
    page.refused("set-kernels", kernels=[{"centre": 1e300, "width": 0.1}])
