"""The real files that the tests open, by name, and the times at which they are compared."""

from pathlib import Path

import numpy as np

from tests.conftest import REAL_FILES

FOLDER = REAL_FILES / "gltf"


def sample_names() -> list[str]:
    """All files that are meant to open."""
    found = (path.relative_to(FOLDER) for pattern in ("*.gltf", "*.glb") for path in FOLDER.rglob(pattern))
    return sorted(str(path) for path in found if path.parts[0] != "validator-cases")


def case_names() -> list[str]:
    """Files that are mostly broken on purpose."""
    return sorted(str(path.relative_to(FOLDER)) for path in (FOLDER / "validator-cases").rglob("*.gltf"))


def find(data: Path, name: str) -> Path:
    """A sample by the end of its name."""
    (path,) = (path for path in (data / "gltf").rglob(f"{name}.gl*") if "validator-cases" not in path.parts)
    return path


def times_between(keys: np.ndarray, count: int) -> np.ndarray:
    """Times spread over the whole clip that do not fall on keys."""
    spread = (np.arange(count) * 0.6180339887) % 1.0
    return np.sort(keys[0] + (keys[-1] - keys[0]) * spread)
