"""Retiming: speed where asked, the path kept, and a word on what it moves."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.document.edits.timing import nearest_on
from inbetweener.rig import Point
from inbetweener.tangents import Contact, NothingToDrag, Pin, move_tick
from tests.studio.documents import arm
from tests.studio.gestures.hands import hold, position
from tests.studio.pages import place


def speed(document, time: float) -> float:
    step = 1e-4
    return float(np.linalg.norm(position(document, "hand", time + step) - position(document, "hand", time - step))) / (
        2 * step
    )


@pytest.mark.parametrize("amount", [0.15, -0.15])
def test_faster_is_faster_and_slower_is_slower(amount: float) -> None:
    before = arm()
    after = hold(before, "scale-timing", place=place("hand"), time=0.75).to([amount]).document
    assert (speed(after, 0.75) > 1.05 * speed(before, 0.75)) == (amount > 0)
    for name, curve in before.clip().curves.items():
        assert np.array_equal(after.clip().curves[name].times, curve.times)
        assert np.array_equal(after.clip().curves[name].values, curve.values)


def test_only_channels_that_move_the_place_are_retimed() -> None:
    before = arm()
    after = hold(before, "scale-timing", place=place("hips"), time=0.3).to([0.1]).document
    changed = {name for name in before.clip().curves if after.clip().curves[name] is not before.clip().curves[name]}
    assert changed == {"hips.tx", "hips.ty", "hips.rz"}


def test_too_much_is_cut_to_what_the_widths_allow() -> None:
    hand = hold(arm(), "scale-timing", place=place("hand"), time=0.75)
    assert hand.to([0.1]).reached
    assert not hand.to([50.0]).reached


def test_the_layers_own_curves_are_retimed_where_a_layer_is_named() -> None:
    before = arm()
    after = hold(before, "scale-timing", place=place("hand"), time=0.4, layer="lean").to([0.1]).document
    assert after.clip().curves is before.clip().curves
    assert after.clip().layer("lean").curves != before.clip().layer("lean").curves


def test_outside_the_keys_there_is_nothing_to_retime() -> None:
    with pytest.raises(NothingToDrag, match="between two keys"):
        hold(arm(), "scale-timing", place=place("hand"), time=1.5)


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (Pin(Point("hand"), start=0.25, end=1.0), "hand pin"),
        (Contact(Point("hand"), 0.6, 0.7), "hand contact"),
    ],
)
def test_what_it_moves_is_named(rule: Pin | Contact, name: str) -> None:
    document = edits.add_constraint(edits.remove_constraint(arm(), "hips pin"), "swing", rule)
    hand = hold(document, "scale-timing", place=place("hand"), time=0.65)
    assert f"this moves: {name}" in hand.to([0.2]).text
    assert hand.to([0.0]).text == ""
    off = edits.switch_constraint(document, name, False)
    assert hold(off, "scale-timing", place=place("hand"), time=0.65).to([0.2]).text == ""


@pytest.mark.parametrize("kind", ["scale-timing", "move-tick"])
def test_planted_feet_stand_while_the_hand_is_retimed(kind: str) -> None:
    document = ib.example("boxer")
    clip, time = document.clip().name, 31 / 24
    feet = [document.rig.point(name) for name in ("toe_l", "toe_r")]
    for foot in feet:
        document = edits.add_constraint(document, clip, Contact(foot, 0.0, document.clip().end))
    hand = hold(document, kind, clip=clip, place=place("hand_r"), time=time)
    outcome = hand.to([0.2] if kind == "scale-timing" else position(document, "hand_r", time + 1 / 24, clip))
    assert outcome.text == ""
    frames = document.clip().frame_times
    for foot in feet:
        paths = [each.motion(clip).states(frames, foot)[0] for each in (document, outcome.document)]
        np.testing.assert_array_equal(*paths)
    assert "forearm_r.ry" in changes(document, outcome.document)


def test_hips_over_planted_feet_are_retimed_all_the_same() -> None:
    document = ib.example("boxer")
    clip = document.clip().name
    document = edits.add_constraint(document, clip, Contact(document.rig.point("toe_r"), 0.0, document.clip().end))
    outcome = hold(document, "scale-timing", clip=clip, place=place("hips"), time=31 / 24).to([0.1])
    assert {name.split(".")[0] for name in changes(document, outcome.document)} == {"hips"}


def test_a_foot_in_the_air_takes_no_part_of_the_body_out() -> None:
    document = ib.example("boxer")
    clip = document.clip().name
    early = edits.add_constraint(document, clip, Contact(document.rig.point("toe_r"), 0.0, 14 / 24))
    outcomes = [
        hold(each, "scale-timing", clip=clip, place=place("hand_r"), time=40 / 24).to([0.1]).document
        for each in (document, early)
    ]
    assert outcomes[0].clip() == outcomes[1].clip()


def changes(before: Document, after: Document) -> set[str]:
    return {name for name, curve in before.clip().curves.items() if after.clip().curves[name] != curve}


def test_a_tick_follows_the_pointer_along_the_path() -> None:
    before = arm()
    hand = hold(before, "move-tick", place=place("hand"), time=0.4)
    target = position(before, "hand", 0.42)
    outcome = hand.to(target)
    assert outcome.reached
    assert position(outcome.document, "hand", 0.4) == pytest.approx(target, abs=5e-3)
    assert outcome.position == pytest.approx(position(outcome.document, "hand", 0.4), abs=1e-12)


def test_a_tick_gets_as_near_as_the_search_of_the_library() -> None:
    document = ib.example("flying-robot")
    clip = document.clips[0].name
    body = document.rig.point("body")
    hand = hold(document, "move-tick", clip=clip, place=place("body"), time=1.2)
    for later in (1.1, 1.22, 1.3, 1.9):
        target = position(document, "body", later, clip)
        found = position(hand.to(target).document, "body", 1.2, clip)
        retimed = move_tick(document.motion(clip), body, 1.2, target)
        best = edits.set_curves(document, clip, retimed.curves)
        gap = np.linalg.norm(position(best, "body", 1.2, clip) - target)
        assert np.linalg.norm(found - target) <= gap + 1e-3


def test_the_nearest_spot_of_a_way() -> None:
    way = np.array([[0.0, 0, 0], [1, 0, 0], [1, 2, 0]])
    amounts = np.array([-1.0, 0.0, 1.0])
    assert nearest_on(way, amounts, np.array([0.25, -3, 0])) == pytest.approx(-0.75)
    assert nearest_on(way, amounts, np.array([4.0, 1, 0])) == pytest.approx(0.5)
    assert nearest_on(way, amounts, np.array([-9.0, 0, 0])) == -1.0
