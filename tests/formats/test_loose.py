"""Files that know keys only get loose motion baked, and say so."""

from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.formats import gltf
from inbetweener.formats.bvh import read as bvh_read
from inbetweener.formats.bvh import write as bvh_write
from inbetweener.kinodynamics import Looseness, chain, preset
from inbetweener.kinodynamics.soft import SpringyPart
from inbetweener.motion import Motion


def fox(**looseness: object) -> Document:
    document = ib.example("fox-tail")
    tail = chain(document.rig, "tail_1", preset("loose"))
    return edits.set_looseness(document, "sweep", Looseness(tail, 0.4, **looseness))


def apart(motion: Motion, opened: Motion, times: np.ndarray) -> float:
    """Metres between the tips of tails."""
    tips = (each.joint_positions(times)[:, each.rig.joint_index("tail_9")] for each in (motion, opened))
    return float(np.linalg.norm(np.subtract(*tips), axis=-1).max())


@pytest.mark.parametrize("rate", [None, 30.0])
def test_bvh_holds_the_loose_motion_at_its_frames(tmp_path: Path, rate: float | None) -> None:
    document = fox()
    lines = bvh_write(document, tmp_path / "fox.bvh", rate=rate)
    assert any("looseness of clip 'sweep' is baked" in line for line in lines)
    opened = bvh_read(tmp_path / "fox.bvh").document
    times = opened.clip().frame_times
    assert apart(document.motion(), opened.motion(), times) > 0.02
    assert apart(document.shown_motion(), opened.motion(), times) < 1e-6


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_gltf_holds_the_loose_motion_at_frames(tmp_path: Path, suffix: str) -> None:
    document = fox()
    lines = gltf.write(document, tmp_path / f"fox.{suffix}")
    assert any("looseness of clip 'sweep' is baked" in line for line in lines)
    opened = gltf.read(tmp_path / f"fox.{suffix}").document
    assert apart(document.shown_motion(), opened.motion(), document.clip().frame_times) < 5e-4


def test_what_is_switched_off_is_written_as_keyed_without_a_word(tmp_path: Path) -> None:
    tight = edits.switch_looseness(fox(), "sweep", False)
    lines = bvh_write(tight, tmp_path / "fox.bvh")
    assert not any("loose" in line for line in lines)
    opened = bvh_read(tmp_path / "fox.bvh").document
    assert apart(tight.motion(), opened.motion(), tight.clip().frame_times) < 1e-6


def test_soft_parts_are_left_out_by_name(tmp_path: Path) -> None:
    lines = gltf.write(fox(soft=(SpringyPart("fox", "tail_5"),)), tmp_path / "fox.glb")
    assert any("soft parts of clip 'sweep' (tail_5 of mesh 'fox') are left out" in line for line in lines)
