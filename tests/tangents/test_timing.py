"""[TSO] Eq. 12: spacing by widths; the path stays where it is."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from inbetweener.curves.widths import slack
from inbetweener.errors import UnknownName
from inbetweener.motion import Curves, Motion
from inbetweener.rig import Point
from inbetweener.tangents import NothingToDrag, move_tick, scale_timing, shift_timing
from inbetweener.tangents.certificate import slope_error
from inbetweener.tangents.motion_curve import speeds
from inbetweener.tangents.problem import changed_motion
from tests.rig.specimens import person
from tests.tangents.figures import swing, tangents_only

HAND = Point("hand_l", (0.08, 0.0, 0.0))
TIME = 0.7


def gap_to_path(before: Motion, after: Motion) -> float:
    """How far the new path leaves the old one, whatever its timing: metres, to a polyline of 30,000 pieces."""
    dense = before.states(np.linspace(0.0, 1.5, 30_001), HAND)[0]
    points = after.states(np.linspace(0.0, 1.5, 301), HAND)[0]
    nearest = cKDTree(dense).query(points)[1]
    gaps = []
    for first in (np.maximum(nearest - 1, 0), np.minimum(nearest, len(dense) - 2)):
        start, along = dense[first], dense[first + 1] - dense[first]
        share = np.clip(np.einsum("ij,ij->i", points - start, along) / np.einsum("ij,ij->i", along, along), 0.0, 1.0)
        gaps.append(np.linalg.norm(points - start - share[:, None] * along, axis=1))
    return float(np.minimum(*gaps).max())


@pytest.mark.parametrize("amount", [0.15, -0.15])
def test_faster_or_slower_along_the_same_path(amount: float) -> None:
    motion = swing(person(), seed=2)
    retimed = scale_timing(motion, TIME, amount)
    after = changed_motion(motion, None, retimed.curves)
    assert retimed.amount == pytest.approx(amount)
    assert gap_to_path(motion, after) < 1e-6
    faster = speeds(after, HAND, [TIME])[0] / speeds(motion, HAND, [TIME])[0]
    assert (faster > 1.05) if amount > 0 else (faster < 0.95)


def test_nothing_but_widths_changes_and_slopes_stay_tied() -> None:
    motion = swing(person(), seed=2)
    for retimed in (scale_timing(motion, TIME, 0.2), shift_timing(motion, TIME, -0.1)):
        for name, curve in motion.clip.curves.items():
            made = retimed.curves[name]
            assert tangents_only(curve, made)
            np.testing.assert_array_equal(curve.ins[:, 1], made.ins[:, 1])
            np.testing.assert_array_equal(curve.outs[:, 1], made.outs[:, 1])
            assert slope_error(made) < 1e-9


def test_the_widths_follow_eq_12() -> None:
    """out += amount · (t − t_k), in += amount · (t_{k+1} − t)."""
    motion = swing(person(), seed=2)
    made = scale_timing(motion, 0.6, 0.2).curves["hips.rx"]
    before = motion.clip.curves["hips.rx"]
    assert made.outs[1, 0] - before.outs[1, 0] == pytest.approx(0.2 * (0.6 - 0.5))
    assert made.ins[2, 0] - before.ins[2, 0] == pytest.approx(0.2 * (1.0 - 0.6))


def test_all_curves_stop_together_where_the_first_reaches_its_bounds() -> None:
    motion = swing(person(), seed=2)
    retimed = scale_timing(motion, TIME, 50.0)
    assert 0.0 < retimed.amount < 2.0
    assert gap_to_path(motion, changed_motion(motion, None, retimed.curves)) < 1e-6
    for curve in retimed.curves.values():
        length = np.diff(curve.times)
        assert slack(curve.outs[:-1, 0] / length, curve.ins[1:, 0] / length).min() > 0.0


def test_only_the_chosen_channels() -> None:
    motion = swing(person(), seed=2)
    retimed = scale_timing(motion, TIME, 0.2, channels=["hips.rx"])
    changed = [name for name in retimed.curves if retimed.curves[name] != motion.clip.curves[name]]
    assert changed == ["hips.rx"]


@pytest.mark.parametrize("ahead", [0.04, -0.05])
def test_a_frame_tick_is_moved_along_the_curve(ahead: float) -> None:
    motion = swing(person(), seed=2)
    target = motion.states([TIME + ahead], HAND)[0][0]
    retimed = move_tick(motion, HAND, TIME, target)
    after = changed_motion(motion, None, retimed.curves)
    assert np.linalg.norm(after.states([TIME], HAND)[0][0] - target) < 1e-3
    assert np.linalg.norm(motion.states([TIME], HAND)[0][0] - target) > 5e-3
    assert gap_to_path(motion, after) < 1e-6


def test_nothing_there_says_so() -> None:
    motion = swing(person(), seed=2)
    with pytest.raises(NothingToDrag, match="scale timing between keys"):
        scale_timing(motion, 9.0, 0.1)
    with pytest.raises(UnknownName, match="tail"):
        scale_timing(motion, TIME, 0.1, channels=["tail"])
    empty = changed_motion(motion, None, Curves({}))
    with pytest.raises(NothingToDrag, match="no Bezier segment"):
        scale_timing(empty, TIME, 0.1)
