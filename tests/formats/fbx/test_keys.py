"""Tangents in and out: those that are written are those that come back, and those that are not follow their rules."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from inbetweener.curves import Curve, Key, Tangent, evaluate
from inbetweener.document import Document
from inbetweener.formats.fbx import read, write
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, joint_channels
from tests.formats.fbx.build import Made, keyed

CUBIC, AUTO, TCB, USER = 0x8, 0x100, 0x200, 0x400
WEIGHTED = 0x3000000


def bezier(t: float, k: list[float], v: list[float], slopes: tuple[float, float], wide: tuple[float, float]) -> float:
    """One segment at a time, by scipy's root finder."""
    h = k[1] - k[0]
    x = [0.0, wide[0], 1.0 - wide[1], 1.0]
    y = [v[0], v[0] + slopes[0] * wide[0] * h, v[1] - slopes[1] * wide[1] * h, v[1]]

    def at(p: list[float], u: float) -> float:
        return (1 - u) ** 3 * p[0] + 3 * u * (1 - u) ** 2 * p[1] + 3 * u * u * (1 - u) * p[2] + u**3 * p[3]

    return at(y, brentq(lambda u: at(x, u) - (t - k[0]) / h, 0.0, 1.0, xtol=1e-15))


def opened(made: Made, path: Path) -> Curve:
    return read(made.save(path)).document.clip().curves["a.tx"]


def curve_of(tmp_path: Path, record: object) -> Curve:
    made = Made()
    made.move(made.model("a"), "Lcl Translation", record, None, None)
    return opened(made, tmp_path / "a.fbx")


def test_user_tangents_with_widths(tmp_path: Path) -> None:
    slopes, wide = (300.0, -150.0), (0.25, 0.6)
    packed = 2500 | 6000 << 16
    curve = curve_of(
        tmp_path, keyed([0.0, 0.5], [0.0, 100.0], [CUBIC | USER | WEIGHTED] * 2, [(*slopes, packed, 0)] * 2)
    )
    for t in np.linspace(0.01, 0.49, 9):
        expected = 0.01 * bezier(t, [0.0, 0.5], [0.0, 100.0], slopes, wide)
        assert evaluate(curve, [t])[0] == pytest.approx(expected, abs=1e-12)


def test_tangents_without_widths_are_a_third(tmp_path: Path) -> None:
    curve = curve_of(tmp_path, keyed([0.0, 0.6], [1.0, 2.0], [CUBIC | USER] * 2, [(5.0, 7.0, 0, 0)] * 2))
    np.testing.assert_allclose(curve.outs[0], [0.2, 0.01 * 0.2 * 5.0], rtol=1e-9)
    np.testing.assert_allclose(curve.ins[1], [0.2, 0.01 * 0.2 * 7.0], rtol=1e-9)


def test_tension_continuity_and_bias(tmp_path: Path) -> None:
    """Kochanek and Bartels 1984, with slopes per second."""
    tension, continuity, bias = 0.3, -0.2, 0.4
    data = [(0.0, 0.0, 0.0, 0.0), (tension, continuity, bias, 0.0), (0.0, 0.0, 0.0, 0.0)]
    curve = curve_of(tmp_path, keyed([0.0, 0.25, 1.0], [0.0, 100.0, 50.0], [CUBIC | TCB] * 3, data))
    before, after = 4.0, -0.5 / 0.75
    left = 0.5 * (1 - tension) * ((1 + bias) * (1 - continuity) * before + (1 - bias) * (1 + continuity) * after)
    right = 0.5 * (1 - tension) * ((1 + bias) * (1 + continuity) * before + (1 - bias) * (1 - continuity) * after)
    assert curve.ins[1, 1] / curve.ins[1, 0] == pytest.approx(left, rel=1e-6)
    assert curve.outs[1, 1] / curve.outs[1, 0] == pytest.approx(right, rel=1e-6)
    assert not curve.tied[1]


@pytest.mark.parametrize(("flags", "slope"), [(AUTO | 0x2000, 3.0), (AUTO | 0x6000, 1.5)])
def test_automatic_slopes_go_by_the_neighbours(tmp_path: Path, flags: int, slope: float) -> None:
    """The line between both, or as much of it as keeps handles within the neighbours."""
    record = keyed([0.0, 0.5, 1.0], [0.0, 25.0, 300.0], [CUBIC | flags] * 3, [(0.0, 0.0, 0, 0)] * 3)
    curve = curve_of(tmp_path, record)
    assert curve.outs[1, 1] / curve.outs[1, 0] == pytest.approx(slope, rel=1e-6)
    assert curve.tied[1]


