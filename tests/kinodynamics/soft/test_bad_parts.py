"""Soft parts that cannot be are named, with what would do."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import ElasticPart, SoftPart, Spring, SpringyPart
from inbetweener.kinodynamics.soft.softened import Softened
from inbetweener.skinning import Mesh
from tests.kinodynamics.soft.bodies import STEP, flap, free_rig, rod

ROD = rod()
EMPTY = Mesh.rigid("rod", "bone", np.empty((0, 3)), np.empty((0, 3), np.int32))
POINT = Mesh.rigid("rod", "bone", np.ones((3, 3)), [(0, 1, 2)])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ElasticPart("rod", "bone", Spring(0.0)), "0 Hz must lie above 0"),
        (lambda: ElasticPart("rod", "bone", Spring(-2.0)), "-2 Hz must lie above 0"),
        (lambda: ElasticPart("rod", "bone", held=0.0), "held, 0, must lie between 0 and 1"),
        (lambda: ElasticPart("rod", "bone", held=float("nan")), "held, nan, must lie"),
        (lambda: ElasticPart("rod", "bone", cells=1), "1 cells must have from 2"),
        (lambda: ElasticPart("rod", "bone", modes=0), "0 modes must be from 1"),
        (lambda: ElasticPart("rod", "bone", poisson=0.5), "Poisson ratio of 0.5"),
        (lambda: SpringyPart("rod", "bone", frame="moon"), "not of 'moon'"),  # type: ignore[arg-type]
    ],
)
def test_bad_numbers_are_named(make: Callable[[], SoftPart], words: str):
    with pytest.raises(InbetweenerError, match=words):
        make()


@pytest.mark.parametrize(
    ("part", "mesh", "words"),
    [
        (ElasticPart("hat", "bone"), ROD, "hat"),
        (ElasticPart("rod", "bome"), ROD, "bome"),
        (ElasticPart("rod", "bone"), EMPTY, "mesh 'rod' is empty"),
        (SpringyPart("rod", "bone"), EMPTY, "mesh 'rod' is empty"),
        (ElasticPart("rod", "bone"), POINT, "no surface is there"),
        (
            ElasticPart("rod", "bone", held=0.1),
            replace(ROD, vertices=ROD.vertices + np.float32([0.0, 3.0, 0.0])),
            "near enough to its joint to be held",
        ),
    ],
)
def test_parts_that_are_not_there_are_named(part: SoftPart, mesh: Mesh, words: str):
    with pytest.raises(InbetweenerError, match=words):
        Softened(free_rig(), [mesh], [part], step=STEP)


def test_a_joint_that_carries_nothing_is_named():
    rig, mesh = flap()
    only_tip = replace(mesh, weights=np.float32([[1.0, 0.0]] * len(mesh.vertices)))
    with pytest.raises(InbetweenerError, match="'tip' carries nothing of mesh 'flap'"):
        Softened(rig, [only_tip], [SpringyPart("flap", "tip")], step=STEP)


def test_an_open_surface_is_no_obstacle():
    walls = replace(ROD, triangles=ROD.triangles[2:-2])
    assert Softened(free_rig(), [walls], [ElasticPart("rod", "bone", cells=8)], step=STEP).numbers == (0,)
