"""The change between two documents, whatever the edit was."""

from dataclasses import replace

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.document.difference import Change, changed, difference
from inbetweener.document.native.shelf import Packer, Unpacker
from tests.document.puppet import puppet
from tests.document.random_edits import edited
from tests.document.strategies import documents


def told(before: Document, after: Document) -> bytes:
    return msgspec.json.encode(difference(before, after, Packer()))


def heard(before: Document, content: bytes) -> Document:
    return changed(before, msgspec.json.decode(content, type=Change), Unpacker())


@given(documents(), documents())
def test_any_document_to_any_other(before: Document, after: Document) -> None:
    assert heard(before, told(before, after)) == after


@given(st.integers(0, 10_000), st.integers(10_001, 20_000))
def test_every_edit_and_its_undo(first: int, second: int) -> None:
    before = edited(puppet(), first)
    after = edited(before, second)
    assert heard(before, told(before, after)) == after
    assert heard(after, told(after, before)) == before


def test_nothing_changed() -> None:
    document = puppet()
    assert told(document, document) == b"{}"
    assert heard(document, b"{}") == document


def test_only_what_changed_is_told() -> None:
    before = puppet()
    after = edits.set_curves(before, "walk", {"hips.rx": Curve.constant(0.5)})
    assert told(before, after) == b'{"clips":[{"of":0,"curves":{"hips.rx":[[0.0,0.5,"bezier"]]}},1]}'


def test_the_result_shares_what_the_edit_shared() -> None:
    before = puppet()
    after = edits.set_curves(before, "walk", {"hips.rx": Curve.constant(0.5)})
    again = heard(before, told(before, after))
    assert again.rig is before.rig
    assert again.meshes is before.meshes
    assert again.clip("rest") is before.clip("rest")
    assert again.clip("walk").curves["arm.l.rz"] is before.clip("walk").curves["arm.l.rz"]


def test_arrays_that_are_known_are_not_told_again() -> None:
    before = puppet()
    recoloured = replace(before.meshes[0], material=replace(before.meshes[0].material, colour=(1.0, 0.0, 0.0, 1.0)))
    after = replace(before, meshes=(recoloured, before.meshes[1]))
    packer = Packer()
    difference(Document(), before, packer)
    change = difference(before, after, Packer(packer.known))
    assert change.arrays is msgspec.UNSET


def test_a_journal_with_a_way_of_blending_that_is_no_more_is_followed() -> None:
    assert heard(puppet(), b'{"blending": "differential-world"}').blending == "differential"
