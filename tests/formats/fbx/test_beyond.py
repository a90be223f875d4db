"""Curves that go on beyond their keys, as FBX lets them: against the rule itself."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.curves import Curve, evaluate
from inbetweener.formats.fbx import read
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.write_keys import curve_records
from inbetweener.formats.fbx.writing import node
from tests.formats.fbx.build import Made

TIMES, VALUES = [0.375, 0.5, 0.625], [1.0, 5.0, 3.0]


def expected(t: float, kind: str) -> float:
    """The straight curve through three keys, at any time."""
    first, last = TIMES[0], TIMES[-1]
    if kind == "K":
        slope = 32.0 if t < first else -16.0
        if t < first or t > last:
            return (VALUES[0] + slope * (t - first)) if t < first else (VALUES[-1] + slope * (t - last))
    length = last - first
    turn = np.floor((t - first) / length)
    inside = t - turn * length
    if kind == "M" and turn % 2:
        inside = first + last - inside
    rise = turn * (VALUES[-1] - VALUES[0]) if kind == "A" else 0.0
    return float(np.interp(inside, TIMES, VALUES)) + rise


@pytest.mark.parametrize("kind", ["R", "A", "M", "K"])
def test_repeated_relative_mirrored_and_straight(tmp_path: Path, kind: str) -> None:
    inside = curve_records(Curve.sampled(TIMES, VALUES), 0.0)
    inside += [
        node(f"{side}-Extrapolation", inside=[node("Type", ord(kind)), node("Repetition", -1)])
        for side in ("Pre", "Post")
    ]
    made = Made()
    made.move(made.model("a"), "Lcl Translation", Record("AnimationCurve", [], inside), None, None)
    curve = read(made.save(tmp_path / "a.fbx")).document.clip().curves["a.tx"]
    for t in np.linspace(0.003, 0.997, 61):
        assert 100 * evaluate(curve, [t])[0] == pytest.approx(expected(t, kind), abs=1e-4), t


def test_as_often_as_the_file_says(tmp_path: Path) -> None:
    inside = curve_records(Curve.sampled(TIMES, VALUES), 0.0)
    inside += [node("Post-Extrapolation", inside=[node("Type", ord("A")), node("Repetition", 1)])]
    made = Made()
    made.move(made.model("a"), "Lcl Translation", Record("AnimationCurve", [], inside), None, None)
    curve = read(made.save(tmp_path / "a.fbx")).document.clip().curves["a.tx"]
    assert 100 * evaluate(curve, [0.95])[0] == pytest.approx(5.0)
    assert 100 * evaluate(curve, [0.1])[0] == pytest.approx(1.0)
