"""When costs count less is part of the document: saved, undone, kept by a run, and nothing to older files."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Editor, edits, read_native, write_native
from inbetweener.document.difference import Change, changed, difference
from inbetweener.document.native.shelf import Packer, Unpacker
from inbetweener.errors import FormatError
from inbetweener.motion import Kernel

WAVING = ib.example("waving")
BELLS = (Kernel(1.0, 0.2), Kernel(1.5, 0.05, 0.5))


def test_they_are_saved_and_older_files_have_none(tmp_path: Path) -> None:
    kept = edits.set_kernels(WAVING, "hello", BELLS)
    write_native(kept, tmp_path / "kept.tween")
    assert read_native(tmp_path / "kept.tween") == kept
    told = json.loads((tmp_path / "kept.tween").read_text())
    del told["clips"][0]["kernels"]
    (tmp_path / "old.tween").write_text(json.dumps(told))
    assert read_native(tmp_path / "old.tween") == WAVING


def test_one_that_cannot_be_is_named_with_its_place(tmp_path: Path) -> None:
    write_native(edits.set_kernels(WAVING, "hello", BELLS), tmp_path / "bad.tween")
    told = json.loads((tmp_path / "bad.tween").read_text())
    told["clips"][0]["kernels"][1]["width"] = 0.0
    (tmp_path / "bad.tween").write_text(json.dumps(told))
    with pytest.raises(FormatError, match=r"kernels\[1\].*width of 0 s must be positive"):
        read_native(tmp_path / "bad.tween")


def test_they_are_undone_and_follow_their_clip() -> None:
    editor = Editor(WAVING)
    editor.apply("Quieten", lambda document: edits.set_kernels(document, "hello", BELLS))
    assert editor.document.clip().kernels == BELLS
    editor.undo()
    assert editor.document == WAVING
    editor.redo()
    copied = edits.rename_clip(edits.duplicate_clip(editor.document, "hello", "again"), "hello", "first")
    assert [clip.kernels for clip in copied.clips] == [BELLS, BELLS]
    journaled = msgspec.json.encode(difference(WAVING, copied, Packer()))
    assert changed(WAVING, msgspec.json.decode(journaled, type=Change), Unpacker()) == copied


def test_a_run_goes_by_those_of_its_clip_and_leaves_its_own() -> None:
    arm = {"channels": "upper_arm_r.*", "regularise": 1.0}
    plain, given = edits.guide(WAVING, **arm), edits.guide(WAVING, kernels=BELLS, **arm)
    own = edits.guide(edits.set_kernels(WAVING, "hello", BELLS), **arm)
    assert plain.document.clip().kernels == ()
    assert own.document == given.document
    assert given.document.clip().kernels == BELLS
    assert not np.array_equal(*(d.document.clip().curves["upper_arm_r.rz"].outs for d in (plain, given)))
    assert edits.guide(own.document, kernels=(), **arm).document.clip().kernels == ()
