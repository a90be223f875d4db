"""Unit and up axis, guessed from bodies."""

from collections.abc import Callable
from pathlib import Path

import pytest

from inbetweener.formats.bvh.hierarchy import Node
from inbetweener.formats.bvh.read import guess_unit, read
from tests.formats.bvh.samples import chain


@pytest.mark.parametrize(
    ("name", "unit", "up"),
    [
        ("cmu/02_01_walk.bvh", 0.056444, "y"),
        ("cmu/88_01_backflip.bvh", 0.056444, "y"),
        ("clips/rokoko_jesse_dance.bvh", 0.01, "y"),
        ("fixtures/Geno_stance.bvh", 0.01, "y"),
        ("fixtures/bvhio_example.bvh", 0.0254, "y"),
        ("clips/fair1_dab.bvh", 0.0254, "z"),
        ("clips/fair1_zombie.bvh", 0.0254, "z"),
        ("fixtures/pybvh_test1_zup.bvh", 0.0254, "z"),
        ("fixtures/fairmotion_sinusoidal.bvh", 0.01, "y"),
    ],
)
def test_real_files(data: Path, name: str, unit: float, up: str) -> None:
    reading = read(data / "bvh" / name)
    assert (reading.document.source.unit, reading.document.source.up) == (unit, up)
    assert any(f"one unit is taken as {unit:g} m" in repair and "pass unit" in repair for repair in reading.repairs)
    assert any("z axis is taken as up" in repair for repair in reading.repairs) == (up == "z")


@pytest.mark.parametrize("unit", [1.0, 0.01, 0.001, 0.0254, 0.056444])
@pytest.mark.parametrize("height", [1.5, 1.9])
def test_a_person_in_each_unit(unit: float, height: float) -> None:
    size = height / unit
    person = [
        Node("Hips", -1, (5 * size, size, 0.0)),
        Node("Head", 0, (0.0, 0.4 * size, 0.0), ends=((0.0, 0.1 * size, 0.0),)),
        Node("LeftFoot", 0, (0.0, -0.5 * size, 0.0)),
    ]
    assert guess_unit(person)[0] == unit


@pytest.mark.parametrize(("length", "unit"), [(0.5, 1.0), (30.0, 0.01), (5000.0, 0.01), (50000.0, 0.001), (0.0, 0.01)])
def test_other_things_are_centimetres_unless_that_is_absurd(length: float, unit: float) -> None:
    assert guess_unit([Node("a", -1), Node("b", 0, (length, 0.0, 0.0))])[0] == unit


def test_what_is_given_is_not_guessed(file: Callable[[str], Path]) -> None:
    reading = read(file(chain([0.0] * 9)), unit=0.5, up="z")
    assert reading.repairs == ()
    assert (reading.document.source.unit, reading.document.source.up) == (0.5, "z")
