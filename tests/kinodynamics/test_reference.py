"""What windows read of the keyed motion: accelerations that count for as long as they last."""

import numpy as np

import inbetweener as ib
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, as_a_whole, preset
from inbetweener.kinodynamics.reference import keyed_movement


def test_accelerations_lead_from_speed_to_speed() -> None:
    motion = ib.example("conductor").motion()
    times, step = np.arange(0.0, 1.0, 0.01), 0.01
    # Two windows, the second shorter: it waits at its first moment.
    rows = np.array([np.arange(40, 61), np.maximum(np.arange(60, 81), 70)])
    keyed = keyed_movement(motion.rig, motion.channel_motion(times), rows, step)
    passed = np.r_[40:60, 70:80]
    # After the last moment of a window there is nothing to lead to.
    assert not keyed.accelerations[60].any()
    assert not keyed.accelerations[80].any()
    led = keyed.velocities[passed] + step * keyed.accelerations[passed]
    np.testing.assert_allclose(led, keyed.velocities[passed + 1], rtol=0, atol=1e-12)


def test_states_pass_keys_smoothly() -> None:
    boxer = ib.example("boxer")
    palm, times = [boxer.rig.point("palm_r")], np.arange(0.0, boxer.clip().end, 1 / 192)
    looseness = Looseness(as_a_whole(boxer.rig, preset("drunk")), window=1.0)
    loose = LooseMotion(Loosened(boxer.rig, looseness, boxer.clip().rate), boxer.clip())
    bent, keyed = (
        np.abs(np.diff(motion.point_positions(times, palm)[:, 0], 2, axis=0)).max() for motion in (loose, loose.tight)
    )
    # Accelerations read at instants bend the path by 44 mm within an eighth of a frame.
    assert bent < 3 * keyed < 0.006
