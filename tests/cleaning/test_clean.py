"""The verb: what it tells, what it keeps, what it refuses; on the command line and on the page."""

import json
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import edits
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Contact
from tests.cli.command import run_here
from tests.studio.pages import PageForTests, session_of
from tests.verbs.rows_motion import captured, shaken


def test_keyed_motion_and_strange_wishes_are_refused() -> None:
    with pytest.raises(InvalidEdit, match="is keyed, not captured"):
        edits.clean(ib.example("diver"))
    with pytest.raises(InvalidEdit, match="'wobble' is no kind of fault; known: flip, spike, gap, jitter"):
        edits.clean(captured(), kinds=["wobble"])
    with pytest.raises(InvalidEdit, match="more than nothing"):
        edits.clean(captured(), noise=0.0)


def test_where_nothing_is_found_nothing_changes() -> None:
    document = captured()
    result = edits.clean(document)
    assert result.document is document
    assert str(result) == "no flip, spike, gap or jitter was found"


def test_a_flip_is_told_and_mended() -> None:
    document = shaken()
    result = edits.clean(document)
    assert str(result) == "1 flip in 1 joint"
    (row,) = result.facts["faults"]
    assert (row["kind"], row["first_frame"], row["last_frame"], row["mended"]) == ("flip", 20, 20, True)
    times = document.clip().frame_times
    before, spoilt, after = (each.motion().joint_positions(times) for each in (captured(), document, result.document))
    assert np.abs(spoilt - before).max() > 0.1
    assert np.abs(after - before).max() < 0.01


def test_a_contact_slides_no_further() -> None:
    """A shank shakes to keep the foot in its place, against a thigh that shakes too little to be smoothed with it."""
    document = captured()
    clip, rig = document.clip(), document.rig
    times = clip.frame_times
    values = document.motion().channels(times)
    random = np.random.default_rng(5)
    shake = np.radians(3.0) * random.normal(size=len(times))
    thigh, shank = rig.channel_index("thigh_l.rx"), rig.channel_index("shank_l.rx")
    values[:, thigh] += shake
    values[:, shank] -= 2.0 * shake
    names = ("thigh_l.rx", "shank_l.rx")
    curves = {name: ib.curves.Curve.sampled(times, values[:, rig.channel_index(name)]) for name in names}
    document = edits.set_curves(document, clip.name, curves)
    contact = Contact(rig.point("foot_l"), float(times[0]), float(times[-1]))
    held = edits.add_constraint(document, clip.name, contact)

    def slide(each: ib.Document) -> float:
        places = each.motion().states(times, rig.point("foot_l"))[0]
        return float(np.linalg.norm(places - np.median(places, axis=0), axis=1).max())

    free, kept = (edits.clean(each, noise=np.radians(3.0)) for each in (document, held))
    assert free.faults == kept.faults != ()
    assert slide(free.document) > slide(held) + 0.001
    assert slide(kept.document) <= slide(held) + 0.001
    assert kept.left == kept.faults
    assert "1 left alone, as contacts would slide" in str(kept)


def test_the_command_lists_and_writes(tmp_path: Path) -> None:
    ib.save(shaken(), tmp_path / "shaken.tween")
    told = run_here(["clean", "shaken.tween"], tmp_path)
    assert told.returncode == 0
    assert "1 flip in 1 joint" in told.stdout
    assert "Wrote" not in told.stdout
    said = json.loads(run_here(["clean", "shaken.tween", "--out", "whole.tween", "--json"], tmp_path).stdout)
    assert [each["kind"] for each in said["faults"]] == ["flip"]
    again = json.loads(run_here(["clean", "whole.tween", "--json"], tmp_path).stdout)
    assert again["faults"] == []
    assert run_here(["clean", "whole.tween", "--kind", "wobble"], tmp_path).returncode == 2


def test_the_page_can_look_first() -> None:
    document = shaken()
    session = session_of(document)
    try:
        page = PageForTests(session)
        said = page.done("clean-capture", mend=False)
        assert session.editor.document is document
        assert said == "1 flip in 1 joint"
        page.done("clean-capture")
        assert session.editor.document == edits.clean(document).document
        assert session.editor.history.undo_label == "Clean 1 flip"
    finally:
        session.stop()
