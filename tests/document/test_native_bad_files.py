"""A bad file gets one clear line that names the file, the place and the problem."""

import base64
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.document import read_native
from inbetweener.document.native.read import document_from, native_text
from inbetweener.errors import FormatError
from tests.document.puppet import puppet

TEXT = native_text(puppet())


def refused(content: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        document_from(content, "bad.tween")
    message = str(caught.value)
    assert message.startswith("bad.tween: ")
    assert "\n" not in message
    return caught.value


def altered(change: Callable[[Any], object]) -> bytes:
    content = json.loads(TEXT)
    change(content)
    return json.dumps(content).encode()


def array_of(content: Any, field: str) -> Any:
    return content["arrays"][content["meshes"][0][field]]


def pack(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


CASES: dict[str, tuple[Callable[[Any], object], str, str]] = {
    "a newer version": (lambda c: c.update(version=2), "$.version", "newer"),
    "version zero": (lambda c: c.update(version=0), "$.version", "never was"),
    "another format": (lambda c: c.update(format="blend"), "$.format", "another kind"),
    "a missing field": (lambda c: c.pop("clips"), "$", "missing required field clips"),
    "an unknown field": (lambda c: c["joints"][0].update(rolls=1), "$.joints[0]", "unknown field rolls"),
    "text for a number": (lambda c: c["channels"][2].update(default="0"), "$.channels[2].default", "expected float"),
    "two numbers for a vector": (lambda c: c["points"][0].update(offset=[1, 2]), "$.points[0].offset", "length 3"),
    "an unknown parent": (lambda c: c["joints"][1].update(parent="hip"), "$.joints[1]", "no joint of the file"),
    "a parent behind its child": (lambda c: c["joints"].reverse(), "$", "parents must come first"),
    "a rotation of no length": (lambda c: c["joints"][1].update(rotation=[0, 0, 0, 0]), "$.joints[1]", "length 0"),
    "a joint twice": (lambda c: c["joints"].append(c["joints"][0]), "$", "two joints are called 'hips'"),
    "limits crossed": (lambda c: c["channels"][0].update(lower=2, upper=1), "$.channels[0]", "is above upper limit"),
    "a spring without stiffness": (
        lambda c: c["loosenings"][0]["looseness"]["springs"]["smile"].update(frequency=0.0),
        '$.loosenings[0].looseness.springs["smile"]',
        "stiffness 0 Hz must lie above 0",
    ),
    "a bell without width": (
        lambda c: c["loosenings"][0]["aims"][0]["target"]["bell"].update(before=0.0),
        "$.loosenings[0].aims[0].target.bell",
        "must be positive",
    ),
    "a spring on nothing": (
        lambda c: c["loosenings"][0]["looseness"]["springs"].update(leg={"frequency": 1.0, "damping": 1.0}),
        "",
        "spring on 'leg'",
    ),
    "a drive to nowhere": (
        lambda c: c["channels"][0].update(drives={"leg.rx": 1}),
        "$",
        "drives 'leg.rx', which no joint has",
    ),
    "an unknown interpolation": (
        lambda c: c["clips"][0]["curves"]["hips.tx"][1].append("cubic"),
        '$.clips[0].curves["hips.tx"][1][2]',
        "invalid enum value",
    ),
    "a row too short": (
        lambda c: c["clips"][0]["curves"].update({"hips.tx": [[0.0]]}),
        '$.clips[0].curves["hips.tx"][0]',
        "at least length 2",
    ),
    "a row too long": (
        lambda c: c["clips"][0]["curves"].update({"hips.tx": [[0, 0, "linear", 0, 0, 0, 0, True, 5]]}),
        '$.clips[0].curves["hips.tx"]',
        "at most length 8",
    ),
    "no rows": (lambda c: c["clips"][0]["curves"].update({"hips.tx": []}), '"hips.tx"', "at least one key"),
    "rows out of order": (
        lambda c: c["clips"][0]["layers"][1]["curves"]["arm.l.rz"].reverse(),
        '$.clips[0].layers[1].curves["arm.l.rz"]',
        "does not come after",
    ),
    "a clip backwards": (lambda c: c["clips"][1].update(end=-1), "$.clips[1]", "lies before start"),
    "a curve for no channel": (lambda c: c["clips"][1]["curves"].update({"leg.rx": [[0, 0]]}), "", "unknown channel"),
    "an array that is not there": (lambda c: c["meshes"][0].update(vertices="v"), "$.meshes[0].vertices", "no array"),
    "an array of another type": (lambda c: array_of(c, "vertices").update(type="f8"), "$.arrays", "needs f4"),
    "an array too short": (lambda c: array_of(c, "vertices").update(zlib=pack(b"12")), "$.arrays", "promises"),
    "an array too long": (lambda c: array_of(c, "vertices").update(zlib=pack(bytes(99))), "$.arrays", "promises"),
    "an array cut short": (lambda c: array_of(c, "vertices").update(zlib="eF5jYGiw"), "$.arrays", "promises"),
    "an array of nonsense": (lambda c: array_of(c, "vertices").update(zlib="AAAA"), "$.arrays", "decompressed"),
    "no base64": (lambda c: array_of(c, "vertices").update(zlib="!!"), "$.arrays[...].zlib", "base64"),
    "a huge claim": (lambda c: array_of(c, "vertices").update(shape=[2**30, 2**30]), "$.arrays", "claims"),
    "a negative shape": (lambda c: array_of(c, "vertices").update(shape=[-1, 3]), "$.arrays[...].shape[0]", ">= 0"),
    "too few weights": (
        lambda c: c["meshes"][0].update(weights=c["meshes"][0]["uvs"], influences=c["meshes"][0]["triangles"]),
        "$.meshes[0]",
        "influences has shape (2, 3)",
    ),
    "weights that do not sum to one": (
        lambda c: c["meshes"][0].update(weights=c["meshes"][0]["uvs"]),
        "",
        "weights of vertex 0 sum to 0 instead of 1",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_names_place_and_problem(case: str) -> None:
    change, place, problem = CASES[case]
    error = refused(altered(change))
    assert place in error.place
    assert problem.lower() in error.problem.lower()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "cut short"),
        (TEXT[: len(TEXT) // 2], "cut short"),
        (b"HIERARCHY\nROOT hips", "is not JSON"),
        (b"\x89PNG\r\n\x1a\n\x00", "is not JSON"),
        (b"[1, 2, 3]", "expected object"),
        (b"null", "expected object"),
        (TEXT + b"}", "is not JSON"),
        (TEXT.replace(b'"puppet"', b'"pup\xffpet"'), "not UTF-8"),
        (TEXT.replace(b"0.5", b"1e999", 1), "out of range"),
        (TEXT.replace(b"0.5", b"NaN", 1), "is not JSON"),
        (b'{"a":' + b"[" * 200_000, "nested too deeply"),
        (TEXT.replace(b'"version": 1', b'"version": 1.5'), "expected int"),
        (TEXT.replace(b'"version": 1', b'"version": 99999999999999999999999999'), "newer"),
    ],
)
def test_what_is_no_native_file_at_all(content: bytes, problem: str) -> None:
    assert problem in str(refused(content))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"gone\.tween: cannot be read: No such file"):
        read_native(tmp_path / "gone.tween")
    with pytest.raises(FormatError, match="cannot be read: Is a directory"):
        read_native(tmp_path)


@given(st.integers(0, len(TEXT) - 3))
def test_every_cut_is_noticed(length: int) -> None:
    refused(TEXT[:length])
