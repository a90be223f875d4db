"""The real command, in a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `inbetweener …` in an empty folder; no traceback may ever reach the user."""

    def command(*arguments: str | Path, expect: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "inbetweener", *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert "Traceback" not in done.stderr + done.stdout
        assert done.returncode == expect, done.stderr
        return done

    return command
