"""What the creatures' scenes promise: who stands where on which keys, and which channels move."""

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.builtin import example, examples
from inbetweener.builtin.characters import dinosaur, fox
from inbetweener.builtin.characters.spider import foot
from inbetweener.builtin.scenes.talking_face import SMILE_FRAME
from inbetweener.document import Document
from inbetweener.document.validation import problems

SCENES = ("spider-walk", "dino-punch", "fox-tail", "talking-face")


def at_frames(document: Document, frames: list[int], names: list[str]) -> Floats:
    """Positions (frames, names, 3) of points or joints."""
    return document.motion().point_positions(np.array(frames) / 24, [document.rig.point(name) for name in names])


def key_frames(document: Document) -> list[int]:
    return sorted({round(float(t) * 24) for curve in document.clip().curves.values() for t in curve.times})


@pytest.mark.parametrize("name", SCENES)
def test_scene_is_sound_keeps_its_limits_and_is_listed_truly(name: str) -> None:
    document = example(name)
    assert problems(document) == []
    (info,) = [info for info in examples() if info.name == name]
    frames = key_frames(document)
    assert (info.frames, info.keys) == (round(document.clip().end * 24), len(frames))
    values = document.motion().channels(document.clip().frame_times)
    lower = np.array([channel.lower for channel in document.rig.channels])
    upper = np.array([channel.upper for channel in document.rig.channels])
    assert (values >= lower - 1e-12).all()
    assert (values <= upper + 1e-12).all()


def test_spider_has_two_key_poses_that_mirror_each_other() -> None:
    document = example("spider-walk")
    assert key_frames(document) == [0, 14, 28]
    names = [joint.name for joint in document.rig.joints]
    other = [{"_l": n[:-2] + "_r", "_r": n[:-2] + "_l"}.get(n[-2:], n) for n in names]
    first, second, third = at_frames(document, [0, 14, 28], names)
    body = names.index("body")
    forward = [0.0, 0.0, second[body, 2] - first[body, 2]]
    mirrored = first[[names.index(n) for n in other]] * [-1, 1, 1] + forward
    assert np.abs(second - mirrored).max() < 1e-9
    assert np.abs(third - first - 2 * np.array(forward)).max() < 1e-9


def test_four_of_the_spiders_feet_stand_in_each_half() -> None:
    document = example("spider-walk")
    names = [foot(pair, side) for pair in range(1, 5) for side in "lr"]
    keys = at_frames(document, [0, 14, 28], names)
    assert np.abs(keys[..., 1]).max() < 0.005
    first = np.linalg.norm(keys[1] - keys[0], axis=1) < 0.002
    second = np.linalg.norm(keys[2] - keys[1], axis=1) < 0.002
    # Neighbours on a side, and the two of a pair, take turns.
    assert {n for n, stands in zip(names, first, strict=True) if stands} == {
        "foot_1_l",
        "foot_2_r",
        "foot_3_l",
        "foot_4_r",
    }
    assert (first ^ second).all()
    for stands, frames in ((first, range(15)), (second, range(14, 29))):
        path = at_frames(document, list(frames), names)[:, stands]
        assert np.linalg.norm(path - path[0], axis=2).max() < 0.03
        swing = at_frames(document, [frames[0], frames[-1]], names)[:, ~stands]
        assert np.linalg.norm(swing[1] - swing[0], axis=1).min() > 0.35


def test_dinosaur_stands_on_its_feet_and_then_on_the_middle_of_its_tail() -> None:
    document = example("dino-punch")
    frames = key_frames(document)
    standing, on_tail = [f for f in frames if f <= 33], [f for f in frames if f >= 33]
    soles = at_frames(document, standing, ["sole_l", "sole_r"])
    assert np.abs(soles[..., 1]).max() < 0.005
    assert np.linalg.norm(soles - soles[0], axis=2).max() < 0.003
    middle = at_frames(document, on_tail, ["tail_middle"])[:, 0]
    assert np.abs(middle[:, 1]).max() < 0.005
    assert np.linalg.norm(middle - middle[0], axis=1).max() < 0.005
    feet = at_frames(document, [52, 66], ["sole_l", "sole_r"])
    assert feet[..., 1].min() > 0.25
    # It touches the ground nowhere else: the rest of the tail is held up.
    tail = at_frames(document, [52, 66], [*dinosaur.TAIL, "tail_tip"])
    assert (tail[..., 1] > np.array(dinosaur.TAIL_RADII) - 0.005).all()


def test_the_punch_goes_forward_and_reaches_past_the_nose() -> None:
    document = example("dino-punch")
    wound, hit = at_frames(document, [10, 15], ["fist_r", "fist_l", "nose"])
    assert hit[0, 2] - wound[0, 2] > 0.6
    assert hit[0, 2] > hit[2, 2] + 0.1
    assert hit[0, 2] > hit[1, 2] + 0.2


def test_fox_sweeps_only_its_tail_sideways_in_27_keys() -> None:
    document = example("fox-tail")
    curves = document.clip().curves
    tail = {name: curve for name, curve in curves.items() if name.startswith("tail")}
    assert set(tail) == {f"{name}.ry" for name in fox.TAIL}
    assert sum(len(curve) for curve in tail.values()) == 27
    head = {name.partition(".")[0] for name in curves if name not in tail}
    assert head <= {"neck", "head", "ear_l", "ear_r", "eye_l", "eye_r"}
    left, right, again = at_frames(document, [0, 18, 36], ["tail_tip"])[:, 0]
    assert left[0] > 0.25
    assert right[0] < -0.25
    assert np.array_equal(left, again)


def test_face_talks_blinks_and_smiles_when_it_says_it_does() -> None:
    document = example("talking-face")
    motion, rig = document.motion(), document.rig
    times = document.clip().frame_times
    values = motion.channels(times)

    def channel(name: str) -> Floats:
        return values[:, rig.channel_index(name)]

    assert int(np.argmax(channel("smile"))) == SMILE_FRAME
    closed = (channel("blink_l") > 0.9) & (channel("blink_r") > 0.9)
    assert np.diff(closed.astype(int)).clip(0).sum() == 2
    # Four syllables: the mouth opens four times before the smile.
    opening = channel("open")[: SMILE_FRAME - 8]
    peaks = (opening[1:-1] > opening[:-2]) & (opening[1:-1] >= opening[2:]) & (opening[1:-1] > 0.3)
    assert peaks.sum() == 4
    assert channel("ooh").max() > 0.8
    assert channel("wide").max() > 0.7
