"""Corrections are exact curves: λ φ + β ψ to rounding, and around a loop without a seam."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Bundle, evaluate
from inbetweener.kinodynamics import Bell, PointTarget
from inbetweener.kinodynamics.corrections import Shape, with_layers, without_layers
from inbetweener.kinodynamics.solve import solve
from inbetweener.motion import Clip, Layer
from tests.kinodynamics.bodies import JAB, loose, scene

CLIP = Clip("clip", 2.0)
LOOP = replace(CLIP, loops=True)
TIMES = np.linspace(-0.5, 2.5, 1201)

numbers = st.floats(-3, 3)
widths = st.floats(0.05, 3.0)


@given(numbers, numbers, widths, widths, st.floats(0, 2), st.sampled_from(["gaussian", "polynomial"]))
def test_a_correction_is_the_sum_that_was_solved_with(
    height: float, slope: float, before: float, after: float, time: float, kind: str
) -> None:
    shape = Shape.of(Bell(before, after, kind), time, CLIP)  # type: ignore[arg-type]
    curve = shape.curve(height, slope)
    bell, wiggle = shape.motion(TIMES).swapaxes(0, 1)
    found = Bundle.of([curve]).evaluate_motion(TIMES)[:, 0]
    assert np.abs(found - height * bell - slope * wiggle).max() <= 1e-9 * (1 + np.abs(found).max())
    value, rate = Bundle.of([curve]).evaluate_motion([time])[0, 0, :2]
    assert value == pytest.approx(height, abs=1e-12)
    assert rate == pytest.approx(slope, abs=1e-9)


@given(widths, widths, st.floats(0, 2))
def test_bells_come_in_again_at_the_other_end_of_a_loop(before: float, after: float, time: float) -> None:
    shape = Shape.of(Bell(before, after), time, LOOP)
    own = Bundle.of(Bell(before, after).curves(time))
    times = np.linspace(0, 2, 401)
    turns = 2.0 * np.arange(-4, 5)
    for number, curve in enumerate(shape.parts):
        wanted = sum(own.evaluate(times + turn)[:, number] for turn in turns)
        assert np.abs(evaluate(curve, times) - wanted).max() < 1e-9
    both = Bundle.of(shape.parts).evaluate_motion([0.0, 2.0])[:, :, :2]
    assert np.abs(both[0] - both[1]).max() < 1e-6


def test_layers_go_where_they_were_and_new_ones_on_top() -> None:
    mine, theirs, new = Layer("mine"), Layer("theirs", weight=0.5), Layer("mine", weight=2.0)
    clip = replace(CLIP, layers=(mine, theirs))
    assert with_layers(clip, [new, Layer("third")]).layers == (new, theirs, Layer("third"))
    assert without_layers(clip, ["mine", "nobody"]).layers == (theirs,)


def test_solving_again_replaces_its_layer_and_moves_no_key() -> None:
    motion = loose("boxer", "firm")
    targets = {"hit": PointTarget(JAB, scene("boxer").rig.point("palm_l"))}
    first = solve(motion, targets)
    once = first.applied(motion.clip)
    again = solve(type(motion)(motion.loosened, once), targets)
    assert again.applied(once) == once
    assert once.curves == motion.clip.curves
    assert [layer.name for layer in once.layers] == ["hit"]
