"""Pins and contacts hold on the evaluated motion, all the way, and what contradicts itself is named."""

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.guidance import GuideRequest, build, guide, report
from inbetweener.rig import chains
from inbetweener.tangents import Contact, Pin
from tests.guidance.arm import swing

MOTION = swing()
TIP = MOTION.rig.point("tip")


def furthest(motion: object, other: object, place: object, start: float, end: float) -> float:
    times = np.linspace(start, end, 400)
    return float(np.linalg.norm(motion.states(times, place)[0] - other.states(times, place)[0], axis=1).max())  # type: ignore[attr-defined]


def test_a_pinned_point_keeps_its_path_at_every_iterate() -> None:
    # Where the elbow is, only the upper arm and the base decide: the forearm stays free to follow.
    elbow = MOTION.rig.point("lower")
    problem = build(MOTION, GuideRequest(constraints=(Pin(elbow),), regularise=0.01))
    height = chains.size(MOTION.rig)
    run = guide(problem)
    for iterate in run:
        assert furthest(iterate.motion, MOTION, elbow, 0.0, 1.0) < 1.5e-4 * height
    assert run.last.cost < 0.999 * run.path[0].cost


def test_planted_feet_stay_while_the_rest_moves() -> None:
    motion = example("waving").motion()
    feet = [motion.rig.point(name) for name in ("foot_l", "foot_r")]
    start, end = 18 / 24, 50 / 24
    request = GuideRequest(
        start=26 / 24, end=34 / 24, constraints=tuple(Contact(foot, start, end) for foot in feet), regularise=1.0
    )
    last = guide(build(motion, request)).finish()
    for foot in feet:
        places = last.motion.states(np.linspace(start, end, 600), foot)[0]
        assert np.linalg.norm(places - places[0], axis=1).max() < 2e-4 * chains.size(motion.rig)
    assert last.terms["torque"] < 0.97


def test_a_contact_that_its_keys_contradict_is_named_and_nothing_is_lost() -> None:
    contact = Contact(TIP, 0.0, 1.0)
    run = guide(build(MOTION, GuideRequest(constraints=(contact,))))
    run.finish()
    found = report(run.path)
    assert not found.held[0].holds
    assert found.held[0].after <= found.held[0].before
    assert found.held[0].key_poses_apart > 0.01
    assert "tip contact does not hold" in found.summary
    assert run.last.cost <= run.path[0].cost


def test_what_no_free_channel_moves_needs_no_watching() -> None:
    problem = build(
        MOTION, GuideRequest(channels=frozenset({"lower.rz"}), constraints=(Pin(MOTION.rig.point("lower")),))
    )
    assert not problem.held.active
    assert guide(problem).finish().cost < 1.0 - 1e-6


def test_a_turn_can_be_held_too() -> None:
    elbow = MOTION.rig.point("lower")
    run = guide(build(MOTION, GuideRequest(constraints=(Pin(elbow, "orientation", 0.0, 1.0),), regularise=0.05)))
    run.finish()
    times = np.linspace(0.0, 1.0, 200)
    before, after = MOTION.states(times, elbow)[1], run.last.motion.states(times, elbow)[1]
    cosine = (np.einsum("tij,tij->t", before, after) - 1.0) / 2.0
    assert np.arccos(np.clip(cosine, -1.0, 1.0)).max() == pytest.approx(0.0, abs=3e-4)
