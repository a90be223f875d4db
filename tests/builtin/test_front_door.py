"""The list of examples can be asked for in any order of imports."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("first", ["", "import inbetweener.builtin", "from inbetweener.builtin.scenes import waving"])
def test_examples_can_be_listed_again_and_again(first: str) -> None:
    code = f"import inbetweener as ib\n{first}\nfor _ in range(3): print(*(each.name for each in ib.examples()))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(told) == 3
    assert len(set(told)) == 1
    assert "flying-robot" in told[0]
