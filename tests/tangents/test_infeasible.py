"""Targets out of reach: the nearest state, what blocks it, and never a worse one than before."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Drag, DragRequest, NothingToDrag, Pin, Settings
from tests.rig.specimens import person
from tests.tangents import grid
from tests.tangents.figures import TIP, arm, even_curve, swing
from tests.tangents.grid import Cell

HAND = Point("hand_l", (0.08, 0.0, 0.0))


def test_a_stretched_arm_points_at_what_it_cannot_reach() -> None:
    drag = Drag(swing(arm(), seed=2), DragRequest(TIP, 0.7))
    for direction, away in (((1.0, 0.2, 0.1), 1.2), ((-0.3, 1.0, 0.4), 1.2), ((0.2, 0.4, 0.7), 3.0)):
        target = away * np.array(direction) / np.linalg.norm(direction)
        solution = drag.to(target)
        assert not solution.reached
        # A metre long from the shoulder at the origin: the nearest point of a sphere.
        np.testing.assert_allclose(solution.position, target / away, rtol=0, atol=0.02 * away)
        assert solution.target_error == pytest.approx(away - 1.0, abs=1e-3 * away)


def test_an_arm_on_a_pinned_shoulder_blade_reaches_as_far_as_it_is_long() -> None:
    motion = swing(person(), seed=1, size=0.2)
    pin = Pin(Point("upper_arm_l"))
    drag = Drag(motion, DragRequest(HAND, 0.7, constraints=(pin,)))
    shoulder = motion.states([0.7], Point("upper_arm_l"))[0][0]
    target = shoulder + np.array([1.2, 0.6, 0.5])
    solution = drag.to(target)
    way = (target - shoulder) / np.linalg.norm(target - shoulder)
    assert solution.blockers[0].name == pin.name
    assert solution.target_error == pytest.approx(np.linalg.norm(target - shoulder) - 0.62, abs=0.01)
    np.testing.assert_allclose(solution.position, shoulder + 0.62 * way, rtol=0, atol=0.03)
    assert drag.certificate().constraints[0].distance <= 5e-4 * drag.problem.height


def test_a_limit_blocks_and_says_so() -> None:
    curves = Curves({"elbow.rx": even_curve([0.0, 0.3, 0.5, 0.0]), "shoulder.rx": even_curve([0.0, 0.0, 0.0, 0.0])})
    motion = Motion(arm(elbow_rx=(0.0, 0.6), shoulder_rx=(-0.01, 0.01)), Clip("bend", end=1.5, curves=curves))
    drag = Drag(motion, DragRequest(TIP, 0.75))
    solution = drag.to(TIP_AT := tip_at(1.2))
    assert not solution.reached
    assert "upper limit of elbow.rx" in [blocker.name for blocker in solution.blockers]
    assert sum(blocker.share for blocker in solution.blockers) == pytest.approx(1.0, abs=0.1)
    assert solution.target_error == pytest.approx(np.linalg.norm(tip_at(0.6, 0.01) - TIP_AT), abs=2e-3)


def tip_at(bend: float, lean: float = 0.0) -> np.ndarray:
    """The tip of an arm that leans and bends about x: 0.4 m, then 0.6 m."""
    first, second = lean, lean + bend
    up = 0.4 * np.cos(first) + 0.6 * np.cos(second)
    return np.array([0.0, up, 0.4 * np.sin(first) + 0.6 * np.sin(second)])


def test_a_pinned_hand_cannot_be_dragged_away() -> None:
    motion = swing(person(), seed=1)
    drag = Drag(motion, DragRequest(HAND, 0.7, constraints=(Pin(HAND),)))
    solution = drag.to(drag.start_position + np.array([0.1, 0.0, 0.0]))
    assert solution.target_error == pytest.approx(0.1, abs=3e-4)
    assert solution.blockers[0].name == "hand_l pin"
    assert solution.blockers[0].share > 0.9


def test_nearest_is_what_a_general_optimiser_finds() -> None:
    """Two heights and two widths, nothing held: the nearest tip that one hinge between two keys can be given."""
    curves = Curves({"shoulder.rz": even_curve([0.2, 0.6])})
    motion = Motion(arm(), Clip("hinge", end=0.5, curves=curves))
    drag = Drag(motion, DragRequest(TIP, 0.2))
    target = np.array([-0.9, 0.9, 0.3])
    solution = drag.to(target)

    def miss(angle: np.ndarray) -> np.ndarray:
        return np.array([-np.sin(angle[0]), np.cos(angle[0]), 0.0]) - target

    best = least_squares(miss, [0.5])
    assert solution.target_error == pytest.approx(np.linalg.norm(best.fun), abs=2e-4)


@pytest.mark.parametrize("configuration", "BCDEF")
def test_never_a_worse_state_than_before(configuration: str) -> None:
    """Wild pulls on heavily constrained cells: nearer or equal every time, constraints as good as allowed."""
    rng = np.random.default_rng(5)
    for dof in (24, 72):
        cell = Cell(configuration, dof, 7)
        motion = grid.motion_of(cell, seed=11)
        drag = Drag(motion, grid.request_of(cell, motion, rng))
        allowed = max(1e-4 * drag.problem.height, drag.solution.constraint_error)
        for _ in range(6):
            target = drag.start_position + 0.5 * rng.normal(size=3)
            before = np.linalg.norm(drag.solution.position - target)
            solution = drag.to(target)
            assert np.linalg.norm(solution.position - target) <= before + 1e-9
            assert solution.constraint_error <= allowed + 1e-12
            assert solution.reached == (solution.blockers == ())


def test_the_effort_of_an_answer_is_bounded() -> None:
    """Two contacts and a target far out of reach: where every program is hard, there is an end to them."""
    cell = Cell("F", 120, 7)
    motion = grid.motion_of(cell, seed=21)
    drag = Drag(motion, grid.request_of(cell, motion, np.random.default_rng(1)))
    most = 0
    for step in range(60):
        drag.to(drag.start_position + np.array([0.3, 0.9, 0.3]) * step / 50)
        most = max(most, drag.solver.program.pivots)
    # The last program may begin just below the bound, and be tried warm, cold and loosened.
    assert 100 < most <= drag.problem.settings.effort + 4 * 4000


def test_two_contacts_name_themselves() -> None:
    cell = Cell("F", 24, 7)
    motion = grid.motion_of(cell, seed=3)
    drag = Drag(motion, grid.request_of(cell, motion, np.random.default_rng(0)))
    solution = drag.to(drag.start_position + np.array([0.0, 0.6, 0.0]))
    assert not solution.reached
    names = {c.name for c in drag.problem.request.constraints if isinstance(c, Contact)}
    assert names & {blocker.name for blocker in solution.blockers}


def test_nothing_to_drag_says_why() -> None:
    motion = swing(arm())
    with pytest.raises(NothingToDrag, match=r"no Bezier segment .* is active then; drag between keys"):
        Drag(motion, DragRequest(TIP, 5.0))
    with pytest.raises(NothingToDrag, match="none of the channels that move it has keys"):
        Drag(Motion(arm(), Clip("still", end=1.0)), DragRequest(TIP, 0.5))
    with pytest.raises(NothingToDrag, match="no channel moves it"):
        Drag(motion, DragRequest(Point("shoulder"), 0.5))


def test_a_hand_that_leads_on_beyond_reach_waits_little_and_comes_as_near_as_patience() -> None:
    case = grid.case(Cell("E", 120, 7), 300)
    assert case is not None
    drag, patient = Drag(case.motion, case.request), Settings(iterations=200, effort=50_000)
    ahead = (case.target - case.start) / np.linalg.norm(case.target - case.start)
    moves = [(drag.to(case.start + share * ahead), drag.solver.program.pivots) for share in np.arange(0.1, 1.55, 0.1)]
    held_back = [each for each, before in zip(moves[1:], moves, strict=False) if not before[0].reached]
    assert len(held_back) >= 4
    assert all(solution.holds and not solution.reached for solution, _ in held_back)
    assert max(pivots for _, pivots in held_back) < 3000
    best = Drag(case.motion, case.request, patient).to(case.start + 1.5 * ahead)
    assert drag.solution.target_error <= best.target_error + 2e-3 * drag.problem.height
