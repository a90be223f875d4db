"""A drag as an edit: one step of the history, everything else shared."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document, Editor, edits
from inbetweener.errors import UnknownName
from inbetweener.motion import Layer, Motion
from inbetweener.tangents import Drag, DragRequest, NothingToDrag, Pin, Settings

TIME = 1.4


@pytest.fixture(scope="module")
def robot() -> Document:
    return example("flying-robot")


def request_for(robot: Document) -> DragRequest:
    return DragRequest(robot.rig.point("hand_l"), TIME, constraints=(Pin(robot.rig.point("head")),))


def place(document: Document, point: str = "hand_l") -> np.ndarray:
    return document.motion().states([TIME], document.rig.point(point))[0][0]


def test_it_is_the_drag_itself_and_shares_what_it_leaves(robot: Document) -> None:
    wish = place(robot) + np.array([0.0, 0.08, 0.0])
    changed, certificate = edits.drag_point(robot, "fly", request_for(robot), wish)
    assert certificate.reached
    assert np.linalg.norm(place(changed) - wish) < 2e-4
    drag = Drag(robot.motion(), request_for(robot))
    drag.to(wish)
    assert changed.clip().curves == drag.commit()
    before, after = robot.clip().curves, changed.clip().curves
    assert [name for name in before if after[name] is not before[name]] == [
        name for name in before if after[name] != before[name]
    ]
    assert changed.rig is robot.rig
    assert changed.meshes is robot.meshes


def test_a_drag_that_goes_nowhere_changes_nothing(robot: Document) -> None:
    changed, certificate = edits.drag_point(robot, "fly", request_for(robot), place(robot))
    assert certificate.reached
    assert changed == robot


def test_a_layer_takes_the_change_and_the_base_keeps_its_curves(robot: Document) -> None:
    clip = robot.clip()
    flat = {
        name: curve.with_tangents(curve.ins * [1.0, 0.0], curve.outs * [1.0, 0.0])
        for name, curve in ((name, replace(curve, values=0 * curve.values)) for name, curve in clip.curves.items())
    }
    layered = edits.add_layer(robot, "fly", Layer("fix", type(clip.curves)(flat), weight=0.5))
    wish = place(layered) + np.array([0.0, 0.05, 0.0])
    changed, certificate = edits.drag_point(
        layered, "fly", DragRequest(robot.rig.point("hand_l"), TIME, layer="fix"), wish
    )
    assert certificate.reached
    assert np.linalg.norm(place(changed) - wish) < 2e-4
    assert changed.clip().curves is clip.curves
    assert changed.clip().layer("fix").curves != layered.clip().layer("fix").curves


def test_one_gesture_is_one_undo(robot: Document) -> None:
    editor = Editor(robot)
    with editor.begin("Drag the hand") as gesture:
        for height in (0.02, 0.05, 0.08):
            wish = place(robot) + np.array([0.0, height, 0.0])
            gesture.preview(edits.drag_point(gesture.before, "fly", request_for(robot), wish)[0])
        gesture.commit()
    assert place(editor.document)[1] == pytest.approx(place(robot)[1] + 0.08, abs=2e-4)
    editor.undo()
    assert editor.document == robot


def test_small_steps_are_tried_where_a_leap_falls_short(robot: Document) -> None:
    request = DragRequest(robot.rig.point("hand_l"), TIME, constraints=(Pin(robot.rig.point("body")),))
    hasty = Settings(iterations=2)
    wish = place(robot) + np.array([0.05, 0.25, 0.05])
    leap = Drag(robot.motion(), request, hasty)
    leap.to(wish)
    changed, certificate = edits.drag_point(robot, "fly", request, wish, settings=hasty)
    assert certificate.target_distance < 0.1 * leap.certificate().target_distance
    assert np.linalg.norm(place(changed) - wish) == pytest.approx(certificate.target_distance, abs=1e-9)
    assert place(changed, "body") == pytest.approx(place(robot, "body"), abs=2e-4)


def test_turns_are_walked_too(robot: Document) -> None:
    request = DragRequest(robot.rig.point("hand_l"), TIME, "both")
    (start,), (turn,) = robot.motion().states([TIME], request.point)
    c, s = np.cos(1.2), np.sin(1.2)
    wish = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]) @ turn
    changed, certificate = edits.drag_point(robot, "fly", request, start, wish, settings=Settings(iterations=2))
    leap = Drag(robot.motion(), request, Settings(iterations=2))
    leap.to(start, wish)
    assert certificate.target_turn < leap.certificate().target_turn
    assert Motion(changed.rig, changed.clip()).states([TIME], request.point)[1][0] == pytest.approx(wish, abs=0.3)


def test_names_and_times_that_are_not_there_are_refused(robot: Document) -> None:
    with pytest.raises(UnknownName, match="fly"):
        edits.drag_point(robot, "flyy", request_for(robot), place(robot))
    with pytest.raises(NothingToDrag, match="0 s"):
        edits.drag_point(robot, "fly", DragRequest(robot.rig.point("body"), 0.0), (0, 0, 0))
