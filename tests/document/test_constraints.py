"""Constraints in documents: named, switched, saved, and true to clips and joints that change."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.document import Constraint, Document, Editor, edits, read_native, validate, write_native
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.rig import BlendedPoint, Point
from inbetweener.tangents import Contact, Pin
from tests.document.puppet import elbow, puppet

HAND = Point("arm.l", (0.0, 0.3, 0.0), "hand")
PIN = Pin(Point("hips"))


def named(document: Document, clip: str) -> list[str]:
    return [each.name for each in document.constraints if each.clip == clip]


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (PIN, "pin"),
        (Pin(HAND, "both", 0.5), "pin"),
        (Pin(HAND, start=0.5, end=0.5), "lock"),
        (Contact(HAND, 0.5, 1.0), "contact"),
        (Contact(HAND, 0.5, 0.5), "contact"),
    ],
)
def test_kinds(rule: Pin | Contact, kind: str) -> None:
    assert Constraint("any", "walk", rule).kind == kind


def test_names_are_made_from_point_and_kind_and_differ() -> None:
    document = replace(puppet(), constraints=())
    for rule in (PIN, Contact(HAND, 0.0, 1.0), PIN, Pin(elbow(), start=1.0, end=1.0), PIN):
        document = edits.add_constraint(document, "walk", rule)
    assert named(document, "walk") == ["hips pin", "hand contact", "hips pin 2", "elbow lock", "hips pin 3"]
    again = edits.add_constraint(edits.remove_constraint(document, "hips pin"), "rest", PIN)
    assert named(again, "rest") == ["hips pin"]
    validate(again)


def test_rules_are_those_that_are_on_in_the_clip() -> None:
    document = edits.add_constraint(puppet(), "rest", PIN)
    pin, contact, lock, _ = (each.rule for each in document.constraints)
    assert document.rules() == document.rules("walk") == (pin, lock)
    assert document.rules("rest") == (PIN,)
    assert edits.switch_constraint(document, "hips contact", True).rules("walk") == (pin, contact, lock)
    assert edits.switch_constraint(document, "hand pin", False).rules("walk") == (lock,)
    with pytest.raises(UnknownName, match="no clip called 'run'"):
        document.rules("run")


def test_another_rule_keeps_name_place_and_switch() -> None:
    before = puppet()
    after = edits.replace_rule(before, "hips contact", Contact(HAND, 0.0, 0.25, "both"))
    assert after.constraints[1] == Constraint("hips contact", "walk", Contact(HAND, 0.0, 0.25, "both"), on=False)
    assert after.constraints[0] is before.constraints[0]
    assert after.constraints[2] is before.constraints[2]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda d: edits.add_constraint(d, "walk", Pin(Point("leg"))), "'leg pin': its point sits on unknown joint"),
        (lambda d: edits.add_constraint(d, "walk", Contact(HAND, 1.0, 0.5)), "its end 0.5 s lies before its start 1 s"),
        (lambda d: edits.add_constraint(d, "walk", PIN, name="hand pin"), "already a constraint called 'hand pin'"),
        (lambda d: edits.add_constraint(d, "walk", PIN, name=" "), "a constraint needs a name"),
        (lambda d: edits.rename_constraint(d, "hand pin", "elbow lock"), "already a constraint called 'elbow lock'"),
        (lambda d: edits.replace_rule(d, "hand pin", Pin(BlendedPoint(()))), "made of no parts"),
    ],
)
def test_refused_at_once(edit, message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        edit(puppet())


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: edits.remove_constraint(d, "hand pn"),
        lambda d: edits.switch_constraint(d, "hand pn", True),
        lambda d: edits.replace_rule(d, "hand pn", PIN),
        lambda d: edits.rename_constraint(d, "hand pn", "x"),
    ],
)
def test_unknown_names_are_told(edit) -> None:
    with pytest.raises(UnknownName, match="no constraint called 'hand pn'; did you mean hand pin"):
        edit(puppet())


def test_a_renamed_clip_keeps_its_constraints() -> None:
    before = puppet()
    after = edits.rename_clip(before, "walk", "stroll")
    validate(after)
    assert named(after, "stroll") == named(before, "walk")
    assert after.rules("stroll") == before.rules("walk")
    assert edits.rename_clip(after, "stroll", "walk") == before


def test_a_copied_clip_has_constraints_of_its_own() -> None:
    before = edits.add_constraint(puppet(), "walk", Pin(HAND))
    after = edits.duplicate_clip(before, "walk", "walk 2")
    validate(after)
    assert named(after, "walk 2") == ["hand pin 3", "hips contact 2", "elbow lock 2", "hand pin 4"]
    assert after.rules("walk 2") == after.rules("walk") == before.rules("walk")
    assert [each.on for each in after.constraints[4:]] == [each.on for each in before.constraints]
    assert edits.switch_constraint(after, "hand pin 3", False).rules("walk") == before.rules("walk")


def test_a_removed_clip_takes_its_constraints_along() -> None:
    document = edits.add_constraint(puppet(), "rest", PIN)
    after = edits.remove_clip(document, "walk")
    validate(after)
    assert [each.name for each in after.constraints] == ["hips pin"]


def test_a_renamed_joint_is_renamed_in_places() -> None:
    before = edits.add_constraint(puppet(), "walk", Pin(Point("arm.l")))
    after = edits.rename_joint(before, "arm.l", "wing")
    validate(after)
    assert [[p.joint for p, _ in each.rule.point.parts] for each in after.constraints] == [
        ["wing"],
        ["hips"],
        ["wing", "hips"],
        ["wing"],
    ]
    assert after.constraints[1] is before.constraints[1]
    assert edits.rename_joint(after, "wing", "arm.l") == before


def test_constraints_called_after_a_joint_are_renamed_with_it() -> None:
    before = puppet()
    for rule in (PIN, PIN, Pin(BlendedPoint(((Point("hips"), 1.0),)))):
        before = edits.add_constraint(before, "walk", rule)
    before = edits.add_constraint(before, "rest", PIN, name="my hips pin")
    after = edits.rename_joint(before, "hips", "pelvis")
    assert named(after, "walk") == [
        "hand pin",
        "pelvis contact",
        "elbow lock",
        "pelvis pin",
        "pelvis pin 2",
        "point on pelvis pin",
    ]
    assert named(after, "rest") == ["my hips pin"]
    assert edits.rename_joint(after, "pelvis", "hips") == before


def test_a_name_that_is_taken_is_not_taken_twice_by_renaming_a_joint() -> None:
    document = edits.add_constraint(puppet(), "walk", PIN)
    document = edits.add_constraint(document, "walk", Pin(HAND), name="pelvis pin")
    after = edits.rename_joint(document, "hips", "pelvis")
    validate(after)
    assert named(after, "walk")[-2:] == ["pelvis pin 2", "pelvis pin"]


def test_files_from_before_constraints_open(tmp_path: Path) -> None:
    path, before = tmp_path / "puppet.tween", replace(puppet(), constraints=())
    write_native(before, path)
    text = path.read_text()
    assert '"constraints": [],' in text
    path.write_text(text.replace('"constraints": [],', ""))
    assert read_native(path) == before


def test_switching_one_off_changes_one_line_of_the_file(tmp_path: Path) -> None:
    lines = []
    for document in (puppet(), edits.switch_constraint(puppet(), "hand pin", False)):
        write_native(document, tmp_path / "puppet.tween")
        lines.append((tmp_path / "puppet.tween").read_text().splitlines())
    changed = [(a.strip(), b.strip()) for a, b in zip(*lines, strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0][0].startswith('{"name":"hand pin","clip":"walk","on":true,')
    assert '"start":null,"end":1.5' in changed[0][0]
    assert changed[0][1] == changed[0][0].replace("true", "false", 1)


def test_the_journal_brings_them_back_with_their_undo(tmp_path: Path) -> None:
    editor = Editor(puppet(), journal=tmp_path / "puppet.journal")
    editor.apply("Pin", lambda d: edits.add_constraint(d, "rest", Pin(elbow(), "both")))
    editor.apply("Off", lambda d: edits.switch_constraint(d, "elbow pin", False))
    last = editor.document
    editor.close()
    again = Editor.recover(tmp_path / "puppet.journal")
    assert again.document == last
    assert again.document.rules("rest") == ()
    assert again.undo().rules("rest") == (Pin(elbow(), "both"),)
    assert again.undo() == puppet()
    again.close()


def test_a_lock_from_the_document_holds_in_a_drag() -> None:
    soft = Tangent(0.2, 0.0)
    turns = {
        name: Curve.from_keys([Key(0.0, 0.0, soft, soft), Key(1.0, turn, soft, soft), Key(2.0, 0.0, soft, soft)])
        for name, turn in (("hips.rz", 0.4), ("arm.l.rz", 0.8), ("hips.tx", 0.3), ("hips.ty", 0.1))
    }
    document = edits.set_curves(replace(puppet(), constraints=()), "rest", turns)
    document = edits.add_constraint(document, "rest", Pin(HAND, start=0.3, end=0.3))
    assert document.constraint("hand lock").kind == "lock"
    start = document.motion("rest").states([0.3, 0.7], HAND)[0]
    target = start[1] + [0.01, 0.02, 0.0]
    moved = {}
    for own in (False, True):
        dragged = edits.drag(document, HAND, time=0.7, to=target, clip="rest", own=own)
        after = dragged.document
        assert dragged.reached
        moved[own] = float(np.linalg.norm(after.motion("rest").states([0.3], HAND)[0] - start[0]))
        assert after.constraints is document.constraints
    assert moved[True] < 1e-4 < 1e-3 < moved[False]
