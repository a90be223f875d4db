"""Sketching through the session: choose bones by a stroke, draw the wish, refine it, twist, and take it all back."""

from typing import Any

import numpy as np
import pytest

from inbetweener.posing.sketch.bones import Bones
from tests.studio.documents import arm
from tests.studio.pages import PageForTests, page_of

TIME = 0.4
FRONT = {"origin": [0.3, 1.0, 0.0], "right": [1.0, 0.0, 0.0], "up": [0.0, 1.0, 0.0], "distance": 3.0}
BONES = ["hips", "elbow"]


page = page_of(arm)


def told(page: PageForTests, kind: str) -> dict[str, Any]:
    """The newest message of a kind."""
    return [message for message in page.told if message["type"] == kind][-1]


def seen(points: np.ndarray) -> np.ndarray:
    """Points of the world in the front view's plane."""
    away = points - FRONT["origin"]
    return away[:, :2] / (1.0 - away[:, 2:] / FRONT["distance"])


def shapes(page: PageForTests, time: float = TIME) -> dict[str, np.ndarray]:
    page.done("fetch-bones", time=time)
    return {each["joint"]: np.array(each["points"]).reshape(-1, 3) for each in told(page, "bones")["items"]}


def arc(page: PageForTests, turn: float = 1.5) -> np.ndarray:
    """An arc as long as the two bones, from where they start."""
    start = seen(shapes(page)["hips"])[0]
    at = np.linspace(0.0, turn, 50)
    return start + 0.6 / turn * np.stack([np.sin(at), 1.0 - np.cos(at)], axis=1)


def test_bones_are_told_as_they_are(page: PageForTests) -> None:
    document = page.session.editor.document
    bones = Bones.of(document.rig, document.motion().channels([TIME])[0])
    wanted = bones.samples(dict.fromkeys(range(3), 10))
    found = shapes(page)
    assert list(found) == ["hips", "elbow", "hand"]
    assert np.concatenate(list(found.values())) == pytest.approx(wanted.positions, abs=1e-5)
    assert told(page, "bones")["refines"] is None
    for joint, each in enumerate(told(page, "bones")["items"]):
        assert each["end"] == pytest.approx(document.rig.bones.ends[joint])
        assert not each["bent"]


def test_a_stroke_along_bones_chooses_them(page: PageForTests) -> None:
    stroke = seen(np.concatenate([shapes(page)[name] for name in BONES]))
    page.done("choose-bones", points=stroke.ravel().tolist(), view=FRONT, time=TIME)
    assert told(page, "chosen-bones")["joints"] == BONES
    page.done("choose-bones", points=stroke.ravel().tolist(), view=FRONT, time=TIME, selecting="all")
    assert told(page, "chosen-bones")["joints"] == ["hips", "elbow", "hand"]


def test_bones_take_the_shape_of_the_stroke_and_undo_takes_it_back(page: PageForTests) -> None:
    before, stroke = page.session.editor.document, arc(page)
    page.begin("sketch", bones=BONES, time=TIME, view=FRONT)
    for drawn in (1, 5, 20, 50):
        answer = page.move(*stroke[:drawn].ravel())
    assert answer["reached"], answer
    assert page.done("commit", gesture=1) == "Sketch 2 bones at frame 9.6"
    found = seen(np.concatenate([shapes(page)[name] for name in BONES]))
    away = np.linalg.norm(found[:, None] - stroke[None], axis=2).min(axis=1)
    assert away.max() < 0.01
    assert told(page, "bones")["refines"] == page.session.editor.document.rig.bends[0].name
    assert [each["joint"] for each in told(page, "bones")["items"] if each["bent"]] == BONES
    channels = page.session.editor.document.motion().channels(before.clip().frame_times)
    assert channels[:, -1].min() >= -1e-9
    # Where the pose around is keyed, nothing has changed.
    for time in (0.25, 0.5):
        assert page.session.editor.document.motion().world_from_joint([time]) == pytest.approx(
            before.motion().world_from_joint([time]), abs=1e-9
        )
    page.done("undo")
    assert page.session.editor.document is before


def test_drawing_again_refines_the_same_sketch(page: PageForTests) -> None:
    for turn in (1.5, -1.0):
        stroke = arc(page, abs(turn)) * [1.0, np.sign(turn)]
        page.begin("sketch", bones=BONES, time=TIME, view=FRONT)
        page.move(*stroke.ravel())
        page.done("commit", gesture=1)
    document = page.session.editor.document
    assert len(document.rig.bends) == 1
    assert len(page.known.history["labels"]) == 3
    page.done("remove-bend", bend=document.rig.bends[0].name)
    assert page.session.editor.document.rig == arm().rig


