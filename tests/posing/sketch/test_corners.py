"""Corners of strokes: meant for a joint where they are near one, and eased where they are not."""

import math

import numpy as np
import pytest

from inbetweener.posing.sketch import ViewPlane, sketch
from inbetweener.posing.strokes import StrokeCurve
from tests.posing.sketch.drawn import LENGTH, bent_by, chain, positions

FRONT = ViewPlane.named("front")
BONES = ("bone_1", "bone_2", "bone_3", "bone_4")
WHOLE = 4 * LENGTH


def cornered(at: float, turn: float, *, backwards: bool = False) -> StrokeCurve:
    """Along x from the chain's start, with a corner at an arc length; or the same from its other end."""
    knots = np.array([0.0, at, at, WHOLE])
    forth = StrokeCurve(np.array([0.0, 1.0]), 0.0, knots, np.zeros(4), np.array([turn]), 0.0)
    if not backwards:
        return forth
    end = forth.positions([WHOLE])[0]
    return StrokeCurve(end, turn + math.pi, WHOLE - knots[::-1], np.zeros(4), np.array([-turn]), 0.0)


@pytest.mark.parametrize("beside", [-0.04, -1e-6, 0.0, 1e-6, 0.04])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_corner_near_a_joint_is_a_turn_of_the_joint(beside: float, backwards: bool) -> None:
    rig = chain()
    made = sketch(rig, rig.defaults, BONES, cornered(2 * LENGTH + beside, 1.3, backwards=backwards), FRONT)
    assert made.turns == pytest.approx({"bone_3.rz": 1.3}, abs=1e-6)
    assert max(np.abs(steps[:, :3]).max() for steps in made.screws.values()) < 1e-6
    assert {len(steps) for steps in made.screws.values()} == {10}


@pytest.mark.parametrize("turn", [1.3, -2.4])
def test_tracing_an_elbow_changes_nothing(turn: float) -> None:
    rig = chain()
    keyed = rig.defaults.copy()
    keyed[rig.channel_index("bone_3.rz")] = turn
    made = sketch(rig, keyed, BONES, cornered(2 * LENGTH + 0.003, turn), FRONT)
    assert all(abs(amount) < 1e-9 for amount in made.turns.values())
    # Three millimetres beside the joint, the bones cut the corner: they move, but do not turn.
    assert max(np.abs(steps[:, :3]).max() for steps in made.screws.values()) < 1e-9
    assert max(np.abs(steps[:, 3:]).max() for steps in made.screws.values()) < 0.02


@pytest.mark.parametrize("turn", [0.9, 2.0, -2.8])
def test_a_corner_in_the_middle_of_a_bone_is_eased_over_a_few_steps(turn: float) -> None:
    rig = chain()
    stroke = cornered(2.5 * LENGTH, turn)
    made = sketch(rig, rig.defaults, BONES, stroke, FRONT)
    steps = made.screws["bone_3"][:, 2]
    assert np.abs(steps).max() <= math.radians(36) + 1e-9
    assert steps.sum() == pytest.approx(turn, abs=1e-9)
    bent, pose = bent_by(rig, made)
    found = positions(bent, pose, *BONES)
    along = np.concatenate([n * LENGTH + np.linspace(0, LENGTH, len(made.screws[b]) + 1) for n, b in enumerate(BONES)])
    np.testing.assert_allclose(found[:, :2], stroke.positions(along), atol=1e-9)
