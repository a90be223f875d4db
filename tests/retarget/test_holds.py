"""Hands on the own body stay where they lie, on bodies of other proportions; judged by scipy's rotations."""

from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.retargeting import curve_values, worlds
from inbetweener.document import Document, edits
from inbetweener.motion import Attach
from tests.retarget.people import person, resting, stepping, walking


def lying(document: Document, clip: str, hand: str, part: str) -> np.ndarray:
    """Where a hand is (T, 3) in the frame of a part of the body, on frames and quarters of them."""
    shown = document.clip(clip)
    times = np.linspace(shown.start, shown.end, 4 * (len(shown.frame_times) - 1) + 1)
    places, turns = worlds(document, curve_values(document, shown, times))
    j = {joint.name: n for n, joint in enumerate(document.rig.joints)}
    away = places[:, j[hand]] - places[:, j[part]]
    return np.array([turn[j[part]].inv().apply(way) for turn, way in zip(turns, away, strict=True)])


@pytest.mark.parametrize(
    "target", [person(leg=0.8, arm=1.2, spines=1), person(leg=1.1, arm=1.0, order="XYZ", droop=0.9), person(arm=0.95)]
)
def test_hands_on_the_thighs_stay_there(target: Document) -> None:
    result = edits.retarget(target, resting("thigh"))
    scale = sum(abs(target.rig.joint(f"{name}_l").rest.translation[0]) for name in ("forearm", "hand")) / 0.54
    for side, sign in (("l", 1.0), ("r", -1.0)):
        place = lying(result.document, "rests", f"hand_{side}", f"thigh_{side}")
        assert np.linalg.norm(place - place.mean(axis=0), axis=1).max() < 2e-3, "millimetres, between frames too"
        # As far beside the bone by the length of the arms, as far along it by its own.
        assert place.mean(axis=0)[[0, 2]] == pytest.approx(scale * np.array([0.02 * sign, 0.07]), abs=0.012)
    assert {each.label for each in result.held} == {"hand_l on thigh_l", "hand_r on thigh_r"}
    assert sum(isinstance(each.rule, Attach) for each in result.document.constraints) == 2


def test_a_hand_at_the_hip_stays_there_while_the_body_turns() -> None:
    result = edits.retarget(person(leg=1.2, arm=0.9), resting("hips"))
    place = lying(result.document, "rests", "hand_l", "hips")
    assert np.linalg.norm(place - place.mean(axis=0), axis=1).max() < 2e-3
    assert place.mean(axis=0) == pytest.approx(0.9 * np.array([0.17, 0.05, 0.04]), abs=0.02)
    assert [each.label for each in result.held] == ["hand_l on hips"]
    assert "hand_l on hips" in result.lines[1]


@pytest.mark.parametrize("source", [stepping, walking])
def test_arms_that_hang_and_swing_hold_nothing(source: Callable[[], Document]) -> None:
    assert not edits.retarget(person(leg=1.2), source()).held


def test_what_cannot_be_reached_is_no_attachment() -> None:
    result = edits.retarget(person(arm=0.25), resting("hips"))
    assert not result.held


@pytest.mark.parametrize("speed", [0.6, 1.0])
def test_feet_of_a_source_that_walks_in_place_stand_on_its_belt(speed: float) -> None:
    result = edits.retarget(person(leg=1.3), walking(speed, in_place=True))
    assert not result.contacts, "seen from the ground nothing stands"
    shown = result.document.clip("walk")
    times = shown.frame_times
    places, _ = worlds(result.document, curve_values(result.document, shown, times))
    names = [joint.name for joint in result.document.rig.joints]
    assert np.abs(places[:, names.index("hips"), 2] - places[0, names.index("hips"), 2]).max() < 0.1
    for side, phase in (("l", 0.0), ("r", 0.5)):
        share = (times + phase) % 1.0
        stands = (share > 0.06) & (share < 0.5) & (np.floor(times + phase) == 1)
        ball = places[stands, names.index(f"toe_{side}")] + np.outer(times[stands], [0.0, 0.0, speed * result.scale])
        assert np.linalg.norm(ball - ball.mean(axis=0), axis=1).max() < 5e-4
        assert places[:, names.index(f"toe_{side}"), 1].min() > -1e-6, "and nowhere below it"
