"""Long curves lie packed together in the native file; it stays of the size of what it came from."""

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.document import Document, budget
from inbetweener.document.native import encode
from inbetweener.document.native.read import document_from, native_text
from inbetweener.errors import FormatError
from inbetweener.formats import load
from inbetweener.motion import Curves, Layer
from tests.document.puppet import puppet

COUNT = 40


def captured(count: int = COUNT) -> Document:
    """The puppet with curves of many keys, plain and shaped, in the clip and in a layer."""
    rng = np.random.default_rng(3)
    times = np.cumsum(rng.uniform(0.01, 0.1, count))
    plain = [Curve.sampled(times, rng.normal(size=count)) for _ in range(2)]
    tangents = rng.normal(size=(2, count, 2))
    tangents[:, :, 0] = 0.003
    kinds, tied = rng.integers(0, 3, count).astype(np.uint8), rng.integers(0, 2, count).astype(bool)
    shaped = Curve(times, rng.normal(size=count), *tangents, kinds, tied)
    document = puppet()
    clip = document.clips[0]
    curves = clip.curves.replaced({"hips.tx": plain[0], "hips.ty": shaped, "hips.rx": plain[1]})
    layer = Layer("sway", Curves({"hips.tx": shaped, "hips.ty": plain[0]}))
    changed = replace(clip, curves=curves, layers=(*clip.layers, layer))
    return replace(document, clips=(changed, *document.clips[1:]))


def refused(content: Any) -> FormatError:
    with pytest.raises(FormatError) as caught:
        document_from(json.dumps(content).encode(), "bad.tween")
    return caught.value


def test_long_curves_come_back_bit_by_bit() -> None:
    document = captured()
    content = json.loads(native_text(document))
    assert [table["channels"] for table in content["clips"][0]["tables"]] == [["hips.tx", "hips.rx"], ["hips.ty"]]
    assert not {"hips.tx", "hips.ty", "hips.rx"} & set(content["clips"][0]["curves"])
    opened, repairs = document_from(native_text(document), "here.tween")
    assert (opened, repairs) == (document, ())
    for name, before in document.clips[0].layers[-1].curves.items():
        after = opened.clips[0].layers[-1].curves[name]
        for field in ("times", "values", "ins", "outs", "interpolations", "tied"):
            assert getattr(before, field).tobytes() == getattr(after, field).tobytes()
    assert native_text(opened) == native_text(document)


def test_a_curve_that_people_set_key_by_key_keeps_its_lines() -> None:
    content = json.loads(native_text(captured(encode.LONG - 1)))
    assert content["clips"][0]["tables"] == []
    assert len(content["clips"][0]["curves"]["hips.tx"]) == encode.LONG - 1


@pytest.mark.parametrize(
    ("change", "place", "problem"),
    [
        (lambda t: t["channels"].append("arm.rx"), ".tables[0]", "3 channels"),
        (lambda t: t["channels"].pop(), ".tables[0]", "1 channels"),
        (lambda t: t["channels"].__setitem__(0, "hips.ty"), ".tables[1]", "'hips.ty' a second time"),
        (lambda t: t.update(values=t["times"]), ".tables[0]", "shape"),
        (lambda t: t.update(shaped={}), ".tables[0].shaped", "missing"),
        (lambda t: t.update(times="none"), ".tables[0].times", "no array called 'none'"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_with_its_place(change: Any, place: str, problem: str) -> None:
    content = json.loads(native_text(captured()))
    change(content["clips"][0]["tables"][0])
    error = refused(content)
    assert str(error.place) == "$.clips[0]" + place
    assert problem in str(error)


def test_tables_that_share_one_array_are_paid_for_each_time() -> None:
    content = json.loads(native_text(captured()))
    count = 1 << 18
    times, values = np.arange(count, dtype="<f8"), np.zeros((1, count), "<f8")
    for name, array in (("long", times), ("flat", values)):
        packed = base64.b64encode(zlib.compress(array.tobytes())).decode()
        content["arrays"][name] = {"type": "f8", "shape": list(array.shape), "zlib": packed}
    clip = content["clips"][0]
    clip.update(
        curves={}, layers=[], tables=[{"channels": ["hips.tx"], "times": "long", "values": "flat", "shaped": None}]
    )
    content["clips"] = [{**clip, "name": f"clip {i}"} for i in range(1000)]
    content["loosenings"] = content["constraints"] = []
    assert "would unfold to" in str(refused(content))


def test_what_is_saved_opens_though_all_clips_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clips that share their arrays could not be told from a trap: they are written in rows."""
    monkeypatch.setattr(budget, "ROOM", 1 << 16)
    clip = captured().clips[0]
    flat = Curves({"hips.tx": Curve.sampled(np.arange(1000), np.zeros(1000))})
    copies = tuple(replace(clip, name=f"{clip.name} {i}", curves=flat, layers=()) for i in range(40))
    document = replace(captured(), clips=(clip, *copies))
    content = native_text(document)
    assert len(json.loads(content)["clips"][-1]["curves"]["hips.tx"]) == 1000
    assert document_from(content, "here.tween")[0] == document


@pytest.mark.filterwarnings("ignore::inbetweener.errors.RepairWarning")
@pytest.mark.parametrize(
    "name", ["characters/quaternius_Horse/Horse.gltf", "khronos-samples/Fox.glb", "khronos-samples/CesiumMan.glb"]
)
def test_real_characters_take_at_most_twice_their_source(data: Path, name: str) -> None:
    source = data / "gltf" / name
    document = load(source)
    content = native_text(document)
    assert len(content) <= 2 * source.stat().st_size
    assert document_from(content, "here.tween")[0] == document
