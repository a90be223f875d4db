"""Edits of looseness and targets: one named step each, refusals in a line, and what pages are told of them."""

from typing import Any

import pytest

from inbetweener.kinodynamics import Spring, chain, preset
from inbetweener.studio.session.edits.loose import EDITS
from tests.studio.documents import loose_arm
from tests.studio.pages import PageForTests, page_of, place

PALM = place("hand", (0.1, 0.0, 0.0), "palm")
TARGET = {"kind": "point", "time": 0.25, "place": PALM, "position": [0.7, 1.1, 0.0]}
POSE = {"kind": "pose", "time": 0.75, "velocity": "still"}
SPRINGS = [{"name": "elbow", "frequency": 4.0, "damping": 0.5}]


page = page_of(loose_arm)


LABELS: list[tuple[str, dict[str, Any], str]] = [
    ("loosen", {"settings": {"springs": SPRINGS, "window": "adaptive", "drag": 0.5}}, "Loosen swing"),
    ("set-springs", {"changes": [{"name": "elbow.rz", "frequency": 2.0}]}, "Springs of elbow.rz"),
    (
        "set-springs",
        {"changes": [{"name": "elbow", "frequency": None}, {"name": "hand", "frequency": 9.0}]},
        "Springs of 2 parts",
    ),
    ("set-springs", {"changes": [{"name": "hand", "frequency": None}]}, "Tighten hand"),
    ("loosen-as", {"preset": "drunk"}, "Make drunk"),
    ("loosen-as", {"preset": "firm", "joints": ["hand"]}, "Make hand firm"),
    ("loosen-as", {"preset": "firm", "joints": ["elbow"], "tip": 0.5}, "Make the chain from elbow firm"),
    ("tighten", {}, "Tighten swing"),
    ("tighten", {"joints": ["elbow"]}, "Tighten elbow"),
    ("switch-looseness", {"on": False}, "Switch looseness off"),
    ("add-target", {"target": TARGET}, "Add palm target 2 at frame 6"),
    ("add-target", {"target": POSE, "name": "C"}, "Add C at frame 18"),
    ("replace-target", {"name": "palm target", "target": TARGET}, "Change palm target"),
    ("switch-target", {"name": "palm target", "on": False}, "Switch off palm target"),
    ("rename-target", {"name": "palm target", "new": "slap"}, "Rename palm target"),
    ("remove-target", {"name": "palm target"}, "Remove palm target"),
]


