"""Clips and their curves: frame times, immutability, equality, sharing."""

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip, Curves, Layer


def test_curves_are_a_mapping_that_cannot_be_changed():
    source = {"a": Curve.constant(1), "b": Curve.constant(2)}
    curves = Curves(source)
    source["c"] = Curve.constant(3)
    assert list(curves) == ["a", "b"]
    assert len(curves) == 2
    assert "c" not in curves
    with pytest.raises(TypeError):
        curves["c"] = Curve.constant(3)
    with pytest.raises(TypeError):
        hash(curves)
    assert repr(curves) == "Curves(a, b)"


def test_curves_compare_by_value_whatever_the_order():
    one = Curves({"a": Curve.constant(1), "b": Curve.constant(2)})
    two = Curves({"b": Curve.constant(2), "a": Curve.constant(1)})
    assert one == two == {"a": Curve.constant(1), "b": Curve.constant(2)}
    assert one != Curves({"a": Curve.constant(1), "b": Curve.constant(3)})
    assert one != Curves({"a": Curve.constant(1)})
    assert Curves() == {}
    assert one != 7


def test_replacing_shares_what_stays():
    one = Curves({"a": Curve.constant(1), "b": Curve.constant(2)})
    two = one.replaced({"b": Curve.constant(5), "c": Curve.constant(6), "d": None})
    assert two["a"] is one["a"]
    assert list(two) == ["a", "b", "c"]
    assert one["b"].values[0] == 2
    assert one.replaced({"a": None}) == {"b": Curve.constant(2)}


@pytest.mark.parametrize(
    ("rate", "frames"), [(24.0, 97), (30.0, 1001), (120.0, 311), (1 / 0.0083333, 1000), (59.94, 7)]
)
def test_frame_times_reach_an_end_computed_from_frames(rate, frames):
    clip = Clip("c", end=2.0 + (frames - 1) / rate, start=2.0, rate=rate)
    assert len(clip.frame_times) == frames
    np.testing.assert_allclose(clip.frame_times[[0, -1]], [clip.start, clip.end], atol=1e-9)
    np.testing.assert_allclose(np.diff(clip.frame_times), 1 / rate, rtol=1e-9)


def test_frame_times_stop_before_an_end_between_frames():
    np.testing.assert_allclose(Clip("c", end=0.99, rate=10).frame_times, np.arange(10) / 10)
    np.testing.assert_array_equal(Clip("c", end=1.5, start=1.5).frame_times, [1.5])


def test_clips_compare_by_value():
    layers = (Layer("polish", Curves({"a": Curve.constant(1)})),)
    assert Clip("c", 1, layers=layers) == Clip("c", 1, layers=(Layer("polish", Curves({"a": Curve.constant(1)})),))
    assert Clip("c", 1, layers=layers) != Clip("c", 1)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"end": 1, "rate": 0}, "rate 0 frames a second must be positive"),
        ({"end": 1, "rate": np.nan}, "must be positive"),
        ({"end": 0, "start": 1}, "end 0 s lies before start 1 s"),
        ({"end": np.inf}, "end inf s"),
    ],
)
def test_impossible_clips_are_refused(arguments, problem):
    with pytest.raises(InvalidDocument, match=problem):
        Clip("c", **arguments)


def test_an_unknown_layer_is_named_with_those_there_are():
    clip = Clip("c", 1, layers=(Layer("polish"),))
    assert clip.layer("polish") is clip.layers[0]
    with pytest.raises(UnknownName, match="no layer called 'polsh'; did you mean polish"):
        clip.layer("polsh")
