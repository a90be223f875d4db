"""Fits of real captured motion."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.formats import read
from inbetweener.motion import Motion, fit_clip

CMU_UNIT = 0.056444


# A cartwheel of four seconds is busier a frame than a thousand frames of punches.
@pytest.mark.parametrize(
    ("name", "tolerance"),
    [("02_05_punch_strike", 0.005), pytest.param("49_06_cartwheel", 0.007, marks=pytest.mark.thorough)],
)
def test_captured_frames_become_a_tenth_or_less(data, name, tolerance):
    document = read(data / "bvh" / "cmu" / f"{name}.bvh", unit=CMU_UNIT).document
    whole = document.clip()
    clip = replace(whole, end=min(whole.end, whole.start + 999 / whole.rate))
    made, report = fit_clip(document.rig, clip, tolerance)
    at = clip.frame_times
    off = np.linalg.norm(
        Motion(document.rig, made).joint_positions(at) - Motion(document.rig, clip).joint_positions(at), axis=-1
    )
    assert off.max() <= tolerance
    assert off.mean() <= 0.35 * tolerance
    assert report.frames == len(at)
    # Also without the channels that never move and so need one key only.
    moving = [len(curve) for curve in made.curves.values() if len(curve) > 1]
    assert len(moving) > 50
    assert report.key_share <= 0.10
    assert np.mean(moving) / len(at) <= 0.13