@pytest.mark.parametrize(("kind", "fields", "label"), LABELS)
def test_an_edit_is_one_named_step_that_can_be_undone(page: PageForTests, kind: str, fields: dict, label: str) -> None:
    before, told = page.session.editor.document, page.known.looseness
    page.done(kind, **fields)
    assert page.known.history["labels"] == ["Open", label]
    assert page.session.editor.document != before
    assert page.known.looseness != told
    assert page.done("undo") == label
    assert page.session.editor.document is before
    assert page.known.looseness == told


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("loosen", {"settings": {"springs": [{"name": "elbow", "frequency": 0.0}]}}, "stiffness 0 Hz must lie above 0"),
    ("loosen", {"settings": {"springs": [{"name": "elbow", "frequency": -3.0}]}}, "stiffness -3 Hz"),
    ("loosen", {"settings": {"springs": [{"name": "tail", "frequency": 3.0}]}}, "'tail'"),
    ("loosen", {"settings": {"springs": SPRINGS, "window": 1.5}}, "longer than the clip"),
    ("loosen", {"settings": {"springs": SPRINGS, "window": 0.0}}, "window 0 s"),
    ("loosen", {"settings": {"springs": SPRINGS, "drag": 2.0}}, "drag 2"),
    ("loosen", {"settings": {"springs": SPRINGS, "gravity": 1e9}}, "'elbow.rz' blew up"),
    ("set-springs", {"changes": [{"name": "elbow", "frequency": 3.0, "damping": -1.0}]}, "damping -1"),
    ("set-springs", {"changes": [{"name": "tail", "frequency": 3.0}]}, "'tail'"),
    ("loosen-as", {"preset": "jelly"}, "'jelly'"),
    ("loosen-as", {"preset": "firm", "joints": ["tail"]}, "'tail'"),
    ("loosen-as", {"preset": "firm", "joints": ["elbow"], "tip": 0.0}, "give between 0.001 and 1000"),
    ("tighten", {"joints": ["tail"]}, "'tail'"),
    ("add-target", {"target": {**TARGET, "time": 3.0}}, "outside the clip"),
    ("add-target", {"target": {**TARGET, "time": 1e300}}, "numbers up to"),
    ("add-target", {"target": {**TARGET, "place": place("tail")}}, "no joint called 'tail'"),
    ("add-target", {"target": {**TARGET, "place": None}}, "a place of the body"),
    ("add-target", {"target": {**TARGET, "position": None}}, "asks for nothing"),
    ("add-target", {"target": {**TARGET, "orientation": [0, 0, 0, 0]}}, "length nought"),
    ("add-target", {"target": {**TARGET, "weight": 0.0}}, "weight 0"),
    ("add-target", {"target": {**TARGET, "bell": {"before": -1.0}}}, "width before"),
    ("add-target", {"target": {**TARGET, "channels": ["tail.rx"]}}, "tail.rx"),
    ("add-target", {"target": TARGET, "name": "palm target"}, "already"),
    ("add-target", {"target": {"kind": "point", "time": 0.2, "vertex": {"mesh": "hat", "vertex": 1}}}, "'hat'"),
    ("replace-target", {"name": "slap", "target": TARGET}, "no target called 'slap'"),
    ("switch-target", {"name": "slap", "on": True}, "no target called 'slap'"),
    ("rename-target", {"name": "palm target", "new": "lean"}, "already"),
    ("remove-target", {"name": "slap"}, "no target called 'slap'"),
    ("take-pose", {"name": "slap"}, "no target called 'slap'"),
    ("take-pose", {"name": "palm target", "time": 0.2}, "is for a point"),
]


@pytest.mark.parametrize(("kind", "fields", "why"), REFUSALS)
def test_a_refusal_says_why_and_changes_nothing(page: PageForTests, kind: str, fields: dict, why: str) -> None:
    before = page.session.editor.document
    said = page.refused(kind, **fields)
    assert why in said
    assert "\n" not in said
    assert page.session.editor.document is before
    assert page.known.history["labels"] == ["Open"]


def test_every_edit_is_tried_here() -> None:
    tags = {each.__struct_config__.tag for each in EDITS}
    assert {kind for kind, _, _ in LABELS} == tags
    assert tags - {kind for kind, _, _ in REFUSALS} == {"switch-looseness"}


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("switch-looseness", {"on": True}),
        ("switch-target", {"name": "palm target", "on": True}),
        ("rename-target", {"name": "palm target", "new": "palm target"}),
        ("tighten", {"joints": ["hips"]}),
    ],
)
def test_what_is_so_already_is_no_step(page: PageForTests, kind: str, fields: dict) -> None:
    page.done(kind, **fields)
    assert page.known.history["labels"] == ["Open"]


def test_what_is_told_can_be_said_back(page: PageForTests) -> None:
    told = page.known.looseness
    page.done("loosen", settings=told["settings"])
    page.done("replace-target", name="palm target", target=told["targets"][0]["target"])
    assert page.known.history["labels"] == ["Open"]


def test_a_chain_falls_to_its_tip(page: PageForTests) -> None:
    page.done("loosen-as", preset="firm", joints=["elbow"], tip=0.5)
    document = page.session.editor.document
    springs = document.loosening("swing").looseness.springs
    assert springs == chain(document.rig, "elbow", preset("firm"), tip=0.5)
    assert springs["hand"].frequency < springs["elbow"].frequency