@pytest.mark.parametrize(
    ("fields", "points", "why"),
    [
        ({}, [0.1, 0.2], "more than a point"),
        ({}, [0.1, 0.2] * 30, ""),
        ({}, (np.linspace(0, 1, 60) + 80.0).tolist(), "away from the bones"),
        (
            {"drawing": "direct", "bones": ["hips", "hand"]},
            np.linspace(0, 0.5, 60).tolist(),
            "do not follow one another",
        ),
    ],
    ids=["one point", "the same point", "far away", "no chain"],
)
def test_a_bad_stroke_says_why_and_changes_nothing(
    page: PageForTests, fields: dict[str, Any], points: list[float], why: str
) -> None:
    before = page.session.editor.document
    page.begin("sketch", **({"bones": BONES, "time": TIME, "view": FRONT} | fields))
    answer = page.move(*points)
    assert not answer["reached"]
    assert answer["text"]
    assert why in answer["text"]
    page.done("commit", gesture=1)
    assert page.session.editor.document is before
    assert page.known.history["labels"] == ["Open"]


def test_a_bad_stroke_after_a_good_one_leaves_nothing_behind(page: PageForTests) -> None:
    before, stroke = page.session.editor.document, arc(page)
    page.begin("sketch", bones=BONES, time=TIME, view=FRONT)
    page.move(*stroke.ravel())
    page.move(*(stroke + 90.0).ravel())
    page.done("commit", gesture=1)
    assert page.session.editor.document is before


def test_what_cannot_begin_is_refused(page: PageForTests) -> None:
    def refused(**fields: Any) -> str:
        what = {"kind": "sketch", "bones": BONES, "time": TIME, "view": FRONT} | fields
        return page.refused("begin", gesture=1, what=what)

    assert "no joint called 'tail'" in refused(bones=["tail"])
    assert "did not understand" in refused(bones=[])
    assert "right angles" in refused(view=FRONT | {"up": [1.0, 0.0, 0.0]})
    assert "meets no bone" in page.refused("choose-bones", points=[50.0, 50.0, 51.0, 50.0], view=FRONT, time=TIME)


def test_a_chain_is_twisted_through_three_turns(page: PageForTests) -> None:
    before = shapes(page)
    page.begin("twist-bones", bones=BONES, time=TIME)
    for angle in (1.0, 6.0 * np.pi):
        assert page.move(angle)["reached"]
    page.done("commit", gesture=1)
    after = shapes(page)
    # The first bone turns about itself; what hangs on its end goes round with it.
    assert after["hips"][[0, -1]] == pytest.approx(before["hips"][[0, -1]], abs=1e-4)
    assert after["elbow"][0] == pytest.approx(before["elbow"][0], abs=1e-4)
    screws = page.session.editor.document.rig.bends[0].screws
    turned = sum(float(np.linalg.norm(screws[name].sum(axis=0)[:3])) for name in BONES)
    assert turned == pytest.approx(6.0 * np.pi, rel=1e-6)


def test_how_hard_a_pen_pressed_counts_and_a_constant_does_not(page: PageForTests) -> None:
    """Each point comes with its pressure; the arc is drawn over two lines, and one of them was pressed."""
    stroke = arc(page)
    away = np.where(np.arange(len(stroke)) % 2 == 0, 0.02, -0.02)[:, None] * np.array([0.0, 1.0])
    bones = []
    for gesture, pressed in enumerate((None, np.full(50, 0.5), np.where(away[:, 1] > 0, 0.9, 0.1)), 1):
        points = stroke + away
        told = points if pressed is None else np.column_stack([points, pressed])
        page.begin("sketch", gesture, bones=BONES, time=TIME, view=FRONT, pressed=pressed is not None)
        assert page.move(*told.ravel(), gesture=gesture)["reached"]
        page.done("commit", gesture=gesture)
        bones.append(np.concatenate([shapes(page)[name] for name in BONES]))
        page.done("undo")
    plain, constant, harder = bones
    np.testing.assert_array_equal(constant, plain)
    assert harder[:, 1].mean() > plain[:, 1].mean() + 0.005
    page.begin("sketch", 4, bones=BONES, time=TIME, view=FRONT, pressed=True)
    answer = page.move(*np.column_stack([stroke, np.full(50, -1.0)]).ravel(), gesture=4)
    assert not answer["reached"]
    assert "pressed by -1" in answer["text"]
