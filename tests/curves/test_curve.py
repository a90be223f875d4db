"""What a curve refuses, keeps and compares."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.curves.curve import with_tangents
from inbetweener.errors import InvalidCurve
from tests.curves import museum
from tests.curves.strategies import curves


def test_two_keys_on_one_frame_are_refused():
    with pytest.raises(InvalidCurve, match=r"key 2 at 0\.5 s does not come after key 1 at 0\.5 s"):
        Curve.from_keys([Key(0, 0), Key(0.5, 1), Key(0.5, 2)])


def test_a_segment_without_length_is_refused():
    with pytest.raises(InvalidCurve, match=r"key 1 at 1 s does not come after key 0 at 1 s"):
        Curve.from_keys([Key(1, 0, interpolation="linear"), Key(1, 0)])


def test_no_keys_are_refused():
    with pytest.raises(InvalidCurve, match="at least one key"):
        Curve.from_keys([])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_must_be_finite(bad):
    with pytest.raises(InvalidCurve, match="key 1: values is not a finite number"):
        Curve.sampled([0, 1], [0, bad])
    with pytest.raises(InvalidCurve, match="key 0: outs is not a finite number"):
        Curve.from_keys([Key(0, 0, out_tangent=Tangent(0.1, bad))])


def test_backward_tangents_are_refused():
    with pytest.raises(InvalidCurve, match="key 0: width of the out tangent is negative"):
        Curve.from_keys([Key(0, 0, out_tangent=Tangent(-0.1, 0))])
    with pytest.raises(InvalidCurve, match="key 0: width of the in tangent is zero with height 2"):
        Curve.from_keys([Key(0, 0, in_tangent=Tangent(0, 2))])


def test_time_that_runs_backwards_is_refused_and_named():
    keys = [Key(0, 0), Key(1, 0, out_tangent=Tangent(1.1, 0)), Key(2, 1, in_tangent=Tangent(1.0, 0))]
    with pytest.raises(InvalidCurve, match=r"segment after key 1 at 1 s: tangent widths 1\.1 and 1 .* backwards"):
        Curve.from_keys(keys)
    # The same widths beside a straight segment have no effect, and are kept.
    keys[1] = Key(1, 0, out_tangent=Tangent(1.1, 0), interpolation="linear")
    assert Curve.from_keys(keys).key(1).out_tangent == Tangent(1.1, 0)


def test_mismatched_arrays_are_refused():
    with pytest.raises(InvalidCurve, match=r"values has shape \(2,\); 3 keys need \(3,\)"):
        Curve.sampled([0, 1, 2], [0, 1])


@given(curves())
def test_keys_and_arrays_are_the_same_curve(curve):
    assert Curve.from_keys(curve.keys) == curve
    assert len(list(curve)) == len(curve)


@given(curves(), st.data())
def test_equality_sees_every_array(curve, data):
    index = data.draw(st.integers(0, len(curve) - 1))
    keys = list(curve.keys)
    key = keys[index]
    for other in (replace(key, value=key.value + 1), replace(key, tied=not key.tied)):
        keys[index] = other
        assert Curve.from_keys(keys) != curve
    assert curve != "a curve"


def test_arrays_cannot_be_written_and_do_not_follow_the_caller():
    times = np.array([0.0, 1.0])
    curve = Curve.sampled(times, [1.0, 2.0])
    times[1] = 5.0
    assert curve.times[1] == 1.0
    for name in ("times", "values", "ins", "outs", "interpolations", "tied"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(curve, name)[0] = 0
    with pytest.raises(AttributeError):
        curve.values = np.zeros(2)
    with pytest.raises(TypeError):
        hash(curve)


def test_slope_of_a_tangent():
    assert Tangent(0.5, 2).slope == 4
    assert Tangent().slope == 0
    assert repr(museum.mixed()) == "Curve(5 keys, 0 to 2.25 s)"


def _outcome(make):
    try:
        return make()
    except InvalidCurve as error:
        return str(error)


@given(st.lists(curves(), min_size=1, max_size=4), st.data())
def test_many_curves_given_tangents_at_once_are_those_made_one_by_one(many, data):
    """Sound or not: the same curves, or the same complaint as of the first that is not sound."""
    number = st.sampled_from([0.0, 0.01, 0.2, 0.6, 5.0, -0.1, np.nan])
    ins, outs = (
        [np.array(data.draw(st.lists(st.tuples(number, number), min_size=len(c), max_size=len(c)))) for c in many]
        for _ in range(2)
    )
    triples = list(zip(many, ins, outs, strict=True))
    one_by_one = _outcome(lambda: tuple(replace(curve, ins=i, outs=o) for curve, i, o in triples))
    assert _outcome(lambda: with_tangents(many, ins, outs)) == one_by_one
