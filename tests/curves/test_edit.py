"""Edits: what they change, what they leave, what they say and what they refuse."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inbetweener.curves import (
    Curve,
    Key,
    Tangent,
    break_tangents,
    delete_keys,
    evaluate,
    insert_key,
    move_key,
    retime,
    set_interpolation,
    set_tangent,
    tie_tangents,
    widths,
)
from inbetweener.curves.edit import straight_as_bezier
from inbetweener.errors import InvalidCurve, UnknownName
from tests.curves import museum
from tests.curves.strategies import curves, number


def dense(curve: Curve) -> np.ndarray:
    return np.unique(np.concatenate([np.linspace(curve.times[0] - 0.2, curve.times[-1] + 0.2, 201), curve.times]))


def slopes(tangents: np.ndarray) -> np.ndarray:
    return tangents[:, 1] / tangents[:, 0]


@given(st.data())
def test_inserting_a_key_leaves_the_curve_unchanged(data):
    curve = data.draw(curves())
    time = data.draw(number(curve.times[0] - 1, curve.times[-1] + 1))
    assume(np.abs(curve.times - time).min() > 1e-6)
    edit = insert_key(curve, time)
    assert len(edit.curve) == len(curve) + 1
    assert time in edit.curve.times
    assert edit.adjusted == ()
    at = dense(curve)
    np.testing.assert_allclose(evaluate(edit.curve, at), evaluate(curve, at), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["widest", "one_sided", "zero_width", "mixed", "cliff", "beyond_limit", "single"])
def test_inserting_many_keys_into_the_museum(name):
    curve = museum.EXHIBITS[name]()
    edited = curve
    for time in np.linspace(curve.times[0] - 0.1, curve.times[-1] + 0.1, 23):
        if time not in edited.times:
            edited = insert_key(edited, time).curve
    at = dense(curve)
    assert len(edited) >= 23
    np.testing.assert_allclose(evaluate(edited, at), evaluate(curve, at), atol=1e-11 * np.abs(curve.values).max())


def test_inserted_keys_are_tied():
    edited = insert_key(museum.beyond_limit(), 0.4).curve
    assert edited.tied[1]
    assert edited.key(1).in_tangent.slope == pytest.approx(edited.key(1).out_tangent.slope, rel=1e-12)


def test_insert_refuses_an_occupied_time_and_a_vertical_place():
    with pytest.raises(InvalidCurve, match=r"key 1 is already at 0\.5 s"):
        insert_key(museum.mixed(), 0.5)
    with pytest.raises(InvalidCurve, match=r"vertical at 0\.5 s"):
        insert_key(museum.full_width(), 0.5)
    with pytest.raises(InvalidCurve, match="finite"):
        insert_key(museum.mixed(), np.nan)


@given(curves(least=3, only_bezier=True, reach=1.0), st.data())
def test_every_move_keeps_time_forward_and_slopes_as_drawn(curve, data):
    k = data.draw(st.integers(1, len(curve) - 2))
    fraction = data.draw(number(0.001, 0.999))
    time = curve.times[k - 1] + fraction * (curve.times[k + 1] - curve.times[k - 1])
    edit = move_key(curve, k, time=time, value=3.0)
    moved = edit.curve
    length = np.diff(moved.times)
    assert widths.are_monotone(moved.outs[:-1, 0] / length, moved.ins[1:, 0] / length).all()
    np.testing.assert_allclose(slopes(moved.ins), slopes(curve.ins), rtol=1e-12)
    np.testing.assert_allclose(slopes(moved.outs), slopes(curve.outs), rtol=1e-12)
    changed = {(int(i), "in") for i in np.flatnonzero(moved.ins[:, 0] != curve.ins[:, 0])}
    changed |= {(int(i), "out") for i in np.flatnonzero(moved.outs[:, 0] != curve.outs[:, 0])}
    assert {(a.key, a.side) for a in edit.adjusted} == changed
    assert all(a.width_after < a.width_before for a in edit.adjusted)
    assert moved.times[k] == time
    assert moved.values[k] == 3.0


def test_moving_says_what_it_shortened():
    third = Tangent(0.3, 0.3)
    curve = Curve.from_keys([Key(float(t), t, third, third) for t in range(3)])
    edit = move_key(curve, 1, time=0.2)
    assert [(a.key, a.side) for a in edit.adjusted] == [(0, "out"), (1, "in")]
    assert str(edit.adjusted[0]).startswith("key 0: out tangent shortened from 0.3 to 0.19")
    assert move_key(curve, 1, value=7).adjusted == ()


def test_a_key_may_not_pass_its_neighbours():
    with pytest.raises(InvalidCurve, match=r"key 1 would move from 0\.5 to 0\.8 s, onto or past key 2 at 0\.75 s"):
        move_key(museum.mixed(), 1, time=0.8)
    with pytest.raises(InvalidCurve, match=r"key 2 would move from 0\.75 to 0\.5 s, onto or past key 1"):
        move_key(museum.mixed(), 2, time=0.5)
    with pytest.raises(InvalidCurve, match="there is no key 5; the curve has keys 0 to 4"):
        move_key(museum.mixed(), 5, value=1)
    assert move_key(museum.mixed(), -1, value=9).curve.values[4] == 9


@given(curves(), number(0.1, 4), number(-2, 2), number(-2, 2))
def test_retiming_all_keys_is_a_change_of_clock(curve, scale, shift, pivot):
    edit = retime(curve, scale=scale, shift=shift, pivot=pivot)
    at = np.linspace(curve.times[0] - 0.2, curve.times[-1] + 0.2, 101)
    at = at[np.abs(at[:, None] - curve.times).min(axis=1) > 1e-9]  # steps may round to the other side of a key
    np.testing.assert_allclose(
        evaluate(edit.curve, pivot + scale * (at - pivot) + shift), evaluate(curve, at), rtol=0, atol=1e-9
    )
    assert edit.adjusted == ()


def test_retiming_a_range_moves_only_it_and_keeps_order():
    curve = museum.beyond_limit()
    edit = retime(curve, [1, 2], shift=0.5)
    np.testing.assert_array_equal(edit.curve.times, [0, 1.5, 2.5, 3])
    with pytest.raises(InvalidCurve, match="key 2 would move from 2 to 3 s, onto or past key 3 at 3 s"):
        retime(curve, [1, 2], shift=1)
    with pytest.raises(InvalidCurve, match="positive"):
        retime(curve, scale=-1)


def test_deleting_keeps_the_rest():
    curve = museum.mixed()
    edit = delete_keys(curve, [1, 3])
    assert edit.curve.keys == (curve.key(0), curve.key(2), curve.key(4))
    with pytest.raises(InvalidCurve, match="at least one key"):
        delete_keys(curve, range(5))


@given(curves(least=3, only_bezier=True, reach=1.0), st.data())
def test_deleting_any_key_keeps_time_forward(curve, data):
    gone = data.draw(st.integers(0, len(curve) - 1))
    edited = delete_keys(curve, [gone]).curve
    length = np.diff(edited.times)
    assert widths.are_monotone(edited.outs[:-1, 0] / length, edited.ins[1:, 0] / length).all()


def test_a_tied_key_turns_both_tangents_a_broken_one_only_one():
    tangent = Tangent(0.2, 0.1)
    curve = Curve.from_keys([Key(float(t), 0, tangent, Tangent(0.3, 0.15)) for t in range(3)])
    tied = set_tangent(curve, 1, "out", Tangent(0.25, -1)).curve.key(1)
    assert tied.out_tangent == Tangent(0.25, -1)
    assert tied.in_tangent.x == 0.2
    assert tied.in_tangent.slope == pytest.approx(-4)
    broken = set_tangent(break_tangents(curve, [1]).curve, 1, "in", Tangent(0.25, -1)).curve.key(1)
    assert broken.in_tangent == Tangent(0.25, -1)
    assert broken.out_tangent == Tangent(0.3, 0.15)
    long = set_tangent(curve, 1, "out", Tangent(2, 2))
    assert {(a.key, a.side) for a in long.adjusted} == {(1, "out"), (2, "in")}
    assert long.curve.key(1).out_tangent.slope == pytest.approx(1)
    with pytest.raises(InvalidCurve, match="width 0 of the out tangent must be positive"):
        set_tangent(curve, 1, "out", Tangent(0, 1))


def test_tying_gives_one_slope_between_the_two():
    curve = Curve.from_keys([Key(0, 0), Key(1, 0, Tangent(0.2, 0.2), Tangent(0.1, -0.4), tied=False), Key(2, 0)])
    key = tie_tangents(curve, [1]).curve.key(1)
    assert key.tied
    assert key.in_tangent.slope == pytest.approx(-2 / 3)
    assert key.out_tangent.slope == pytest.approx(-2 / 3)
    assert (key.in_tangent.x, key.out_tangent.x) == (0.2, 0.1)


@given(curves(least=2))
def test_straight_segments_become_bezier_without_a_change(curve):
    at = dense(curve)
    for bezier in (straight_as_bezier(curve), set_interpolation(straight_as_bezier(curve), "bezier", []).curve):
        assert not (bezier.interpolations[:-1] == 1).any()
        np.testing.assert_allclose(evaluate(bezier, at), evaluate(curve, at), atol=1e-12)
        same = np.isclose(bezier.ins[:, 1] * bezier.outs[:, 0], bezier.outs[:, 1] * bezier.ins[:, 0], atol=1e-9)
        touched = (bezier.ins != curve.ins).any(axis=1) | (bezier.outs != curve.outs).any(axis=1)
        assert (same | ~bezier.tied | ~touched).all()


def test_interpolation_is_set_by_name():
    curve = set_interpolation(museum.mixed(), "linear", [2]).curve
    assert curve.key(2).interpolation == "linear"
    at = np.linspace(0.75, 2, 11)
    np.testing.assert_allclose(evaluate(curve, at), np.interp(at, [0.75, 2], [-1, 0]), atol=1e-15)
    straight = set_interpolation(curve, "bezier", [1, 2]).curve
    np.testing.assert_allclose(evaluate(straight, at), evaluate(curve, at), atol=1e-14)
    with pytest.raises(UnknownName, match="no interpolation called 'cubic'"):
        set_interpolation(curve, "cubic")


def test_becoming_bezier_shortens_forgotten_tangents():
    keys = [Key(0, 0, out_tangent=Tangent(5, 5), interpolation="constant"), Key(1, 1, in_tangent=Tangent(1, 0))]
    edit = set_interpolation(Curve.from_keys(keys), "bezier")
    assert {(a.key, a.side) for a in edit.adjusted} == {(0, "out"), (1, "in")}
    assert edit.curve.key(0).out_tangent.slope == pytest.approx(1)
