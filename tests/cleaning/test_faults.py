"""Faults put into real captures are found and mended, and real motion is left alone; scipy is the judge."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.cleaning import Tolerance, find_faults, mended
from tests.cleaning.spoiled import Capture, Spoilt, capture, is_found, spoil

CLIPS = ("02_01_walk", "13_11_forward_jump", "124_01_baseball_pitch", "69_16_turn_in_place")
CALM = ("115_06_pick_box_up", "124_01_baseball_pitch", "127_23_run_dive_over_roll_run", "26_09_bend_pick_up")
SWIFT = ("135_04_karate_front_kick", "02_05_punch_strike", "113_19_stairs_up_down", "13_11_forward_jump")


def clip(data: Path, name: str, every: int = 1) -> Capture:
    return capture(data / "bvh" / "cmu" / f"{name}.bvh", every)


def error(shot: Capture, samples: np.ndarray, spoilt: Spoilt) -> float:
    """How far spoilt frames are from the original on average, in radians or metres."""
    kind, joint, first, last = spoilt
    frames = slice(first, last + 1)
    if kind == "spike":
        columns = shot.places()
        return float(np.linalg.norm((samples - shot.samples)[frames][:, columns], axis=1).mean())
    there, here = shot.turns(joint, shot.samples)[frames], shot.turns(joint, samples)[frames]
    return float((there.inv() * here).magnitude().mean())


@pytest.mark.parametrize(
    ("kind", "every", "worth"),
    [("flip", 1, 0.02), ("spike", 1, 0.03), ("gap", 1, 0.5), ("jitter", 1, 0.6), ("flip", 4, 0.1), ("spike", 4, 0.1)],
)
def test_what_was_spoilt_is_found_and_mended(data: Path, kind: str, every: int, worth: float) -> None:
    found, made, nearer, others = 0, 0, [], 0
    for number, name in enumerate(CLIPS if every == 1 else (*CLIPS[2:], *SWIFT[:2])):
        shot = clip(data, name, every)
        before = find_faults(shot.rig, shot.samples, shot.rate)
        samples, spoilt = spoil(shot, kind, 2 if kind == "jitter" else 6, number)
        assert spoilt
        faults = find_faults(shot.rig, samples, shot.rate)
        mine = [is_found(each, faults) for each in spoilt]
        found, made = found + sum(mine), made + len(mine)
        touched = {joint for _, joint, _, _ in spoilt}
        others += sum(fault not in before and fault.joint not in touched for fault in faults)
        whole = mended(shot.rig, samples, faults, shot.rate)
        pairs = [
            (error(shot, whole, each), error(shot, samples, each))
            for each, yes in zip(spoilt, mine, strict=True)
            if yes
        ]
        nearer += [after / worse for after, worse in pairs]
    assert found >= 0.95 * made, f"{found} of {made}"
    assert others == 0
    assert max(nearer) < 1.0
    assert np.median(nearer) < worth


@pytest.mark.parametrize("name", CALM)
def test_calm_captures_have_no_fault(data: Path, name: str) -> None:
    shot = clip(data, name)
    assert find_faults(shot.rig, shot.samples, shot.rate) == ()
    assert np.array_equal(mended(shot.rig, shot.samples, (), shot.rate), shot.samples)


@pytest.mark.parametrize("name", SWIFT)
def test_swift_motion_is_hardly_ever_taken_for_a_fault(data: Path, name: str) -> None:
    """Kicks, punches and jumps: single frames of toes, fingers and the neck at most, which are noise to look at."""
    shot = clip(data, name)
    faults = find_faults(shot.rig, shot.samples, shot.rate)
    assert len(faults) <= 7, [str(each) for each in faults]
    assert {each.joint for each in faults} <= {
        "LeftToeBase", "RightToeBase", "Neck", "Neck1", "LeftFingerBase", "LThumb"
    }  # fmt: skip


def test_frames_that_were_really_lost_are_found(data: Path) -> None:
    """The whole lower body stands still for thirteen frames of this capture, and leaps after them."""
    shot = clip(data, "03_02_walk_uneven_terrain")
    gaps = [each for each in find_faults(shot.rig, shot.samples, shot.rate) if (each.first, each.last) == (11, 23)]
    assert {each.joint for each in gaps} > {"Hips", "LeftLeg", "RightLeg", "LeftUpLeg", "RightUpLeg"}
    whole = mended(shot.rig, shot.samples, gaps, shot.rate)
    for samples, still in ((shot.samples, True), (whole, False)):
        turns = shot.turns("LeftLeg", samples)[10:25]
        steps = (turns[:-1].inv() * turns[1:]).magnitude()
        assert bool(steps[:-1].max() < 1e-6) == still
        assert bool(steps.max() < np.radians(6.0)) != still


def test_noughts_for_what_was_lost_are_a_gap(data: Path) -> None:
    shot = clip(data, "124_01_baseball_pitch")
    samples = shot.samples.copy()
    frames = np.arange(400, 415)
    shot.turn("RightArm", samples, frames, Rotation.identity(len(frames)))
    (fault,) = find_faults(shot.rig, samples, shot.rate)
    assert (fault.joint, fault.kind, fault.first, fault.last) == ("RightArm", "gap", 400, 414)
    whole = mended(shot.rig, samples, [fault], shot.rate)
    lost = ("gap", "RightArm", 400, 414)
    assert error(shot, whole, lost) < 0.2 * error(shot, samples, lost)


def test_angles_that_wrap_and_pass_the_pole_are_no_flips(data: Path) -> None:
    """The same rotations in other Euler angles, a joint turning straight through its gimbal pole."""
    shot = clip(data, "124_01_baseball_pitch")
    samples = shot.samples.copy()
    t = np.linspace(0.0, 1.0, len(samples))
    through = Rotation.from_rotvec(np.stack([0 * t, 6.0 * t, 0.3 * t], axis=1))
    shot.turn("LeftArm", samples, np.arange(len(samples)), through)
    columns = [shot.rig.channel_index(f"LeftArm.r{axis}") for axis in "xyz"]
    assert np.abs(np.diff(samples[:, columns], axis=0)).max() > 2.0
    assert not [each for each in find_faults(shot.rig, samples, shot.rate) if each.joint == "LeftArm"]


def test_what_has_no_fault_stays_to_the_bit(data: Path) -> None:
    shot = clip(data, "124_01_baseball_pitch")
    samples, spoilt = spoil(shot, "flip", 4, 9)
    whole = mended(shot.rig, samples, find_faults(shot.rig, samples, shot.rate), shot.rate)
    bad = np.zeros(len(samples), bool)
    for _, _, first, last in spoilt:
        bad[first : last + 1] = True
    assert np.array_equal(whole[~bad], samples[~bad])
    assert (whole[bad] != samples[bad]).any(axis=1).all()


def test_kinds_and_tolerances_are_choices(data: Path) -> None:
    shot = clip(data, "124_01_baseball_pitch")
    samples, _ = spoil(shot, "jitter", 2, 3)
    assert {each.kind for each in find_faults(shot.rig, samples, shot.rate)} == {"jitter"}
    assert find_faults(shot.rig, samples, shot.rate, kinds=("flip", "gap")) == ()
    assert find_faults(shot.rig, samples, shot.rate, tolerance=Tolerance(np.radians(6.0), 0.003)) == ()
