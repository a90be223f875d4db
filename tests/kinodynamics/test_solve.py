"""Loose motion hits its targets: measured on the motion of the corrected clip, not by the solver."""

import numpy as np
import pytest

from inbetweener.kinodynamics import Bell, PointTarget
from inbetweener.kinodynamics.residuals import place_velocity
from inbetweener.kinodynamics.solve import Solver, solve
from inbetweener.maths import quaternions
from tests.kinodynamics.bodies import JAB, loose, off, scene, watched


def punch(**wishes: object) -> PointTarget:
    return PointTarget(JAB, scene("boxer").rig.point("palm_l"), **wishes)  # type: ignore[arg-type]


@pytest.mark.parametrize("spring", ["tight", "firm", "relaxed", "loose", "drunk"])
def test_the_punch_lands_however_loose_the_boxer(spring: str) -> None:
    motion, target = loose("boxer", spring), punch()
    solution = solve(motion, [target])
    assert off(motion, target, motion) > 0.01
    assert off(watched(motion, solution), target, motion) <= 1.1e-8
    assert solution.reached
    assert solution.ending == "reached"
    assert solution.outcomes[0].before.distance == pytest.approx(off(motion, target, motion), abs=1e-12)


def test_few_simulations_suffice() -> None:
    solution = solve(loose("boxer", "relaxed"), [punch()], tolerance=1e-8)
    assert solution.windows <= 20
    errors = [progress.error for progress in solution.history[:-1]]
    assert errors == sorted(errors, reverse=True)
    assert next(progress for progress in solution.history if progress.error <= 1e-4).windows <= 14


@pytest.mark.parametrize("drag", [0.0, 1.0])
def test_damping_of_either_kind_is_solved_for(drag: float) -> None:
    motion, target = loose("boxer", "relaxed", drag=drag), punch()
    assert off(watched(motion, solve(motion, [target])), target, motion) <= 1.1e-8


def test_a_narrow_bell_anticipates_later_and_pushes_harder() -> None:
    motion = loose("boxer", "relaxed")
    wide, narrow = (solve(motion, [punch(bell=Bell(width, width))]) for width in (0.5, 0.2))
    palm, early = scene("boxer").rig.point("palm_l"), [JAB - 0.3]
    before = motion.states(early, palm)[0]
    moved = [np.linalg.norm(watched(motion, s).states(early, palm)[0] - before) for s in (wide, narrow)]
    assert moved[0] > 0.002
    assert moved[1] < 1e-9  # nothing yet: the bell has not begun
    assert np.abs(narrow.outcomes[0].coefficients).max() > np.abs(wide.outcomes[0].coefficients).max()


def test_a_target_that_was_moved_is_hit_from_the_last_solution_sooner() -> None:
    motion = loose("boxer", "drunk")
    wish = motion.tight.states([JAB], punch().point)[0][0] + np.array([0.0, 0.15, -0.2])
    first = solve(motion, {"hit": punch(position=tuple(wish))})
    moved = {"hit": punch(position=tuple(wish + np.array([0.004, -0.006, 0.0])))}
    again, anew = solve(motion, moved, start=first), solve(motion, moved)
    assert off(watched(motion, again), moved["hit"], motion) <= 1.1e-8
    assert again.windows < anew.windows


def test_a_tap_stands_still_where_it_lands() -> None:
    motion, target = loose("boxer", "relaxed"), punch(velocity=(0.0, 0.0, 0.0))
    seen = watched(motion, solve(motion, [target]))
    assert np.linalg.norm(place_velocity(motion, JAB, target.point)) > 0.5
    assert np.linalg.norm(place_velocity(seen, JAB, target.point)) <= 1e-6
    assert off(seen, target, motion) <= 1.1e-8
    # Equation 13, spelled out.
    step = motion.loosened.step
    two = seen.states([JAB, JAB - step], target.point)[0]
    assert np.linalg.norm(two[0] - two[1]) / step <= 1e-6


def test_the_speed_of_the_keys_can_be_kept() -> None:
    motion, target = loose("boxer", "relaxed"), punch(velocity="keyed")
    seen, step = watched(motion, solve(motion, [target])), motion.loosened.step
    keyed = motion.tight.states([JAB, JAB - step], target.point)[0]
    assert np.allclose(place_velocity(seen, JAB, target.point), (keyed[0] - keyed[1]) / step, rtol=0, atol=1e-6)


def test_orientation_is_hit_too() -> None:
    wanted = quaternions.normalised([0.8, 0.1, -0.5, 0.2])
    motion, target = loose("boxer", "relaxed"), punch(orientation=tuple(wanted))
    position, turn = watched(motion, solve(motion, [target])).states([JAB], target.point)
    assert np.abs(turn[0] - quaternions.to_matrix(wanted)).max() <= 1e-7
    assert np.linalg.norm(position[0] - motion.tight.states([JAB], target.point)[0][0]) <= 1.1e-8


def test_a_run_can_be_stopped_and_keeps_its_best() -> None:
    solver = Solver(loose("boxer", "relaxed"), [punch()])
    steps = iter(solver)
    seen = [next(steps), next(steps)]
    solution = solver.solution()
    assert solution.ending == "stopped"
    assert not solution.reached
    assert solution.outcomes[0].after.distance == pytest.approx(seen[-1].error, abs=1e-12)
    assert seen[-1].error < seen[0].error < solution.outcomes[0].before.distance


def test_the_same_question_has_the_same_answer_to_the_bit() -> None:
    one, two = (solve(loose("boxer", "loose"), [punch()]) for _ in range(2))
    assert np.array_equal(one.outcomes[0].coefficients, two.outcomes[0].coefficients)
    assert one.history == two.history


def test_no_target_no_correction() -> None:
    solution = solve(loose("boxer", "loose"), [])
    assert solution.layers == ()
    assert solution.reached
    assert solution.windows == 0
