"""Handles in documents: saved, journalled, renamed and validated with the rest of the rig."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.document import Document, edits, problems
from inbetweener.document.difference import changed, difference
from inbetweener.document.native import read_native, write_native
from inbetweener.document.native.shelf import Packer, Unpacker
from inbetweener.errors import FormatError
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Handle, Joint, Point, Rig, joint_channels


def puppet(handled: bool = True) -> Document:
    """Three joints, the lower two on a handle."""
    joints = (
        Joint("hips", rest=Transform((0.0, 1.0, 0.0))),
        Joint("thigh", 0, Transform((0.1, 0.0, 0.0))),
        Joint("shank", 1, Transform((0.0, -0.4, 0.02))),
    )
    rig = Rig(joints, tuple(channel for joint in joints for channel in joint_channels(joint)))
    curves = {"hips.rx": Curve.constant(0.2)}
    if handled:
        rig = rig.with_handle(Handle("leg", ("thigh", "shank"), Point("shank", (0.0, -0.4, -0.02), "sole")))
        curves["leg.y"] = Curve.sampled([0.0, 1.0], [0.3, 0.5])
    return Document("puppet", rig, clips=(Clip("step", 1.0, curves=Curves(curves)),))


def test_saved_and_opened_again_it_moves_the_same(tmp_path: Path) -> None:
    document = puppet()
    write_native(document, tmp_path / "puppet.tween")
    opened = read_native(tmp_path / "puppet.tween")
    assert opened == document
    assert opened.rig.handles == document.rig.handles
    times = np.linspace(0, 1, 5)
    np.testing.assert_array_equal(opened.motion().joint_positions(times), document.motion().joint_positions(times))


def test_a_given_hinge_is_kept(tmp_path: Path) -> None:
    document = puppet()
    handle = replace(document.rig.handles[0], hinge=(1.0, 0.0, 0.25))
    document = replace(document, rig=replace(document.rig, handles=(handle,)))
    write_native(document, tmp_path / "puppet.tween")
    assert read_native(tmp_path / "puppet.tween").rig.handles == (handle,)


def test_files_from_before_handles_open(tmp_path: Path) -> None:
    path = tmp_path / "puppet.tween"
    write_native(puppet(handled=False), path)
    text = path.read_text()
    assert '"handles": [],' in text
    path.write_text(text.replace('"handles": [],', ""))
    assert read_native(path) == puppet(handled=False)


def test_a_handle_that_cannot_be_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "puppet.tween"
    write_native(puppet(), path)
    path.write_text(path.read_text().replace('"joints":["thigh","shank"]', '"joints":["thigh","hips"]'))
    with pytest.raises(FormatError, match="'hips' does not hang on 'thigh'"):
        read_native(path)


@pytest.mark.parametrize("there", [True, False])
def test_the_journal_tells_handles_that_come_and_go(there: bool) -> None:
    before, after = puppet(not there), puppet(there)
    made = changed(before, difference(before, after, Packer()), Unpacker())
    assert made == after
    assert len(made.rig.handles) == int(there)


def test_renaming_a_joint_renames_it_in_handles() -> None:
    before = puppet()
    after = edits.rename_joint(before, "shank", "lower leg")
    handle = after.rig.handles[0]
    assert handle.joints == ("thigh", "lower leg")
    assert handle.tip.joint == "lower leg"
    np.testing.assert_array_equal(*(each.motion().joint_positions([0.0, 0.7]) for each in (before, after)))
    assert edits.rename_joint(after, "lower leg", "shank") == before
    assert edits.rename_joint(before, "hips", "pelvis").rig.handles[0] is before.rig.handles[0]


def test_it_has_no_problems() -> None:
    assert problems(puppet()) == []
