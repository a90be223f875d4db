"""Contacts that are found in captured motion, against labels made by eye: clean, noisy, thinned out and nameless."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from inbetweener.contacts import Suggestion, suggest_contacts
from inbetweener.contacts.suggest import TRUSTED
from inbetweener.document import Document, edits
from inbetweener.formats.bvh.read import read
from tests.captured import labelled, plain
from tests.captured.labelled import LABELS, PATHS, Count

pytestmark = pytest.mark.skipif(not plain.CLIPS, reason="the folder of real test files is absent")

FEW = ("02_01_walk", "bvhtoolbox_walk01", "74_14_walk_on_slope", "09_03_run", "35_17_run", "16_08_run_sudden_stop")
"""Clips for what is tried in several ways: a drifting capture, 24 frames a second without toes, a slope, three runs."""


def suggested(document: Document) -> tuple[Suggestion, ...]:
    return suggest_contacts(document.motion(document.clip().name))


@cache
def found(stem: str) -> tuple[Suggestion, ...]:
    return suggested(read(PATHS[stem]).document)


def test_every_label_is_of_a_clip_that_is_there() -> None:
    assert set(PATHS) == set(LABELS)
    assert len(LABELS) >= 12
    for label in LABELS.values():
        judged = labelled.within(label["judged"], label["frames"])
        for key, ranges in label.items():
            if key.endswith(("Foot", "Hand")):
                assert not (labelled.within(ranges, label["frames"]) & ~judged).any(), (label, key)


def test_contacts_are_where_eyes_see_them() -> None:
    counts = labelled.by_group({stem: labelled.judge(stem, found(stem)) for stem in LABELS})
    for group in ("walks", "runs", "others"):
        assert min(counts[group].precision, counts[group].recall) >= 0.95, (group, counts[group])
    assert counts["hands"].precision >= 0.95
    assert counts["hands"].recall >= 0.9
    hands = labelled.judge("49_06_cartwheel", found("49_06_cartwheel"))
    assert all(min(hands[hand].precision, hands[hand].recall) >= 0.95 for hand in ("LeftHand", "RightHand"))


def test_the_judge_tells_contacts_that_are_late_and_those_that_are_missing() -> None:
    late = tuple(
        Suggestion(each.point, each.start + 0.15, each.end + 0.15, each.slide, each.confidence)
        for each in found("02_01_walk")
    )
    total = sum(labelled.judge("02_01_walk", late).values(), Count())
    assert max(total.precision, total.recall) < 0.9
    halved = sum(labelled.judge("02_01_walk", found("02_01_walk")[::2]).values(), Count())
    assert halved.precision > 0.95 > 0.7 > halved.recall


@pytest.mark.parametrize(
    ("every", "jitter", "drift", "least"),
    [(1, 0.001, 0.0, 0.95), (1, 0.003, 0.02, 0.9), (2, 0.0, 0.0, 0.95), (4, 0.0, 0.0, 0.85)],
)
def test_noise_drift_and_fewer_frames_hardly_matter(
    every: int, jitter: float, drift: float, least: float, tmp_path: Path
) -> None:
    # At 30 frames a second a runner's step is three or four frames, and one that lasts less than 0.1 s is left out.
    stems = [stem for stem in FEW if every == 1 or LABELS[stem]["margin"] == 3]  # those have 120 frames a second
    total = labelled.by_group(
        {
            stem: labelled.judge(
                stem, suggested(read(labelled.altered(stem, tmp_path, every, jitter, drift)).document), every
            )
            for stem in stems
        }
    )
    for group, count in total.items():
        assert min(count.precision, count.recall) >= least, (group, count)


def test_jitter_is_what_it_says(tmp_path: Path) -> None:
    clean = plain.read(PATHS["02_01_walk"])
    noisy = plain.read(labelled.altered("02_01_walk", tmp_path, jitter=0.003))
    frames = np.arange(float(clean.frames))
    off = (noisy.positions(frames) - clean.positions(frames))[:, clean.names.index("LeftToeBase")]
    assert 0.0025 < 0.056444 * np.sqrt(np.mean(off.std(axis=0) ** 2)) < 0.004


@pytest.mark.parametrize("stem", ["02_01_walk", "bvhtoolbox_walk01", "pymo_AV_8Walk_Meredith", "49_06_cartwheel"])
def test_feet_and_hands_are_told_by_shape_where_names_say_nothing(stem: str) -> None:
    document = read(PATHS[stem]).document
    for number, joint in enumerate(document.rig.joints):
        document = edits.rename_joint(document, joint.name, f"part{number}")
    names = [joint.name for joint in document.rig.joints]
    for limb, count in labelled.judge(stem, suggested(document), names=names).items():
        assert min(count.precision, count.recall) >= 0.9, (limb, count)


@pytest.mark.parametrize("stem", ["makehuman_walk1", "makehuman_zombieWalk1"])
def test_who_walks_in_place_plants_no_foot(stem: str) -> None:
    (path,) = (path for path in plain.CLIPS if path.stem == stem)
    assert not [each for each in suggested(read(path).document) if each.confidence >= TRUSTED]
