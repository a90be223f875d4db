"""The Khronos validator has no error against anything we write."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inbetweener.formats.gltf import write
from tests.conftest import SWEPT, is_large
from tests.formats.gltf.made import documents
from tests.formats.gltf.samples import FOLDER, sample_names

Judge = Callable[[list[Path]], dict[Path, list[dict[str, Any]]]]


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(SWEPT))
def test_real_files_written_back_have_no_errors_but_their_own(
    data: Path, written: Callable[[str], Path], issues: Judge, part: int
) -> None:
    # What nobody edits is written as it was, faults and all; we add none.
    names = [name for name in sample_names() if not is_large(name)][part::SWEPT]
    names += filter(is_large, sample_names() if part == SWEPT - 1 else ())
    found = issues([written(name) for name in names])
    first = issues([FOLDER / name for name in names])
    assert len(found) == len(first) == len(names)
    for name in names:
        own = {(issue["code"], issue["pointer"]) for issue in first[FOLDER / name]}
        assert {(issue["code"], issue["pointer"]) for issue in found[written(name)]} <= own, name


def test_made_documents_have_no_errors(tmp_path: Path, issues: Judge) -> None:
    paths = []
    for document in documents():
        for suffix in (".glb", ".gltf"):
            paths.append(tmp_path / f"{document.name}{suffix}")
            write(document, paths[-1])
    assert not [(path.name, issue) for path, listed in issues(paths).items() for issue in listed]


def test_the_validator_does_find_errors(data: Path, issues: Judge) -> None:
    broken = FOLDER / "validator-cases" / "animation" / "unresolved_sampler_input.gltf"
    assert [issue["code"] for issue in issues([broken])[broken]] == ["UNRESOLVED_REFERENCE"]
