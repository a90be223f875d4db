"""Exact derivatives against central differences at two step sizes: nonzero, not identical, close."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Bundle, Curve, Key, Tangent
from tests.curves import museum
from tests.curves.strategies import curves, times_within

WAVE = Curve.from_keys(
    [
        Key(0.0, 0.3, out_tangent=Tangent(0.21, 0.9)),
        Key(0.8, -0.4, Tangent(0.35, -0.5), Tangent(0.3, -0.43)),
        Key(1.5, 1.1, Tangent(0.11, 0.7)),
    ]
)
AT = np.array([0.05, 0.23, 0.41, 0.66, 0.79, 0.9, 1.13, 1.31, 1.47])


def motion(curve: Curve, at: np.ndarray) -> np.ndarray:
    return Bundle.of([curve]).evaluate_motion(at)[:, 0]


def nudged(curve: Curve, key: int, component: int, step: float) -> Curve:
    """One of the four components (out width, out height, in width, in height) of a segment's tangents moved."""
    ins, outs = curve.ins.copy(), curve.outs.copy()
    if component < 2:
        outs[key, component] += step
    else:
        ins[key + 1, component - 2] += step
    return curve.with_tangents(ins, outs)


def assert_derivative(exact: np.ndarray, coarse: np.ndarray, fine: np.ndarray) -> None:
    assert np.all(np.abs(exact).max(axis=0) > 1e-3), "a derivative that is zero everywhere tests nothing"
    assert not np.array_equal(exact, fine), "identical to the difference: not an independent derivative"
    scale = np.abs(exact).max(axis=0)
    worst_coarse = (np.abs(exact - coarse) / scale).max()
    worst_fine = (np.abs(exact - fine) / scale).max()
    assert worst_fine < 2e-6
    linear = worst_coarse < 1e-9
    assert linear or worst_fine < worst_coarse, "a smaller step must help while truncation rules"


@pytest.mark.parametrize("component", range(4))
def test_value_velocity_and_acceleration_by_each_tangent_component(component):
    segments, exact = Bundle.of([WAVE]).differentiate(AT)
    for key in (0, 1):
        here = segments[:, 0] == key
        differences = [
            (motion(nudged(WAVE, key, component, h), AT[here]) - motion(nudged(WAVE, key, component, -h), AT[here]))
            / (2 * h)
            for h in (3e-3, 5e-5)
        ]
        assert_derivative(exact[here, 0, :, component], *differences)


def test_velocity_and_acceleration_by_time():
    differences = [(motion(WAVE, AT + h) - motion(WAVE, AT - h))[:, :2] / (2 * h) for h in (3e-3, 2e-5)]
    assert_derivative(motion(WAVE, AT)[:, 1:], *differences)


def test_heights_enter_linearly_by_the_formula():
    # ∂c/∂y_out = 3λ(1−λ)², ∂c/∂y_in = −3λ²(1−λ), ∂c/∂x = −ċ·∂c/∂y; λ = t for thirds on a unit segment.
    third = Tangent(1 / 3, 0.4)
    curve = Curve.from_keys([Key(0, 0, out_tangent=third), Key(1, 1, in_tangent=third)])
    u = np.linspace(0.1, 0.9, 9)
    _, exact = Bundle.of([curve]).differentiate(u)
    out, in_ = 3 * u * (1 - u) ** 2, -3 * u**2 * (1 - u)
    velocity = motion(curve, u)[:, 1]
    np.testing.assert_allclose(exact[:, 0, 0], np.stack([-velocity * out, out, -velocity * in_, in_], -1), atol=1e-14)


@given(st.data())
def test_one_step_predicts_any_curve(data):
    curve = data.draw(curves(least=2, only_bezier=True, reach=0.8))
    times = data.draw(times_within(curve))
    bundle = Bundle.of([curve])
    segments, exact = bundle.differentiate(times)
    step = 1e-7
    for f, t in enumerate(times):
        k = segments[f, 0]
        if k < 0:
            assert t < curve.times[0] or t > curve.times[-1]
            np.testing.assert_array_equal(exact[f], 0)
            continue
        for component in range(4):
            up = Bundle.of([nudged(curve, k, component, step)]).evaluate([t])
            down = Bundle.of([nudged(curve, k, component, -step)]).evaluate([t])
            slope = (up - down)[0, 0] / (2 * step)
            assert slope == pytest.approx(exact[f, 0, 0, component], rel=2e-3, abs=2e-4)


def test_only_bezier_segments_have_derivatives():
    segments, exact = Bundle.of([museum.mixed()]).differentiate([0.2, 0.6, 1.0, 2.1, 9.0])
    np.testing.assert_array_equal(segments[:, 0], [-1, -1, 2, 3, -1])
    np.testing.assert_array_equal(exact[[0, 1, 4]], 0)
    assert np.all(np.abs(exact[[2, 3], 0, 0]).max(axis=-1) > 0.01)


def test_derivatives_stay_finite_in_the_museum():
    for made in museum.EXHIBITS.values():
        curve = made()
        at = np.concatenate([curve.times, np.linspace(curve.times[0], curve.times[-1], 40)])
        at = at[at != 0.5] if curve == museum.full_width() else at  # there the speed is truly infinite
        assert np.isfinite(Bundle.of([curve]).differentiate(at)[1]).all()
        assert np.isfinite(motion(curve, at)).all()
