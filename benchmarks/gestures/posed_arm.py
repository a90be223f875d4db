"""Posing: a hand leads the left palm of a standing boxer around, while both feet and the right palm are pinned.

Every frame is one move of the hand, answered by the body that stands there: no time is in it, no IK chain, and what is
played is nothing but these poses one after the other.
"""

from dataclasses import replace

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.document.edits import set_curves
from inbetweener.motion import Pin
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State

RATE, END = 24, 48
LED, HELD = "palm_l", ("ball_l", "ball_r", "palm_r")
REACH = (0.15, 0.24, 0.2)
"""How far the hand goes sideways, up and forward, in metres."""


def worked() -> Worked:
    """The pose as it was, and as it is led."""
    before = still(example("boxer"))
    led = after(before)
    figures = [
        Figure("left palm, led over", 100 * float(np.linalg.norm(np.ptp(wishes(before), axis=0))), "cm"),
        Figure("left palm, furthest from the hand", 1e3 * missed(led), "mm", at_most=1),
        *(Figure(f"{name}, moved", 1e3 * moved(before, led, name), "mm", at_most=1) for name in HELD),
        Figure("channels that took part", len(taking_part(before, led)), "", at_least=20),
    ]
    return Worked({"before": before, "after": led}, figures, (LED, "palm_r"))


def still(document: Document) -> Document:
    """The scene standing in its first pose."""
    pose = document.motion().channels([0.0])[0]
    return _playing(document, np.tile(pose, (END + 1, 1)))


def after(document: Document) -> Document:
    """Each frame posed from the one before, as under a hand."""
    pose = document.motion().channels([0.0])[0]
    pins = tuple(Pin(document.rig.point(name), "position" if name == "palm_r" else "both") for name in HELD)
    hand = PoseDrag(document.rig, pose, PoseRequest((Pull(document.rig.point(LED)),), pins))
    return _playing(document, np.array([hand.to(State(wish)).channels for wish in wishes(document)]))


def wishes(document: Document) -> Floats:
    """Where the hand is on every frame (T, 3): out and up, forward, and back to where it began."""
    start = document.motion().states([0.0], document.rig.point(LED))[0][0]
    turn = np.linspace(0.0, 2.0 * np.pi, END + 1)[:, None]
    way = np.hstack([np.sin(turn), 0.5 - 0.5 * np.cos(turn), 0.5 - 0.5 * np.cos(turn)])
    return np.asarray(start + way * np.array(REACH))


def missed(document: Document) -> float:
    """How far the palm is from the hand at most, in metres."""
    found = document.motion().states(np.arange(END + 1) / RATE, document.rig.point(LED))[0]
    return float(np.linalg.norm(found - wishes(document), axis=1).max())


def moved(before: Document, after: Document, name: str) -> float:
    """How far a point is from where it was at most, in metres."""
    times = np.arange(END + 1) / RATE
    places = [each.motion().states(times, before.rig.point(name))[0] for each in (before, after)]
    return float(np.linalg.norm(places[1] - places[0], axis=1).max())


def taking_part(before: Document, after: Document) -> list[str]:
    """The channels that the hand turned by more than a degree."""
    times = np.arange(END + 1) / RATE
    turned = np.abs(after.motion().channels(times) - before.motion().channels(times)).max(axis=0)
    return [
        channel.name
        for channel, by in zip(before.rig.channels, turned, strict=True)
        if channel.kind == "rotation" and by > np.radians(1.0)
    ]


def _playing(document: Document, poses: Floats) -> Document:
    """The clip going through poses (T, C), one a frame."""
    times = np.arange(len(poses)) / RATE
    curves = {
        channel.name: Curve.sampled(times, poses[:, c])
        for c, channel in enumerate(document.rig.channels)
        if channel.name in document.clip().curves or np.ptp(poses[:, c]) > 0.0
    }
    clip = replace(document.clip(), end=END / RATE)
    return set_curves(replace(document, clips=(clip,)), clip.name, curves)
