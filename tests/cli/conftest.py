"""Commands in an empty folder."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli.command import Done, run_apart, run_here

Run = Callable[..., Done]


def checked(how: Callable[[Sequence[str | Path], Path], Done], folder: Path) -> Run:
    def command(*arguments: str | Path, expect: int = 0) -> Done:
        done = how(arguments, folder)
        assert done.returncode == expect, done.stderr
        return done

    return command


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `inbetweener …` in this process."""
    return checked(run_here, tmp_path)


@pytest.fixture
def run_alone(tmp_path: Path) -> Run:
    """Run `inbetweener …` in a process of its own."""
    return checked(run_apart, tmp_path)
