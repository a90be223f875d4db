"""Limits on channels hold between keys, exactly; what is already outside may stay and is reported."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve, HeightSet, Key, Tangent, evaluate
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Channel
from inbetweener.tangents import Drag, DragRequest, Settings
from inbetweener.tangents.value_limits import LimitCuts
from inbetweener.tangents.variables import Variables
from tests.tangents.figures import TIP, arm, even_curve, swing

LOW, HIGH = -0.5, 0.5
LIMITS = {f"{joint}_{turn}": (LOW, HIGH) for joint in ("shoulder", "elbow", "hand") for turn in ("rx", "ry", "rz")}
WAYS = [(0.4, -0.1, 0.2), (-0.5, -0.3, 0.1), (0.0, -0.6, 0.6), (0.1, 0.0, -0.7)]


def sampled(curve: Curve, count: int = 64) -> np.ndarray:
    """(segments, count) values, `count` to a segment."""
    times = np.linspace(curve.times[:-1], curve.times[1:], count, axis=-1)
    return evaluate(curve, times.ravel()).reshape(times.shape)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_limits_hold_at_sixty_four_samples_a_segment(seed: int, way: tuple[float, float, float]) -> None:
    motion = swing(arm(**LIMITS), seed=seed, size=0.3)
    drag = Drag(motion, DragRequest(TIP, 0.72))
    touched = False
    for share in (0.3, 1.0, 0.6):
        solution = drag.to(drag.start_position + share * np.array(way))
        for curve in drag.commit().values():
            values = sampled(curve)
            assert values.max() <= HIGH + 1e-9
            assert values.min() >= LOW - 1e-9
            touched = touched or bool(max(values.max(), -values.min()) > HIGH - 1e-3)
        assert solution.limit_error <= 1e-9
        assert drag.certificate().limits == ()
    assert touched


def test_a_key_outside_its_limit_is_reported_not_fatal() -> None:
    motion = swing(arm(), seed=1, size=0.3)
    outside = {**motion.clip.curves, "elbow.rx": even_curve([0.0, 0.8, 0.9, 0.0])}
    motion = Motion(arm(elbow_rx=(LOW, HIGH)), Clip("out", end=1.5, curves=Curves(outside)))
    drag = Drag(motion, DragRequest(TIP, 0.72))
    solution = drag.to(drag.start_position + np.array([0.02, 0.02, -0.02]))
    assert solution.reached
    # Where it was outside it may stay, no further.
    before, after = sampled(motion.clip.curves["elbow.rx"]), sampled(drag.commit()["elbow.rx"])
    assert after.max() <= before.max() + 1e-9
    assert drag.certificate().limits == ()


heights = st.floats(-2.0, 2.0)


@given(y=heights, z=heights, end=st.floats(-0.4, 0.4))
def test_cuts_are_the_half_planes_of_the_exact_set(y: float, z: float, end: float) -> None:
    """A cut excludes what lies outside, by exactly as much, and nothing that lies inside."""
    curve = Curve.from_keys([Key(0.0, 0.0, out_tangent=Tangent(0.3, 0.0)), Key(1.0, end, Tangent(0.3, 0.0))])
    variables = Variables.of([curve], [Channel("dial", "control", lower=LOW, upper=HIGH)], 0.5, Settings(), 1.0)
    exact = HeightSet(0.0, end, LOW, HIGH)
    ins, outs = variables.window.ins.copy(), variables.window.outs.copy()
    wild = np.array([0.0, y, 0.0, z]) / variables.scale
    variables.write(wild, ins, outs)
    limits = LimitCuts(variables, ins, outs)
    assert limits.worst() == pytest.approx(exact.violation((y, z)), abs=1e-9)
    if not limits.add():
        assert exact.contains((y, z), 1e-8)
        return
    rows, bounds = limits.rows(wild)
    excess = rows @ wild - bounds
    assert excess.max() == pytest.approx(exact.violation((y, z)), abs=1e-5)
    near = exact.nearest((y, z))
    inside = np.array([0.0, 0.999 * near[0], 0.0, 0.999 * near[1]]) / variables.scale
    assert (rows @ inside <= bounds + 1e-5).all()


def test_limits_hold_in_the_segments_that_turn_along() -> None:
    curves = Curves({"shoulder.rz": even_curve([0.0, 0.1, -0.1, 0.0])})
    motion = Motion(arm(shoulder_rz=(-0.2, 0.2)), Clip("nod", end=1.5, curves=curves))
    drag = Drag(motion, DragRequest(TIP, 0.6))
    solution = drag.to(drag.start_position - np.array([0.6, 0.0, 0.0]))
    assert not solution.reached
    assert solution.blockers[0].name == "upper limit of shoulder.rz"
    values = sampled(drag.commit()["shoulder.rz"])
    before = sampled(motion.clip.curves["shoulder.rz"])
    assert np.abs(values - before)[0].max() > 1e-3
    assert np.abs(values - before)[2].max() > 1e-3
    assert np.abs(values).max() <= 0.2 + 1e-9


@pytest.mark.parametrize("tied", [True, False])
def test_a_knee_keyed_straight_bends_one_way_and_blocks_nothing(tied: bool) -> None:
    """Keys that sit on their limit: the curve leaves them inwards, tied ones level, and the rest of the arm is free."""
    rng = np.random.default_rng(3)
    curves = {name: even_curve(list(0.3 * rng.normal(size=4))) for name in ("shoulder.rx", "shoulder.rz", "hand.rz")}
    curves["elbow.rx"] = even_curve([0.0, 0.0, 0.9, 0.0], tied=tied)
    motion = Motion(arm(elbow_rx=(0.0, 0.9)), Clip("knee", end=1.5, curves=Curves(curves)))
    drag = Drag(motion, DragRequest(TIP, 0.72))
    for way in ((0.05, 0.0, -0.05), (-0.05, 0.02, 0.06), (0.0, 0.0, -0.4)):
        solution = drag.to(drag.start_position + np.array(way))
        elbow = drag.commit()["elbow.rx"]
        values = sampled(elbow)
        assert values.min() >= -1e-9
        assert values.max() <= 0.9 + 1e-9
        if tied:
            assert np.abs(elbow.outs[1:3, 1]).max() <= 1e-9
            assert np.abs(elbow.ins[1:3, 1]).max() <= 1e-9
        else:
            assert elbow.outs[1, 1] >= -1e-9
            assert elbow.ins[2, 1] >= -1e-9
        if np.linalg.norm(way) < 0.1:
            assert solution.target_error < 0.2 * np.linalg.norm(way)
