"""Loose motion: a pure function of time, alike however it is asked for; loops that close, limits that hold."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.dynamics.forward import simulation
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, Loosened, Looseness, Spring
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Rig
from tests.kinodynamics.swings import RATE, arm, bones_of, loose, waving

SMILE = Spring(3.0, 0.5)


@pytest.mark.parametrize("window", [0.4, "auto", "adaptive"])
def test_a_state_is_to_the_bit_the_same_however_it_is_asked_for(window: float | str) -> None:
    motion = loose(window=window, smile=SMILE)  # type: ignore[arg-type]
    times = np.r_[motion.clip.frame_times, np.linspace(0.1, 1.9, 37)]
    many = motion.channels(times)
    backwards = motion.channels(times[::-1])[::-1]
    assert np.array_equal(many, backwards)
    for n in (0, 7, 30, 60, 80):
        assert np.array_equal(motion.channels(times[n : n + 1])[0], many[n])


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = loose(window=0.4)
    times = motion.clip.frame_times
    expected = motion.channels(times)
    for threads in (1, 3):
        monkeypatch.setattr(simulation.os, "cpu_count", lambda threads=threads: threads)
        assert np.array_equal(motion.channels(times), expected)


def test_a_motion_made_anew_is_the_same_to_the_bit() -> None:
    for window in (0.3, "auto", "adaptive"):
        one, other = (loose(window=window, smile=SMILE) for _ in range(2))  # type: ignore[arg-type]
        assert np.array_equal(one.channels(one.clip.frame_times), other.channels(one.clip.frame_times))


def test_what_is_tight_moves_as_keyed_to_the_bit() -> None:
    motion = loose(window=0.5, smile=SMILE)
    times = np.linspace(-0.2, 2.3, 90)
    swinging = {f"bone_{n}.r{axis}" for n in range(3) for axis in "xyz"} | {"smile"}
    names = [channel.name for channel in motion.rig.channels]
    keyed, shown = motion.tight.channels(times), motion.channels(times)
    for index, name in enumerate(names):
        assert np.array_equal(keyed[:, index], shown[:, index]) == (name not in swinging), name


def test_where_nothing_moves_and_nothing_pulls_all_keeps_still_to_the_bit() -> None:
    rig = arm()
    still = Clip("still", 2.0, rate=RATE, curves=Curves({"bone_1.rz": Curve.constant(0.4)}))
    motion = LooseMotion(Loosened(rig, Looseness(bones_of(rig, Spring(2.0)), window=0.5), RATE), still)
    times = still.frame_times
    assert np.array_equal(motion.channels(times), motion.tight.channels(times))


@pytest.mark.parametrize("window", [0.7, "auto", "adaptive"])
@pytest.mark.parametrize("seconds", [2.0, 1.0 + 1 / 7])
def test_a_loop_closes(window: float | str, seconds: float) -> None:
    """The state at the end of a looping clip is that of its start, be it whole frames long or not."""
    rig = arm()
    motion = loose(window=window, clip=waving(rig, seconds=seconds, loops=True), smile=SMILE)  # type: ignore[arg-type]
    start, end = motion.channels([0.0, seconds])
    assert np.abs(start - end).max() < 1e-9
    assert np.abs(start - motion.tight.channels([0.0])[0]).max() > 1e-3, "it is to be loose at the seam"


def test_a_loop_swings_as_its_second_round() -> None:
    """States after the seam come from before it: those of the same curves, keyed twice, a round later."""
    rig = arm()
    once = waving(rig, loops=True)
    twice = {}
    for name, curve in once.curves.items():
        keys = [*curve.keys[:-1], *(replace(key, time=key.time + 2.0) for key in curve.keys)]
        twice[name] = Curve.from_keys(keys)
    looping = loose(window=0.9, clip=once)
    unrolled = loose(window=0.9, clip=replace(once, end=4.0, loops=False, curves=Curves(twice)))
    times = once.frame_times[:-1]
    assert np.abs(looping.channels(times) - unrolled.channels(times + 2.0)).max() < 1e-9


def test_limits_hold_but_for_keys_beyond_them() -> None:
    rig = arm()
    held = replace(rig.channel("bone_1.ry"), lower=-0.1, upper=0.15)
    rig = Rig(rig.joints, tuple(held if channel.name == held.name else channel for channel in rig.channels))
    motion = LooseMotion(Loosened(rig, Looseness(bones_of(rig, Spring(2.0, 0.2)), window=0.5), RATE), waving(rig))
    times = np.linspace(0.0, 2.0, 200)
    index = rig.channel_index(held.name)
    shown, keyed = motion.channels(times)[:, index], motion.tight.channels(times)[:, index]
    # Moments are a nanosecond wide, so keys beyond a limit are met to about that.
    assert (shown >= np.minimum(keyed, -0.1) - 1e-8).all()
    assert (shown <= np.maximum(keyed, 0.15) + 1e-8).all()
    assert np.isclose(shown, 0.15, rtol=0, atol=1e-15).any(), "it is to hit its stop now and then"


def test_velocities_are_those_of_states_around() -> None:
    motion = loose(window=0.5)
    times, step = np.array([0.6, 1.2]), motion.loosened.step
    moving = motion.channel_motion(times)
    states = motion.channels(np.r_[times - step, times, times + step]).reshape(3, 2, -1)
    assert np.allclose(moving[..., 1], (states[2] - states[0]) / (2 * step), rtol=0, atol=1e-9)
    assert np.allclose(moving[..., 2], (states[2] - 2 * states[1] + states[0]) / step**2, rtol=0, atol=1e-6)


def test_tighter_springs_stay_closer() -> None:
    def off(spring: Spring) -> float:
        motion = loose(spring, window=1.0, drag=0.0, gravity=0.0)
        times = motion.clip.frame_times
        return float(np.abs(motion.channels(times) - motion.tight.channels(times)).max())

    distances = [off(Spring(frequency, 0.7)) for frequency in (2.0, 5.0, 20.0, 100.0, 500.0)]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.02 * distances[0]


def test_a_window_longer_than_the_clip_is_named() -> None:
    with pytest.raises(InvalidLooseness, match=r"window of 2\.5 s is longer than the clip 'wave', 2 s"):
        loose(window=2.5)


def test_no_times_no_states() -> None:
    motion = loose(window=0.3)
    assert motion.channels([]).shape == (0, len(motion.rig.channels))
    assert motion.simulated([]).shape == (0, len(motion.rig.channels))
