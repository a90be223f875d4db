"""Curves that glTF has no words for, written within the tolerance: judged from the raw file."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.document import Document
from inbetweener.formats.gltf import read, write
from tests.formats.gltf.made import animated, face, held, mixed, moving_documents, straight, weighted
from tests.formats.gltf.oracle import Oracle

TIMES = np.linspace(0, 2, 1237)


def shift_of(document: Document) -> float:
    return 1.0 if document.name == "before-zero" else 0.0


@pytest.mark.parametrize("document", moving_documents(), ids=lambda document: document.name)
@pytest.mark.parametrize("tolerance", [1e-3, 1e-5])
def test_joints_stay_within_the_tolerance(document: Document, tolerance: float, tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    write(document, path, tolerance)
    shift = shift_of(document)
    # A jump happens at once here and within a rounding of time there: look a little off the keys.
    keys = np.unique(np.concatenate([curve.times for curve in document.clips[0].curves.values()]))
    times = TIMES[np.abs(TIMES[:, None] - keys).min(axis=1) > 1e-5]
    expected = document.motion("move").joint_positions(times)
    assert np.abs(Oracle(path).positions(0, times + shift) - expected).max() < max(tolerance, 3e-6)
    assert np.ptp(expected, axis=0).max() > 0.3, "the document does move"


@pytest.mark.parametrize("document", moving_documents(), ids=lambda document: document.name)
def test_reopened_documents_match(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "a.gltf"
    write(document, path)
    again = read(path).document
    shift = shift_of(document)
    keys = np.unique(np.concatenate([curve.times for curve in document.clips[0].curves.values()]))
    times = TIMES[np.abs(TIMES[:, None] - keys).min(axis=1) > 1e-5]
    expected = document.motion("move").joint_positions(times)
    assert np.abs(again.motion("move").joint_positions(times + shift) - expected).max() < 1e-4
    clip, old = again.clip("move"), document.clip("move")
    assert clip.end - clip.start == pytest.approx(old.end - old.start, abs=1e-6)
    assert again.clip("still").end == pytest.approx(1.5)


def test_even_handles_are_exact_without_new_keys(tmp_path: Path) -> None:
    keys = straight((0, 0), (0.5, 1), (1.25, -1), (2, 0.5))
    thirds = np.diff(keys.times) / 3
    widths = np.stack([np.r_[0, thirds], np.r_[thirds, 0]], axis=1)
    heights = widths * np.array([0.3, -2.0, 1.0, 0.4])[:, None]
    curve = type(keys)(
        keys.times, keys.values, np.stack([widths[:, 0], heights[:, 0]], 1), np.stack([widths[:, 1], heights[:, 1]], 1),
        np.full(4, 2), np.ones(4, bool),
    )  # fmt: skip
    document = animated("even", {"bone_0.ty": curve})
    path = tmp_path / "a.glb"
    write(document, path)
    truth = Oracle(path)
    assert len(truth.key_times(0)) == 4
    assert truth.json["animations"][0]["samplers"][0]["interpolation"] == "CUBICSPLINE"
    expected = document.motion("move").joint_positions(TIMES)
    assert np.abs(truth.positions(0, TIMES) - expected).max() < 1e-6
    again = read(path).document.clip("move").curves["bone_0.ty"]
    assert np.abs(again.ins - curve.ins).max() < 1e-6
    assert np.abs(again.outs - curve.outs).max() < 1e-6


@pytest.mark.parametrize(
    ("curve", "mode"),
    [(held((0, 1), (1, 2), (2, 0)), "STEP"), (straight((0, 0), (1, 1), (2, 3)), "LINEAR"), (mixed(), "CUBICSPLINE")],
)
def test_each_kind_of_curve_gets_its_interpolation(curve: object, mode: str, tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    write(animated("kinds", {"bone_0.tx": curve}), path)  # type: ignore[dict-item]
    assert Oracle(path).json["animations"][0]["samplers"][0].get("interpolation", "LINEAR") == mode


def test_held_segments_among_others_come_back_held(tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    write(animated("mixed", {"bone_0.tx": mixed(), "bone_0.rx": mixed()}), path)
    for name in ("bone_0.tx", "bone_0.rx"):
        back = read(path).document.clip("move").curves[name]
        assert 0 in back.interpolations[back.times == 0.5]
        assert not (np.abs(back.times - 1.1) < 1e-5).sum() > 1, "no doubled key is left"


def test_quaternions_are_unit_and_never_flip(tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    write(
        animated("turns", {"bone_0.rx": straight((0, 0), (2, 9 * np.pi)), "bone_0.ry": weighted((0, 0), (2, 4))}), path
    )
    truth = Oracle(path)
    (sampler,) = truth.json["animations"][0]["samplers"]
    values = truth.accessor(sampler["output"])
    if sampler.get("interpolation", "LINEAR") == "CUBICSPLINE":
        values = values[1::3]
    assert np.abs(np.linalg.norm(values, axis=1) - 1).max() < 1e-6
    assert (np.sum(values[1:] * values[:-1], axis=1) > 0).all()


def test_weights_of_shapes_stay_within_the_tolerance(tmp_path: Path) -> None:
    document, path = face(), tmp_path / "face.glb"
    write(document, path)
    times = TIMES[(np.abs(TIMES - 0.7) > 1e-5) & (np.abs(TIMES - 0.5) > 1e-5)]
    names = [document.rig.channel_index(name) for name in ("smile", "blink")]
    expected = document.motion().channels(times)[:, names]
    assert np.abs(Oracle(path).morph_weights(0, 0, times) - expected).max() < 1e-4
    again = read(path).document
    assert [shape.name for shape in again.meshes[0].shapes] == ["smile", "blink"]
