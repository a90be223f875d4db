"""Sketches in documents: a pose among poses, undone, saved, refined, renamed and removed."""

import math
from pathlib import Path

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.curves import Curve, Key
from inbetweener.document import Document, Editor, edits, problems
from inbetweener.document.native import read_native, write_native
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.posing.sketch import Sketch, ViewPlane, sketch, twist
from tests.posing.sketch.drawn import arc, chain

FRONT = ViewPlane.named("front")
BONES = ("bone_1", "bone_2", "bone_3", "bone_4")


def puppet(*, loops: bool = False) -> Document:
    """A chain that nods on keys at 0, 0.5, 1 and 2 s."""
    nod = Curve.from_keys([Key(0.0, 0.0), Key(0.5, 0.4), Key(1.0, -0.2), Key(2.0, 0.0)])
    return Document("puppet", chain(), clips=(Clip("nod", 2.0, curves=Curves({"post.rz": nod}), loops=loops),))


def drawn(document: Document, time: float, turn: float = 2.0, onto: str | None = None) -> Sketch:
    pose = document.motion().channels([time])[0]
    return sketch(document.rig, pose, BONES, arc((0.0, 1.0), 0.5, 1.0, turn), FRONT, onto=onto)


def tips(document: Document, *times: float) -> Floats:
    return document.motion().point_positions(times, [document.rig.point("tip")])[:, 0]


def test_it_shows_at_its_time_and_is_gone_at_the_keys_around() -> None:
    before = puppet()
    after = edits.sketch_pose(before, "nod", 1.0, drawn(before, 1.0), name="curl")
    assert problems(after) == []
    np.testing.assert_allclose(tips(after, 1.0)[0, :2], arc((0.0, 1.0), 0.5, 1.0, 2.0).positions([1.0])[0], atol=1e-9)
    np.testing.assert_allclose(tips(after, 0.0, 0.5, 2.0), tips(before, 0.0, 0.5, 2.0), atol=1e-12)
    curve = after.clip().curves["curl"]
    assert (curve.times.tolist(), curve.values.tolist()) == ([0.5, 1.0, 2.0], [0.0, 1.0, 0.0])
    assert (curve.outs[:, 1] == 0).all()
    assert after.clip().curves["post.rz"] is before.clip().curves["post.rz"]


def test_a_sketch_in_a_loop_starts_as_it_ends() -> None:
    before = puppet(loops=True)
    after = edits.sketch_pose(before, "nod", 0.0, drawn(before, 0.0))
    np.testing.assert_allclose(tips(after, 0.0), tips(after, 2.0), atol=1e-12)
    curve = after.clip().curves["sketch"]
    assert (curve.times.tolist(), curve.values.tolist()) == ([0.0, 0.5, 1.0, 2.0], [1.0, 0.0, 0.0, 1.0])


def test_another_sketch_at_the_same_time_refines_it() -> None:
    document = edits.sketch_pose(puppet(), "nod", 1.0, drawn(puppet(), 1.0))
    assert edits.sketched_at(document, "nod", 1.0) == "sketch"
    assert edits.sketched_at(document, "nod", 0.5) is None
    again = edits.sketch_pose(document, "nod", 1.0, drawn(document, 1.0, -1.0, onto="sketch"))
    assert len(again.rig.bends) == 1
    assert again.clip().curves["sketch"] is document.clip().curves["sketch"]
    np.testing.assert_allclose(tips(again, 1.0)[0, :2], arc((0.0, 1.0), 0.5, 1.0, -1.0).positions([1.0])[0], atol=1e-9)


def test_sketches_at_other_times_are_poses_of_their_own() -> None:
    document = edits.sketch_pose(puppet(), "nod", 1.0, drawn(puppet(), 1.0))
    both = edits.sketch_pose(document, "nod", 0.5, drawn(document, 0.5, -2.5))
    assert [bend.name for bend in both.rig.bends] == ["sketch", "sketch 2"]
    ends = [arc((0.0, 1.0), 0.5, 1.0, turn).positions([1.0])[0] for turn in (-2.5, 2.0)]
    np.testing.assert_allclose(tips(both, 0.5, 1.0)[:, :2], ends, atol=1e-9)


