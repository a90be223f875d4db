"""A sketched body is guided, held, fitted, dragged and pulled as it is seen: nothing begins by pulling a pin off.

Bones are bent by a sketch that fades in and out, so that targets and states differ by centimetres wherever one of
them forgets the bends.
"""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.contacts import hold
from inbetweener.contacts.problem import build as build_hold
from inbetweener.curves import evaluate
from inbetweener.guidance import GuideRequest, build, guide
from inbetweener.guidance.moments import Moments
from inbetweener.guidance.problem import moments_at
from inbetweener.guidance.request import Weighted
from inbetweener.guidance.terms.balance import Balance
from inbetweener.guidance.terms.obstacles import Obstacles
from inbetweener.guidance.terms.slide import NEAR, Slide
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Motion, fit_clip
from inbetweener.posing import Pin as PosePin
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import Bend, Place, Point, Rig, bend_channel, chains
from inbetweener.rig.masses import boxes
from inbetweener.tangents import Contact, Drag, DragRequest, Pin
from tests.guidance.arm import arm, curve, swing

ELBOW, TIP = Point("lower"), Point("wrist", (0.1, 0.0, 0.0))
ON_BONE = Point("lower", (0.2, 0.03, 0.0), "on the bone")


def bent_arm() -> Rig:
    """The arm with all its bones curled by a sketch."""
    rng = np.random.default_rng(5)
    screws = {
        name: rng.normal(size=(10, 6)) * ([0.1] * 3 + [0.003] * 3) for name in ("base", "upper", "lower", "wrist")
    }
    rig = arm()
    return replace(rig, channels=(*rig.channels, bend_channel("curl")), bends=(Bend("curl", "curl", screws),))


def sketched() -> Motion:
    """It swings while the sketch fades in and half out again."""
    motion = swing(bent_arm())
    curves = motion.clip.curves.replaced({"curl": curve([0.0, 0.5, 1.0], [0.1, 1.0, 0.4])})
    return Motion(motion.rig, replace(motion.clip, curves=curves))


MOTION = sketched()
HEIGHT = chains.size(MOTION.rig)
TIMES = np.linspace(0.0, 1.0, 8 * 24 + 1)


def furthest(motion: Motion, place: Place) -> float:
    """How far a place leaves its old path, looked at eight times a frame."""
    return float(np.linalg.norm(motion.states(TIMES, place)[0] - MOTION.states(TIMES, place)[0], axis=1).max())


def test_the_sketch_matters() -> None:
    straight = Motion(MOTION.rig.keyed, MOTION.clip)
    for place in (ELBOW, ON_BONE, TIP):
        assert furthest(straight, place) > 0.02 * HEIGHT


@pytest.mark.parametrize("place", [ELBOW, ON_BONE])
def test_guidance_begins_where_the_pins_are_and_keeps_them(place: Point) -> None:
    problem = build(MOTION, GuideRequest(constraints=(Pin(place),), regularise=0.01))
    start = problem.parameters.start
    assert problem.held.active
    assert problem.held.worst(start) < 1e-12, "nothing is off before anything has moved"
    run = guide(problem)
    for iterate in run:
        assert furthest(iterate.motion, place) < 1.5e-4 * HEIGHT
    if place is ELBOW:
        assert run.last.cost < 0.999 * run.path[0].cost


@pytest.mark.parametrize("half", ["position", "orientation"])
def test_derivatives_of_held_points_by_the_parameters_of_guidance(half: str) -> None:
    problem = build(MOTION, GuideRequest(constraints=(Pin(ON_BONE, half),)))  # type: ignore[arg-type]
    x = problem.parameters.start
    exact = problem.held.errors(x, derive=True)[1]
    worst = []
    for step in (1e-4, 1e-5):
        moved = [problem.held.errors(x + sign * step * np.eye(len(x))[i])[0] for i in range(len(x)) for sign in (1, -1)]
        coarse = (np.array(moved[::2]) - np.array(moved[1::2])).T / (2 * step)
        assert not np.array_equal(coarse, exact)
        worst.append(np.abs(coarse - exact).max())
    assert np.abs(exact).max() > 1e-2
    assert worst[0] < 1e-5
    assert worst[1] < 0.1 * worst[0] + 1e-9


def test_terms_of_guidance_see_the_body_that_is_seen() -> None:
    contact = Contact(ON_BONE, 0.25, 0.75)
    slide = Slide.of(MOTION, [contact])
    near = MOTION.states([0.3], TIP)[0][0]
    terms = (
        slide,
        Balance(boxes(MOTION.rig), (contact,), reach=0.02),
        Obstacles(((Sphere(0.1), Transform(tuple(near))),), (TIP, ON_BONE), clearance=0.2),
    )
    problem = build(MOTION, GuideRequest(terms=tuple(map(Weighted, terms))))
    x = problem.parameters.start

    def seen(at: np.ndarray) -> Moments:
        return moments_at(problem.wiring, problem.parameters, problem.nodes, problem.weight, problem.height, at)[0]

    here = seen(x)
    unit = NEAR * problem.height
    wandered = MOTION.states(here.times, ON_BONE)[0] - MOTION.states([0.25], ON_BONE)[0]
    holds = (here.times >= 0.25) & (here.times <= 0.75)
    np.testing.assert_allclose(slide.residuals(here).values[holds] * unit, wandered[holds], atol=1e-12)
    np.testing.assert_allclose(here.positions, MOTION.joint_positions(here.times), atol=1e-12)
    # By the values of the free channels, which a small change of each shifts at all moments alike.
    for term in terms:
        exact, step = term.residuals(here).by_value, 1e-5
        assert exact is not None
        assert np.abs(exact).max() > 1e-2
        for c, column in enumerate(problem.wiring.columns):
            moved = []
            for sign in (1.0, -1.0):
                channels = here.channels.copy()
                channels[:, column, 0] += sign * step
                shifted = Moments(problem.wiring, here.times, here.weights, here.motion, channels, problem.height)
                moved.append(term.residuals(shifted).values)
            np.testing.assert_allclose((moved[0] - moved[1]) / (2 * step), exact[..., c], atol=2e-4)


