"""Selecting strokes: chains, connected sets, everything, and nothing."""

import numpy as np
import pytest

from inbetweener.builtin.characters.fox import TAIL, fox
from inbetweener.errors import UnknownName
from inbetweener.posing.sketch import NothingSelected, ViewPlane, select
from tests.posing.sketch.drawn import tree

FRONT = ViewPlane.named("front")


def meant(stroke: list[tuple[float, float]], selecting: str = "chain") -> tuple[str, ...]:
    rig = tree()
    return select(stroke, rig, rig.defaults, FRONT, selecting)  # type: ignore[arg-type]


def test_a_stroke_along_bones_means_their_chain_from_parent_to_child() -> None:
    up = [(0.01, 0.05), (-0.01, 0.5), (0.01, 1.15)]
    assert meant(up) == meant(up[::-1]) == ("trunk_1", "trunk_2", "trunk_3")
    assert meant([(0.06, 0.61), (0.5, 0.6)]) == ("left", "twig")


def test_a_stroke_across_a_bone_means_that_bone() -> None:
    assert meant([(-0.2, 0.2), (0.2, 0.25)]) == ("trunk_1",)


def test_a_chain_has_no_gaps() -> None:
    """Only the first and the last bone are met; the one between them belongs to the chain."""
    assert meant([(-0.2, 0.2), (0.2, 0.2), (0.2, 1.0), (-0.2, 1.0)]) == ("trunk_1", "trunk_2", "trunk_3")


def test_connected_bones_are_those_met_and_those_between() -> None:
    across = [(-0.18, 0.62), (0.18, 0.58)]
    assert set(meant(across, "connected")) == {"trunk_2", "left", "right"}
    assert len(meant(across, "all")) == 6


def test_a_stroke_beside_the_body_means_nothing() -> None:
    with pytest.raises(NothingSelected, match="meets no bone"):
        meant([(1.0, 1.0), (1.2, 0.4)])
    with pytest.raises(UnknownName, match="way of selecting"):
        meant([(0.0, 1.0), (0.0, 0.4)], "some")


def test_the_tail_of_the_fox_is_one_stroke() -> None:
    rig = fox().rig
    side = ViewPlane.named("side")
    world = rig.rest_world()[[rig.joint_index(name) for name in TAIL], :, 3]
    stroke = side.project(world)[0] + np.random.default_rng(1).normal(0.0, 0.004, (len(TAIL), 2))
    assert set(select(stroke, rig, rig.defaults, side)) >= set(TAIL[:-1])