def test_a_chain_is_told_as_one_and_slides_as_one(page: PageForTests) -> None:
    page.done("loosen-as", preset="firm", joints=["elbow"], tip=0.5)
    (told,) = page.known.looseness["chains"]
    firm = preset("firm")
    assert (told["first"], told["joints"]) == ("elbow", ["elbow", "hand"])
    assert (told["frequency"], told["damping"], told["tip"]) == pytest.approx((firm.frequency, firm.damping, 0.5))
    page.begin("set-spring", names=["elbow"], tip=0.5)
    page.move(2.0, 0.3)
    assert page.done("commit", gesture=1) == "Spring of the chain from elbow"
    document = page.session.editor.document
    assert document.loosening("swing").looseness.springs == chain(document.rig, "elbow", Spring(2.0, 0.3), tip=0.5)
    (told,) = page.known.looseness["chains"]
    assert (told["frequency"], told["damping"]) == pytest.approx((2.0, 0.3))
    page.done("set-springs", changes=[{"name": "hand", "frequency": 9.0}])
    assert page.known.looseness["chains"] == []


def test_the_body_is_told_as_one_and_slides_as_one_but_for_what_is_held(page: PageForTests) -> None:
    assert page.known.looseness["sway"] is None, "its springs differ"
    assert page.known.looseness["held"] == ["hips"]
    page.done("loosen-as", preset="loose")
    loose = preset("loose")
    sway = page.known.looseness["sway"]
    assert (sway["frequency"], sway["damping"]) == pytest.approx((loose.frequency, loose.damping))
    page.begin("set-spring")
    page.move(5.0, 0.5)
    assert page.done("commit", gesture=1) == "Spring of the whole body"
    sway = page.known.looseness["sway"]
    assert (sway["frequency"], sway["damping"]) == pytest.approx((5.0, 0.5))
    page.done("tighten", joints=["hand"])
    page.done("add-pin", place=PALM)
    assert page.known.looseness["held"] == ["elbow", "hand", "hips"]
    page.begin("set-spring")
    page.move(4.0, 0.5)
    page.done("commit", gesture=1)
    assert set(page.session.editor.document.loosening("swing").looseness.springs) == {"elbow"}, (
        "what is loose goes along"
    )


def test_a_preset_for_all_leaves_the_root_tight(page: PageForTests) -> None:
    page.done("tighten")
    page.done("loosen-as", preset="loose")
    assert set(page.session.editor.document.loosening("swing").looseness.springs) == {"elbow", "hand"}
    assert page.known.looseness["swinging"] == ["elbow.rx", "elbow.ry", "elbow.rz", "hand.rz"]
    page.done("tighten")
    page.done("loosen-as", preset="loose", tip=0.5)
    assert set(page.session.editor.document.loosening("swing").looseness.springs) == {"elbow", "hand"}


def test_what_leads_to_planted_places_stays_tight(page: PageForTests) -> None:
    page.done("tighten")
    page.done("add-contact", place=place("elbow"), start=0.1, end=0.4)
    page.done("loosen-as", preset="loose")
    assert set(page.session.editor.document.loosening("swing").looseness.springs) == {"hand"}


def test_an_added_target_is_answered_with_its_name(page: PageForTests) -> None:
    assert page.done("add-target", target=TARGET) == "palm target 2"
    assert page.done("add-target", target=POSE, name="C") == "C"
    assert [each["name"] for each in page.known.looseness["targets"]] == ["palm target", "palm target 2", "C"]


def test_a_gravity_that_no_world_has_is_refused(page: PageForTests) -> None:
    assert "times the earth's" in page.refused("loosen", settings={"springs": SPRINGS, "gravity": 1e308})


def test_a_clip_of_one_frame_may_loop_and_be_loose(page: PageForTests) -> None:
    page.done("show-clip", clip="still")
    page.done("loosen", settings={"springs": SPRINGS, "window": "auto"})
    page.done("set-clip-loops", loops=True)
    page.settle()
    assert page.known.looseness["problem"] == ""
    assert list(page.known.poses) == [0]