def test_a_constant_key_may_hold_the_next_value(tmp_path: Path) -> None:
    curve = curve_of(tmp_path, keyed([0.0, 0.5], [10.0, 20.0], [0x2 | 0x100, 0x2], [(0.0, 0.0, 0, 0)] * 2))
    np.testing.assert_allclose(evaluate(curve, [0.0, 0.25, 0.6]), [0.1, 0.2, 0.2])


def document(chance: np.random.Generator) -> Document:
    joints = tuple(Joint(name, n - 1, order=order) for n, (name, order) in enumerate([("hips", "YXZ"), ("arm", "XZY")]))
    channels = [c for joint in joints for c in joint_channels(joint, "tx ty tz rx ry rz")]
    curves = {}
    for channel in channels:
        times = np.cumsum(chance.uniform(0.1, 0.6, 6)).round(3)
        steps = np.diff(times)
        kinds = chance.choice(["bezier", "bezier", "linear", "constant"], 6)
        # Widths as FBX can hold them: whole ten-thousandths, or a third.
        wide = np.where(chance.random((5, 2)) < 0.3, 1 / 3, chance.integers(500, 6000, (5, 2)) / 10_000)
        slopes = chance.uniform(-3, 3, (6, 2))
        tied = chance.random(6) < 0.5
        slopes[tied, 1] = slopes[tied, 0]
        ins = [0.0, *(steps * wide[:, 1])]
        outs = [*(steps * wide[:, 0]), 0.0]
        keys = [
            Key(
                times[n], chance.uniform(-1, 1), Tangent(ins[n], ins[n] * slopes[n, 0]),
                Tangent(outs[n], outs[n] * slopes[n, 1]), kinds[n], bool(tied[n]),
            )
            for n in range(6)
        ]  # fmt: skip
        curves[channel.name] = Curve.from_keys(keys)
    return Document("keys", Rig(joints, tuple(channels)), clips=(Clip("take", 4.0, 0.25, 30.0, Curves(curves)),))


@pytest.mark.parametrize("seed", range(4))
def test_keys_and_tangents_come_back_as_exact_as_single_precision(tmp_path: Path, seed: int) -> None:
    before = document(np.random.default_rng(seed))
    assert write(before, tmp_path / "a.fbx") == ()
    reading = read(tmp_path / "a.fbx")
    after = reading.document
    assert [line for line in reading.notes if "a bone is moved" not in line] == []
    assert [(joint.name, joint.order) for joint in after.rig.joints] == [("hips", "YXZ"), ("arm", "XZY")]
    (one,), (two,) = before.clips, after.clips
    assert (two.start, two.end, two.rate) == (one.start, one.end, one.rate)
    for name, old in one.curves.items():
        new = two.curves[name]
        np.testing.assert_allclose(new.times, old.times, rtol=0, atol=2e-11)
        np.testing.assert_allclose(new.values, old.values, rtol=1.2e-7)
        bent = old.interpolations[:-1] == 2
        np.testing.assert_array_equal(new.interpolations, old.interpolations)
        np.testing.assert_allclose(new.outs[:-1][bent], old.outs[:-1][bent], rtol=2e-7, atol=1e-10)
        np.testing.assert_allclose(new.ins[1:][bent], old.ins[1:][bent], rtol=2e-7, atol=1e-10)
    # Once rounded, nothing changes any more.
    write(after, tmp_path / "b.fbx")
    again = read(tmp_path / "b.fbx").document.clip()
    for name, curve in two.curves.items():
        for part in ("values", "ins", "outs"):
            np.testing.assert_allclose(getattr(again.curves[name], part), getattr(curve, part), rtol=1e-12, atol=1e-14)


def test_sampled_is_a_straight_key_on_every_frame(tmp_path: Path) -> None:
    before = document(np.random.default_rng(9))
    write(before, tmp_path / "a.fbx", sampled=True)
    clip = read(tmp_path / "a.fbx").document.clip()
    times = before.clip().frame_times
    for name, curve in before.clip().curves.items():
        assert (clip.curves[name].interpolations == 1).all()
        np.testing.assert_allclose(clip.curves[name].values, evaluate(curve, times), rtol=2e-7, atol=1e-9)
