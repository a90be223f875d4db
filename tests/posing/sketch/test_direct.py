"""Direct mode: chains lie on the stroke, keep what they should, and wind as often as it does."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.posing.sketch import NotAChain, ViewPlane, sketch
from inbetweener.posing.strokes import StrokeCurve
from tests.posing.sketch.drawn import LENGTH, arc, bent_by, chain, clothoid, line, positions, tree

FRONT = ViewPlane.named("front")
BONES = ("bone_1", "bone_2", "bone_3", "bone_4")
WHOLE = 4 * LENGTH
STROKES = {
    "arc": arc((0.0, 1.0), 0.3, WHOLE, 2.0),
    "S": clothoid((0.0, 1.0), 0.0, WHOLE, 5.0, -5.0),
    "spiral": clothoid((0.0, 1.0), 0.5, WHOLE, 8.0, 30.0),
    "loop": arc((0.0, 1.0), -0.4, WHOLE, 2.2 * math.pi),
    "longer": clothoid((0.0, 1.0), 0.9, 1.3 * WHOLE, -2.0, 3.0, 0.0),
}


@pytest.mark.parametrize("stroke", STROKES.values(), ids=STROKES)
@pytest.mark.parametrize("stretch", [False, True])
def test_samples_lie_on_the_stroke_and_keep_their_depth(stroke: StrokeCurve, stretch: bool) -> None:
    rig = chain()
    made = sketch(rig, rig.defaults, BONES, stroke, FRONT, stretch=stretch)
    bent, pose = bent_by(rig, made)
    found = positions(bent, pose, *BONES)
    counts = [len(made.screws[bone]) for bone in BONES]
    along = np.concatenate([n * LENGTH + np.linspace(0.0, LENGTH, count + 1) for n, count in enumerate(counts)])
    expected = stroke.positions(along * (stroke.length / WHOLE if stretch else 1.0))
    np.testing.assert_allclose(found[:, :2], expected, atol=1e-9)
    np.testing.assert_allclose(found[:, 2], 0.0, atol=1e-12)
    assert made.stroke_error < 1e-9
    assert made.length_ratio == pytest.approx(stroke.length / WHOLE if stretch else 1.0, abs=1e-9)


@pytest.mark.parametrize("stroke", STROKES.values(), ids=STROKES)
def test_no_step_turns_far_and_all_of_them_together_wind_as_the_stroke_does(stroke: StrokeCurve) -> None:
    rig = chain()
    made = sketch(rig, rig.defaults, BONES, stroke, FRONT)
    steps = np.concatenate([made.screws[bone] for bone in BONES])
    assert np.linalg.norm(steps[:, :3], axis=1).max() <= math.radians(36) + 1e-9
    assert min(len(made.screws[bone]) for bone in BONES) >= 10
    start, end = stroke.headings([0.0, WHOLE])
    assert made.turns.get("bone_1.rz", 0.0) == pytest.approx(start, abs=1e-9)
    assert steps[:, 2].sum() == pytest.approx(end - start, abs=1e-9)


def test_a_stroke_drawn_from_tip_to_start_means_the_same() -> None:
    rig, there = chain(), STROKES["S"]
    end, heading = there.positions([WHOLE])[0], there.headings([WHOLE])[0]
    back = clothoid(tuple(end), heading + math.pi, WHOLE, 5.0, -5.0)
    np.testing.assert_allclose(back.positions([WHOLE])[0], [0.0, 1.0], atol=1e-9)
    one, other = (sketch(rig, rig.defaults, BONES, stroke, FRONT) for stroke in (there, back))
    for bone in BONES:
        np.testing.assert_allclose(one.screws[bone], other.screws[bone], atol=1e-9)
    assert one.turns.keys() == other.turns.keys()


def test_drawing_along_the_bones_changes_nothing() -> None:
    rig = chain()
    made = sketch(rig, rig.defaults, BONES, line((0.0, 1.0), (WHOLE, 1.0)), FRONT)
    assert made.turns == {}
    assert max(np.abs(steps).max() for steps in made.screws.values()) < 1e-12


@given(st.floats(-2.5, 2.5), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_keyed_corners_give_way_to_the_stroke(first: float, second: float, third: float) -> None:
    """Whatever the joints do, the chain lies on the stroke; its depth, here none, stays."""
    rig, stroke = chain(), STROKES["arc"]
    keyed = rig.defaults.copy()
    for name, angle in (("bone_1.rz", first), ("bone_2.rz", second), ("bone_4.rz", third)):
        keyed[rig.channel_index(name)] = angle
    tip = rig.world_from_joint(keyed[None])[0, -1] @ [LENGTH, 0.0, 0.0, 1.0]
    if np.linalg.norm(tip[:2] - [0.0, 1.0]) < 0.05:
        return  # both ends of the chain at the start of the stroke: either is meant
    made = sketch(rig, keyed, BONES, stroke, FRONT)
    bent, pose = bent_by(rig, made, keyed)
    along = np.concatenate([n * LENGTH + np.linspace(0, LENGTH, len(made.screws[b]) + 1) for n, b in enumerate(BONES)])
    np.testing.assert_allclose(positions(bent, pose, *BONES)[:, :2], stroke.positions(along), atol=1e-9)


def test_bones_that_point_at_the_eye_keep_their_depth_and_length() -> None:
    rig = chain()
    keyed = rig.defaults.copy()
    keyed[rig.channel_index("bone_2.ry")] = 0.9
    before = positions(rig, keyed, *BONES)
    made = sketch(rig, keyed, BONES, STROKES["arc"], FRONT)
    bent, pose = bent_by(rig, made, keyed)
    after = positions(bent, pose, *BONES)
    np.testing.assert_allclose(after[:, 2], before[:, 2], atol=1e-9)
    seen = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(before[:, :2], axis=0), axis=1))])
    np.testing.assert_allclose(after[:, :2], STROKES["arc"].positions(seen), atol=1e-9)


def test_a_stroke_that_starts_beside_the_chain_is_joined_soon() -> None:
    rig = chain()
    made = sketch(rig, rig.defaults, BONES, arc((0.02, 1.03), 0.2, 1.2, 1.5), FRONT)
    bent, pose = bent_by(rig, made)
    found = positions(bent, pose, *BONES)
    np.testing.assert_allclose(found[0], [0.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(bent.world_from_joint(pose[None])[0, 0], rig.rest_world()[0], atol=0)
    drawn = arc((0.02, 1.03), 0.2, 1.2, 1.5).positions(np.linspace(0.0, 1.2, 4001))
    away = np.linalg.norm(found[:, None, :2] - drawn, axis=2).min(axis=1)
    assert away[:3].max() <= math.hypot(0.02, 0.03) + 1e-9
    assert away[len(made.screws["bone_1"]) + 2 :].max() < 1e-3
    assert made.stroke_error == pytest.approx(math.hypot(0.02, 0.03), abs=1e-9)
    assert made.length_ratio == pytest.approx(1.0, abs=1e-4)


def test_a_chain_from_the_root_goes_where_the_stroke_is() -> None:
    rig = chain(on_body=False)
    stroke = arc((0.1, 1.2), 0.5, WHOLE, 1.5)
    bent, pose = bent_by(rig, sketch(rig, rig.defaults, BONES, stroke, FRONT))
    np.testing.assert_allclose(positions(bent, pose, "bone_1")[0], [0.1, 1.2, 0.0], atol=1e-12)


def test_bones_side_by_side_are_no_chain() -> None:
    rig = tree()
    with pytest.raises(NotAChain, match="left and right do not follow"):
        sketch(rig, rig.defaults, ("left", "right"), line((0, 0), (0, 1)), FRONT)


def test_a_chain_seen_end_on_is_refused() -> None:
    rig = chain()
    with pytest.raises(NotAChain, match="end on"):
        sketch(rig, rig.defaults, BONES, line((0, 1), (0.01, 1.2)), ViewPlane.named("side"))


def test_a_bone_that_hangs_halfway_makes_a_chain_too() -> None:
    """From trunk_2 the way turns off at the bough; the rest of trunk_2 goes along stiffly."""
    rig = tree()
    stroke = arc((0.0, 0.4), 1.2, 0.6, -1.0)
    made = sketch(rig, rig.defaults, ("trunk_2", "left"), stroke, FRONT)
    bent, pose = bent_by(rig, made)
    trunk = positions(bent, pose, "trunk_2")
    on_way, beyond = trunk[:6], trunk[5:]
    np.testing.assert_allclose(on_way[:, :2], stroke.positions(np.linspace(0.0, 0.2, 6)), atol=1e-9)
    np.testing.assert_allclose(np.diff(beyond, 2, axis=0), 0.0, atol=1e-12)
