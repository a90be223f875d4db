"""Saved, opened again, exported and drawn: other programs get the motion that was seen."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.errors import LossWarning, RepairWarning
from inbetweener.render import render_frame
from inbetweener.rig import chains
from tests.scenario.played import Played


def test_a_saved_document_is_the_same_and_moves_the_same(played: Played, tmp_path: Path) -> None:
    ib.save(played.end, tmp_path / "end.tween")
    opened = ib.load(tmp_path / "end.tween")
    assert opened == played.end
    times = played.end.clip().frame_times
    np.testing.assert_array_equal(opened.shown_motion().channels(times), played.end.shown_motion().channels(times))


@pytest.mark.parametrize("suffix", ["glb", "bvh"])
def test_exports_hold_the_motion_that_was_seen(played: Played, tmp_path: Path, suffix: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ib.save(played.end, tmp_path / f"end.{suffix}")
    assert {each.category for each in told} <= {LossWarning, RepairWarning}
    lines = " ".join(str(each.message) for each in told)
    assert "baked" in lines
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairWarning)
        opened = ib.load(tmp_path / f"end.{suffix}")
    names = [joint.name for joint in played.end.rig.joints]
    there = [opened.rig.joint_index(name) for name in names]
    times = played.end.clip().frame_times - played.end.clip().start
    seen = played.end.shown_motion().joint_positions(played.end.clip().frame_times)
    found = opened.motion().joint_positions(opened.clip().start + times)[:, there]
    assert np.linalg.norm(found - seen, axis=2).max() < 1e-4 * chains.height(played.end.rig)


def test_a_picture_shows_the_loose_body(played: Played) -> None:
    target = played.end.loosening().aim("mark").target
    tight = played.before("Loosen trunk and arm")
    pictures = [render_frame(each, time=target.time - 0.1, size=(160, 120)) for each in (played.end, tight)]
    assert pictures[0].std() > 10, "there is something to see"
    assert (np.abs(pictures[0].astype(int) - pictures[1]).max(axis=2) > 40).sum() > 20, "and looseness shows"
