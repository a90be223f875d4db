"""What benchmarks report can be read by programs, whatever kind of number they measured."""

import ast
import json
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from benchmarks import harness
from benchmarks.__main__ import names
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


@pytest.mark.parametrize("name", names())
def test_every_benchmark_reports_figures_and_nothing_else(name: str) -> None:
    """What `--json` prints is a report of figures, which are numbers that JSON knows whatever they were measured as."""
    spec = find_spec(f"benchmarks.{name}")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin)
    path = path.with_name("__main__.py") if path.name == "__init__.py" else path
    tree = ast.parse(path.read_text())
    taken = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "benchmarks.harness"
        for alias in node.names
    }
    printed = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call) and is_print(node)]
    assert "main" in taken or "Report" in taken
    assert all("dumps(" not in line and ("encode(" not in line or "encode(report)" in line) for line in printed)


def is_print(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "print"
