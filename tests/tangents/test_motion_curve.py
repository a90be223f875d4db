"""The motion curve of a place: path, ticks, speed, key marks."""

import numpy as np

from inbetweener.rig import BlendedPoint, Point
from inbetweener.tangents import motion_curve
from tests.rig.specimens import person, random_rig
from tests.tangents.figures import staggered, swing

HAND = Point("hand_l", (0.08, 0.0, 0.0))


def test_path_and_orientations_are_the_motions_own() -> None:
    motion = swing(person(), seed=2)
    curve = motion_curve(motion, HAND)
    positions, turns = motion.states(curve.times, HAND)
    np.testing.assert_array_equal(curve.positions, positions)
    np.testing.assert_array_equal(curve.turns, turns)
    assert (curve.times[0], curve.times[-1]) == (0.0, 1.5)


def test_ticks_are_the_whole_frames() -> None:
    motion = swing(person(), seed=2)
    curve = motion_curve(motion, HAND, per_frame=5)
    np.testing.assert_allclose(curve.times[curve.ticks], motion.clip.frame_times, rtol=0, atol=1e-12)
    assert len(curve.times) == 5 * (curve.ticks.sum() - 1) + 1


def test_speed_is_the_rate_of_the_path() -> None:
    skin = BlendedPoint(((Point("joint 5", (0.1, 0.0, 0.2)), 0.6), (Point("joint 3"), 0.4)))
    motion = staggered(random_rig(1, 6), 1)
    curve = motion_curve(motion, skin)
    step = 1e-5
    ahead, behind = (motion.states(curve.times + sign * step, skin)[0] for sign in (1.0, -1.0))
    rates = np.linalg.norm(ahead - behind, axis=1) / (2 * step)
    away = np.abs(curve.times[:, None] - curve.keys).min(axis=1) > 2 * step
    assert curve.speeds.max() > 0.5
    np.testing.assert_allclose(curve.speeds[away], rates[away], rtol=1e-4, atol=1e-5)


def test_key_marks_are_those_of_channels_that_move_the_place() -> None:
    motion = swing(person(), seed=2)
    curve = motion_curve(motion, HAND)
    np.testing.assert_array_equal(curve.keys, [0.0, 0.5, 1.0, 1.5])
    np.testing.assert_array_equal(curve.key_positions, motion.states(curve.keys, HAND)[0])
    part = motion_curve(motion, HAND, start=0.4, end=1.1)
    np.testing.assert_array_equal(part.keys, [0.5, 1.0])
    assert part.times.min() >= 0.4
