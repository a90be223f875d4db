"""A drag as an edit: one step of the history, everything else shared."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document, Editor, edits
from inbetweener.errors import InvalidEdit, UnknownName
from inbetweener.motion import Layer, Motion
from inbetweener.tangents import Contact, Drag, DragRequest, InvalidTarget, NothingToDrag, Pin, Settings

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
    dragged = edits.drag(robot, "hand_l", time=TIME, to=wish, pins=["head"])
    changed = dragged.document
    assert dragged.reached
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
    dragged = edits.drag(robot, "hand_l", time=TIME, to=place(robot), pins=["head"])
    assert dragged.reached
    assert dragged.document == robot


def test_a_layer_takes_the_change_and_the_base_keeps_its_curves(robot: Document) -> None:
    clip = robot.clip()
    flat = {
        name: curve.with_tangents(curve.ins * [1.0, 0.0], curve.outs * [1.0, 0.0])
        for name, curve in ((name, replace(curve, values=0 * curve.values)) for name, curve in clip.curves.items())
    }
    layered = edits.add_layer(robot, "fly", Layer("fix", type(clip.curves)(flat), weight=0.5))
    wish = place(layered) + np.array([0.0, 0.05, 0.0])
    dragged = edits.drag(layered, "hand_l", time=TIME, to=wish, layer="fix")
    changed = dragged.document
    assert dragged.reached
    assert np.linalg.norm(place(changed) - wish) < 2e-4
    assert changed.clip().curves is clip.curves
    assert changed.clip().layer("fix").curves != layered.clip().layer("fix").curves


def test_one_gesture_is_one_undo(robot: Document) -> None:
    editor = Editor(robot)
    with editor.begin("Drag the hand") as gesture:
        for height in (0.02, 0.05, 0.08):
            dragged = edits.drag(gesture.before, "hand_l", time=TIME, by=(0.0, height, 0.0), pins=["head"])
            gesture.preview(dragged.document)
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
    dragged = edits.drag(robot, "hand_l", time=TIME, to=wish, pins=["body"], settings=hasty)
    changed, certificate = dragged.document, dragged.certificate
    assert certificate.target_distance < 0.1 * leap.certificate().target_distance
    assert np.linalg.norm(place(changed) - wish) == pytest.approx(certificate.target_distance, abs=1e-9)
    assert place(changed, "body") == pytest.approx(place(robot, "body"), abs=2e-4)


def test_turns_are_walked_too(robot: Document) -> None:
    request = DragRequest(robot.rig.point("hand_l"), TIME, "both")
    (start,), (turn,) = robot.motion().states([TIME], request.point)
    c, s = np.cos(1.2), np.sin(1.2)
    wish = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]) @ turn
    dragged = edits.drag(robot, "hand_l", time=TIME, to=start, turn_to=wish, settings=Settings(iterations=2))
    changed, certificate = dragged.document, dragged.certificate
    leap = Drag(robot.motion(), request, Settings(iterations=2))
    leap.to(start, wish)
    assert certificate.target_turn < leap.certificate().target_turn
    assert Motion(changed.rig, changed.clip()).states([TIME], request.point)[1][0] == pytest.approx(wish, abs=0.3)


def test_names_and_times_that_are_not_there_are_refused(robot: Document) -> None:
    with pytest.raises(UnknownName, match="fly"):
        edits.drag(robot, "hand_l", time=TIME, to=place(robot), clip="flyy")
    with pytest.raises(NothingToDrag, match="0 s"):
        edits.drag(robot, "body", time=0.0, to=(0, 0, 0))


def test_words_that_cannot_be_understood_say_so(robot: Document) -> None:
    for words, told in (
        ({"frame": 36}, "to, by, turn"),
        ({"to": (0, 0, 0)}, "say when"),
        ({"frame": 36, "time": 1.5, "to": (0, 0, 0)}, "one of them"),
        ({"frame": 36, "to": (0, 0, 0), "by": (0, 0, 0)}, "to and by, not both"),
        ({"frame": 36, "turn": (0, 0, 0), "turn_to": (1, 0, 0, 0)}, "turn and turn_to, not both"),
        ({"frame": 36, "by": (0, 1)}, "by takes 3 finite numbers"),
        ({"frame": 36, "turn_to": (0, 0, 0, 0)}, "of length nought"),
        ({"frame": 900, "by": (0, 0, 0)}, "from 0 to 3 s"),
        ({"time": "soon", "by": (0, 0, 0)}, "seconds as 1.2"),
        ({"frame": 36, "by": (0, 0, 0), "pins": ["head@1"]}, "two times"),
        ({"frame": 36, "by": (0, 0, 0), "contacts": ["head"]}, "needs its times"),
    ):
        with pytest.raises(InvalidEdit, match=told):
            edits.drag(robot, "body", **words)
    several = edits.duplicate_clip(robot, "fly", "again")
    with pytest.raises(InvalidEdit, match="several clips; say which one: fly, again"):
        edits.drag(several, "body", frame=36, by=(0, 0.1, 0))
    with pytest.raises(InvalidTarget, match="rotation matrix"):
        edits.drag(robot, "body", frame=36, turn_to=2 * np.eye(3))


def test_the_documents_own_constraints_count_unless_left_out(robot: Document) -> None:
    head = robot.rig.point("head")
    held = edits.add_constraint(robot, "fly", Pin(head))
    for own, kept in ((True, True), (False, False)):
        dragged = edits.drag(held, "body", frame=36, by=(0, -0.1, 0), own=own)
        paths = [each.motion().states([36 / 24], head)[0][0] for each in (held, dragged.document)]
        assert (np.linalg.norm(paths[0] - paths[1]) < 1e-3) == kept
        assert [each.name for each in dragged.certificate.constraints] == (["head pin"] if own else [])


def test_words_say_the_same_as_what_they_mean(robot: Document) -> None:
    body, wrist = robot.rig.point("body"), robot.rig.point("hand_r")
    plain = edits.drag(
        robot, body, time=1.5, by=(0, -0.1, 0), pins=[Pin(wrist, "both", 0.0, 0.5)], contacts=[Contact(wrist, 0.0, 0.1)]
    )
    said = edits.drag(robot, "body", frame=36, by=(0, -0.1, 0), pins=["hand_r+turn@0:12f"], contacts=["hand_r@0:0.1"])
    assert plain.document == said.document
    assert [each.name for each in said.certificate.constraints] == ["hand_r pin", "hand_r contact"]


def test_a_result_prints_itself_in_three_lines(robot: Document) -> None:
    dragged = edits.drag(robot, "hand_l", time=1.2, by=(0, 0.9, 0), pins=["body+turn"], suggest=True)
    first, second, third = str(dragged).splitlines()
    assert first.startswith("hand_l at 1.2 s: moved ")
    assert second.startswith("held: body pin within 0.0")
    assert third.startswith("hand_l: not reached; blocked by lower limit of upper_arm_l")
    assert repr(dragged) == str(dragged)
    assert not dragged.facts["reached"]
    assert "suggestion" in dragged.facts


def test_where_feet_stand_and_keys_are_short_a_whole_pose_is_proposed_that_does_reach() -> None:
    guitarist, feet = example("guitarist"), ("foot_l", "foot_r")
    pins = [Pin(guitarist.rig.point(foot), "both") for foot in feet]
    wish = (0.0, -0.05, 0.0)
    short = edits.drag(guitarist, "hips", frame=19, by=wish, pins=pins, suggest=True)
    assert not short.reached
    assert short.posed is not None
    assert short.posed < 1e-3
    assert "a key of the whole pose, pulled there, would bring it to" in str(short)
    assert short.facts["posed"] == {"error_m": short.posed}
    pose, channels = guitarist.motion().channels([19 / 24])[0], list(guitarist.clip().curves)
    keyed = edits.key_pose(guitarist, short.clip, 19 / 24, pose, channels=channels)
    assert edits.pull(keyed, "hips", frame=19, by=wish, pins=pins).reached


def test_what_would_help_by_turning_is_named() -> None:
    waving = example("waving")
    pins, wish = [Pin(waving.rig.point("forearm_r"), "both", 0.0, 2.8)], (0.03, 0.0, 0.0)
    short = edits.drag(waving, "hand_r", time=0.9, by=wish, pins=pins, suggest=True)
    assert not short.reached
    assert short.release is not None
    assert short.release.names == ("forearm_r pin",)
    freed = edits.drag(waving, "hand_r", time=0.9, by=wish, pins=["forearm_r"])
    assert freed.certificate.target_distance == pytest.approx(short.release.error, abs=2e-3)
    assert "letting forearm_r pin turn would bring it to" in str(short)


def test_a_key_is_looked_for_on_handles_too() -> None:
    """Channels of IK handles drive no joint of their own."""
    document = example("conductor")
    dragged = edits.drag(document, "palm_l", frame=6, by=[0.6, 0.6, 0.3], pins=["head"], suggest=True)
    assert not dragged.reached
    assert dragged.looked
    assert "palm_l" in str(dragged)


@pytest.mark.parametrize("sides", [("ins",), ("outs",), ("ins", "outs")])
def test_a_tangent_without_width_stays_without_height(robot: Document, sides: tuple[str, ...]) -> None:
    """Steps that were turned Bezier, and not smoothed, have tangents of width nought."""
    document, clip = robot, robot.clip().name
    for name, curve in list(robot.clip().curves.items())[::2]:
        bare = replace(curve, **{side: np.zeros_like(curve.ins) for side in sides})  # type: ignore[arg-type]
        document = edits.set_curves(document, clip, {name: bare})
    dragged = edits.drag(document, "hand_l", time=TIME, by=(-0.08, -0.03, -0.19))
    for name, curve in dragged.document.clip().curves.items():
        for side in sides:
            before, after = getattr(document.clip().curves[name], side), getattr(curve, side)
            assert np.array_equal(after[before[:, 0] == 0.0], before[before[:, 0] == 0.0])
