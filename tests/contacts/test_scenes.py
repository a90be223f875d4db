"""Scenes with standing feet, and a tail: keys kept, slide and floor measured on the evaluated motion."""

import numpy as np
import pytest

from benchmarks.gestures import dino_punch as punching
from benchmarks.gestures import spider_walk as walking
from inbetweener.builtin import example
from inbetweener.contacts import Slide, Snap, sliding
from inbetweener.curves import breaches
from inbetweener.document import Document

Spider = tuple[Document, Document, tuple[Slide, ...]]
Dino = tuple[Document, Document, tuple[Snap, ...], tuple[Slide, ...]]


@pytest.fixture(scope="module")
def spider() -> Spider:
    before = example("spider-walk")
    return before, *walking.after(before)


@pytest.fixture(scope="module")
def dino() -> Dino:
    before = example("dino-punch")
    return before, *punching.after(before)


def no_key_moved_in_time(before: Document, after: Document) -> bool:
    pairs = [(before.clip().curves[name], curve) for name, curve in after.clip().curves.items()]
    return all(np.array_equal(old.times, new.times) for old, new in pairs)


def test_eight_feet_of_the_spider_stand_in_turn(spider: Spider) -> None:
    _, after, slides = spider
    assert len(slides) == 8
    assert max(slide.before for slide in slides) > 0.02
    for contact in walking.contacts(after):
        assert sliding(after.motion(), contact.point, contact.start, contact.end) < 1e-3


def test_the_spider_walks_by_tangents_alone(spider: Spider) -> None:
    before, after, _ = spider
    assert no_key_moved_in_time(before, after)
    for name, curve in after.clip().curves.items():
        np.testing.assert_array_equal(curve.values, before.clip().curves[name].values)


def test_the_body_of_the_spider_still_moves_forward_smoothly(spider: Spider) -> None:
    before, after, _ = spider
    times = after.clip().frame_times
    path = after.motion().states(times, after.rig.point("body"))[0]
    assert (np.diff(path[:, 2]) > -1e-4).all()
    moved = np.linalg.norm(path - before.motion().states(times, before.rig.point("body"))[0], axis=1)
    assert moved.max() < 0.05


def test_the_dinosaur_stands_on_its_feet_and_then_on_its_tail(dino: Dino) -> None:
    _, after, _, slides = dino
    assert max(slide.before for slide in slides) > 0.08
    assert max(slide.after for slide in slides) < 5e-4
    for contact in punching.contacts(after):
        assert sliding(after.motion(), contact.point, contact.start, contact.end) < 5e-4


def test_key_poses_of_the_dinosaur_moved_by_millimetres_only(dino: Dino) -> None:
    before, after, snaps, _ = dino
    assert no_key_moved_in_time(before, after)
    assert 1e-3 < max(snap.moved for snap in snaps) < 3e-3
    assert max(snap.missing for snap in snaps) < 1e-6


def test_the_tail_no_longer_sinks_into_the_floor(dino: Dino) -> None:
    before, after, _, _ = dino
    assert punching.tail_heights(before).min() < -0.02
    assert np.abs(punching.tail_heights(after)).max() < 1e-3
    assert punching.lowest_skin(after) > punching.lowest_skin(before)


def test_no_joint_of_the_dinosaur_leaves_its_limits_further(dino: Dino) -> None:
    before, after, _, _ = dino
    for channel in before.rig.channels:
        if channel.name in after.clip().curves:
            old, new = (
                max(
                    (abs(b.by) for b in breaches(d.clip().curves[channel.name], channel.lower, channel.upper)),
                    default=0.0,
                )
                for d in (before, after)
            )
            assert new <= old + 1e-8, channel.name
