"""The key that would help an infeasible drag: proposed, never inserted, and it really helps."""

import numpy as np
import pytest

from inbetweener.curves.edit import insert_key, move_key
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.tangents import Drag, DragRequest, Pin
from inbetweener.tangents.problem import changed_motion
from tests.tangents.figures import TIP, arm, even_curve, swing

TIME = 0.35
WAY = np.array([0.06, -0.01, 0.07])
PIN = Pin(TIP, start=0.0, end=0.2)


def short_drag() -> Drag:
    """The tip is held for the first two fifths of the only segment: its cubics have nothing left to give."""
    curves = {f"shoulder.{turn}": even_curve([0.0, v], slope=0.2) for turn, v in (("rx", 0.5), ("rz", -0.4))}
    motion = Motion(arm(), Clip("lean", end=0.5, curves=Curves(curves)))
    drag = Drag(motion, DragRequest(TIP, TIME, constraints=(PIN,)))
    solution = drag.to(drag.start_position + WAY)
    assert solution.target_error > 0.02
    return drag


def test_proposes_without_inserting() -> None:
    drag = short_drag()
    committed = drag.commit()
    suggestion = drag.suggest()
    assert suggestion is not None
    assert drag.commit() == committed
    assert suggestion.error < 0.9 * drag.solution.target_error
    assert set(suggestion.channels) == {"shoulder.rx", "shoulder.rz"}
    for name, curve in suggestion.curves.items():
        extra = len(curve) - len(committed[name])
        assert extra == (1 if name in suggestion.channels else 0)


def test_the_prediction_is_what_the_preview_does() -> None:
    drag = short_drag()
    suggestion = drag.suggest()
    assert suggestion is not None
    after = changed_motion(drag.problem.motion, None, suggestion.curves)
    target = drag.start_position + WAY
    assert np.linalg.norm(after.states([TIME], TIP)[0][0] - target) == pytest.approx(suggestion.error, abs=1e-9)
    times = np.arange(0.0, 0.2 + 1e-9, 1.0 / 192.0)
    gap = after.states(times, TIP)[0] - drag.problem.motion.states(times, TIP)[0]
    assert np.linalg.norm(gap, axis=1).max() <= 5e-4 * drag.problem.height


def test_inserting_it_by_hand_really_helps() -> None:
    drag = short_drag()
    suggestion = drag.suggest()
    assert suggestion is not None
    motion, target = drag.problem.motion, drag.start_position + WAY
    curves = dict(motion.clip.curves)
    for name, value in zip(suggestion.channels, suggestion.values, strict=True):
        keyed = insert_key(curves[name], suggestion.time).curve
        at = int(np.searchsorted(keyed.times, suggestion.time))
        curves[name] = move_key(keyed, at, value=value).curve
    by_hand = Drag(
        Motion(motion.rig, Clip("keyed", end=0.5, curves=Curves(curves))), DragRequest(TIP, TIME, constraints=(PIN,))
    )
    solution = by_hand.to(target)
    assert solution.target_error < 0.9 * drag.solution.target_error
    assert solution.target_error <= suggestion.error + 1e-3


def test_no_key_helps_an_arm_that_is_too_short() -> None:
    drag = Drag(swing(arm(), seed=2), DragRequest(TIP, 0.7))
    drag.to(np.array([3.0, 1.0, 0.5]))
    assert drag.suggest() is None


def test_nothing_is_proposed_for_what_was_reached() -> None:
    drag = Drag(swing(arm(), seed=2), DragRequest(TIP, 0.7))
    drag.to(drag.start_position)
    assert drag.suggest() is None
