"""Saving and opening gives the same document, to the last bit."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from inbetweener.curves import Curve
from inbetweener.document import Document, edits, read_native, write_native
from inbetweener.document.native.read import document_from, native_text
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import Looseness, Spring
from inbetweener.motion import Curves
from tests.curves import museum
from tests.document.puppet import PAPER, puppet
from tests.document.strategies import documents


@given(documents())
def test_save_then_load_is_identity(document: Document) -> None:
    text = native_text(document)
    opened = document_from(text, "x.tween")[0]
    assert opened == document
    assert native_text(opened) == text


def test_a_file_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "puppet.tween"
    write_native(puppet(), path)
    assert read_native(path) == puppet()
    assert read_native(str(path)).meshes[0].material.texture == PAPER


def test_signed_zeros_and_all_digits_survive() -> None:
    values = [0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308, 1 / 3, 2**53 + 2.0]
    curve = Curve.sampled(np.arange(6.0), values)
    document = edits.set_curves(puppet(), "rest", {"hips.rx": curve})
    opened = document_from(native_text(document), "x")[0].clip("rest").curves["hips.rx"]
    assert opened.values.tobytes() == np.array(values).tobytes()


@pytest.mark.parametrize("made", [museum.full_width, museum.widest, museum.zero_width, museum.one_sided, museum.single])
def test_curves_of_the_museum(made) -> None:
    document = edits.set_curves(puppet(), "rest", {"hips.rx": made()})
    assert document_from(native_text(document), "x")[0].clip("rest").curves["hips.rx"] == made()


def test_the_order_of_edits_leaves_no_trace_in_the_file() -> None:
    curves = {name: Curve.constant(1.0) for name in ("hips.rx", "hips.tx", "bend")}
    document = replace(puppet(), constraints=(), loosenings=())
    there = replace(document, clips=(replace(document.clips[1], curves=Curves(curves)),))
    back = replace(document, clips=(replace(document.clips[1], curves=Curves(dict(reversed(curves.items())))),))
    assert native_text(there) == native_text(back)


def test_the_order_of_springs_leaves_no_trace_in_the_file() -> None:
    springs = {"smile": Spring(2.0), "arm.l": Spring(1.0)}
    there = edits.set_looseness(puppet(), "walk", Looseness(springs))
    back = edits.set_looseness(puppet(), "walk", Looseness(dict(reversed(springs.items()))))
    assert native_text(there) == native_text(back)


def test_equal_arrays_are_stored_once_and_shared_when_opened() -> None:
    document = puppet()
    copies = tuple(
        replace(document.meshes[0], name=f"copy {i}", vertices=document.meshes[0].vertices.copy()) for i in range(84)
    )
    document = replace(document, meshes=copies)
    text = native_text(document)
    alone = native_text(replace(document, meshes=copies[:1]))
    assert json.loads(text)["arrays"] == json.loads(alone)["arrays"]
    first, *others = document_from(text, "x")[0].meshes
    assert all(np.shares_memory(first.vertices, mesh.vertices) for mesh in others)
    assert not first.vertices.flags.writeable


def test_numpy_scalars_in_a_document_are_plain_numbers_in_the_file() -> None:
    document = edits.set_stiffness(puppet(), "hips.rx", np.float64(0.25))
    assert document_from(native_text(document), "x")[0] == document


def test_an_invalid_document_is_not_saved(tmp_path: Path) -> None:
    bad = replace(puppet(), name="")
    with pytest.raises(InvalidDocument, match="document: has no name"):
        write_native(bad, tmp_path / "bad.tween")
    assert list(tmp_path.iterdir()) == []
