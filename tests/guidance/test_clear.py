"""No penetration as a hard constraint: measured on the evaluated motion, at many more times than the solver has."""

import numpy as np
import pytest

from benchmarks.gestures import kept_clear
from inbetweener.document import edits
from inbetweener.document.clearance import staying_clear
from inbetweener.guidance import Guide, GuideRequest, Smoothness, Weighted, build, clear, report
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import GROUND, Clear, Motion, Obstacle
from inbetweener.rig import Point
from tests.guidance.arm import arm, swing

RIG = arm()
MOTION = swing(RIG)
TIP = RIG.point("tip")
BODY = (TIP, Point("wrist"), Point("lower", (0.1, 0.0, 0.0)))
TIMES = np.linspace(0.0, 1.0, 2001)
WAY = MOTION.states([0.25], TIP)[0][0]
BESIDE = np.array([0.02, 0.0, 0.03])
OFFSET = WAY - MOTION.states([0.25], Point("base"))[0][0]
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
    run = Guide(build(MOTION, GuideRequest(regularise=0.1, terms=terms, clear=Clear((BALL,), BODY))))
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
    request = GuideRequest(regularise=0.1, clear=Clear((carried,), BODY))
    moved = Guide(build(MOTION, request)).finish().motion

    def inside(motion: Motion) -> float:
        centres = motion.states(TIMES, Point("base"))[0] + offset
        return float((0.06 - np.linalg.norm(motion.states(TIMES, TIP)[0] - centres, axis=1)).max())

    assert np.ptp(base, axis=0).max() > 0.05
    assert inside(Guide(build(MOTION, GuideRequest(regularise=0.1))).finish().motion) > 0.01
    assert inside(moved) < 2e-4


def test_what_key_poses_put_into_the_ground_goes_no_deeper_and_is_named() -> None:
    lowest = Obstacle("floor", GROUND.solid, Transform((0.0, -1e3 + 0.9, 0.0)))
    run = Guide(build(MOTION, GuideRequest(regularise=0.05, clear=Clear((lowest,), (TIP,)))))
    keys = MOTION.key_times(TIP)
    at_keys = float((0.9 - MOTION.states(keys, TIP)[0][:, 1]).max())
    assert at_keys > 0.05
    after = run.finish().motion
    assert float((0.9 - after.states(TIMES, TIP)[0][:, 1]).max()) < at_keys + 2e-3
    assert "clear of floor does not hold" in report(run.path).summary


@pytest.mark.parametrize("joint", [None, "base", "upper"])
@pytest.mark.parametrize("inside", [False, True])
def test_rows_are_derivatives_of_distances(joint: str | None, inside: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of parts near solids, against differences of the distances; inside, these are only nearly the shortest."""
    monkeypatch.setattr(clear, "FEW", 10_000)
    monkeypatch.setattr("inbetweener.motion.clear.REACH", 0.3)
    size = 0.03 if joint == "upper" else 0.08
    step, allowed, counted = (2e-3, 0.1, 0) if inside else (1e-5, 1e-3, 0)
    for solid in (Sphere(size), Box((size, 1.2 * size, 0.8 * size)), Capsule(0.5 * size, size)):
        at = (0.65, 0.05, 0.02) if joint == "upper" else tuple((WAY if joint is None else OFFSET).tolist())
        watched = build(
            MOTION, GuideRequest(clear=Clear((Obstacle("solid", solid, Transform(at), joint),), BODY))
        ).clear
        x = watched.looks.parameters.start
        moments, _, _ = watched.looks.at(x)
        near = watched.apart.near(moments.posed, watched.apart.frames(moments.posed), watched.separations(x))
        distances, rows = watched.near(x)
        np.testing.assert_allclose(distances * watched.looks.height, near.gaps, atol=1e-12)
        # Besides what is nearest, what would be if bodies turned a little speaks too, and is left out here.
        apart = watched.separations(x)[near.pairs, near.times]
        chosen = (np.abs(apart - near.gaps) < 1e-6) & ((apart < -1e-3) if inside else (apart > 0.0))
        p, t, rows = near.pairs[chosen], near.times[chosen], rows[chosen]
        slopes = [
            (watched.separations(x + unit)[p, t] - watched.separations(x - unit)[p, t]) / (2 * step)
            for unit in step * np.eye(len(x))
        ]
        expected = np.array(slopes).T / watched.looks.height
        close = np.abs(rows - expected).max(axis=1, initial=0.0) < allowed * np.abs(expected).max(initial=1e-9)
        # Of the corners of a side that is near all over, one place in between has the slope.
        found = dict.fromkeys(zip(p.tolist(), t.tolist(), strict=True), False)
        for moment, fits in zip(zip(p.tolist(), t.tolist(), strict=True), close.tolist(), strict=True):
            found[moment] |= fits
        assert sum(found.values()) >= (0.8 if inside else 1.0) * len(found)
        counted += len(found)
    assert counted > 3 or (inside and joint == "upper")


def test_the_skin_of_a_waving_arm_stays_out_of_a_ball() -> None:
    """Of all vertices, blended as they are seen, on frames and half frames."""
    scene = kept_clear.scene()
    through, around = (edits.guide(scene, channels=kept_clear.ARM, regularise=0.1, clear=on) for on in (False, True))
    assert kept_clear.distance(scene) > 0.05
    assert kept_clear.distance(through.document) < -0.05
    # Parts of the skin follow one joint each, and the skin itself several.
    assert kept_clear.distance(around.document) > -5e-4
    assert {held.name: held.holds for held in around.report.held} == {
        "clear of itself": True, "clear of ball": True, "clear of the ground": True,
    }  # fmt: skip
    assert around.report.terms[0].percent < -75.0


def test_a_whole_body_whose_feet_are_in_the_ground_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Key poses have the soles up to 7 mm inside, which no tangent leads out: it is not tried for long."""
    scene, looks = kept_clear.scene(), 0
    problem = build(scene.motion(), GuideRequest(regularise=0.1, clear=staying_clear(scene)))
    depth = clear.KeptClear.depth

    def counted(self: clear.KeptClear, x: np.ndarray) -> float:
        nonlocal looks
        looks += 1
        return depth(self, x)

    monkeypatch.setattr(clear.KeptClear, "depth", counted)
    run = Guide(problem)
    first, inside = run.last, depth(problem.clear, problem.parameters.start)
    assert len(problem.parameters) > 800
    assert inside > 1.0
    assert looks < 20
    after = run.step()
    assert after is not None
    assert after.cost < first.cost
    assert (after.offs <= np.maximum(first.offs, 1e-4)).all()
