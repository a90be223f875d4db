"""Rows of spring bones swing as VRM programs swing them: as far, and when."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.document.document import Loosening
from inbetweener.formats import read
from inbetweener.motion import Clip, Curves
from tests.formats.vrm import made
from tests.formats.vrm.made import person, stored
from tests.formats.vrm.played import played

RATE = 60.0
MOVES = {"nods": ("head.jnt.rx", 0.4), "shakes": ("head.jnt.ry", 0.5), "sways": ("hips.jnt.tx", 0.06)}
"""A channel, and how far it goes either way."""


def moving(move: str, seconds: float = 4.0, hertz: float = 1.0) -> Clip:
    """Some rounds of a movement, eased in."""
    times = np.arange(round(seconds * RATE) + 1) / RATE
    name, size = MOVES[move]
    swing = np.sin(2 * np.pi * hertz * times) * np.clip(times, 0.0, 1.0)
    return Clip("move", seconds, rate=RATE, curves=Curves({name: Curve.sampled(times, size * swing)}))


def compared(tmp_path: Path, move: str, **numbers: Any) -> tuple[float, float, float]:
    """How far our tail goes as a share of theirs, how alike the courses are, and by how many seconds ours is late."""
    document = read(stored(person(1, **numbers), tmp_path / "someone.vrm")).document
    looseness, clip = document.loosening().looseness, moving(move)
    document = replace(document, clips=(clip,), loosenings=(Loosening("move", looseness),))
    times = clip.frame_times
    names = [joint.name for joint in document.rig.joints]
    tip = names.index("hair_end")
    ours = document.shown_motion().joint_positions(times)[:, tip]
    heads = document.motion().world_from_joint(times)[:, names.index("head.jnt")]
    offsets = np.array([joint.rest.translation for joint in document.rig.joints if joint.name in made.HAIR])
    numbers = {"stiffness": 1.5, "dragForce": 0.4, "gravityPower": 0.0, **numbers}
    theirs = played(heads, offsets, numbers["stiffness"], numbers["dragForce"], numbers["gravityPower"])[:, -1]
    keyed = document.motion().joint_positions(times)[:, tip]
    a, b = (np.einsum("tji,tj->ti", heads[:, :3, :3], each - keyed) for each in (ours, theirs))
    a, b = a[60:] - a[60:].mean(axis=0), b[60:] - b[60:].mean(axis=0)
    shifts = range(-8, 9)
    fits = [np.sum(np.roll(a, -k, axis=0)[10:-10] * b[10:-10]) for k in shifts]
    alike = np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b))
    return float(np.sqrt(np.sum(a * a) / np.sum(b * b))), float(alike), shifts[int(np.argmax(fits))] / RATE


ROWS: tuple[dict[str, float], ...] = (
    {},
    {"stiffness": 0.6},
    {"stiffness": 1.0, "dragForce": 0.8},
    {"gravityPower": 0.2},
)
QUICK = (("nods", 0), ("sways", 0), ("shakes", 2))
"""What is tried each time; a thorough run tries all."""


@pytest.mark.parametrize(
    ("move", "row"),
    [
        pytest.param(move, row, marks=[pytest.mark.thorough] * ((move, row) not in QUICK))
        for move in MOVES
        for row in range(len(ROWS))
    ],
)
def test_a_row_swings_as_far_as_in_vrm_programs_and_when(tmp_path: Path, move: str, row: int) -> None:
    share, alike, late = compared(tmp_path, move, **ROWS[row])
    assert 0.85 < share < 1.15
    assert alike > 0.99
    assert abs(late) < 1.5 / RATE


def test_a_long_row_does_so_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight bones, each behind the one before: with weight in them the last would swing half as far."""
    bones = {f"hair_{n}": 0.06 for n in range(8)}
    monkeypatch.setattr(made, "HAIR", {**bones, "hair_end": 0.0})
    share, alike, late = compared(tmp_path, "shakes", stiffness=0.4)
    assert 0.9 < share < 1.1
    assert alike > 0.98
    assert abs(late) < 1.5 / RATE


def test_gravity_bends_a_row_as_far(tmp_path: Path) -> None:
    """Aside, from a row that lies level: hair of a head that looks down."""
    document = read(stored(person(1, gravityPower=0.3), tmp_path / "someone.vrm")).document
    times = np.array([0.0, 3.0])
    curves = Curves({"head.jnt.rx": Curve.sampled(times, np.array([1.2, 1.2]))})
    clip = Clip("down", 3.0, rate=RATE, curves=curves)
    looseness = document.loosening().looseness
    document = replace(document, clips=(clip,), loosenings=(Loosening("down", looseness),))
    names = [joint.name for joint in document.rig.joints]
    heads = document.motion().world_from_joint(clip.frame_times)[:, names.index("head.jnt")]
    offsets = np.array([joint.rest.translation for joint in document.rig.joints if joint.name in made.HAIR])
    theirs = played(heads, offsets, 1.5, 0.4, 0.3)[-1, -1]
    tip = names.index("hair_end")
    ours, keyed = (each.joint_positions([3.0])[0, tip] for each in (document.shown_motion(), document.motion()))
    assert np.linalg.norm(theirs - keyed) > 0.02
    assert np.linalg.norm(ours - theirs) < 0.1 * np.linalg.norm(theirs - keyed)
