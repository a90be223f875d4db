"""Contacts held by tangents alone: measured on the motion, keys and limits as they were."""

from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import HoldResult, NothingToHold, hold, sliding
from inbetweener.contacts.problem import build
from inbetweener.contacts.solve import solve
from inbetweener.curves import BEZIER, Curve, breaches, evaluate
from inbetweener.document.edits import tie_tangents
from inbetweener.motion import Curves, Layer, Motion
from inbetweener.tangents import Contact, Pin, disagreement
from inbetweener.tangents.agreement import angles_between


def boxer() -> Motion:
    document = ib.example("boxer")
    return Motion(document.rig, document.clip())


def after(motion: Motion, held: HoldResult) -> Motion:
    return Motion(motion.rig, replace(motion.clip, curves=held.curves))


def stance(motion: Motion, **more: str) -> list[Contact]:
    return [Contact(motion.rig.point(f"toe_{side}"), 0.0, 1.0, **more) for side in "lr"]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def held() -> tuple[Motion, HoldResult]:
    motion = boxer()
    return motion, hold(motion, stance(motion))


def test_feet_stay_as_still_as_the_key_poses_allow(held: tuple[Motion, HoldResult]) -> None:
    motion, result = held
    for slide, contact in zip(result.report, stance(motion), strict=True):
        assert slide.before > 0.01
        assert slide.after <= 1.2 * disagreement(motion, contact).distance + 2e-4
        measured = sliding(after(motion, result), contact.point, contact.start, contact.end)
        assert slide.after == pytest.approx(measured, abs=1e-12)


def test_no_key_is_added_moved_or_changed(held: tuple[Motion, HoldResult]) -> None:
    motion, result = held
    assert set(result.curves) == set(motion.clip.curves)
    for name, curve in result.curves.items():
        before = motion.clip.curves[name]
        np.testing.assert_array_equal(curve.times, before.times)
        np.testing.assert_array_equal(curve.values, before.values)
        np.testing.assert_array_equal(curve.tied, before.tied)


def test_tied_tangents_stay_tied(held: tuple[Motion, HoldResult]) -> None:
    for curve in held[1].curves.values():
        inner = np.flatnonzero(curve.tied[1:-1] & (curve.interpolations[1:-1] == BEZIER)) + 1
        ins, outs = curve.ins[inner], curve.outs[inner]
        wide = (ins[:, 0] > 0) & (outs[:, 0] > 0)
        np.testing.assert_allclose(ins[wide, 1] / ins[wide, 0], outs[wide, 1] / outs[wide, 0], atol=1e-9)


def test_limits_hold_between_keys(held: tuple[Motion, HoldResult]) -> None:
    motion, result = held
    for name, curve in result.curves.items():
        channel, before = motion.rig.channel(name), motion.clip.curves[name]
        known = max((abs(b.by) for b in breaches(before, channel.lower, channel.upper)), default=0.0)
        values = evaluate(curve, np.linspace(curve.times[0], curve.times[-1], 64 * len(curve)))
        assert values.min() >= channel.lower - known - 1e-8
        assert values.max() <= channel.upper + known + 1e-8


def test_what_moves_no_foot_is_the_same_object(held: tuple[Motion, HoldResult]) -> None:
    motion, result = held
    assert result.curves["head.ry"] is motion.clip.curves["head.ry"]
    assert any(result.curves[name] != motion.clip.curves[name] for name in motion.clip.curves)


def test_nothing_changes_after_the_segments_that_turn_along(held: tuple[Motion, HoldResult]) -> None:
    motion, result = held
    keys = np.unique(np.concatenate([motion.clip.curves[n].times for n in ("hips.ty", "thigh_l.rx")]))
    later = keys[keys > 1.0][1]  # one segment ends after the contact, the next one turns along
    times = np.linspace(later, motion.clip.end, 50)
    np.testing.assert_allclose(after(motion, result).channels(times), motion.channels(times), atol=1e-12)


def test_pins_keep_their_motion_while_feet_are_held() -> None:
    motion = boxer()
    pins = [Pin(motion.rig.point("head"))]
    free, pinned = hold(motion, stance(motion)), hold(motion, stance(motion), pins)
    times = np.linspace(0.0, motion.clip.end, 200)

    def moved(result: HoldResult) -> float:
        there = [m.states(times, pins[0].point)[0] for m in (motion, after(motion, result))]
        return float(np.linalg.norm(there[0] - there[1], axis=1).max())

    assert moved(pinned) < 1e-3 < moved(free)
    assert max(slide.after for slide in pinned.report) < 4e-3


def test_an_orientation_can_be_held_too() -> None:
    motion = boxer()
    contacts = [Contact(motion.rig.point("foot_l"), 0.0, 1.0, "both")]
    result = after(motion, hold(motion, contacts))
    times = np.linspace(0.0, 1.0, 100)

    def turn(each: Motion) -> float:
        turns = each.states(times, contacts[0].point)[1]
        return float(angles_between(turns, turns[0]).max())

    assert turn(motion) > 0.015
    assert turn(result) < 0.5 * turn(motion)


def test_layers_count_and_stay() -> None:
    motion = boxer()
    first, second = motion.clip.curves["hips.tx"].times[:2]
    bump = Curve.sampled([first, 0.5 * (first + second), second], [0.0, 0.02, 0.0])
    layered = Motion(motion.rig, replace(motion.clip, layers=(Layer("sway", Curves({"hips.tx": bump})),)))
    contacts = [Contact(motion.rig.point("toe_l"), float(first), float(second))]
    (slide,) = hold(layered, contacts).report
    assert slide.before > 0.018
    assert slide.after < 0.3 * slide.before


def test_the_answer_repeats_to_the_bit() -> None:
    motion = boxer()
    first, second = (solve(build(motion, stance(motion))).z for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_what_cannot_be_held_is_said() -> None:
    motion = boxer()
    with pytest.raises(NothingToHold, match="no contact"):
        hold(motion, [])
    frozen = Motion(motion.rig, replace(motion.clip, curves=Curves()))
    with pytest.raises(NothingToHold, match="toe_l, toe_r cannot be held"):
        hold(frozen, stance(frozen))


def test_limits_on_the_way_do_not_stop_the_search() -> None:
    diver = ib.example("diver")
    feet = [Contact(diver.rig.point(f"ball_{side}"), 0.0, 20 / 24) for side in "lr"]
    for slide in hold(diver.motion(), feet).report:
        assert slide.after < 1e-3 < 0.1 < slide.before


@pytest.mark.parametrize(("tied", "most"), [(True, 1.2e-3), pytest.param(False, 8e-4, marks=pytest.mark.thorough)])
def test_feet_stand_until_a_frame_before_they_leave(tied: bool, most: float) -> None:
    """They are off the board on the key of frame 24: up to 23 the tangents can hold them, but it is a narrow way."""
    diver = ib.example("diver")
    legs = {f"{bone}_{side}" for bone in ("thigh", "shank", "foot", "toe") for side in "lr"}
    if not tied:
        for name in sorted(name for name in diver.clip().curves if name.split(".")[0] in legs):
            diver = tie_tangents(diver, "dive", name, [1, 2, 3], tied=False)
    feet = [Contact(diver.rig.point(f"ball_{side}"), 0.0, 23 / 24) for side in "lr"]
    for slide in hold(diver.motion(), feet).report:
        assert slide.after < most < 0.1 < slide.before
