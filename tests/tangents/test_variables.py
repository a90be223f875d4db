"""Tangents as variables: what may change, how far, and what stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.curves.widths import MARGIN, slack
from inbetweener.rig import Channel
from inbetweener.tangents import Settings
from inbetweener.tangents.certificate import slope_error
from inbetweener.tangents.variables import Variables, can_change
from tests.tangents.figures import even_curve, staggered_curve, tangents_only

CHANNEL = Channel("dial", "control")


def variables_of(curve: Curve, time: float, channel: Channel = CHANNEL, **changes: float) -> Variables:
    return Variables.of([curve], [channel], time, Settings(**changes), 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(6))
def test_zero_changes_nothing_and_any_step_only_tangents(seed: int) -> None:
    rng = np.random.default_rng(seed)
    curve = staggered_curve(rng, 0.0)
    variables = variables_of(curve, 1.0)
    assert variables.changed([curve], np.zeros(4))[0] is curve
    z = np.clip(rng.normal(size=4), variables.lower, variables.upper)
    (changed,) = variables.changed([curve], z)
    assert changed != curve
    assert tangents_only(curve, changed)
    assert slope_error(changed) < 1e-12


def test_only_the_four_tangents_around_the_drag_change() -> None:
    curve = even_curve([0.0, 1.0, 0.5, 2.0, 1.0, 0.0])
    variables = variables_of(curve, 1.2)
    (changed,) = variables.changed([curve], np.array([0.1, 0.2, -0.1, 0.3]))
    moved = [k for k in range(6) if not (np.array_equal(curve.ins[k], changed.ins[k]))]
    assert moved == [2, 3]
    assert [k for k in range(6) if not np.array_equal(curve.outs[k], changed.outs[k])] == [2, 3]
    # The tied ones keep their widths.
    assert changed.ins[2, 0] == curve.ins[2, 0]
    assert changed.outs[3, 0] == curve.outs[3, 0]


widths = st.floats(0.01, 4.0 / 3.0)


@given(a=widths, b=widths, corner=st.tuples(st.booleans(), st.booleans()))
def test_every_pair_of_admissible_widths_keeps_time_running(a: float, b: float, corner: tuple[bool, bool]) -> None:
    if slack(a, b) < MARGIN:
        return
    curve = Curve.from_keys([Key(0.0, 0.0, out_tangent=Tangent(a, 0.1)), Key(1.0, 1.0, Tangent(b, 0.1))])
    variables = variables_of(curve, 0.5)
    low, high = (variables.start + variables.scale * bound for bound in (variables.lower, variables.upper))
    chosen = [(high if up else low)[i] for up, i in zip(corner, (0, 2), strict=True)]
    assert slack(*chosen) >= MARGIN * (1 - 1e-9)
    # What is there now is always admissible.
    assert (low[::2] <= np.array([a, b]) + 1e-12).all()
    assert (high[::2] >= np.array([a, b]) - 1e-12).all()


def test_a_partner_of_an_overlong_tangent_keeps_its_width() -> None:
    curve = Curve.from_keys([Key(0.0, 0.0, out_tangent=Tangent(1.2, 0.1)), Key(1.0, 1.0, Tangent(0.4, 0.1))])
    variables = variables_of(curve, 0.5)
    assert variables.lower[2] == variables.upper[2] == 0.0
    assert variables.lower[0] < 0.0
    assert variables.upper[0] == 0.0


def test_a_tangent_without_width_stays() -> None:
    curve = Curve.from_keys([Key(0.0, 0.0), Key(1.0, 1.0, Tangent(0.3, 0.0))])
    variables = variables_of(curve, 0.5)
    assert not variables.lower[:2].any()
    assert not variables.upper[:2].any()
    assert variables.upper[3] > variables.lower[3]


def test_stiffness_shortens_the_unit_of_a_variable() -> None:
    curve = even_curve([0.0, 1.0, 0.0, 1.0])
    soft = variables_of(curve, 0.7)
    stiff = variables_of(curve, 0.7, Channel("dial", "control", stiffness=4.0))
    np.testing.assert_allclose(soft.scale, 4.0 * stiff.scale)


def test_the_sides_of_broken_keys_are_drawn_to_one_slope_by_the_weight_of_e_b() -> None:
    """[TSO] Eq. 5: s²Δ² + w_b(Δ − d)² for a height whose partner stays is least at w_b d / (s² + w_b)."""
    bent = even_curve([0.0, 1.0, 0.0, 1.0], tied=False)
    outs = bent.outs.copy()
    outs[1] = [0.1, 0.5]
    broken = bent.with_tangents(bent.ins, outs)
    loose, drawn = (variables_of(broken, 0.5, together=weight) for weight in (0.0, 3.0))
    assert not loose.together.any()
    np.testing.assert_allclose(drawn.scale[[1, 3]], loose.scale[[1, 3]] / 2.0)
    np.testing.assert_array_equal(drawn.scale[[0, 2]], loose.scale[[0, 2]])
    slope = bent.ins[1, 1] / bent.ins[1, 0]
    assert drawn.together[1] * drawn.scale[1] == pytest.approx(0.75 * (slope * 0.1 - 0.5))
    # At the ends of a curve there is no partner to break with.
    assert not variables_of(broken, 0.2, together=3.0).together[:2].any()


def test_limits_are_widened_to_what_is_already_outside() -> None:
    channel = Channel("dial", "control", lower=0.0, upper=0.6)
    curve = even_curve([0.2, 0.5, 0.9, 0.3])
    before, at, after = variables_of(curve, 0.7, channel).limits[0]
    assert tuple(before) == (0.0, 0.6)
    assert tuple(at) == (0.0, 0.9)
    assert tuple(after) == (0.0, 0.9)


def test_only_bezier_segments_between_keys_can_change() -> None:
    curve = Curve.from_keys([Key(0.0, 0.0), Key(1.0, 1.0, interpolation="linear"), Key(2.0, 0.0)])
    assert can_change(curve, 0.5)
    assert not can_change(curve, 1.5)
    assert not can_change(curve, 0.0)
    assert not can_change(curve, 2.5)
    assert not can_change(None, 0.5)
