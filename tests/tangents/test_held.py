"""Pins, contacts and locks, measured on the evaluated motion at every eighth of a frame."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.builtin import example
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import BlendedPoint, Point
from inbetweener.tangents import Constraint, Contact, Drag, DragRequest, Lock, Pin
from inbetweener.tangents.problem import changed_motion
from tests.rig.specimens import person
from tests.tangents.figures import even_curve, staggered, swing

HAND = Point("hand_l", (0.08, 0.0, 0.0))
OTHER = Point("hand_r", (-0.08, 0.0, 0.0))
WAY = np.array([0.03, 0.04, 0.02])


def dragged(motion: Motion, *held: Constraint, time: float = 0.7, way: np.ndarray = WAY) -> tuple[Drag, Motion]:
    drag = Drag(motion, DragRequest(HAND, time, constraints=held))
    assert drag.to(drag.start_position + way).reached
    return drag, changed_motion(motion, None, drag.commit())


def eighths(start: float, end: float) -> np.ndarray:
    return np.arange(start, end + 1e-9, 1.0 / 192.0)


def moved(before: Motion, after: Motion, place: Point | BlendedPoint, start: float, end: float) -> float:
    times = eighths(start, end)
    return float(np.linalg.norm(after.states(times, place)[0] - before.states(times, place)[0], axis=1).max())


@pytest.mark.parametrize("keys", ["together", "staggered"])
def test_a_pin_holds_over_the_whole_clip_neighbouring_segments_included(keys: str) -> None:
    motion = swing(person(), seed=3) if keys == "together" else staggered(person(), 3)
    drag, after = dragged(motion, Pin(OTHER), time=0.7)
    assert moved(motion, after, OTHER, 0.0, motion.clip.end) <= 5e-4 * drag.problem.height
    # The neighbours do change: the pin holds there because something makes up for it.
    start, end = drag.problem.variables.span
    first = float(drag.problem.variables.window.times[drag.problem.variables.segments].min())
    assert start < first or keys == "staggered"
    spine = Point("chest")
    assert moved(motion, after, spine, start, end) > 1e-4


def test_without_a_pin_the_other_hand_moves() -> None:
    motion = swing(person(), seed=3)
    _, after = dragged(motion)
    assert moved(motion, after, OTHER, 0.0, 1.5) > 1e-2


def test_an_orientation_pin_lets_the_position_go() -> None:
    motion = swing(person(), seed=3)
    _, after = dragged(motion, Pin(OTHER, "orientation"))
    times = eighths(0.0, 1.5)
    turned = Rotation.from_matrix(
        after.states(times, OTHER)[1] @ np.swapaxes(motion.states(times, OTHER)[1], 1, 2)
    ).magnitude()
    assert turned.max() <= 5e-4
    assert moved(motion, after, OTHER, 0.0, 1.5) > 1e-3


def test_a_pin_over_a_range_holds_there_and_only_there() -> None:
    motion = swing(person(), seed=3)
    drag, after = dragged(motion, Pin(OTHER, start=0.8, end=0.95))
    assert moved(motion, after, OTHER, 0.8, 0.95) <= 5e-4 * drag.problem.height
    assert moved(motion, after, OTHER, 0.5, 0.8) > 3e-3


def test_a_pin_of_one_moment_is_looked_at_exactly_then() -> None:
    motion = swing(person(), seed=3)
    moment = 0.8171  # between any two looks
    drag, after = dragged(motion, Pin(OTHER, "both", moment, moment), Pin(HAND, start=0.61, end=0.61))
    looked = drag.problem.items.moments[drag.problem.items.times[drag.problem.items.owners >= 0]]
    assert looked.tolist() == [0.61, moment]
    assert moved(motion, after, OTHER, moment, moment) <= 1.1e-4 * drag.problem.height
    assert moved(motion, after, HAND, 0.61, 0.61) <= 1.1e-4 * drag.problem.height
    assert moved(motion, after, OTHER, 0.5, 0.75) > 1e-3
    first, second = drag.certificate().constraints
    assert (first.time, second.time) == (moment, 0.61)


def test_a_pin_of_one_moment_outside_the_edited_span_costs_nothing() -> None:
    motion = swing(person(), seed=3)
    late = 1.3
    drag, after = dragged(motion, Pin(OTHER, start=late, end=late), time=0.2)
    assert drag.problem.variables.span[1] < late < motion.clip.end
    assert (drag.problem.items.owners < 0).all()
    assert moved(motion, after, OTHER, late, late) == drag.certificate().constraints[0].distance == 0.0


def test_a_pin_on_a_skin_holds() -> None:
    motion = swing(person(), seed=3)
    skin = BlendedPoint(((Point("upper_arm_r", (-0.2, 0.02, 0.0)), 0.3), (Point("forearm_r", (-0.05, 0.0, 0.0)), 0.7)))
    drag, after = dragged(motion, Pin(skin))
    assert moved(motion, after, skin, 0.0, 1.5) <= 5e-4 * drag.problem.height


def standing(seed: int = 0) -> Motion:
    """Hips and left leg keyed alike at all keys; everything else swings."""
    motion = swing(person(), seed=seed)
    still = ("hips", "thigh_l", "shank_l", "foot_l")
    curves = {
        name: even_curve([float(curve.values[0])] * 4) if name.split(".")[0] in still else curve
        for name, curve in motion.clip.curves.items()
    }
    return Motion(motion.rig, Clip("standing", end=1.5, curves=Curves(curves)))


def test_a_contact_does_not_slide() -> None:
    motion = standing()
    toe = Point("toe_l")
    drag, after = dragged(motion, Contact(toe, 0.0, 1.5), way=3.0 * WAY)
    times = eighths(0.0, 1.5)
    slide = np.linalg.norm(after.states(times, toe)[0] - motion.states([0.0], toe)[0], axis=1).max()
    assert slide <= 5e-4 * drag.problem.height
    assert drag.certificate().constraints[0].distance == pytest.approx(slide, abs=1e-6)
    # The body does move over the foot.
    assert moved(motion, after, Point("hips"), 0.5, 1.0) > 1e-3


def test_beginning_a_drag_mends_a_contact_that_tangents_can_mend() -> None:
    """Same foot at both keys, but the curves between them wander: the contact is made to hold first."""
    motion = standing()
    wandering = {
        name: even_curve([float(c.values[0])] * 4, slope=0.3) if name.startswith(("hips.r", "thigh_l")) else c
        for name, c in motion.clip.curves.items()
    }
    motion = Motion(motion.rig, Clip("wandering", end=1.5, curves=Curves(wandering)))
    toe = Point("toe_l")
    drag = Drag(motion, DragRequest(HAND, 0.7, constraints=(Contact(toe, 0.5, 1.0),)))
    times = eighths(0.5, 1.0)
    place = motion.states([0.5], toe)[0]
    before = np.linalg.norm(motion.states(times, toe)[0] - place, axis=1).max()
    after = changed_motion(motion, None, drag.commit())
    slide = np.linalg.norm(after.states(times, toe)[0] - place, axis=1).max()
    assert before > 1e-2
    assert slide <= 5e-4 * drag.problem.height


def test_locks_hold_the_dragged_curve_at_chosen_times() -> None:
    motion = swing(person(), seed=3)
    drag, after = dragged(motion, Lock(0.6), Lock(0.83, "both"))
    positions, turns = after.states([0.6, 0.83], HAND)
    wished, wished_turns = motion.states([0.6, 0.83], HAND)
    assert np.linalg.norm(positions - wished, axis=1).max() <= 1.1e-4 * drag.problem.height
    assert Rotation.from_matrix(turns[1] @ wished_turns[1].T).magnitude() <= 2e-4


def test_any_number_together() -> None:
    motion = standing(seed=2)
    held = (Contact(Point("toe_l"), 0.0, 1.5), Pin(OTHER), Pin(Point("head"), "orientation"), Lock(0.55))
    drag, _ = dragged(motion, *held)
    certificate = drag.certificate()
    assert [each.name for each in certificate.constraints] == [each.name for each in held]
    assert max(each.distance for each in certificate.constraints) <= 5e-4 * drag.problem.height
    assert certificate.constraints[2].turn <= 5e-4


def test_a_pinned_ancestor_keeps_its_full_state_by_not_being_touched() -> None:
    motion = swing(person(), seed=3)
    drag, after = dragged(motion, Pin(Point("chest"), "both"))
    assert {name.split(".")[0] for name in drag.problem.names} <= {"clavicle_l", "upper_arm_l", "forearm_l", "hand_l"}
    assert moved(motion, after, Point("chest"), 0.0, 1.5) == 0.0


@pytest.mark.parametrize("way", [(0.05, 0.0, 0.0), (0.0, 0.1, 0.1)])
def test_a_contact_that_is_broken_already_lets_nothing_else_drift(way: tuple[float, float, float]) -> None:
    """The diver's foot slides by centimetres before anybody touches it: "no worse than now" is its own bound alone."""
    diver = example("diver")
    motion, rig = diver.motion(), diver.rig
    head, foot = Pin(rig.point("head")), Contact(rig.point("ball_l"), 0.0, 20 / 24)
    drag = Drag(motion, DragRequest(rig.point("palm_l"), 4.5 / 24, constraints=(head, foot)))
    before = drag.certificate().constraints[1].distance
    solution = drag.to(drag.start_position + np.array(way))
    pinned, stood = drag.certificate().constraints
    height = drag.problem.height
    assert before > 0.05
    assert stood.distance <= before
    assert pinned.distance <= 2e-4 * height
    assert solution.target_error <= drag.problem.settings.reached * height
    assert not solution.reached  # the foot still slides, and that is said
