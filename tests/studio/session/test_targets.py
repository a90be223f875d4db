"""Targets in the Studio: placed, dragged, solved for; how far they are missed is always told."""

from typing import Any

import numpy as np
import pytest

from inbetweener.kinodynamics import Bell, PointTarget
from inbetweener.rig import Point
from inbetweener.studio.protocol.binary import MalformedMessage
from tests.studio.documents import loose_arm
from tests.studio.gestures.hands import hold
from tests.studio.pages import PageForTests, page_of, place

PALM = Point("hand", (0.1, 0.0, 0.0), "palm")
BACK = np.array([-1.0, 0.0, 0.0])


page = page_of(loose_arm)


def state(page: PageForTests, name: str = "palm target") -> dict[str, Any]:
    page.settle()
    return next(each for each in page.known.loose_state["targets"] if each["name"] == name)


def palm(page: PageForTests, time: float) -> np.ndarray:
    return page.session.editor.shown.shown_motion("swing").states([time], PALM)[0][0]


def test_a_target_is_missed_until_it_is_solved_for_and_hit_then(page: PageForTests) -> None:
    keyed = page.session.editor.document.motion("swing").states([0.5], PALM)[0][0]
    missed = state(page)
    assert missed["wish"] == pytest.approx(keyed.tolist())
    assert missed["position"] == pytest.approx(palm(page, 0.5).tolist())
    assert missed["distance"] == pytest.approx(np.linalg.norm(palm(page, 0.5) - keyed))
    assert missed["distance"] > 0.01
    assert not page.known.looseness["targets"][0]["solved"]
    said = page.done("solve-targets")
    assert "hit" in said
    assert state(page)["distance"] < 1e-7
    assert state(page)["wish"] == pytest.approx(keyed.tolist())
    assert page.known.looseness["targets"][0]["solved"]
    assert [layer["name"] for layer in page.known.clip["layers"]] == ["lean", "palm target"]
    assert page.known.history["labels"] == ["Open", "Solve for palm target"]
    before = loose_arm().clip("swing")
    after = page.session.editor.document.clip("swing")
    assert after.curves == before.curves
    page.done("undo")
    assert state(page)["distance"] == pytest.approx(missed["distance"])
    assert not page.known.looseness["targets"][0]["solved"]


def test_switched_off_it_is_as_keyed_and_windows_are_none(page: PageForTests) -> None:
    page.settle()
    assert page.known.loose_state["longest"] == pytest.approx(0.4, abs=0.01)
    page.done("switch-looseness", on=False)
    assert state(page)["distance"] == pytest.approx(0.0, abs=1e-12)
    assert page.known.loose_state["longest"] == 0.0


def test_speeds_and_turns_are_told_as_well(page: PageForTests) -> None:
    target = page.known.looseness["targets"][0]["target"]
    page.done("replace-target", name="palm target", target={**target, "orientation": "keyed", "velocity": [0, 0, 0]})
    told = state(page)
    motion = page.session.editor.document.shown_motion("swing")
    (now, before), turns = motion.states([0.5, 0.5 - motion.loosened.step], PALM)
    assert told["speed"] == pytest.approx(np.linalg.norm(now - before) / motion.loosened.step)
    keyed = motion.tight.states([0.5], PALM)[1][0]
    assert told["turn"] == pytest.approx(np.arccos((np.trace(turns[0].T @ keyed) - 1) / 2), abs=1e-6)
    page.done("replace-target", name="palm target", target={**target, "velocity": [0, 0, 0]})
    page.done("solve-targets")
    # The hips move on, so the palm cannot quite stand still; but nearly.
    solved = state(page)
    assert solved["speed"] < 0.2 * told["speed"]
    assert solved["turn"] is None


