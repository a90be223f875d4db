"""Waving: the arm takes less effort, its elbow never bends the wrong way, and the spine stays when told to."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.gestures.waving import STIFF_SPINE, request, turned
from inbetweener.builtin import example
from inbetweener.curves.limits import breaches
from inbetweener.guidance import Iterate, build, guide

MOTION = example("waving").motion()
REQUEST = request(MOTION)
CHANNELS = REQUEST.channels


@pytest.fixture(scope="module")
def guided() -> Iterate:
    return guide(build(MOTION, REQUEST)).finish()


def test_two_keys_of_thirteen_channels_are_78_parameters() -> None:
    problem = build(MOTION, replace(REQUEST, regularise=0.3, start=26 / 24, end=34 / 24))
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
    kept = guide(build(MOTION, request(MOTION, STIFF_SPINE))).finish()
    assert turned(MOTION, kept.motion, "chest") < 0.5 * turned(MOTION, guided.motion, "chest")
    assert kept.terms["torque"] < 0.25
