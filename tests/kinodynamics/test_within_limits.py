"""Corrections keep to limits: of what swings, and of what is tight and gives way."""

from functools import cache

import numpy as np
import pytest
from scipy.optimize import least_squares

import inbetweener as ib
from benchmarks.gestures.upper_body import TIGHT
from inbetweener.curves import Bundle
from inbetweener.document import Document, edits
from inbetweener.kinodynamics import Looseness, PointTarget, PoseTarget, as_a_whole, preset
from inbetweener.kinodynamics.problem import giving_way

TIME = 34 / 24
LEGS = [joint.name for joint in ib.example("boxer").rig.joints if joint.name.startswith(TIGHT)]


@cache
def boxer() -> Document:
    """A punch with a loose trunk and arm, to be hit standing still; his shoulder girdle is tight."""
    document = ib.example("boxer")
    springs = dict.fromkeys(("spine_1", "spine_2", "chest", "upper_arm_r", "forearm_r"), preset("firm"))
    return edits.set_looseness(document, document.clip().name, Looseness(springs, 0.5))


def beyond(document: Document, keyed: Document, *, shown: bool = True) -> dict[str, float]:
    """How far channels leave their limits, further than the keyed motion does, by name; as shown, or by their keys."""
    clip, rig = document.clip(), keyed.rig
    motion = document.shown_motion() if shown else document.motion()
    times = np.linspace(clip.start, clip.end, 220)
    there, was = motion.channels(times), keyed.motion().channels(times)
    lower, upper = (np.array([getattr(each, side) for each in rig.channels]) for side in ("lower", "upper"))
    off = np.maximum(np.minimum(lower, was) - there, there - np.maximum(upper, was)).max(axis=0)
    return {channel.name: float(by) for channel, by in zip(rig.channels, off, strict=True) if by > 1e-5}


@pytest.mark.parametrize("by", [(0.0, 0.0, 0.0), (-0.05, 0.1, 0.0)])
def test_a_hit_leaves_no_limit(by: tuple[float, float, float]) -> None:
    document, clip = boxer(), boxer().clip().name
    palm = document.rig.point("palm_r")
    x, y, z = map(float, document.motion().states([TIME], palm)[0][0] + by)
    aimed = edits.add_target(document, clip, PointTarget(TIME, palm, (x, y, z), velocity=(0.0, 0.0, 0.0)))
    result = edits.solve(aimed, clip=clip)
    hit, solution = result.document, result.solution
    assert solution.reached
    assert beyond(hit, document) == {}


def test_a_channel_at_its_limit_gives_way_no_more() -> None:
    clip = boxer().clip().name
    keyed = boxer().motion().channels(boxer().clip().frame_times)
    document = boxer()
    for name in ("clavicle_r.ry", "clavicle_r.rz", "chest.rx", "chest.ry"):
        own = keyed[:, document.rig.channel_index(name)]
        document = edits.set_limits(document, name, float(own.min()), float(own.max()))
    palm = document.rig.point("palm_r")
    aimed = edits.add_target(document, clip, PointTarget(TIME, palm, velocity=(0.0, 0.0, 0.0)))
    result = edits.solve(aimed, clip=clip)
    hit, solution = result.document, result.solution
    assert solution.reached
    assert beyond(hit, document) == {}
    free = edits.solve(
        edits.add_target(boxer(), clip, PointTarget(TIME, palm, velocity=(0.0, 0.0, 0.0))), clip=clip
    ).document
    assert beyond(free, document), "without these limits it would have gone there"


def narrowed(room: float, *but: str) -> Document:
    """The boxer with little room about his pose at the punch, but for the hips and some joints."""
    document, pose = boxer(), boxer().motion().channels([TIME])[0]
    for channel in document.rig.channels:
        if channel.kind == "rotation" and not channel.name.startswith(("hips", *but)):
            value = float(pose[document.rig.channel_index(channel.name)])
            document = edits.set_limits(document, channel.name, value - room, value + room)
    return document


