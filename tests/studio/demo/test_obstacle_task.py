"""The demo does what it says: around all obstacles by three drags over a real socket, and not one new key."""

import subprocess
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest

from inbetweener.document import Clearance, Document
from inbetweener.studio.obstacle_demo import TaskOutcome, compare, key_times, replay


@pytest.fixture(scope="module")
def outcome() -> TaskOutcome:
    return replay()


def test_three_obstacles_are_hit_before_and_none_after(outcome: TaskOutcome) -> None:
    before, after = (Clearance(each).least(each.motion()) for each in (outcome.before, outcome.after))
    assert set(before) == set(after) == {"post", "lamp", "beam"}
    assert max(before.values()) < -0.05
    assert min(after.values()) > 0.03


def test_every_drag_ends_where_it_should_and_no_key_is_added_or_moved(outcome: TaskOutcome) -> None:
    moves = len(outcome.answers) // outcome.drags
    assert all(answer.reached for answer in outcome.answers[moves - 1 :: moves])
    assert key_times(outcome.before) == key_times(outcome.after) == 4
    for name, old in outcome.before.clip().curves.items():
        new = outcome.after.clip().curves[name]
        assert np.array_equal(old.times, new.times)
        assert np.array_equal(old.values, new.values)


def test_the_lock_is_part_of_the_document(outcome: TaskOutcome) -> None:
    (lock,) = outcome.after.constraints
    assert (lock.kind, str(lock.rule.point)) == ("lock", "body")


def briefly(document: Document) -> Document:
    """Half a second around the lamp, for which one need not wait long."""
    return replace(document, clips=(replace(document.clip(), start=1.25, end=1.75),))


def halves(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The pictures of both sides of a movie, below the captions."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    content = subprocess.run(command, capture_output=True, check=True).stdout
    pictures = np.frombuffer(content, np.uint8).reshape(-1, 64, 192, 3)[:, 20:].astype(float)
    return pictures[:, :, :96], pictures[:, :, 96:]


def test_the_movie_shows_both_side_by_side(outcome: TaskOutcome, tmp_path: Path) -> None:
    before, after, path = briefly(outcome.before), briefly(outcome.after), tmp_path / "demo.mp4"
    told: list[tuple[int, int]] = []
    compare((before, "a"), (after, "b"), path, size=(96, 64), progress=lambda *done: told.append(done))
    left, right = halves(path)
    assert len(left) == len(told) == 13
    assert np.abs(left - right).mean(axis=(1, 2, 3)).min() > 2
    compare((before, "a"), (before, "b"), path, size=(96, 64))
    left, right = halves(path)
    # What the codec alone makes different.
    assert np.abs(left - right).mean() < 1
