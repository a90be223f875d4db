"""Structs tell objects field by field: nothing is forgotten, and nothing needs to be said twice."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec
import numpy as np
import pytest
from msgspec import Struct

from inbetweener.document import Document, Loosening
from inbetweener.document.difference import Change, changed, difference
from inbetweener.document.native.read import document_from, native_text
from inbetweener.document.native.shelf import Misfit, Packer, Unpacker
from inbetweener.document.native.structs import from_struct, stands_for, to_struct
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import ElasticPart, Looseness, Spring, SpringyPart
from tests.document.puppet import puppet
from tests.unlike import unlike_default

SOFT = (
    unlike_default(ElasticPart, mesh="skin", joint="hips"),
    unlike_default(SpringyPart, mesh="skin", joint="arm.l"),
)
LOOSE = unlike_default(Looseness, springs={"smile": unlike_default(Spring)}, soft=SOFT)


def loosened(looseness: Looseness) -> Document:
    return replace(puppet(), loosenings=(Loosening("walk", looseness),))


@pytest.mark.parametrize("part", [LOOSE, replace(LOOSE, window="adaptive")])
def test_every_field_of_a_looseness_is_in_the_file(part: Looseness) -> None:
    """Also one that is added tomorrow: with a default, so that files of today open."""
    document = loosened(part)
    opened = document_from(native_text(document), "x")[0]
    assert opened.loosenings[0].looseness == part
    assert [type(each) for each in opened.loosenings[0].looseness.soft] == [ElasticPart, SpringyPart]


def test_and_in_the_journal() -> None:
    before, after = puppet(), loosened(LOOSE)
    told = msgspec.json.decode(msgspec.json.encode(difference(before, after, Packer())), type=Change)
    assert changed(before, told, Unpacker()).loosenings == after.loosenings


@dataclass(frozen=True)
class Shell:
    """Something within something."""

    width: float
    wood: Literal["ash", "oak"] = "ash"
    plies: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Hoop:
    """Something by name."""

    width: float
    tension: float = 0.5

    def __post_init__(self) -> None:
        if self.width <= 0:
            raise InvalidDocument(f"a hoop {self.width:g} m wide is none")


@dataclass(frozen=True)
class Drum:
    """Something with one of everything."""

    name: str
    shell: Shell
    hoops: Mapping[str, Hoop] = field(default_factory=dict)
    beats: tuple[float, ...] = ()
    skins: frozenset[str] = frozenset()
    end: float = math.inf
    spare: int | None = None


@stands_for(Hoop)
class HoopTold(Struct):
    """Has a name of its own."""

    name: str
    width: float
    tension: float


@stands_for(Drum)
class DrumTold(Struct):
    """Has the fields of the shell."""

    name: str
    width: float
    wood: Literal["ash", "oak"]
    plies: list[tuple[float, float]]
    hoops: list[HoopTold]
    beats: list[float]
    skins: list[str]
    end: float | None
    spare: int | None
    loud: bool = False


DRUM = Drum("snare", Shell(1, "oak", ((1, 2),)), {"b": Hoop(2), "a": Hoop(3.0)}, (1, 2.5), frozenset({"calf", "ass"}))


def test_an_object_within_is_spread_and_a_mapping_is_a_list_of_names() -> None:
    told = to_struct(DRUM, DrumTold, loud=True)
    assert msgspec.to_builtins(told) == {
        "name": "snare",
        "width": 1.0,
        "wood": "oak",
        "plies": [(1.0, 2.0)],
        "hoops": [{"name": "b", "width": 2.0, "tension": 0.5}, {"name": "a", "width": 3.0, "tension": 0.5}],
        "beats": [1.0, 2.5],
        "skins": ["ass", "calf"],
        "end": None,
        "spare": None,
        "loud": True,
    }
    assert from_struct(told) == DRUM


@pytest.mark.parametrize("end", [math.inf, 2.0])
def test_what_is_infinite_is_null_and_comes_back(end: float) -> None:
    told = msgspec.json.decode(msgspec.json.encode(to_struct(replace(DRUM, end=end), DrumTold)), type=DrumTold)
    assert told.end == (None if math.isinf(end) else end)
    assert from_struct(told).end == end


def test_numbers_of_numpy_become_plain() -> None:
    drum = Drum(
        np.str_("tom"), Shell(np.float32(1)), beats=(np.float32(0.5), np.int64(2)), end=np.float64(3), spare=np.int32(1)
    )
    told = to_struct(drum, DrumTold)
    assert json.loads(msgspec.json.encode(told))["beats"] == [0.5, 2.0]
    assert [type(each) for each in (told.name, told.beats[1], told.end, told.spare)] == [str, float, float, int]


def test_a_struct_that_forgets_a_field_is_refused() -> None:
    class Short(Struct):
        width: float

    with pytest.raises(TypeError, match="Short lacks tension of Hoop"):
        stands_for(Hoop)(Short)
    assert stands_for(Hoop, without=["tension"])(Short) is Short
    assert from_struct(Short(2.0)) == Hoop(2.0)


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(InvalidDocument, match="'loud' cannot be kept"):
        to_struct(replace(DRUM, spare="loud"), DrumTold)


def test_the_place_of_what_a_class_refuses_is_told() -> None:
    told = to_struct(DRUM, DrumTold)
    told.hoops[1].width = -1.0
    with pytest.raises(Misfit, match=r'^\$\.drum\.hoops\["a"\]: a hoop -1 m wide'):
        from_struct(told, "$.drum")