def test_a_pose_target_tells_which_parts_are_farthest(page: PageForTests) -> None:
    page.done("remove-target", name="palm target")
    page.done("add-target", target={"kind": "pose", "time": 0.75}, name="C")
    told = state(page, "C")["pose"]
    assert told[0]["by"] > 0.01
    motion = page.session.editor.document.shown_motion("swing")
    (off,) = np.abs(motion.channels([0.75]) - motion.tight.channels([0.75]))
    misses = {channel.name: float(by) for channel, by in zip(motion.rig.channels, off, strict=True)}
    assert {each["joint"] for each in told} == {"elbow", "hand"}
    for each in told:
        own = [by for name, by in misses.items() if name.startswith(f"{each['joint']}.")]
        assert each["by"] == misses[each["channel"]] == max(own)
        assert each["kind"] == "rotation"
    assert told == sorted(told, key=lambda each: -each["by"])
    page.done("solve-targets")
    assert state(page, "C")["pose"][0]["by"] < 1e-6


def test_dragging_it_leads_the_motion_along_and_is_one_step(page: PageForTests) -> None:
    start = np.array(state(page)["wish"])
    page.begin("drag-target", target="palm target")
    for step in range(1, 8):
        answer = page.move(*(start + 0.01 * step * BACK))
        assert answer["text"] == "" or "off" in answer["text"]
    assert answer["distance"] < 0.01
    assert page.done("commit", gesture=1) == "Drag palm target at frame 12"
    assert page.known.history["labels"] == ["Open", "Drag palm target at frame 12"]
    wish = (start + 0.07 * BACK).tolist()
    assert state(page)["wish"] == pytest.approx(wish)
    assert palm(page, 0.5) == pytest.approx(wish, abs=1e-6)
    page.done("undo")
    assert page.session.editor.document.loosening("swing") == loose_arm().loosening("swing")
    assert [layer["name"] for layer in page.known.clip["layers"]] == ["lean"]


def test_without_solving_only_the_target_moves(page: PageForTests) -> None:
    before = page.session.editor.document.clip("swing")
    page.begin("drag-target", target="palm target", solves=False)
    page.move(0.6, 1.3, 0.0)
    page.done("commit", gesture=1)
    assert page.session.editor.document.clip("swing") is before
    assert state(page)["wish"] == [0.6, 1.3, 0.0]


@pytest.mark.parametrize(
    ("kind", "values", "part", "value"),
    [
        ("move-target", [0.25], "time", 0.25),
        ("move-target", [7.0], "time", 1.0),
        ("shape-bell", [0.1, 0.7], "bell", (0.1, 0.7)),
        ("shape-bell", [-1.0, 1e5], "bell", (pytest.approx(0.1 / 24), 100.0)),
        ("weigh-target", [3.0], "weight", 3.0),
        ("weigh-target", [-3.0], "weight", 1e-3),
    ],
)
def test_time_bell_and_weight_follow_the_hand(
    page: PageForTests, kind: str, values: list[float], part: str, value: object
) -> None:
    page.done("solve-targets")
    page.begin(kind, target="palm target")
    page.move(*values)
    page.done("commit", gesture=1)
    target = page.session.editor.document.loosening("swing").aim("palm target").target
    assert isinstance(target, PointTarget)
    found = (target.bell.before, target.bell.after) if part == "bell" else getattr(target, part)
    assert found == value
    assert len(page.known.history["labels"]) == 3
    if kind != "shape-bell":
        assert state(page)["distance"] < 1e-6


def test_out_of_reach_says_how_far_and_keeps_the_nearest(page: PageForTests) -> None:
    page.begin("drag-target", target="palm target")
    answer = page.move(0.3, 4.0, 0.0)
    assert not answer["reached"]
    assert "off" in answer["text"]
    assert answer["distance"] > 1.5
    page.done("commit", gesture=1)
    assert 1.5 < state(page)["distance"] < 3.0
    assert "still" in page.done("solve-targets")


