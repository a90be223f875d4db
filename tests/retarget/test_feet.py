"""Feet that stand: what of them may move."""

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import inbetweener as ib
from benchmarks.retargeting import curve_values, worlds
from inbetweener.contacts import hold
from inbetweener.curves import Curve
from inbetweener.document import edits
from inbetweener.motion import Curves, Motion
from inbetweener.retarget.feet import _rolling
from tests.retarget.people import person, rising


def test_a_foot_in_one_piece_rolls_over_its_front_edge() -> None:
    """Scipy's angles: heading and tilt of a standing foot waver, its heel comes up; only the heel's way is left."""
    heel = np.linspace(0.0, 40.0, 12)
    wavers = 3.0 * np.sin(np.arange(12.0)), 2.0 * np.cos(np.arange(12.0))
    turns = Rotation.from_euler("YXZ", np.column_stack([30.0 + wavers[0], heel, wavers[1]]), degrees=True)
    level, ahead = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    rolled = _rolling(turns.as_matrix(), level, ahead)
    assert np.abs(rolled @ rolled.transpose(0, 2, 1) - np.eye(3)).max() < 1e-12
    edge = rolled @ [1.0, 0.0, 0.0]
    assert np.ptp(edge, axis=0).max() < 1e-12, "the front edge keeps its way across"
    assert abs(edge[0, 1]) < 1e-12, "and lies on the ground"
    wished = np.degrees(np.arcsin((turns.as_matrix() @ ahead)[:, 1]))
    found = np.degrees(np.arcsin((rolled @ ahead)[:, 1]))
    np.testing.assert_allclose(found, wished, atol=1e-9)
    heading = np.degrees(np.arctan2(edge[0, 2], edge[0, 0]))
    assert abs(heading + 30.0) < 2.0


def test_toes_bend_over_the_ground_where_the_source_has_none() -> None:
    """Feet of one piece rise on their tips; below feet with toes these would go with them, into the ground."""
    result = edits.retarget(person(leg=1.2), rising())
    shown, names = result.document.clip("rises"), [joint.name for joint in result.document.rig.joints]
    places, turns = worlds(result.document, curve_values(result.document, shown, shown.frame_times))
    for side in "lr":
        foot, toe = names.index(f"foot_{side}"), names.index(f"toe_{side}")
        tips = np.array(
            [place[toe] + turn[toe].apply([0.0, 0.0, 0.07]) for place, turn in zip(places, turns, strict=True)]
        )
        heel = [float(np.degrees(turn[foot].as_euler("YXZ")[1])) for turn in turns]
        assert max(heel) > 25.0, "the heel does rise"
        assert tips[:, 1].min() > -1e-4
        assert np.ptp(places[:, toe], axis=0).max() < 1e-4, "and the toes stay where they stand"


def test_contacts_are_not_held_where_that_pushes_soles_into_the_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hold that lets hips sink by 10 cm, as limbs of few hinges make it, slides less, and yet is not taken."""
    asked: list[float] = []

    def sinking(motion: Motion, contacts: Any) -> Any:
        found = hold(motion, contacts)
        times = motion.clip.frame_times
        low = motion.channels(times)[:, motion.rig.channel_index("hips.ty")] - 0.1
        asked.append(max(each.after for each in found.report))
        return replace(found, curves=Curves({**found.curves, "hips.ty": Curve.sampled(times, low)}))

    monkeypatch.setattr(importlib.import_module("inbetweener.retarget.retarget"), "hold", sinking)
    result = edits.retarget(person(leg=1.2, arm=0.8), ib.example("boxer"))
    assert len(asked) == 1
    assert asked[0] < 1e-3, "it does slide less"
    assert result.quality.below.max() < 0.03
