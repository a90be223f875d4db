"""Drags of a pose: warm-started, measured from their beginning."""

import numpy as np
import pytest

from inbetweener.posing import PoseDrag, PoseRequest, Pull, State, state_of
from tests.posing.figures import human, planted

WAY = np.array([0.25, 0.35, 0.2])


def hand_drag() -> PoseDrag:
    rig = human()
    return PoseDrag(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), planted()))


def test_beginning_changes_nothing():
    drag = hand_drag()
    assert np.array_equal(drag.commit(), drag.cancel())
    assert drag.solution.reached
    assert drag.solution.iterations == 0


def test_sixty_steps_end_where_one_does_and_pins_do_not_drift():
    slow, fast = hand_drag(), hand_drag()
    start = slow.start[0].position
    for share in np.linspace(0.0, 1.0, 61)[1:]:
        solution = slow.to(State(start + share * WAY))
        assert solution.reached
        assert max(pin.distance for pin in slow.certificate().pins) <= 1e-4 * slow.problem.height
    fast.to(State(start + WAY))
    # The same least change, to within what a pose may be off the optimum.
    apart = np.linalg.norm(slow.solution.z - fast.solution.z)
    assert apart <= 0.25 * np.linalg.norm(fast.solution.z)
    assert np.linalg.norm(slow.solution.z) == pytest.approx(np.linalg.norm(fast.solution.z), rel=0.05)


def test_going_back_leads_back_exactly():
    drag = hand_drag()
    start = drag.start[0].position
    for share in (0.3, 0.7, 1.0, 0.6, 0.2, 0.0):
        drag.to(State(start + share * WAY))
    assert np.array_equal(drag.commit(), drag.cancel())


def test_small_moves_of_the_pointer_make_small_moves_of_the_pose():
    drag = hand_drag()
    start = drag.start[0].position
    before = drag.commit()
    for angle in np.linspace(0.0, 2 * np.pi, 121):
        drag.to(State(start + 0.3 * np.array([np.sin(angle), 1.0 - np.cos(angle), 0.5 * np.sin(angle)])))
        after = drag.commit()
        assert np.abs(after - before).max() < 0.25  # the pointer moves up to 18 mm at a time
        before = after


def test_commit_is_the_last_answer_and_cancel_the_first():
    drag = hand_drag()
    solution = drag.to(State(drag.start[0].position + WAY))
    assert np.array_equal(drag.commit(), solution.channels)
    reached = state_of(human(), drag.commit(), human().point("palm_l"))
    assert np.linalg.norm(reached.position - drag.start[0].position - WAY) <= 1e-4
    assert np.array_equal(drag.cancel(), human().defaults)


def test_an_unnamed_half_stays_as_it_was():
    rig = human()
    drag = PoseDrag(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l"), "both"),), planted()))
    drag.to(State(drag.start[0].position + 0.5 * WAY))
    certificate = drag.certificate()
    assert certificate.targets[0].distance <= 1e-4
    assert certificate.targets[0].turn <= 1e-4
