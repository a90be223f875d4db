"""What a clip is heard with: kept, undone, and following its clip."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.document import Editor, Reference, Sound, Staging, View, edits, read_journal, read_native, write_native
from inbetweener.document.native.read import read_repaired
from inbetweener.document.staging import MOST_SOUND, sound_type
from inbetweener.errors import InvalidDocument, InvalidEdit
from tests.sounds import PNG, beep, video
from tests.studio.documents import arm


def heard(**said):
    return edits.sound(arm(), beep(), name="beep.wav", clip="swing", **said).document


def test_a_sound_begins_with_its_clip_and_moves_by_seconds_and_frames():
    document = edits.shift_clip(arm(), "swing", 2.0)
    first = edits.sound(document, beep(), name="beep.wav", clip="swing")
    assert first.document.staging("swing") == Staging("swing", Sound("beep.wav", beep(), 2.0))
    moved = edits.sound(first.document, start="-6f", clip="swing")
    assert moved.document.staging("swing").sound.start == pytest.approx(1.75)
    assert str(moved) == "Sound from frame 42 on: clip swing has beep.wav from 1.75 s (frame -6) on"
    # Another file takes its place and its time.
    other = edits.sound(moved.document, beep(0.3), name="other.wav", clip="swing").document.staging("swing").sound
    assert (other.name, other.start) == ("other.wav", 1.75)


def test_what_is_not_said_stays_and_removing_leaves_nothing():
    muted = edits.sound(heard(start=0.25), muted=True, clip="swing").document
    assert muted.staging("swing").sound == Sound("beep.wav", beep(), 0.25, True)
    assert edits.sound(muted, remove=True, clip="swing").document.stagings == ()


@pytest.mark.parametrize("data", [b"", b"RIFF0000WEBP", b"\xff\xfb", b"GIF89a"])
def test_a_sound_is_told_by_its_first_bytes(data):
    if data == b"\xff\xfb":
        assert sound_type(data) == "audio/mpeg"
        return
    with pytest.raises(InvalidEdit, match="song is neither WAV nor MP3 nor Ogg; save the sound as one of these"):
        edits.sound(arm(), data, name="song", clip="swing")


def test_a_sound_has_a_limit_and_a_start():
    with pytest.raises(InvalidEdit, match="has 32 MiB, more than 32; cut it, or save it as MP3"):
        edits.sound(arm(), b"OggS" + bytes(MOST_SOUND), clip="swing")
    with pytest.raises(InvalidEdit, match="has no sound yet"):
        edits.sound(arm(), muted=True, clip="swing")
    with pytest.raises(InvalidDocument, match="starts at inf"):
        edits.sound(heard(), start=float("inf"), clip="swing")


def test_it_follows_its_clip():
    document = edits.duplicate_clip(edits.rename_clip(heard(), "swing", "sway"), "sway", "again")
    assert [each.clip for each in document.stagings] == ["sway", "again"]
    document = edits.shift_clip(document, "again", 1.5)
    assert [each.sound.start for each in document.stagings] == [0.0, 1.5]
    assert edits.reverse_clip(document, "again").staging("again") == document.staging("again")
    assert [each.clip for each in edits.remove_clip(document, "sway").stagings] == ["again"]


def test_file_and_journal_keep_it_and_undo_takes_it_back(tmp_path):
    write_native(heard(start=0.1), tmp_path / "heard.tween")
    assert read_native(tmp_path / "heard.tween") == heard(start=0.1)
    with Editor(arm(), journal=tmp_path / "steps.journal") as editor:
        editor.apply("Sound", lambda document: edits.sound(document, beep(2.0), clip="swing").document)
        size = (tmp_path / "steps.journal").stat().st_size
        for k in range(1, 6):
            editor.apply("Move", lambda d, k=k: edits.sound(d, start=float(k), clip="swing").document)
        # Its bytes are written once, however often it is moved.
        assert (tmp_path / "steps.journal").stat().st_size - size < 3000
        wanted = editor.document
        recovered = read_journal(tmp_path / "steps.journal")
        assert recovered.history.document == wanted
        for _ in range(6):
            editor.undo()
        assert editor.document.stagings == ()


def test_what_is_no_sound_is_left_out_of_a_file_and_told(tmp_path):
    document = replace(arm(), stagings=(Staging("swing", Sound("song", b"#EXTM3U\nhttp://elsewhere")),))
    write_native(document, tmp_path / "false.tween")
    opened, repairs = read_repaired(tmp_path / "false.tween")
    assert opened.staging("swing").sound is None
    assert len(repairs) == 1
    assert repairs[0].startswith("$.stagings[0].sound: left out: is neither WAV")


def seen():
    first = edits.camera(arm(), (0.0, 1.0, 4.0), (0.0, 1.0, 0.0), fov=0.6, frame=0, clip="swing").document
    return edits.camera(first, (4.0, 2.0, 0.0), fov=0.4, frame=24, clip="swing").document


def test_a_camera_runs_smoothly_through_its_keys():
    staging = seen().staging("swing")
    assert [(key.time, key.eye, key.target, key.fov) for key in staging.camera] == [
        (0.0, (0.0, 1.0, 4.0), (0.0, 1.0, 0.0), 0.6),
        (1.0, (4.0, 2.0, 0.0), (0.0, 1.0, 0.0), 0.4),
    ]
    times = np.linspace(-0.5, 1.5, 81)
    # Between two flat keys a cubic is 3s² − 2s³.
    s = np.clip(times, 0.0, 1.0)
    share = 3 * s**2 - 2 * s**3
    np.testing.assert_allclose(staging.seen(times)[:, 0], 4 * share, atol=1e-9)
    np.testing.assert_allclose(staging.seen(times)[:, 6], 0.6 - 0.2 * share, atol=1e-9)
    assert staging.view(1.0) == View((4.0, 2.0, 0.0), (0.0, 1.0, 0.0), 0.4)


def test_keys_of_a_camera_are_replaced_removed_and_follow_their_clip(tmp_path):
    document = edits.camera(seen(), fov=0.9, time="24f", clip="swing").document
    assert [key.fov for key in document.staging("swing").camera] == [0.6, 0.9]
    write_native(document, tmp_path / "seen.tween")
    assert read_native(tmp_path / "seen.tween") == document
    shifted = edits.shift_clip(document, "swing", 0.5)
    assert [key.time for key in shifted.staging("swing").camera] == [0.5, 1.5]
    turned = edits.reverse_clip(document, "swing").staging("swing").camera
    assert [(key.time, key.fov) for key in turned] == [(0.0, 0.9), (1.0, 0.6)]
    one = edits.camera(document, frame=0, remove=True, clip="swing").document
    assert [key.time for key in one.staging("swing").camera] == [1.0]
    assert edits.camera(document, remove=True, clip="swing").document == arm()


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"frame": 3}, "say where the camera looks from and to"),
        ({"frame": 3, "eye": (0, 1, 0), "target": (0, 1, 0)}, "has no direction"),
        ({"frame": 3, "eye": (0, 1, 0), "target": (0, 1, 1), "fov": 4.0}, "must lie between 0 and π"),
        ({"frame": 3, "remove": True}, "has no key on frame 3"),
        ({"remove": True}, "has no camera"),
    ],
)
def test_a_camera_that_cannot_be_is_refused(said, problem):
    with pytest.raises((InvalidEdit, InvalidDocument), match=problem):
        edits.camera(replace(arm(), view=None), clip="swing", **said)


def test_a_key_of_a_camera_is_moved():
    moved = edits.camera(seen(), frame=0, to="30f", clip="swing")
    assert [(key.time, key.fov) for key in moved.document.staging("swing").camera] == [(1.0, 0.4), (1.25, 0.6)]
    assert moved.done == "Move camera key from frame 0 to 30"
    with pytest.raises(InvalidEdit, match="has a key on frame 24 already"):
        edits.camera(seen(), frame=0, to=1.0, clip="swing")
    with pytest.raises(InvalidEdit, match="has no key on frame 3"):
        edits.camera(seen(), frame=3, to=1.0, clip="swing")


def test_a_video_begins_where_it_is_told_and_follows_its_clip(tmp_path):
    film = video()
    kept = edits.picture(arm(), film, name="take.mp4", start="6f", clip="swing")
    assert kept.done == "Video take.mp4"
    assert "from 0.25 s (frame 6) on" in str(kept)
    assert kept.facts["picture"]["type"] == "video/mp4"
    write_native(kept.document, tmp_path / "take.tween")
    assert read_native(tmp_path / "take.tween") == kept.document
    assert edits.shift_clip(kept.document, "swing", 0.5).staging("swing").picture.start == 0.75
    with pytest.raises(InvalidEdit, match="pose is a picture, which has no beginning"):
        edits.picture(arm(), PNG, name="pose", start=1.0, clip="swing")
    with pytest.raises(InvalidEdit, match="long has 65 MiB, more than 64"):
        edits.picture(arm(), film + bytes(65 << 20), name="long", clip="swing")


def test_a_picture_is_kept_moved_and_checked(tmp_path):
    document = edits.picture(arm(), PNG, name="pose.png", position=(0.0, 0.5, -1.0), clip="swing").document
    moved = edits.picture(document, height=1.5, clip="swing").document
    assert moved.staging("swing").picture == Reference("pose.png", PNG, (0.0, 0.5, -1.0), 1.5)
    write_native(moved, tmp_path / "pose.tween")
    assert read_native(tmp_path / "pose.tween") == moved
    assert edits.picture(moved, remove=True, clip="swing").document == arm()
    with pytest.raises(InvalidEdit, match="song is neither PNG nor JPEG nor WebP"):
        edits.picture(arm(), b"OggS", name="song", clip="swing")
    with pytest.raises(InvalidDocument, match="opacity 2 must lie between 0 and 1"):
        edits.picture(document, opacity=2.0, clip="swing")
    false = replace(arm(), stagings=(Staging("swing", picture=Reference("song", b"OggS")),))
    write_native(false, tmp_path / "false.tween")
    opened, repairs = read_repaired(tmp_path / "false.tween")
    assert opened.staging("swing").picture is None
    assert repairs[0].startswith("$.stagings[0].picture: left out: is neither PNG")
