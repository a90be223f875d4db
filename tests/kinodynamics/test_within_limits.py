"""Corrections keep to limits: of what swings, and of what is tight and gives way."""

from functools import cache

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.kinodynamics import Looseness, PointTarget, preset

TIME = 34 / 24


@cache
def boxer() -> Document:
    """A punch with a loose trunk and arm, to be hit standing still; his shoulder girdle is tight."""
    document = ib.example("boxer")
    springs = dict.fromkeys(("spine_1", "spine_2", "chest", "upper_arm_r", "forearm_r"), preset("firm"))
    return edits.set_looseness(document, document.clip().name, Looseness(springs, 0.5))


def beyond(document: Document, keyed: Document) -> dict[str, float]:
    """How far channels leave their limits, further than the keyed motion does, by name."""
    clip, rig = document.clip(), keyed.rig
    times = np.linspace(clip.start, clip.end, 220)
    shown, was = document.shown_motion().channels(times), keyed.motion().channels(times)
    lower, upper = (np.array([getattr(each, side) for each in rig.channels]) for side in ("lower", "upper"))
    off = np.maximum(np.minimum(lower, was) - shown, shown - np.maximum(upper, was)).max(axis=0)
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


def test_a_target_that_needs_more_than_limits_allow_is_hit_all_the_same() -> None:
    document, clip = boxer(), boxer().clip().name
    pose = document.motion().channels([TIME])[0]
    for channel in document.rig.channels:
        if channel.kind == "rotation" and not channel.name.startswith(("hips", "forearm_r")):
            value = float(pose[document.rig.channel_index(channel.name)])
            document = edits.set_limits(document, channel.name, value, value)
    palm = document.rig.point("palm_r")
    x, y, z = map(float, document.motion().states([TIME], palm)[0][0] + [-0.05, 0.05, 0.0])
    result = edits.solve(edits.add_target(document, clip, PointTarget(TIME, palm, (x, y, z))), clip=clip)
    hit, solution = result.document, result.solution
    assert solution.reached
    assert beyond(hit, document)
