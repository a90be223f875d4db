"""What a contact holds when nobody says: the whole state of a foot that stands, the place of one that rolls."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import inbetweener as ib
from inbetweener.contacts import planted
from inbetweener.curves import Curve, Key, Tangent
from inbetweener.document import Document, edits
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Point, Rig, joint_channels

FLAT = Tangent(0.3, 0.0)


def rocking(degrees: list[float]) -> Motion:
    """A foot at the origin that turns by so much on keys a second apart."""
    foot = Joint("foot")
    rig = Rig((foot,), joint_channels(foot, "tx ty tz rx ry rz"), (Point("foot", (0.0, 0.0, 0.1), "toe"),))
    keys = [Key(float(time), value, FLAT, FLAT) for time, value in enumerate(np.radians(degrees))]
    curve = Curve.from_keys(keys)
    return Motion(rig, Clip("rock", len(degrees) - 1.0, curves=Curves({"foot.rx": curve})))


@pytest.mark.parametrize(
    ("degrees", "start", "end", "wanted"),
    [
        ([0.0, 2.0, 0.0], 0.0, 2.0, "both"),
        ([0.0, 20.0, 0.0], 0.0, 2.0, "position"),
        ([0.0, 20.0, 0.0], 0.3, 0.7, "position"),
        ([0.0, 20.0, 20.0], 1.0, 2.0, "both"),
    ],
)
def test_key_poses_say_whether_a_foot_rolls(degrees: list[float], start: float, end: float, wanted: str) -> None:
    motion = rocking(degrees)
    contact = planted(motion, motion.rig.point("foot"), start, end)
    assert (contact.wanted, contact.start, contact.end) == (wanted, start, end)


def turned(before: Document, after: Document, joint: str) -> float:
    """Degrees by which a joint comes to be turned, at its worst moment, measured by scipy."""
    times = np.linspace(before.clip().start, before.clip().end, 400)
    was, now = (Rotation.from_matrix(d.motion().states(times, d.rig.point(joint))[1]) for d in (before, after))
    return float(np.degrees((was.inv() * now).magnitude().max()))


def test_a_planted_foot_does_not_turn_when_the_hips_are_dragged() -> None:
    diver = ib.example("diver")
    feet = ("foot_l", "foot_r")
    clip, held = diver.clip(), {}
    for wanted in ("position", "both"):
        pins = [ib.motion.Pin(diver.rig.point(foot), wanted) for foot in feet]
        end = edits.drag(diver, "hips", frame=22, by=(0.02, -0.03, 0.0), pins=pins, clip=clip.name).document
        held[wanted] = max(turned(diver, end, foot) for foot in feet)
    assert held["position"] > 1.0
    assert held["both"] < 0.03
