"""A drag costs the same in a clip of any length: as many unknowns, as many looks, as little memory."""

import numpy as np

from inbetweener.curves import Curve
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Drag, DragRequest, Pin
from tests.rig.specimens import person

HAND = Point("hand_l", (0.08, 0.0, 0.0))


def marching(keys: int) -> Motion:
    """Two poses in turn, half a second apart."""
    rng = np.random.default_rng(0)
    rig = person()
    times, curves = 0.5 * np.arange(keys), {}
    for channel in rig.channels:
        still = channel.name.startswith(("hips", "thigh_l", "shank_l", "foot_l"))
        pair = channel.default + (0.0 if still else 0.3) * rng.normal(size=2)
        tangents = np.tile([1.0 / 6.0, 0.0], (keys, 1))
        curves[channel.name] = Curve(
            times, pair[np.arange(keys) % 2], tangents, tangents, np.full(keys, 2), np.ones(keys, bool)
        )
    return Motion(rig, Clip("march", end=0.5 * (keys - 1), curves=Curves(curves)))


def test_the_work_does_not_grow_with_the_clip() -> None:
    drags = []
    # 108 frames, and 100,008.
    for keys in (10, 8335):
        motion = marching(keys)
        held = (Pin(Point("hand_r")), Contact(Point("foot_l"), 0.0, motion.clip.end))
        drag = Drag(motion, DragRequest(HAND, 2.2, constraints=held))
        drag.to(drag.start_position + np.array([0.02, 0.03, 0.01]))
        drags.append(drag)
    short, long = drags
    for size in (
        lambda d: len(d.problem.items.moments),
        lambda d: d.problem.items.row_count,
        lambda d: d.solver.workspace.matrix.shape,
        lambda d: len(d.problem.variables.window.times),
        lambda d: d.solution.iterations,
    ):
        assert size(short) == size(long)
    np.testing.assert_allclose(long.solution.z, short.solution.z, rtol=0, atol=1e-6)


def test_only_the_dragged_stretch_of_a_long_curve_changes() -> None:
    motion = marching(2000)
    drag = Drag(motion, DragRequest(HAND, 700.2))
    drag.to(drag.start_position + np.array([0.02, 0.03, 0.01]))
    for name, curve in drag.commit().items():
        changed = np.flatnonzero((curve.outs != motion.clip.curves[name].outs).any(axis=1))
        assert set(changed) <= {1400, 1401}
        if name not in drag.problem.names:
            assert curve is motion.clip.curves[name]
