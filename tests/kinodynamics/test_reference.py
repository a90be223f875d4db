"""What windows read of the keyed motion: accelerations that count for as long as they last."""

import numpy as np

import inbetweener as ib
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, as_a_whole, preset
from inbetweener.kinodynamics.reference import Passed, stepped


def test_accelerations_lead_from_speed_to_speed() -> None:
    motion = ib.example("conductor").motion()
    assert motion.clip.loops
    times, step = np.arange(0.005, motion.clip.end, 0.01), 0.01
    windows = Passed.of(times, np.arange(len(times))[None], 1)
    led = stepped(motion.channel_motion, windows, motion.clip, step)
    between = motion.channel_motion(np.r_[times[-1] + step / 2, times[:-1] + step / 2])[:, :, 1]
    gained = np.diff(np.r_[between, between[:1]], axis=0)
    np.testing.assert_allclose(step * led[:-1, :, 2], gained, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(led[:-1, :, :2], motion.channel_motion(times)[:, :, :2])
    # Where a window ends, what comes after does not count.
    speeds = motion.channel_motion(times[-1] - [step / 2, 0.0])[:, :, 1]
    np.testing.assert_allclose(step / 2 * led[-1, :, 2], speeds[1] - speeds[0], rtol=0, atol=1e-9)
    np.testing.assert_array_equal(led[-1, :, :2], led[-2, :, :2])


def test_states_pass_keys_smoothly() -> None:
    boxer = ib.example("boxer")
    palm, times = [boxer.rig.point("palm_r")], np.arange(0.0, boxer.clip().end, 1 / 192)
    looseness = Looseness(as_a_whole(boxer.rig, preset("drunk")), window=1.0)
    loose = LooseMotion(Loosened(boxer.rig, looseness, boxer.clip().rate), boxer.clip())
    bent, keyed = (
        np.abs(np.diff(motion.point_positions(times, palm)[:, 0], 2, axis=0)).max() for motion in (loose, loose.tight)
    )
    # Accelerations read at instants bend the path by 44 mm within an eighth of a frame.
    assert bent < 4 * keyed < 0.007
