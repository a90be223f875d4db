"""No penetration as a hard constraint: measured on the evaluated motion, at many more times than the solver has."""

import numpy as np
import pytest

from benchmarks.gestures import kept_clear
from inbetweener.document import edits
from inbetweener.guidance import GROUND, Guide, GuideRequest, Obstacle, Smoothness, Weighted, build, clear, report
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Motion
from inbetweener.rig import Point
from tests.guidance.arm import arm, swing

RIG = arm()
MOTION = swing(RIG)
TIP = RIG.point("tip")
BODY = (TIP, Point("wrist"), Point("lower", (0.1, 0.0, 0.0)))
TIMES = np.linspace(0.0, 1.0, 2001)
WAY = MOTION.states([0.25], TIP)[0][0]
BESIDE = np.array([0.02, 0.0, 0.03])
BALL = Obstacle("ball", Sphere(0.06), Transform(tuple((WAY + BESIDE).tolist())))


def depth(motion: Motion, centre: np.ndarray, radius: float, point: Point = TIP) -> float:
    """How deep a point goes into a ball, in metres."""
    return float(max(0.0, (radius - np.linalg.norm(motion.states(TIMES, point)[0] - centre, axis=1)).max()))


@pytest.mark.parametrize("terms", [(), (Weighted(Smoothness()),)])
def test_the_body_stays_out_of_a_ball(terms: tuple[Weighted, ...]) -> None:
    centre = np.array(BALL.transform.translation)
    request = GuideRequest(regularise=0.1, terms=terms)
    through = Guide(build(MOTION, request)).finish().motion
    assert depth(through, centre, 0.06) > 0.01
    run = Guide(build(MOTION, GuideRequest(regularise=0.1, terms=terms, obstacles=(BALL,), body=BODY)))
    around = run.finish()
    for point in BODY:
        assert depth(around.motion, centre, 0.06, point) < 2e-4
    # Every iterate is clear, not the last alone, and each costs less.
    assert all((each.offs <= 1e-4).all() for each in run.path)
    costs = [each.cost for each in run.path]
    assert costs == sorted(costs, reverse=True)
    (held,) = report(run.path).held
    assert (held.name, held.holds) == ("clear of ball", True)
    assert held.before == pytest.approx(depth(MOTION, centre, 0.06), abs=2e-3)


def test_an_obstacle_moves_with_the_joint_that_carries_it() -> None:
    """The ball hangs on the base, which goes to and fro."""
    base = MOTION.states(TIMES, Point("base"))[0]
    offset = WAY + BESIDE - MOTION.states([0.25], Point("base"))[0][0]
    carried = Obstacle("ball", Sphere(0.06), Transform(tuple(offset.tolist())), "base")
    request = GuideRequest(regularise=0.1, obstacles=(carried,), body=BODY)
    moved = Guide(build(MOTION, request)).finish().motion

    def inside(motion: Motion) -> float:
        centres = motion.states(TIMES, Point("base"))[0] + offset
        return float((0.06 - np.linalg.norm(motion.states(TIMES, TIP)[0] - centres, axis=1)).max())

    assert np.ptp(base, axis=0).max() > 0.05
    assert inside(Guide(build(MOTION, GuideRequest(regularise=0.1))).finish().motion) > 0.01
    assert inside(moved) < 2e-4


def test_what_key_poses_put_into_the_ground_goes_no_deeper_and_is_named() -> None:
    lowest = Obstacle("floor", GROUND.solid, Transform((0.0, -1e3 + 0.9, 0.0)))
    run = Guide(build(MOTION, GuideRequest(regularise=0.05, obstacles=(lowest,), body=(TIP,))))
    keys = MOTION.key_times(TIP)
    at_keys = float((0.9 - MOTION.states(keys, TIP)[0][:, 1]).max())
    assert at_keys > 0.05
    after = run.finish().motion
    assert float((0.9 - after.states(TIMES, TIP)[0][:, 1]).max()) < at_keys + 2e-3
    assert "clear of floor does not hold" in report(run.path).summary


@pytest.mark.parametrize("step", [1e-5, 2e-6])
@pytest.mark.parametrize("joint", [None, "base", "upper"])
def test_rows_are_derivatives_of_distances(joint: str | None, step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clear, "FEW", 10_000)
    solids = (Sphere(0.25), Box((0.2, 0.3, 0.2)), Capsule(0.1, 0.3))
    height = 0.05 if joint == "upper" else 1.2
    obstacles = tuple(Obstacle(str(each), each, Transform((0.65, height, 0.02)), joint) for each in solids)
    problem = build(MOTION, GuideRequest(obstacles=obstacles, body=BODY))
    x = problem.parameters.start
    looks = problem.clear._looks(x)
    distances, rows = problem.clear.near(x, inside=True)
    assert len(distances) > 10
    inside = (problem.clear._distances(problem.clear._moments(x, looks)[0]) < 0.0) & problem.clear.counts[:, None]
    moved = []
    for unit in step * np.eye(len(x)):
        there = [problem.clear._distances(problem.clear._moments(x + way, looks)[0])[inside] for way in (unit, -unit)]
        moved.append((there[0] - there[1]) / (2 * step))
    expected = np.array(moved).T
    assert np.abs(rows).max() > 0.0
    # Boxes and capsules have edges, where a distance has no one slope.
    close = np.abs(rows - expected).max(axis=1) < 1e-4 * np.abs(expected).max()
    assert close.mean() > 0.95


def test_the_skin_of_a_waving_arm_stays_out_of_a_ball() -> None:
    """Of all vertices, blended as they are seen, on frames and half frames."""
    scene = kept_clear.scene()
    through, around = (edits.guide(scene, channels=kept_clear.ARM, regularise=0.1, clear=on) for on in (False, True))
    assert kept_clear.distance(scene) > 0.05
    assert kept_clear.distance(through.document) < -0.05
    # Places on the skin follow one joint each, and the skin itself several.
    assert kept_clear.distance(around.document) > -2e-3
    assert [(held.name, held.holds) for held in around.report.held] == [
        ("clear of ball", True), ("clear of the ground", True),
    ]  # fmt: skip
    assert around.report.terms[0].percent < -75.0
