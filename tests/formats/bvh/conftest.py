"""Files to read, written for one test."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Writes a text to a .bvh file and returns its path."""

    def written(content: str | bytes) -> Path:
        path = tmp_path / "made.bvh"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written
