"""[IKD] Fig. 1: a ball on a spring above a keyed one, by windows and as a whole, as scipy solves its equation."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from benchmarks.gestures import two_balls
from benchmarks.gestures.worked import Worked
from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.kinodynamics import LooseMotion


@cache
def worked() -> Worked:
    return two_balls.worked()


def swung(document: Document, since: float, time: float) -> Floats:
    """Where the green ball (3,) is: carried along by the red one, on a spring that was at rest a window earlier."""
    motion, rig = document.motion(), document.rig
    red, green = ([rig.channel_index(f"{name}.t{axis}") for axis in "xyz"] for name in ("red", "green"))
    omega = 2 * np.pi * two_balls.SPRING.frequency

    def pulled(t: float, state: Floats) -> Floats:
        place, speed = state.reshape(2, 3)
        moving = motion.channel_motion([t])[0]
        along = omega**2 * (moving[green, 0] - place) - 2 * two_balls.SPRING.damping * omega * speed
        return np.r_[speed, along - moving[red, 2]]

    begun = motion.channel_motion([since])[0, green, :2].T.ravel()
    # Accelerations of curves jump at keys.
    found = solve_ivp(pulled, (since, time), begun, rtol=1e-8, atol=1e-10, max_step=1 / 60)
    return np.asarray(motion.channels([time])[0, red] + found.y[:3, -1], np.float64)


@pytest.mark.parametrize("window", two_balls.WINDOWS)
def test_a_window_is_the_spring_let_go_so_long_ago(window: float) -> None:
    document = two_balls.loosened(two_balls.balls(), window)
    for time in (two_balls.TIME, 2.3):
        seen = document.shown_motion().states([time], two_balls.green(document))[0][0]
        # Short windows have been measured to be farther off than long ones.
        within = 5e-4 if window < 0.2 else 1e-4
        assert np.linalg.norm(seen - swung(document, time - window, time)) < within


def test_longer_windows_come_nearer_to_the_whole() -> None:
    short, middle, long = (
        two_balls.strays(two_balls.loosened(two_balls.balls(), window)) for window in two_balls.WINDOWS
    )
    assert short > 2 * middle > 4 * long
    motion = two_balls.loosened(two_balls.balls(), 1.5).shown_motion()
    assert isinstance(motion, LooseMotion)
    whole = motion.rig.states(motion.simulated([2.3]), motion.rig.point("green"))[0][0]
    assert np.linalg.norm(whole - swung(two_balls.balls(), 0.0, 2.3)) < 5e-4


def test_the_ball_is_on_its_mark_and_at_rest() -> None:
    assert [figure for figure in worked().figures if figure.holds is False] == []
    tight, caught = worked().versions["rigid"], worked().versions["on its mark"]
    time, window, step = two_balls.TIME, two_balls.WINDOWS[-1], 1 / 120
    mark = tight.motion().states([time], two_balls.green(tight))[0][0]
    now, before = (swung(caught, at - window, at) for at in (time, time - step))
    # Measured: 0.014 mm and 1 mm/s off the continuous spring.
    assert np.linalg.norm(now - mark) < 5e-5
    assert np.linalg.norm(now - before) / step < 5e-3 < 0.01 * two_balls.speed(two_balls.loosened(tight, window))
    assert caught.clip().curves == tight.clip().curves