def test_tangents_hold_a_contact_on_a_bent_bone_while_a_pin_stays() -> None:
    shoulder = Point("upper")
    contact, pin = Contact(TIP, 0.6, 0.65), Pin(shoulder)
    problem = build_hold(MOTION, [contact], [pin])
    (held,) = [watch for watch in problem.watches if watch.rule is pin]
    np.testing.assert_allclose(MOTION.states(problem.looks[held.at], shoulder)[0], held.positions, atol=1e-12)
    result = hold(MOTION, [contact], [pin])
    after = Motion(MOTION.rig, replace(MOTION.clip, curves=result.curves))
    (slide,) = result.report
    assert slide.after < 0.1 * slide.before
    assert furthest(after, shoulder) < 2e-4 * HEIGHT


def test_a_fit_keeps_the_bent_body_in_place() -> None:
    frames = MOTION.clip.frame_times
    dense = {name: curve(frames.tolist(), evaluate(c, frames).tolist()) for name, c in MOTION.clip.curves.items()}
    clip = replace(MOTION.clip, curves=MOTION.clip.curves.replaced(dense))
    fitted, report = fit_clip(MOTION.rig, clip, 0.002)
    assert report.holds
    assert report.key_count < sum(map(len, dense.values()))
    after = Motion(MOTION.rig, fitted)
    for place in (ELBOW, TIP):
        off = after.states(frames, place)[0] - Motion(MOTION.rig, clip).states(frames, place)[0]
        assert np.linalg.norm(off, axis=1).max() <= 0.002


@pytest.mark.parametrize("pinned", [ELBOW, ON_BONE])
def test_a_drag_begins_without_moving_anything_and_its_pin_holds(pinned: Point) -> None:
    drag = Drag(MOTION, DragRequest(TIP, 0.25, constraints=(Pin(pinned),)))
    assert not drag.solution.z.any()
    assert drag.solver.workspace.constraint_error < 1e-12
    start = MOTION.states([0.25], TIP)[0][0]
    np.testing.assert_allclose(drag.start_position, start, atol=1e-12)
    # Where the forearm alone brings it.
    turned = MOTION.channels([0.25])
    turned[0, MOTION.rig.channel_index("lower.rz")] += 0.06
    solution = drag.to(MOTION.rig.states(turned, TIP)[0][0])
    after = Motion(MOTION.rig, replace(MOTION.clip, curves=drag.commit()))
    np.testing.assert_allclose(after.states([0.25], TIP)[0][0], solution.position, atol=1e-12)
    assert furthest(after, pinned) < 2e-4 * HEIGHT
    assert drag.certificate().constraints[0].distance == pytest.approx(furthest(after, pinned), abs=5e-5 * HEIGHT)
    if pinned is ELBOW:
        assert solution.reached
        assert np.linalg.norm(after.states([0.25], TIP)[0][0] - start) > 0.01 * HEIGHT


def test_a_turn_is_dragged_on_a_bent_bone() -> None:
    drag = Drag(MOTION, DragRequest(ON_BONE, 0.25, "orientation"))
    turn = MOTION.states([0.25], ON_BONE)[1][0]
    np.testing.assert_allclose(drag.start_turn, turn, atol=1e-12)
    angle = 0.05
    about = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    assert drag.to(turn=about @ turn).reached
    after = Motion(MOTION.rig, replace(MOTION.clip, curves=drag.commit()))
    np.testing.assert_allclose(after.states([0.25], ON_BONE)[1][0], about @ turn, atol=1e-3)


@pytest.mark.parametrize("pinned", [ELBOW, Point("upper", (0.2, 0.0, 0.02))])
def test_a_pull_begins_without_moving_anything_and_its_pin_holds(pinned: Point) -> None:
    pose = MOTION.channels([0.5])[0]
    before, kept = (MOTION.rig.states(pose[None], place)[0][0] for place in (TIP, pinned))
    drag = PoseDrag(MOTION.rig, pose, PoseRequest((Pull(TIP),), (PosePin(pinned),)))
    np.testing.assert_array_equal(drag.commit(), pose)
    np.testing.assert_allclose(drag.start[0].position, before, atol=1e-12)
    wish = before + 0.03 * HEIGHT * np.array([0.3, 1.0, 0.0])
    solution = drag.to(State(wish))
    after = MOTION.rig.states(solution.channels[None], TIP)[0][0]
    np.testing.assert_allclose(after, solution.positions[0], atol=1e-12)
    assert np.linalg.norm(after - before) > 0.01 * HEIGHT
    strayed = MOTION.rig.states(solution.channels[None], pinned)[0][0] - kept
    assert np.linalg.norm(strayed) < 2e-4 * HEIGHT
    assert max(each.distance for each in drag.certificate().pins) < 2e-4 * HEIGHT
    assert solution.channels[MOTION.rig.channel_index("curl")] == pose[MOTION.rig.channel_index("curl")]
