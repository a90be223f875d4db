"""Opened and saved without an edit, a file is the same document again, in every format that can hold it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import evaluate
from inbetweener.document import Document
from inbetweener.formats import read, write
from tests.formats.museum.exhibits import EXHIBITS, Exhibit, quick

SAME = [
    exhibit
    for exhibit in EXHIBITS
    # A BVH file that says less than it should is mended when it is written; robots are only read, and VRM animations
    # are of whole persons in a T pose.
    if exhibit.name.split("-")[0] not in ("mjcf", "urdf", "vrma") and exhibit.name not in ("bvh-short-motion",)
]


def plain(document: Document) -> Document:
    """Without its name, which is the file's, and what only tells where it came from."""
    return replace(document, name="", source=None)


def resaved(path: Path, folder: Path, **options: object) -> tuple[Document, Document]:
    first = read(path, **options).document
    (folder / "again").mkdir()
    saved = folder / "again" / path.name
    write(first, saved)
    # A table is always laid onto something.
    return first, read(saved, **(options if path.suffix == ".csv" else {})).document


@pytest.mark.parametrize("exhibit", quick(SAME))
def test_an_exhibit_is_the_same_document_again(exhibit: Exhibit, tmp_path: Path) -> None:
    first, second = resaved(exhibit.make(tmp_path), tmp_path, **dict(exhibit.options))
    if exhibit.name.startswith(("tween", "gltf", "glb", "vrm")):
        assert plain(second) == plain(first)
        return
    # Angles from quaternions, text and single precision: the same to their last digits.
    assert [joint.name for joint in second.rig.joints] == [joint.name for joint in first.rig.joints]
    assert [clip.name for clip in second.clips] == [clip.name for clip in first.clips]
    np.testing.assert_allclose(second.rig.rest_world(), first.rig.rest_world(), atol=1e-6)
    for one, two in zip(first.clips, second.clips, strict=True):
        assert one.frame_times == pytest.approx(two.frame_times)
        assert [(layer.name, layer.override) for layer in one.layers] == [
            (layer.name, layer.override) for layer in two.layers
        ]
        for name, curve in one.curves.items():
            times = np.linspace(curve.times[0], curve.times[-1], 50)
            np.testing.assert_allclose(evaluate(two.curves[name], times), evaluate(curve, times), atol=1e-6)


@pytest.mark.parametrize(("suffix", "allowed"), [(".tween", 0.0), (".fbx", 3e-7), (".usdc", 1e-9)])
def test_tangents_come_back(suffix: str, allowed: float, tmp_path: Path) -> None:
    """Handles and all: exact in our own file and in USD, to single precision in FBX, whose numbers are that."""
    document = ib.example("flying-robot")
    write(document, tmp_path / f"a{suffix}")
    again = read(tmp_path / f"a{suffix}").document
    for name, curve in document.clip().curves.items():
        two = again.clip().curves[name]
        assert len(two.times) == len(curve.times), name
        # What would be before the first key and after the last moves nothing.
        for part, inner in (
            ("times", slice(None)),
            ("values", slice(None)),
            ("ins", slice(1, None)),
            ("outs", slice(-1)),
        ):
            one, other = getattr(curve, part)[inner], getattr(two, part)[inner]
            size = 1.0 + float(np.abs(one).max(initial=0.0))
            assert np.abs(one - other).max(initial=0.0) <= allowed * size, (name, part)


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usdc"])
def test_saved_twice_is_the_same_once_more(suffix: str, tmp_path: Path) -> None:
    """Whatever the first writing cost, the second costs nothing."""
    write(ib.example("waving"), tmp_path / f"a{suffix}")
    first, second = resaved(tmp_path / f"a{suffix}", tmp_path)
    times = first.clip().frame_times
    moved = np.abs(first.motion().joint_positions(times) - second.motion().joint_positions(times))
    assert moved.max() < 1e-6
