"""Nothing is left out: every built-in scene hangs in the gallery, and nothing hangs there twice."""

from gallery.exhibits import EXHIBITS, LEFT_OUT
from inbetweener.builtin import examples


def test_every_built_in_scene_is_shown() -> None:
    assert {info.name for info in examples()} <= {exhibit.name for exhibit in EXHIBITS}


def test_names_and_titles_are_unique() -> None:
    assert len({exhibit.name for exhibit in EXHIBITS}) == len(EXHIBITS)
    assert len({exhibit.title for exhibit in EXHIBITS}) == len(EXHIBITS)


def test_every_exhibit_says_what_was_claimed_where_and_what_was_done() -> None:
    for exhibit in EXHIBITS:
        if exhibit.method == "captured":
            assert "mocap.cs.cmu.edu" in exhibit.done, "their owners ask to be named"
        else:
            assert exhibit.source.startswith(("[TSO]", "[OM]", "[IKD]", "[DB]")), exhibit.name
            assert exhibit.claim.endswith("."), exhibit.name
        assert exhibit.done.endswith("."), exhibit.name


def test_captured_clips_are_shown_or_said_to_be_left_out() -> None:
    shown = {exhibit.name for exhibit in EXHIBITS if exhibit.method == "captured"}
    assert len(shown) + len(LEFT_OUT) == 4
    assert shown.isdisjoint(LEFT_OUT)


def test_posters_are_frames_of_their_scenes() -> None:
    frames = {info.name: info.frames for info in examples()}
    for exhibit in EXHIBITS:
        assert exhibit.shot.poster <= frames.get(exhibit.name, 48), exhibit.name
        assert not any(side % 2 for side in exhibit.shot.size), exhibit.name
