"""The cost map of a page: before any run, after every change, in units, and never in the way of a hand."""

from dataclasses import replace
from threading import Event
from typing import Any

import msgspec
import numpy as np

import inbetweener as ib
from inbetweener.dynamics import EARTH
from inbetweener.guidance import Meter, Torque
from inbetweener.rig import control
from inbetweener.studio.protocol.guidance import GuidanceSettings
from inbetweener.studio.session.costs import CostMap
from tests.studio.pages import PATIENCE, PageForTests, page_of

TORQUE = [{"name": "torque", "weight": 1.0}]


page = page_of(lambda: ib.example("waving"))


def assert_that(fact: bool) -> None:
    assert fact


def told(page: PageForTests) -> list[dict[str, Any]]:
    page.settle()
    return [message for message in page.told if message["type"] == "costs-over-time"]


def whole(costs: dict[str, Any]) -> np.ndarray:
    return np.linalg.norm([row["values"] for row in costs["rows"]], axis=0)


def straighten(page: PageForTests, key: int = 1) -> None:
    page.done("preset-tangents", keys=[{"channel": "upper_arm_r.rz", "key": key}], preset="linear")


def test_nothing_is_told_until_a_page_asks(page: PageForTests) -> None:
    straighten(page)
    assert told(page) == []


def test_it_is_there_before_any_run_and_after_every_edit(page: PageForTests) -> None:
    page.done("show-costs", settings={"terms": TORQUE})
    (first,) = told(page)
    assert (first["term"], first["unit"], first["problem"]) == ("torque", "N·m", "")
    document = page.session.editor.document
    meter = Meter(document.rig, Torque(document.body()))
    measured = meter.measure(document.motion(), np.array(first["times"]))
    assert [row["label"] for row in first["rows"]] == list(measured.labels)
    np.testing.assert_allclose([row["values"] for row in first["rows"]], measured.values, atol=1e-5)
    straighten(page)
    _, second = told(page)
    now = meter.measure(page.session.editor.document.motion(), np.array(first["times"]))
    np.testing.assert_allclose([row["values"] for row in second["rows"]], now.values, atol=1e-5)
    assert np.abs(whole(second) - whole(first)).max() > 0.1
    page.done("undo")
    assert told(page)[-1] == first
    page.done("show-costs", settings=None)
    page.done("redo")
    assert len(told(page)) == 3


def test_between_two_rigs_nothing_is_measured() -> None:
    """A stroke bends a bone: for a moment the page still shows the motion of the body without it."""
    waving = ib.example("waving")
    bent = replace(waving, rig=replace(waving.rig, channels=(*waving.rig.channels, control("bend", {}))))
    costs = CostMap()
    costs.wish(msgspec.convert({"terms": TORQUE}, GuidanceSettings))
    assert costs.message(bent, waving.motion()) is None
    assert costs.message(waving, bent.motion()) is None
    assert costs.message(waving, waving.motion()) is not None


def test_it_follows_a_hand(page: PageForTests) -> None:
    page.done("show-costs", settings={"terms": TORQUE})
    first = told(page)[-1]
    page.begin("drag-handle", key={"channel": "upper_arm_r.rz", "key": 1}, side="out")
    page.move(0.1, 0.5)
    moved = told(page)[-1]
    assert whole(moved).max() != whole(first).max()
    page.done("cancel", gesture=1)
    assert told(page)[-1] == first


def test_while_much_is_to_do_only_the_newest_is_told(page: PageForTests) -> None:
    page.done("show-costs", settings={"terms": TORQUE})
    before = len(told(page))
    busy = Event()
    # The worker is held up while a hand moves on: what it has not come to yet is measured once, as it is in the end.
    page.session.worker.submit(lambda: assert_that(busy.wait(PATIENCE)))
    for preset in ("linear", "flat", "smooth", "linear"):
        page.send("preset-tangents", keys=[{"channel": "upper_arm_r.rz", "key": 1}], preset=preset)
    busy.set()
    found = told(page)
    assert len(found) == before + 1
    document = page.session.editor.document
    meter = Meter(document.rig, Torque(document.body()))
    now = meter.measure(document.motion(), np.array(found[-1]["times"]))
    np.testing.assert_allclose([row["values"] for row in found[-1]["rows"]], now.values, atol=1e-5)


def test_gravity_and_the_root_are_counted_on_request(page: PageForTests) -> None:
    page.done("show-costs", settings={"terms": TORQUE})
    plain = told(page)[-1]
    page.done("show-costs", settings={"terms": TORQUE, "gravity": True, "held_root": True})
    heavy = told(page)[-1]
    assert {row["label"] for row in heavy["rows"]} - {row["label"] for row in plain["rows"]} == {"hips"}
    document = page.session.editor.document
    meter = Meter(document.rig, Torque(document.body(), EARTH, floating=False))
    now = meter.measure(document.motion(), np.array(heavy["times"]))
    np.testing.assert_allclose([row["values"] for row in heavy["rows"]], now.values, atol=1e-5)


def test_what_cannot_be_measured_is_said(page: PageForTests) -> None:
    page.session.editor.apply("Undress", lambda document: replace(document, meshes=()))
    page.done("show-costs", settings={"terms": TORQUE, "masses": "mesh"})
    (nothing,) = told(page)
    assert nothing["rows"] == []
    assert "mesh" in nothing["problem"]
    page.done("show-costs", settings={"terms": TORQUE})
    assert told(page)[-1]["problem"] == ""
