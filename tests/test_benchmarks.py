"""What benchmarks report can be read by programs, whatever kind of number they measured."""

import json
import sys

import numpy as np
import pytest

from benchmarks import harness
from benchmarks.harness import Figure


def test_figures_are_json_whatever_numbers_they_are_made_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = (np.float64(1.5), np.float32(1.5), np.array([1.5])[0], np.int64(1), 1.5, True)
    figures = [Figure(str(n), number, "mm", at_most=np.float64(2.0)) for n, number in enumerate(numbers)]
    monkeypatch.setattr(sys, "argv", ["x", "--json"])
    with pytest.raises(SystemExit) as end:
        harness.main("x", lambda: figures)
    assert end.value.code == 0
    told = json.loads(capsys.readouterr().out)["figures"]
    assert [each["value"] for each in told] == [1.5, 1.5, 1.5, 1.0, 1.5, 1.0]
    assert all(each["holds"] is True for each in told)
