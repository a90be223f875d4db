"""Whatever the bytes, reading ends in a document or in one clear line."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.document.validation import problems
from inbetweener.errors import FormatError
from inbetweener.formats.files import Reading
from inbetweener.formats.gltf import read
from tests.formats.gltf.samples import FOLDER, find


def survives(path: Path) -> None:
    try:
        reading: Reading | FormatError = read(path)
    except FormatError as error:
        reading = error
    if isinstance(reading, FormatError):
        assert "\n" not in str(reading)
    else:
        assert problems(reading.document) == []
        for clip in reading.document.clips:
            reading.document.motion(clip.name)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@given(data=st.binary(max_size=200), container=st.booleans())
def test_arbitrary_bytes(data: bytes, container: bool, scratch: Path) -> None:
    path = scratch / "a.glb"
    path.write_bytes(b"glTF\2\0\0\0" + data if container else data)
    survives(path)


@cache
def sample(name: str) -> bytes:
    return find(FOLDER.parent, name).read_bytes()


@pytest.mark.parametrize("name", ["RiggedSimple", "AnimatedMorphCube", "InterpolationTest"])
@settings(max_examples=80)
@given(changes=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=12))
def test_real_containers_with_changed_bytes(
    name: str, changes: list[tuple[float, int]], data: Path, scratch: Path
) -> None:
    content = bytearray(sample(name))
    for where, value in changes:
        content[int(where * (len(content) - 1))] = value
    path = scratch / "a.glb"
    path.write_bytes(content)
    survives(path)


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [above, *(place for key, item in inner for place in places(item, (*above, key)))]


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 40), st.sampled_from([2**31, 2**63, 1e300, -1e300, 1e38, 0.5, "", "x"]),
    st.sampled_from([[], {}, [0], [[0]], {"a": 1}, "LINEAR", "STEP", "CUBICSPLINE", "weights", "SCALAR", "MAT4"]),
)  # fmt: skip


@pytest.mark.parametrize("name", ["SimpleSkin", "01_cs_morph", "Accessor_Sparse_00", "07_nla-anim"])
@settings(max_examples=120)
@given(changes=st.lists(st.tuples(st.floats(0, 1), ODD), min_size=1, max_size=3))
def test_real_json_with_changed_values(name: str, changes: list[tuple[float, Any]], data: Path, scratch: Path) -> None:
    record = json.loads(sample(name))
    spots = places(record)[1:]
    for where, value in changes:
        *above, last = spots[int(where * (len(spots) - 1))]
        target = record
        try:
            for step in above:
                target = target[step]
            target[last] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took this place away
    original = find(FOLDER.parent, name)
    for beside in original.parent.glob("*.bin"):
        copy = scratch / beside.name
        if not copy.exists():
            copy.write_bytes(beside.read_bytes())
    path = scratch / "a.gltf"
    path.write_text(json.dumps(record))
    survives(path)
