"""Loops that flow on: ends with two slopes get one."""

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.curves.seam import passes, seam_slopes
from inbetweener.document import Document
from inbetweener.document.edits import add_layer, drag, smooth_seam, tie_tangents
from inbetweener.motion import Layer

CLIP = example("conductor").clip().name


@pytest.fixture(scope="module")
def dragged() -> Document:
    """A bar whose first arc was pulled, so that it jerks where it begins again."""
    dragged = drag(example("conductor"), "hand_r", time=0.2, by=(-0.1, 0.0, 0.05))
    assert dragged.reached
    return dragged.document


def kinks(document: Document, layer: str | None = None) -> set[str]:
    clip = document.clip(CLIP)
    curves = clip.curves if layer is None else clip.layer(layer).curves
    found = {name: seam_slopes(curve, clip.start, clip.end) for name, curve in curves.items()}
    return {name for name, slopes in found.items() if slopes is not None and not passes(slopes)}


def test_a_drag_near_the_start_leaves_a_seam_and_this_mends_it(dragged: Document) -> None:
    assert kinks(example("conductor")) == set()
    assert len(kinks(dragged)) > 3
    smooth = smooth_seam(dragged, clip=CLIP).document
    assert kinks(smooth) == set()
    for name, curve in dragged.clip().curves.items():
        after = smooth.clip().curves[name]
        np.testing.assert_array_equal(after.values, curve.values)
        np.testing.assert_array_equal(after.times, curve.times)
        # Only the outermost tangents turn, about halfway, and keep their widths.
        np.testing.assert_array_equal(after.outs[1:], curve.outs[1:])
        np.testing.assert_array_equal(after.ins[:-1], curve.ins[:-1])
        np.testing.assert_array_equal(after.outs[0, 0], curve.outs[0, 0])
    name = sorted(kinks(dragged))[0]
    before, after = (each.clip().curves[name] for each in (dragged, smooth))
    middle = np.mean([before.ins[-1, 1] / before.ins[-1, 0], before.outs[0, 1] / before.outs[0, 0]])
    assert after.outs[0, 1] / after.outs[0, 0] == pytest.approx(middle)


def test_the_hand_passes_the_seam_at_one_speed(dragged: Document) -> None:
    def jump(document: Document) -> float:
        motion, hand, step = document.motion(), document.rig.point("hand_r"), 1e-5
        ends = [document.clip().start, document.clip().end]
        states = motion.states([ends[0], ends[0] + step, ends[1] - step, ends[1]], hand)[0]
        return float(np.linalg.norm((states[1] - states[0]) - (states[3] - states[2])) / step)

    assert jump(dragged) > 0.1
    assert jump(smooth_seam(dragged, clip=CLIP).document) < 1e-3


def test_what_flows_already_is_the_very_same(dragged: Document) -> None:
    assert smooth_seam(example("conductor"), clip=CLIP).document == example("conductor")
    once = smooth_seam(dragged, clip=CLIP).document
    assert smooth_seam(once, clip=CLIP).document is once


def test_a_broken_key_keeps_its_kink(dragged: Document) -> None:
    name = sorted(kinks(dragged))[0]
    wanted = tie_tangents(dragged, CLIP, name, [0], tied=False)
    assert smooth_seam(wanted, clip=CLIP).document.clip().curves[name] == wanted.clip().curves[name]


def test_layers_are_smoothed_too(dragged: Document) -> None:
    layered = add_layer(dragged, CLIP, Layer("more", dragged.clip().curves))
    assert kinks(layered, "more")
    assert kinks(smooth_seam(layered, clip=CLIP).document, "more") == set()