def test_two_that_contradict_are_refused_and_nothing_changes(page: PageForTests) -> None:
    page.done("add-target", target={"kind": "point", "time": 0.5, "place": place("hand", (0.1, 0, 0), "palm"),
                                    "position": [0.5, 1.5, 0.0]})  # fmt: skip
    before = page.session.editor.document
    said = page.refused("solve-targets")
    assert "'palm target' and 'palm target 2'" in said
    assert page.session.editor.document is before
    assert len(page.known.loose_state["targets"]) == 2


def test_a_target_that_is_off_is_told_and_not_solved_for(page: PageForTests) -> None:
    page.done("switch-target", name="palm target", on=False)
    assert state(page)["distance"] > 0.01
    assert "no target is on" in page.refused("solve-targets")
    page.begin("drag-target", target="palm target")
    page.move(0.6, 1.3, 0.0)
    page.done("commit", gesture=1)
    assert [layer["name"] for layer in page.known.clip["layers"]] == ["lean"]


def test_a_pose_has_no_place_to_be_dragged_to(page: PageForTests) -> None:
    page.done("add-target", target={"kind": "pose", "time": 0.75}, name="C")
    assert "no place" in page.refused("begin", gesture=1, what={"kind": "drag-target", "target": "C"})
    assert "no target called" in page.refused("begin", gesture=1, what={"kind": "move-target", "target": "D"})


def test_a_pose_target_takes_a_pose_of_another_time_as_keyed_or_as_seen(page: PageForTests) -> None:
    page.done("add-target", target={"kind": "pose", "time": 0.75}, name="there")
    document = page.session.editor.document
    for seen, motion in ((False, document.motion("swing")), (True, document.shown_motion("swing"))):
        page.done("take-pose", name="there", time=0.4, seen=seen)
        assert page.known.history["labels"][-1] == "Take pose of frame 9.6 for there"
        taken = page.session.editor.document.loosening("swing").aim("there").target.pose
        values = dict(zip([each.name for each in document.rig.channels], motion.channels([0.4])[0], strict=True))
        assert taken == {name: pytest.approx(values[name]) for name in taken}
        assert {name.split(".")[0] for name in taken} == {"elbow", "hand"}, "what is loose, and nothing else"
    page.done("switch-target", name="palm target", on=False)
    page.done("solve-targets")
    hit = page.session.editor.document.shown_motion("swing").channels([0.75])[0]
    assert {each.name: v for each, v in zip(document.rig.channels, hit, strict=True) if each.name in taken} == (
        pytest.approx(dict(taken), abs=1e-6)
    )


def test_which_channels_give_way_is_told_and_chosen(page: PageForTests) -> None:
    (aim,) = page.known.looseness["targets"]
    assert set(aim["gives"]) < set(aim["could"])
    assert "hips.tx" in aim["could"], "it moves the palm, too"
    assert not any(name.startswith("hips") for name in aim["gives"]), "but gives no way by itself"
    page.done("replace-target", name="palm target", target={**aim["target"], "channels": ["elbow.rz"]})
    assert page.known.looseness["targets"][0]["gives"] == ["elbow.rz"]
    page.done("solve-targets")
    layer = page.session.editor.document.clip("swing").layer("palm target")
    assert {name for name, curve in layer.curves.items() if np.abs(curve.values).max() > 0.0} == {"elbow.rz"}


def test_a_bell_is_drawn_under_the_hand(page: PageForTests) -> None:
    page.begin("shape-bell", target="palm target")
    page.move(0.3, 0.2, 0.1, 1.0, 0.75)
    page.done("commit", gesture=1)
    assert page.session.editor.document.loosening("swing").aim("palm target").target.bell == Bell(
        0.3, 0.2, drawn=((-1.0, 0.0), (-0.5, 0.1), (0.0, 1.0), (0.5, 0.75), (1.0, 0.0))
    )
    assert state(page)["distance"] < 1e-7, "solved for as it was drawn"


def test_a_bell_of_one_number_is_refused_in_words() -> None:
    with pytest.raises(MalformedMessage, match="this gesture moves by 2 values, not 1"):
        hold(loose_arm(), "shape-bell", target="palm target").to([0.2])
