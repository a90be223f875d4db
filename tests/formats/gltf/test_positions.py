"""Joint positions of every sample against the second opinion: opened, and opened, saved and opened again."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from inbetweener.document.validation import problems
from inbetweener.formats.files import Reading
from inbetweener.formats.gltf import read, write
from tests.formats.gltf.oracle import Oracle
from tests.formats.gltf.samples import sample_names, times_between

EXACT, TOLERANCE = 1e-5, 1e-4


def clips_of(count: int) -> range:
    # A few of the many clips of a big file: they are alike.
    return range(count) if count <= 16 else range(0, count, 12)


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample_names())
def test_opened_file_moves_as_the_file_says(
    name: str, opened: Callable[[str], Reading], oracle: Callable[[str], Oracle]
) -> None:
    document, truth = opened(name).document, oracle(name)
    assert problems(document) == []
    rest = document.rig.rest_world()[..., 3]
    assert np.abs(rest - truth.positions(None, np.zeros(1))[0]).max() < EXACT
    for index in clips_of(len(document.clips)):
        motion = document.motion(document.clips[index].name)
        keys = truth.key_times(index)
        on_keys = keys[:: max(1, len(keys) // 40)]
        assert np.abs(motion.joint_positions(on_keys) - truth.positions(index, on_keys)).max() < EXACT
        between = times_between(keys, 40)
        assert np.abs(motion.joint_positions(between) - truth.positions(index, between)).max() < TOLERANCE


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample_names())
def test_saved_and_reopened_file_moves_as_the_first_one_said(
    name: str, opened: Callable[[str], Reading], oracle: Callable[[str], Oracle], reopened: Callable[[str], Reading]
) -> None:
    first, truth = opened(name).document, oracle(name)
    again = reopened(name).document
    same = [again.rig.joint_index(joint.name) for joint in first.rig.joints]
    assert [clip.name for clip in again.clips] == [clip.name for clip in first.clips]
    assert [(clip.start, clip.rate) for clip in again.clips] == [(clip.start, clip.rate) for clip in first.clips]
    for index in clips_of(len(first.clips)):
        motion = again.motion(again.clips[index].name)
        keys = truth.key_times(index)
        on_keys = keys[:: max(1, len(keys) // 40)]
        assert np.abs(motion.joint_positions(on_keys)[:, same] - truth.positions(index, on_keys)).max() < EXACT
        between = times_between(keys, 40)
        assert np.abs(motion.joint_positions(between)[:, same] - truth.positions(index, between)).max() < TOLERANCE


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample_names())
def test_a_saved_file_needs_no_mending_that_the_first_did_not(
    name: str, opened: Callable[[str], Reading], reopened: Callable[[str], Reading]
) -> None:
    # What its clips do to bones is told of any file.
    assert {each for each in reopened(name).each if "by the clips" not in each} <= {*opened(name).each}


def test_saving_again_and_again_adds_no_keys(reopened: Callable[[str], Reading], tmp_path: Path) -> None:
    for name in ("hands/aframe_leftHandHigh.glb", "khronos-samples/Fox.glb", "characters/RobotExpressive.glb"):
        once = reopened(name).document
        write(once, tmp_path / "a.glb")
        twice = read(tmp_path / "a.glb").document
        assert [joint.name for joint in twice.rig.joints] == [joint.name for joint in once.rig.joints]
        for clip, other in zip(once.clips, twice.clips, strict=True):
            assert {k: len(c) for k, c in clip.curves.items()} == {k: len(c) for k, c in other.curves.items()}


def test_the_same_document_gives_the_same_bytes(opened: Callable[[str], Reading], tmp_path: Path) -> None:
    document = opened("khronos-samples/CesiumMan.glb").document
    write(document, tmp_path / "a.glb")
    write(document, tmp_path / "b.glb")
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def test_round_trip_keeps_the_keys_of_baked_clips(
    opened: Callable[[str], Reading], reopened: Callable[[str], Reading]
) -> None:
    name = "exporter-quirks/momentum_test_24fps.glb"
    before, after = opened(name).document, reopened(name).document
    for clip, other in zip(before.clips, after.clips, strict=True):
        assert {k: len(c) for k, c in clip.curves.items()} == {k: len(c) for k, c in other.curves.items()}