@pytest.mark.parametrize("spring", ["firm", "drunk"])
def test_a_target_that_limits_keep_out_of_reach_comes_as_near_as_they_let_it(spring: str) -> None:
    document, clip = narrowed(0.0, "forearm_r"), boxer().clip().name
    springs = dict.fromkeys(document.loosening(clip).looseness.springs, preset(spring))
    document = edits.set_looseness(document, clip, Looseness(springs, 0.5))
    palm = document.rig.point("palm_r")
    x, y, z = map(float, document.motion().states([TIME], palm)[0][0] + [-0.05, 0.05, 0.0])
    result = edits.solve(edits.add_target(document, clip, PointTarget(TIME, palm, (x, y, z))), clip=clip)
    (outcome,) = result.solution.outcomes
    assert not outcome.reached
    assert outcome.after.distance < outcome.before.distance
    assert beyond(result.document, document) == {}
    assert outcome.blocked
    assert outcome.blocked[0] in outcome.summary


def test_no_pose_within_limits_is_nearer_to_what_they_keep_out_of_reach() -> None:
    """As keyed nothing swings: the nearest pose under bounds is a problem of its own, which scipy solves too."""
    document, clip = narrowed(0.1), boxer().clip().name
    document = edits.set_looseness(document, clip, Looseness({}))
    rig, palm = document.rig, document.rig.point("palm_r")
    pose = document.motion().channels([TIME])[0]
    wish = document.motion().states([TIME], palm)[0][0] + [-0.35, 0.45, 0.2]
    x, y, z = map(float, wish)
    result = edits.solve(edits.add_target(document, clip, PointTarget(TIME, palm, (x, y, z))), clip=clip)
    (outcome,) = result.solution.outcomes
    moved, times = giving_way(rig, palm), TIME + np.linspace(-0.499, 0.499, 999)
    bell = Bundle.of(outcome.target.bell.curves(TIME)[:1]).evaluate_motion(times)[:, :, 0]
    ends, was = np.array([(rig.channels[c].lower, rig.channels[c].upper) for c in moved]).T, document.motion()
    was = was.channels(times)[:, moved]
    room = np.max(np.minimum(ends[0] - was, 0.0) / bell, axis=0), np.min(np.maximum(ends[1] - was, 0.0) / bell, axis=0)
    ends = pose[moved] + room[0] - 1e-9, pose[moved] + room[1] + 1e-9

    def off(values: np.ndarray) -> np.ndarray:
        posed = pose.copy()
        posed[moved] = values
        return rig.states(posed[None], palm)[0][0] - wish

    best = least_squares(off, pose[moved], bounds=ends, xtol=1e-14, ftol=1e-14, gtol=1e-14)
    nearest = float(np.linalg.norm(best.fun))
    assert nearest > 0.05
    assert outcome.after.distance == pytest.approx(nearest, abs=1e-3)
    at_ends = {
        rig.channels[c].name for c, value in zip(moved, best.x, strict=True) if np.min(np.abs(ends - value)) < 1e-4
    }
    assert set(outcome.blocked) <= at_ends
    assert len(outcome.blocked) >= 3


def test_a_pose_comes_as_near_as_limits_let_it_and_says_which() -> None:
    """Led straight there, keys pass the limits by more than ten degrees; held back, they stay as much short of it."""
    clip = boxer().clip().name
    document = edits.set_looseness(boxer(), clip, Looseness(as_a_whole(boxer().rig, preset("relaxed"), without=LEGS)))
    result = edits.solve(edits.add_target(document, clip, PoseTarget(TIME)), clip=clip)
    (outcome,) = result.solution.outcomes
    assert not outcome.reached
    # Wound up before: 1.6 degrees, of 21 that are off without a target.
    assert outcome.after.turn < np.radians(2.5) < 0.2 * outcome.before.turn
    # What is shown may pass the lock of the shoulders, as it may without a target.
    assert beyond(result.document, document, shown=False) == {}
    assert set(outcome.blocked) >= {"hand_r.ry", "clavicle_r.rz"}
    assert "at a limit: " in outcome.summary
