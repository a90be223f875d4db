"""What each term is for: a run with it gets there."""

import numpy as np
import pytest

from inbetweener.guidance import (
    Balance,
    GuideRequest,
    Limits,
    Obstacles,
    Slide,
    Smoothness,
    Style,
    Weighted,
    build,
    guide,
)
from inbetweener.guidance.terms import NothingBears
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Motion
from inbetweener.rig.masses import boxes
from inbetweener.tangents import Contact
from tests.guidance.arm import arm, swing

RIG = arm(0.8)
MOTION = swing(RIG)
TIP = RIG.point("tip")
TIMES = np.linspace(0.0, 1.0, 301)


def after(term: object, regularise: float = 0.01) -> Motion:
    return guide(build(MOTION, GuideRequest(terms=(Weighted(term),), regularise=regularise))).finish().motion  # type: ignore[arg-type]


def test_obstacles_are_kept_clear_of() -> None:
    # In the way of the tip, between two keys.
    centre = MOTION.states([0.25], TIP)[0][0] + np.array([0.02, 0.0, 0.03])
    ball = Sphere(0.06)
    term = Obstacles(((ball, Transform(tuple(centre.tolist()))),), (TIP,), clearance=0.05)
    before, now = (ball.distance(m.states(TIMES, TIP)[0] - centre).min() for m in (MOTION, after(term, 1e-4)))
    assert before < -0.02
    assert now > 0.0


def test_a_sliding_point_slides_less() -> None:
    # The elbow between two keys where it is not the same: it cannot stand still, but it need not wander further.
    contact = Contact(RIG.point("lower"), 0.0, 0.15)
    moved = after(Slide.of(MOTION, [contact]))
    times = np.linspace(0.0, 0.15, 50)
    before, now = (np.linalg.norm(np.ptp(m.states(times, contact.point)[0], axis=0)) for m in (MOTION, moved))
    assert now < 0.5 * before


def test_balance_brings_the_centre_of_mass_nearer_to_its_support() -> None:
    model, contacts = boxes(RIG), (Contact(RIG.point("base"), 0.0, 1.0),)
    moved = after(Balance(model, contacts, reach=0.0))
    off = []
    for motion in (MOTION, moved):
        world = motion.world_from_joint(TIMES)
        off.append(np.square((model.centre_of_mass(world) - world[:, 0, :, 3])[:, [0, 2]]).sum(axis=1).mean())
    assert off[1] < 0.97 * off[0]


def test_balance_needs_something_that_bears() -> None:
    with pytest.raises(NothingBears, match="name at least one"):
        Balance(boxes(RIG), ())


def test_limits_keep_their_distance() -> None:
    # A key is nearer to the limit than the margin, and stays; what can change is how long the elbow lingers there.
    column, margin = RIG.channel_index("lower.rz"), 0.08 * 1.6
    moved = after(Limits(0.08), regularise=1e-4)
    before, now = (
        np.square(np.maximum(m.channels(TIMES)[:, column] - (0.8 - margin), 0.0)).mean() for m in (MOTION, moved)
    )
    assert now < 0.9 * before


def test_style_comes_back_to_the_reference() -> None:
    bent = guide(build(MOTION, GuideRequest(regularise=0.0))).finish().motion
    problem = build(bent, GuideRequest(terms=(Weighted(Style(MOTION)),), regularise=0.0))
    run = guide(problem)
    last = run.finish()
    assert last.cost < 1e-3 * run.path[0].cost
    np.testing.assert_allclose(last.motion.channels(TIMES), MOTION.channels(TIMES), atol=0.01)


def test_smoothness_smooths() -> None:
    moved = after(Smoothness("jerk"), regularise=0.0)
    jerk = [np.abs(np.diff(m.channels(np.linspace(0.01, 0.34, 300)), 3, axis=0)).max() for m in (MOTION, moved)]
    assert jerk[1] < jerk[0]
