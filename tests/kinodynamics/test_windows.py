"""Windows that are found: short enough, long enough, the same for small edits, and no pop where they change."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.dynamics.forward import Unstable
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, Looseness, Spring
from inbetweener.kinodynamics.windows import error_map, window_error
from inbetweener.motion import Clip
from tests.kinodynamics.swings import arm, loose, waving

SPRINGS = [Spring(8.0, 0.9), Spring(4.0, 0.5), Spring(4.0, 1.0), Spring(5.0, 2.0)]


def long_clip(loops: bool = False) -> Clip:
    """Six seconds, of which the middle is still."""
    rig = arm()
    moving = waving(rig, seconds=6.0, loops=loops, size=0.3)
    curves = {}
    for name, curve in moving.curves.items():
        calm = (curve.times > 1.5) & (curve.times < 5.0)
        curves[name] = smooth(Curve.sampled(curve.times, np.where(calm, curve.values[0], curve.values)))
    return replace(moving, curves=type(moving.curves)(curves))


@pytest.mark.parametrize("spring", SPRINGS, ids=str)
@pytest.mark.parametrize("loops", [False, True])
def test_one_length_keeps_the_error(spring: Spring, loops: bool) -> None:
    motion = loose(spring, window="auto", clip=waving(arm(), seconds=4.0, loops=loops), gravity=0.3)
    times = motion.clip.frame_times
    lengths = motion.window(times)
    assert len(np.unique(lengths)) == 1
    assert motion.loosened.step <= lengths[0] < 4.0
    assert window_error(motion, times).max() <= motion.loosened.looseness.error


def test_the_length_found_is_not_much_longer_than_needed() -> None:
    motion = loose(Spring(4.0, 0.6), window="auto", clip=waving(arm(), seconds=4.0))
    times = motion.clip.frame_times
    found = float(motion.window(times)[0])
    assert error_map(motion, times, [found / 2]).max() > motion.loosened.looseness.error


def test_more_error_allows_shorter_windows() -> None:
    lengths = [float(loose(window="auto", error=error).window([0.0])[0]) for error in (1e-4, 1e-3, 1e-2)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]


@pytest.mark.parametrize("loops", [False, True])
def test_windows_adapt_to_what_moves(loops: bool) -> None:
    even = loose(Spring(8.0, 0.8), window="auto", clip=long_clip(loops), gravity=0.0)
    adapted = loose(Spring(8.0, 0.8), window="adaptive", clip=long_clip(loops), gravity=0.0)
    times = adapted.clip.frame_times
    lengths = adapted.window(times)
    calm = (times > 3.0) & (times < 4.0)
    assert window_error(adapted, times).max() <= adapted.loosened.looseness.error
    assert lengths[calm].min() < 0.5 * lengths.max()
    assert lengths.mean() < 0.8 * even.window(times).mean()


def test_nothing_pops_where_windows_change() -> None:
    """From frame to frame, joints move as in the whole simulation but for a small share of the error."""
    motion = loose(Spring(5.0, 0.6), window="adaptive", clip=long_clip(), gravity=0.0)
    times = np.arange(0.0, 6.0, 1 / 96)
    assert (np.diff(motion.windows.counts(times)) != 0).sum() > 20
    states = motion.channels(times), motion.simulated(times)
    shown, true = (motion.rig.world_from_joint(values)[..., 3] for values in states)
    jumps = np.linalg.norm(np.diff(shown, axis=0) - np.diff(true, axis=0), axis=2).max(axis=1)
    assert jumps.max() <= 0.25 * motion.loosened.looseness.error


def test_adaptive_windows_of_a_loop_meet() -> None:
    motion = loose(window="adaptive", clip=waving(arm(), seconds=2.0, loops=True))
    assert motion.window([0.0]) == motion.window([2.0])
    assert motion.window([0.5]) == motion.window([2.5])


def test_never_longer_than_a_clip_that_does_not_loop() -> None:
    endless = Spring(2.0, 0.1)
    assert loose(endless, window="auto").window([1.0]) <= 2.0
    assert loose(endless, window="auto", clip=waving(arm(), loops=True)).window([1.0]) == pytest.approx(4.0)


def test_what_blows_up_in_the_long_run_still_has_a_short_window() -> None:
    motion = loose(Spring(1.0, 0.0), window="auto", clip=waving(arm(), loops=True))
    with pytest.raises(Unstable, match=r"bone_\d\.r\w' blew up"):
        motion.simulated([1.0])
    assert 0.3 < motion.window([1.0])[0] <= 0.5
    assert np.isfinite(motion.channels(motion.clip.frame_times)).all()


def test_a_clip_of_one_moment_has_windows_of_a_step() -> None:
    motion = loose(window="auto", clip=Clip("pose", 0.0, rate=24.0))
    assert motion.window([0.0]) == pytest.approx(motion.loosened.step)
    assert np.isfinite(motion.channels([0.0])).all()


def test_small_edits_leave_the_length_as_it_is() -> None:
    rig = arm()
    clip = waving(rig)
    first = loose(window="auto", clip=clip).window([0.0])[0]
    lengths = []
    for nudge in np.linspace(-0.01, 0.01, 9):
        curve = clip.curves["bone_0.rz"]
        changed = replace(curve, values=curve.values + nudge * (curve.times == 1.0))
        lengths.append(loose(window="auto", clip=replace(clip, curves=clip.curves.replaced({"bone_0.rz": changed}))))
    assert {float(motion.window([0.0])[0]) for motion in lengths} == {float(first)}


def test_a_hand_that_drags_holds_windows() -> None:
    calm, wild = waving(arm(), size=0.01), waving(arm(), size=1.5)
    loosened = loose(window="auto").loosened
    gentle = LooseMotion(loosened, calm)
    before = gentle.window([1.0])
    gentle.hold_windows()
    assert LooseMotion(loosened, wild).window([1.0]) == before
    loosened.release_windows()
    assert LooseMotion(loosened, wild).window([1.0]) > before


def test_a_given_window_is_taken() -> None:
    motion = loose(window=0.3)
    assert np.allclose(motion.window([0.2, 1.0]), 0.3, rtol=0, atol=motion.loosened.step)
    assert (motion.window([0.2, 1.0]) >= 0.3 - 1e-12).all()


def test_errors_fall_with_the_window() -> None:
    """[IKD] Fig. 10: over windows and frames."""
    motion = loose(Spring(3.0, 0.5), window=0.3, clip=waving(arm(), seconds=3.0))
    times, windows = motion.clip.frame_times, [0.05, 0.4, 0.8, 1.6, 2.9]
    errors = error_map(motion, times, windows)
    assert errors.shape == (5, len(times))
    worst = errors.max(axis=1)
    assert (np.diff(worst) < 0).all()
    assert worst[-1] < 1e-3 * worst[0]


def test_the_whole_simulation_is_a_window_that_begins_before_everything() -> None:
    motion = loose(Spring(5.0, 0.7), window=0.3, smile=Spring(4.0, 0.4))
    times = np.r_[motion.clip.frame_times[::5], 0.7301, 1.4402]
    settled = motion.states_after(times, np.full(len(times), 900))
    assert np.abs(motion.simulated(times) - settled).max() < 1e-4


@pytest.mark.parametrize("window", [0.0, -1.0, 31.0, float("nan")])
def test_windows_must_be_sound(window: float) -> None:
    with pytest.raises(InvalidLooseness, match="window"):
        Looseness(window=window)
