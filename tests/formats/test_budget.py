"""No file takes more memory than its size explains, whatever it says: 64 MB and 20 bytes for each of its own."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, read_native, write_native
from inbetweener.document.budget import ROOM, TIMES
from inbetweener.document.native.read import native_text
from inbetweener.errors import FormatError
from inbetweener.rig import Joint, Rig, shape_channels
from inbetweener.skinning import BlendShape, Mesh
from tests.cli.command import run_here
from tests.document.puppet import puppet
from torture import crafted, files


@pytest.mark.thorough
def test_changed_and_crafted_files_open_or_say_why_within_bounds() -> None:
    """The short version of `make torture`, as a command: what processes of other tests took does not count there."""
    command = [sys.executable, "-m", "torture.files", "--count", "150", "--json"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    figures = {each["what"]: each["value"] for each in json.loads(done.stdout)["figures"]}
    assert figures["files"] == figures["opened as sound documents"] + figures["refused in a clear line"] == 150


def test_memory_is_bounded_by_the_size_of_the_file(tmp_path: Path) -> None:
    plain = json.loads(native_text(puppet()))
    tally = files.Tally()
    for seed in range(3):
        random = Random(seed)
        for name, content in itertools.chain(
            crafted.crafted_gltf(random),
            crafted.crafted_tween(random, plain),
            crafted.crafted_bvh(random),
            crafted.crafted_fbx(random),
            crafted.crafted_zips(random),
            crafted.crafted_text(random),
        ):
            assert list(files.looked_for_problems(tmp_path / name, content, tally)) == [], (seed, name, len(content))
    assert tally.opened + tally.refused >= 40
    assert tally.refused >= 6
    assert tally.share <= 1.0


@pytest.fixture
def bomb(tmp_path: Path) -> Path:
    path = tmp_path / "a.gltf"
    path.write_bytes(
        crafted.gltf(
            accessors=[crafted.accessor(3_600_000)],
            meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}],
            nodes=[{"mesh": 0}],
        )
    )
    return path


def test_who_knows_a_file_may_open_it(bomb: Path) -> None:
    with pytest.raises(FormatError, match=r"would unfold to \d+ MiB, too much for a file of \d+ bytes; .*--trust"):
        ib.load(bomb)
    assert len(ib.load(bomb, trust=True).meshes[0].vertices) == 3_600_000
    assert run_here(["info", bomb.name], bomb.parent).returncode == 1
    assert run_here(["--trust", "info", bomb.name], bomb.parent).returncode == 0


def test_what_is_saved_can_be_opened_however_well_it_packs(tmp_path: Path) -> None:
    rig = Rig((Joint("root"),), shape_channels([f"s{n}" for n in range(80)]))
    vertices = np.random.default_rng(0).normal(size=(1000, 3))
    still = tuple(BlendShape(f"s{n}", f"s{n}", np.full((60_000, 3), n, np.float32)) for n in range(80))
    mesh = Mesh.rigid("face", "root", np.resize(vertices, (60_000, 3)), [[0, 1, 2]], shapes=still)
    document = Document("face", rig, (mesh,))
    path = tmp_path / "face.tween"
    write_native(document, path)
    assert sum(shape.offsets.nbytes for shape in still) > ROOM
    assert read_native(path) == document
    assert TIMES * path.stat().st_size > sum(shape.offsets.nbytes for shape in still)
    assert read_native(path, trust=True) == document


def test_an_ordinary_document_is_packed(tmp_path: Path) -> None:
    write_native(puppet(), tmp_path / "a.tween")
    assert read_native(tmp_path / "a.tween") == puppet()
