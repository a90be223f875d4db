"""A target leaves planted feet alone: what carries them does not give way for a hand."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import sliding
from inbetweener.document import Document, edits
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, preset
from inbetweener.rig import Joint
from inbetweener.tangents import Contact, Pin

TIME = 34 / 24


@cache
def boxer() -> Document:
    """The boxer on a rig whose hips are not its topmost joint, as in most files; his right arm is loose."""
    document = ib.example("boxer")
    joints = (Joint("world"), *(replace(each, parent=each.parent + 1) for each in document.rig.joints))
    document = replace(document, rig=replace(document.rig, joints=joints))
    springs = dict.fromkeys(("chest", "upper_arm_r", "forearm_r"), preset("relaxed"))
    document = edits.set_looseness(document, document.clip().name, Looseness(springs, 0.4))
    return edits.add_target(document, document.clip().name, PointTarget(TIME, document.rig.point("palm_r")))


def planted(document: Document, *points: str, start: float = 0.9, end: float = 1.8) -> Document:
    for point in points:
        rule = Contact(document.rig.point(point), start, end)
        document = edits.add_constraint(document, document.clip().name, rule)
    return document


def moved(before: Document, after: Document, point: str) -> float:
    """How far, in metres, a point is from where it was, at most."""
    times, place = before.clip().frame_times, before.rig.point(point)
    found = after.shown_motion().states(times, place)[0] - before.shown_motion().states(times, place)[0]
    return float(np.linalg.norm(found, axis=1).max())


def test_planted_feet_stay_where_they_are_and_the_hand_still_hits() -> None:
    result = edits.solve(boxer(), clip=boxer().clip().name)
    free, solution = result.document, result.solution
    assert solution.reached
    assert moved(boxer(), free, "ball_l") > 0.005, "without a contact the hips help, and the feet go along"
    document = planted(boxer(), "ball_l", "ball_r")
    result = edits.solve(document, clip=document.clip().name)
    hit, solution = result.document, result.solution
    assert solution.reached
    wish = document.motion().states([TIME], document.rig.point("palm_r"))[0][0]
    assert np.linalg.norm(hit.shown_motion().states([TIME], document.rig.point("palm_r"))[0][0] - wish) < 1e-4
    for foot in ("ball_l", "ball_r"):
        assert moved(document, hit, foot) < 1e-9
        assert sliding(hit.shown_motion(), document.rig.point(foot), 0.9, 1.8) == pytest.approx(
            sliding(document.motion(), document.rig.point(foot), 0.9, 1.8), abs=1e-9
        )


def channels(document: Document) -> frozenset[str] | None:
    (target,) = edits.targets_of(document, document.clip().name).values()
    assert isinstance(target, PointTarget)
    return target.channels


def test_only_what_is_held_meanwhile_is_spared() -> None:
    assert channels(boxer()) is None
    assert channels(planted(boxer(), "ball_l", start=0.0, end=0.8)) is None, "over before the bell begins"
    narrow = edits.replace_target(
        boxer(),
        boxer().clip().name,
        "palm_r target",
        PointTarget(TIME, boxer().rig.point("palm_r"), bell=Bell(0.1, 0.1)),
    )
    assert channels(planted(narrow, "ball_l", start=1.6, end=1.8)) is None
    spared = channels(planted(boxer(), "ball_l"))
    assert spared is not None
    assert not any(name.startswith("hips") for name in spared)
    assert "forearm_r.ry" in spared
    off = planted(boxer(), "ball_l")
    assert channels(edits.switch_constraint(off, "ball_l contact", False)) is None


def test_what_the_target_names_gives_way_whatever_is_held() -> None:
    named = frozenset({"hips.rx", "forearm_r.ry"})
    target = PointTarget(TIME, boxer().rig.point("palm_r"), channels=named)
    document = edits.replace_target(planted(boxer(), "ball_l"), boxer().clip().name, "palm_r target", target)
    assert channels(document) == named


def test_a_held_point_itself_and_its_neighbours_can_still_be_aimed_at() -> None:
    clip = boxer().clip().name
    document = edits.remove_target(planted(boxer(), "ball_l", "heel_l", "ball_r"), clip, "palm_r target")
    document = edits.add_target(document, clip, PointTarget(TIME, document.rig.point("heel_l")))
    spared = channels(document)
    assert spared is not None
    assert {name.partition(".")[0] for name in spared} == {"thigh_l", "shank_l", "foot_l"}
    pinned = edits.add_constraint(boxer(), clip, Pin(boxer().rig.point("palm_r")))
    assert channels(pinned) is None


def test_planted_feet_on_loose_legs_stand_when_solved() -> None:
    """Measured at quarter frames, on what is shown: keys let them slide, and looseness more."""
    document = ib.example("boxer")
    springs = dict.fromkeys(("thigh_l", "shank_l", "thigh_r", "shank_r"), preset("relaxed"))
    document = edits.set_looseness(document, document.clip().name, Looseness(springs, 0.6))
    document = planted(document, "heel_l", "heel_r", start=0.25, end=0.5)
    times = np.linspace(0.25, 0.5, 25)

    def strays(shown: Document, heel: str) -> float:
        places = shown.shown_motion().states(times, document.rig.point(heel))[0]
        return float(
            np.linalg.norm(places - document.motion().states([0.25], document.rig.point(heel))[0][0], axis=1).max()
        )

    result = edits.solve(document)
    assert [outcome.reached for outcome in result.solution.outcomes] == [True, True]
    for heel in ("heel_l", "heel_r"):
        assert strays(document, heel) > 0.004
        assert strays(result.document, heel) < 1e-3
    again = edits.solve(result.document)
    assert len(again.document.loosening().aims) == 2
    assert edits.solve(document, contacts=False).document is document
