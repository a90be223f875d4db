"""Between which times a motion may differ after an edit."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve, evaluate
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.studio.session.changes import ALWAYS, changed_span

TIMES = np.arange(6.0)
PLAIN = Curve.sampled(TIMES, np.sin(TIMES))


def clip(**curves: Curve) -> Clip:
    return Clip("a", 5.0, curves=Curves(curves))


def moved(key: int, by: float = 1.0) -> Curve:
    return replace(PLAIN, values=PLAIN.values + by * (np.arange(6) == key))


@pytest.mark.parametrize(
    ("key", "span"), [(0, (-np.inf, 1.0)), (2, (1.0, 3.0)), (5, (4.0, np.inf))], ids=["first", "middle", "last"]
)
def test_a_key_reaches_as_far_as_its_neighbours(key: int, span: tuple[float, float]) -> None:
    assert changed_span(clip(x=PLAIN), clip(x=moved(key))) == span
    layered = replace(clip(x=PLAIN), layers=(Layer("l", Curves({"x": PLAIN})),))
    assert changed_span(layered, replace(layered, layers=(Layer("l", Curves({"x": moved(key)})),))) == span


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 5)), max_size=4))
def test_nothing_differs_outside_and_keys_bound_it(edits: list[tuple[str, int]]) -> None:
    before = clip(x=PLAIN, y=PLAIN, z=PLAIN)
    curves = {name: moved(key) for name, key in edits}
    after = replace(before, curves=before.curves.replaced(curves))
    span = changed_span(before, after)
    kept = dict(edits)  # the last edit of a curve is the one that counts
    if not kept:
        assert span is None
        return
    assert span is not None
    times = np.linspace(-1.0, 6.0, 141)
    outside = times[(times <= span[0]) | (times >= span[1])]
    for name in "xyz":
        assert np.array_equal(evaluate(before.curves[name], outside), evaluate(after.curves[name], outside))
    assert span[0] == (-np.inf if min(kept.values()) == 0 else min(kept.values()) - 1)
    assert span[1] == (np.inf if max(kept.values()) == 5 else max(kept.values()) + 1)


def test_an_empty_layer_is_no_difference() -> None:
    assert changed_span(clip(x=PLAIN), replace(clip(x=PLAIN), layers=(Layer("l"),))) is None


def test_an_equal_copy_is_no_difference() -> None:
    assert changed_span(clip(x=PLAIN), clip(x=replace(PLAIN, values=PLAIN.values.copy()))) is None


@pytest.mark.parametrize(
    "after",
    [
        clip(x=PLAIN, y=PLAIN),
        clip(),
        clip(x=Curve.sampled(TIMES[:5], TIMES[:5])),
        replace(clip(x=PLAIN), end=4.0),
        replace(clip(x=PLAIN), layers=(Layer("l", Curves({"x": PLAIN})),)),
        replace(clip(x=PLAIN), layers=(Layer("l", solo=True),)),
    ],
    ids=["a new curve", "a curve gone", "a key gone", "another end", "a layer", "a layer heard alone"],
)
def test_what_reaches_anywhere_is_taken_to(after: Clip) -> None:
    assert changed_span(clip(x=PLAIN), after) == ALWAYS
