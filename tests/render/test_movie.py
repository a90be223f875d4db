from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from inbetweener.document import edits
from inbetweener.errors import InbetweenerError
from inbetweener.motion import Clip
from inbetweener.render import render_frame, render_movie
from inbetweener.render.movie import movie_rate, movie_times
from inbetweener.render.output import OutputError
from tests.render.decoding import decoded, listened
from tests.sounds import beep

LOOK = {"size": (96, 64), "backend": "software"}


def test_mp4_has_every_frame_at_the_right_rate_and_size(swaying, tmp_path):
    seen = []
    written = render_movie(swaying, tmp_path / "sway.mp4", progress=lambda *at: seen.append(at), **LOOK)
    assert written == (tmp_path / "sway.mp4",)
    facts, frames = decoded(written[0])
    seconds = facts.pop("seconds")
    assert facts == {"codec": "h264", "pixels": "yuv420p", "size": (96, 64), "rate": 24.0}
    assert seconds == pytest.approx(25 / 24, abs=0.02)
    assert len(frames) == 25
    assert seen == [(i, 25) for i in range(26)]
    # The movie shows what a still shows, up to compression; and it moves.
    still = render_frame(swaying, 12 / 24, **LOOK).astype(int)
    assert np.abs(frames[12] - still).mean() < 6
    assert np.abs(frames[12] - still).mean() < np.abs(frames[0] - still).mean()


def test_odd_sides_of_an_mp4_grow_by_one(swaying, tmp_path):
    render_movie(swaying, tmp_path / "odd.mp4", rate=4, size=(51, 33), backend="software")
    facts, frames = decoded(tmp_path / "odd.mp4")
    assert facts["size"] == (52, 34)
    assert len(frames) == 5


def test_gif_loops_for_ever_and_keeps_time(swaying, tmp_path):
    render_movie(swaying, tmp_path / "sway.gif", **LOOK)
    with Image.open(tmp_path / "sway.gif") as gif:
        assert gif.info["loop"] == 0
        assert gif.n_frames == 25
        total = 0
        for index in range(gif.n_frames):
            gif.seek(index)
            total += gif.info["duration"]
        assert total == pytest.approx(25 / 24 * 1000, abs=10)
        gif.seek(12)
        still = render_frame(swaying, 0.5, **LOOK).astype(int)
        assert np.abs(np.asarray(gif.convert("RGB")) - still).mean() < 6


def test_png_sequence_is_numbered_and_exact(swaying, tmp_path):
    written = render_movie(swaying, tmp_path / "sway.png", rate=4, **LOOK)
    assert [path.name for path in written] == [f"sway.{i:04d}.png" for i in range(5)]
    with Image.open(written[2]) as picture:
        assert np.array_equal(np.asarray(picture), render_frame(swaying, 0.5, **LOOK))


def test_rates_and_times():
    clip = Clip("c", 1.0, rate=120.0)
    assert movie_rate(clip, None, 60.0) == 60.0
    assert movie_rate(clip, None, 50.0) == 40.0
    assert movie_rate(clip, 120.0, 60.0) == 120.0
    assert len(movie_times(clip, 60.0)) == 61
    assert len(movie_times(replace(clip, loops=True), 60.0)) == 60
    assert len(movie_times(Clip("still", 0.0), 24.0)) == 1


def test_a_stopped_movie_leaves_nothing_behind(swaying, tmp_path):
    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    for name in ("a.mp4", "a.gif"):
        with pytest.raises(KeyboardInterrupt):
            render_movie(swaying, tmp_path / name, progress=stop, **LOOK)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [("a.avi", r"\.mp4, \.gif, \.png"), ("plain", "no suffix"), ("nowhere/a.mp4", "no folder")],
)
def test_a_bad_path_is_refused_before_any_work(swaying, tmp_path, name, message):
    with pytest.raises(InbetweenerError, match=message):
        render_movie(swaying, tmp_path / name, progress=lambda *_: pytest.fail("work was done"), **LOOK)


def test_a_rate_that_is_no_rate_is_refused(swaying, tmp_path):
    with pytest.raises(InbetweenerError, match="positive rate"):
        render_movie(swaying, tmp_path / "a.mp4", rate=0.0, **LOOK)


@pytest.mark.parametrize("start", [0.25, -0.15, 3.0])
def test_the_sound_of_an_mp4_is_where_the_clip_has_it(swaying, tmp_path, start):
    document = edits.sound(swaying, beep(at=0.2, lasts=0.1), start=start).document
    render_movie(document, tmp_path / "heard.mp4", **LOOK)
    facts, frames = decoded(tmp_path / "heard.mp4")
    assert len(frames) == 25
    assert facts["seconds"] == pytest.approx(25 / 24, abs=0.05)
    heard = listened(tmp_path / "heard.mp4")
    loud = np.flatnonzero(np.abs(heard) > 0.1) / 8000
    if start == 3.0:
        assert len(loud) == 0
        return
    assert loud[0] == pytest.approx(start + 0.2, abs=0.01)
    assert loud[-1] == pytest.approx(start + 0.3, abs=0.01)


def test_a_muted_sound_stays_out_of_the_movie(swaying, tmp_path):
    document = edits.sound(swaying, beep(), muted=True).document
    render_movie(document, tmp_path / "mute.mp4", rate=4, **LOOK)
    assert listened(tmp_path / "mute.mp4") is None


def test_a_sound_that_is_damaged_is_told(swaying, tmp_path):
    document = edits.sound(swaying, b"OggS" + bytes(40)).document
    with pytest.raises(OutputError, match="the movie cannot be encoded"):
        render_movie(document, tmp_path / "damaged.mp4", rate=4, **LOOK)
    assert not (tmp_path / "damaged.mp4").exists()
