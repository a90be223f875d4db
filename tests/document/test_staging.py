"""What a clip is heard with: kept, undone, and following its clip."""

from dataclasses import replace

import pytest

from inbetweener.document import Editor, Sound, Staging, edits, read_journal, read_native, write_native
from inbetweener.document.native.read import read_repaired
from inbetweener.document.staging import MOST_SOUND, sound_type
from inbetweener.errors import InvalidDocument, InvalidEdit
from tests.sounds import beep
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
