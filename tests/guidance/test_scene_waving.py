"""Waving: the arm takes less effort, its elbow never bends the wrong way, and the spine stays when told to."""

import numpy as np
import pytest

from inbetweener.curves.limits import breaches
from inbetweener.guidance import Iterate, Request, build, guide
from inbetweener.stock import example

MOTION = example("waving").motion()
JOINTS = ("chest", "upper_arm_l", "forearm_l", "upper_arm_r", "forearm_r")
CHANNELS = frozenset(c.name for c in MOTION.rig.channels if c.name.split(".")[0] in JOINTS)


@pytest.fixture(scope="module")
def guided() -> Iterate:
    return guide(build(MOTION, Request(channels=CHANNELS, regularise=0.05))).finish()


def turned(iterate: Iterate, joint: str) -> float:
    """The largest change of a joint's angles, in degrees."""
    times = np.linspace(MOTION.clip.start, MOTION.clip.end, 400)
    columns = [i for i, c in enumerate(MOTION.rig.channels) if c.name.split(".")[0] == joint]
    change = iterate.motion.channels(times) - MOTION.channels(times)
    return float(np.degrees(np.abs(change[:, columns]).max()))


def test_two_keys_of_thirteen_channels_are_78_parameters() -> None:
    problem = build(MOTION, Request(channels=CHANNELS, start=26 / 24, end=34 / 24))
    assert len(problem.parameters) == 78
    assert guide(problem).finish().terms["torque"] < 0.9


def test_most_of_the_effort_is_gone(guided: Iterate) -> None:
    assert guided.terms["torque"] < 0.25


def test_elbows_come_to_their_limits_and_never_beyond(guided: Iterate) -> None:
    for name in CHANNELS:
        channel = MOTION.rig.channel(name)
        assert not [b for b in breaches(guided.curves[name], channel.lower, channel.upper) if abs(b.by) > 1e-9]
    elbow = MOTION.rig.channel("forearm_r.ry")
    times = np.linspace(MOTION.clip.start, MOTION.clip.end, 2000)
    values = guided.motion.channels(times)[:, MOTION.rig.channel_index("forearm_r.ry")]
    assert np.degrees(values.min() - elbow.lower) < 0.1


def test_a_factor_keeps_the_spine(guided: Iterate) -> None:
    kept = guide(build(MOTION, Request(channels=CHANNELS, regularise=0.05, joints={"chest": 30.0}))).finish()
    assert turned(kept, "chest") < 0.5 * turned(guided, "chest")
    assert kept.terms["torque"] < 0.25