def test_three_turns_are_gone_through_one_by_one() -> None:
    """Keyed from nothing to three turns and back: the tip's orientation passes every one of them."""
    before = puppet()
    pose = before.motion().channels([1.0])[0]
    after = edits.sketch_pose(before, "nod", 1.0, twist(before.rig, pose, BONES, 6 * math.pi))
    times = np.linspace(0.5, 1.0, 400)
    turned = after.motion().states(times, after.rig.point("tip"))[1]
    plain = before.motion().states(times, before.rig.point("tip"))[1]
    local = np.swapaxes(plain, 1, 2) @ turned
    angle = np.unwrap(np.arctan2(local[:, 2, 1], local[:, 1, 1]))
    assert angle[-1] - angle[0] == pytest.approx(6 * math.pi, abs=1e-6)
    assert (np.diff(angle) >= -1e-9).all()


def test_undo_redo_and_the_journal_bring_it_back(tmp_path: Path) -> None:
    before = puppet()
    made = drawn(before, 1.0)
    with Editor(before, tmp_path / "journal") as editor:
        after = editor.apply("Sketch", lambda document: edits.sketch_pose(document, "nod", 1.0, made))
        assert editor.undo() == before
        assert editor.redo() == after
    recovered = Editor.recover(tmp_path / "journal")
    assert recovered.document == after
    assert recovered.undo() == before
    recovered.close()


def test_saved_and_opened_again_it_moves_the_same(tmp_path: Path) -> None:
    document = edits.sketch_pose(puppet(), "nod", 1.0, drawn(puppet(), 1.0))
    write_native(document, tmp_path / "puppet.tween")
    opened = read_native(tmp_path / "puppet.tween")
    assert opened == document
    times = np.linspace(0.0, 2.0, 9)
    np.testing.assert_array_equal(tips(opened, *times), tips(document, *times))


def test_removed_it_leaves_the_document_as_it_was() -> None:
    before = puppet()
    document = edits.sketch_pose(before, "nod", 1.0, drawn(before, 1.0))
    layered = edits.add_layer(document, "nod", Layer("more", Curves({"sketch": Curve.constant(0.2)})))
    assert edits.remove_bend(document, "sketch") == before
    gone = edits.remove_bend(layered, "sketch")
    assert gone.rig == before.rig
    assert not gone.clip().layers[0].curves
    assert problems(gone) == []


def test_renamed_it_moves_the_same() -> None:
    document = edits.sketch_pose(puppet(), "nod", 1.0, drawn(puppet(), 1.0))
    renamed = edits.rename_bend(document, "sketch", "curl")
    assert [bend.name for bend in renamed.rig.bends] == ["curl"]
    assert "curl" in renamed.clip().curves
    assert problems(renamed) == []
    np.testing.assert_array_equal(tips(renamed, 0.7, 1.0), tips(document, 0.7, 1.0))
    assert edits.rename_bend(renamed, "curl", "sketch") == document


def test_names_that_are_taken_or_unknown_are_refused() -> None:
    document = edits.sketch_pose(puppet(), "nod", 1.0, drawn(puppet(), 1.0))
    with pytest.raises(InvalidDocument, match=r"called 'post.rz'"):
        edits.sketch_pose(document, "nod", 1.0, drawn(document, 1.0), name="post.rz")
    with pytest.raises(InvalidDocument, match="needs a name"):
        edits.rename_bend(document, "sketch", " ")
    with pytest.raises(UnknownName, match="did you mean sketch"):
        edits.remove_bend(document, "sketsch")


def test_a_joint_renamed_takes_its_sketch_along() -> None:
    document = edits.sketch_pose(puppet(), "nod", 1.0, drawn(puppet(), 1.0))
    renamed = edits.rename_joint(document, "bone_1", "upper")
    assert problems(renamed) == []
    np.testing.assert_array_equal(tips(renamed, 0.7, 1.0), tips(document, 0.7, 1.0))
