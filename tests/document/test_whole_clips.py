"""Clips as wholes: mirrored across x = 0 and run at another speed; judged by scipy's rotations."""

from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import edits
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Contact
from inbetweener.rig import Point
from inbetweener.rig.mirror import mirrored_name
from tests.document.test_given_handles import read, shown


def image(document, clip: str, times: np.ndarray) -> np.ndarray:
    """Where joints have to be: their partners' places, by anatomy, on the other side."""
    names = [joint.name for joint in document.rig.joints]
    anatomy = document.anatomy()
    partners = [names.index(anatomy.partner(name) or name) for name in names]
    return shown(document, clip, times)[:, partners] * [-1.0, 1.0, 1.0]


@pytest.mark.parametrize("name", ["waving", "boxer"])
def test_a_clip_is_mirrored_key_by_key_and_back(name: str) -> None:
    document = ib.example(name)
    clip = document.clip()
    result = edits.mirror_clip(document)
    times = np.linspace(clip.start, clip.end, 97)
    assert np.abs(shown(result.document, clip.name, times) - image(document, clip.name, times)).max() < 1e-6
    assert result.traced == 0
    assert result.missed < 1e-6
    for channel, curve in clip.curves.items():
        other = result.document.clip().curves[mirrored_name(channel)]
        assert np.array_equal(curve.times, other.times)
        assert np.allclose(np.abs(curve.outs), np.abs(other.outs), atol=1e-12)
    again = edits.mirror_clip(result.document).document
    assert np.abs(shown(again, clip.name, times) - shown(document, clip.name, times)).max() < 1e-9


def test_a_captured_run_is_mirrored(data: Path) -> None:
    document = read(data / "bvh/cmu/09_03_run.bvh")
    result = edits.mirror_clip(document)
    clip = document.clip()
    gap = shown(result.document, clip.name, clip.frame_times) - image(document, clip.name, clip.frame_times)
    # People are not symmetric: what bones of both sides differ by at rest adds up along a limb, and nothing else does.
    rig, anatomy = document.rig, document.anatomy()
    room = np.zeros(len(rig.joints))
    for j, joint in enumerate(rig.joints):
        other = rig.joint(anatomy.partner(joint.name) or joint.name)
        differ = np.array(joint.rest.translation) * [-1.0, 1.0, 1.0] - other.rest.translation
        room[j] = np.linalg.norm(differ) + (room[joint.parent] if joint.parent >= 0 else 0.0)
    assert (np.linalg.norm(gap, axis=2).max(axis=0) <= room + 1e-6).all()
    assert np.isclose(result.missed, np.linalg.norm(gap, axis=2).max())


def test_contacts_change_sides() -> None:
    document = ib.example("waving")
    document = edits.add_constraint(document, "hello", Contact(Point("foot_l"), 0.0, 1.0))
    (held,) = edits.mirror_clip(document).document.constraints
    assert held.rule.point == Point("foot_r")


def test_at_another_speed_every_pose_comes_sooner_and_feet_stand() -> None:
    document = ib.example("waving")
    document = edits.add_constraint(document, "hello", Contact(Point("foot_l"), 0.5, 1.0))
    result = edits.set_speed(document, 2.0)
    clip = document.clip()
    times = np.linspace(clip.start, clip.end, 61)
    later = clip.start + (times - clip.start) / 2.0
    assert np.abs(shown(result.document, "hello", later) - shown(document, "hello", times)).max() < 1e-9
    assert (result.document.constraints[0].rule.start, result.document.constraints[0].rule.end) == (0.25, 0.5)
    assert edits.set_speed(result.document, 0.5).document.clip() == clip
    with pytest.raises(InvalidEdit, match=r"must lie from 0\.01"):
        edits.set_speed(document, float("nan"))
