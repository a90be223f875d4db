"""Line of action: a tree of bones follows a stroke through its support line."""

import math

import numpy as np
import pytest

from inbetweener.errors import UnknownName
from inbetweener.posing.sketch import NoLine, ViewPlane, sketch
from inbetweener.posing.sketch.line_of_action import SupportLine
from tests.posing.sketch.drawn import arc, bent_by, clothoid, frames, line, positions, tree

FRONT = ViewPlane.named("front")
TRUNK = ("trunk_1", "trunk_2", "trunk_3")
UPRIGHT = ("trunk_1", "trunk_2", "trunk_3", "left", "right")


def test_the_support_line_is_the_main_axis_of_all_points() -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(200, 2)) * [3.0, 0.4] @ np.array([[0.8, 0.6], [-0.6, 0.8]]) + [1.0, -2.0]
    weights = rng.uniform(0.5, 2.0, 200)
    found = SupportLine.through(points, weights)

    # The same line by another way: no other direction, nor another place, comes nearer to the points.
    def off(angle: float, shift: float) -> float:
        normal = np.array([-math.sin(angle), math.cos(angle)])
        return float(weights @ ((points - found.centre) @ normal - shift) ** 2)

    best = off(found.heading, 0.0)
    assert all(off(found.heading + a, s) > best for a in (-0.01, 0.01) for s in (-0.01, 0.0, 0.01))
    along, aside = found.places(points)
    assert (along.min(), along.max()) == pytest.approx((found.low, found.high))
    assert abs(weights @ aside) < 1e-9


def test_a_line_starts_at_the_end_near_the_stroke() -> None:
    flat = SupportLine.through(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), np.ones(3))
    for point, along in (((-0.2, 0.5), 1.0), ((1.9, -0.5), -1.0)):
        turned = flat.from_nearer_end(np.array(point))
        np.testing.assert_allclose(turned.along, [along, 0.0], atol=1e-12)
        assert turned.low < turned.high


def test_bones_on_the_line_lie_on_the_stroke() -> None:
    """The trunk runs along the support line from end to end; boughs are even on both sides."""
    rig = tree()
    stroke = arc((0.1, 0.0), math.pi / 2 + 0.3, 1.2, -1.4)
    made = sketch(rig, rig.defaults, TRUNK, stroke, FRONT, mode="line-of-action", stretch=True)
    bent, pose = bent_by(rig, made)
    found = positions(bent, pose, *TRUNK)
    along = np.concatenate([np.linspace(0.4 * n, 0.4 * n + 0.4, 11) for n in range(3)])
    np.testing.assert_allclose(found[:, :2], stroke.positions(along), atol=1e-9)
    np.testing.assert_allclose(found[:, 2], 0.0, atol=1e-12)
    assert made.stroke_error < 1e-9


def test_kept_lengths_stay_near_the_stroke_and_are_kept_step_by_step() -> None:
    rig = tree()
    stroke = clothoid((0.1, 0.0), math.pi / 2, 1.2, 2.0, -2.0)
    made = sketch(rig, rig.defaults, UPRIGHT, stroke, FRONT, mode="line-of-action")
    bent, pose = bent_by(rig, made)
    for bone in UPRIGHT:
        before, after = positions(rig, rig.defaults, bone), positions(bent, pose, bone)
        np.testing.assert_allclose(
            np.linalg.norm(np.diff(after, axis=0), axis=1), np.linalg.norm(np.diff(before, axis=0), axis=1), atol=1e-9
        )
    assert made.length_ratio == pytest.approx(1.0, abs=1e-9)
    drawn = stroke.positions(np.linspace(0.0, 1.2, 2001))
    found = positions(bent, pose, *TRUNK)[:, None, :2]
    assert np.linalg.norm(found - drawn, axis=2).min(axis=1).max() < 0.02


def test_boughs_across_the_line_turn_stiffly_with_it() -> None:
    """A bough at one height has one place on the line: it turns as the stroke does there."""
    rig = tree()
    stroke = arc((0.0, 0.0), math.pi / 2, 1.2, 1.1)
    made = sketch(rig, rig.defaults, UPRIGHT, stroke, FRONT, mode="line-of-action", stretch=True)
    bent, pose = bent_by(rig, made)
    for bough in ("left", "right"):
        turned = frames(bent, pose, bough)[:, :, :3]
        angle = 1.1 * 0.6 / 1.2
        expected = [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]]
        np.testing.assert_allclose(turned, np.broadcast_to(expected, turned.shape), atol=1e-9)


def test_the_same_line_again_does_not_bend_twice() -> None:
    rig = tree()
    stroke = arc((0.0, 0.0), math.pi / 2, 1.2, 1.1)
    first = sketch(rig, rig.defaults, UPRIGHT, stroke, FRONT, mode="line-of-action")
    bent, pose = bent_by(rig, first)
    again = sketch(bent, pose, UPRIGHT, stroke, FRONT, mode="line-of-action", onto=bent.bends[0].name)
    for bone in UPRIGHT:
        np.testing.assert_allclose(again.screws[bone], first.screws[bone], atol=1e-12)
    assert again.turns == pytest.approx(first.turns, abs=1e-12)


def test_drawing_along_the_support_line_changes_nothing() -> None:
    rig = tree()
    upright = line((0.0, 0.0), (0.0, 1.2))
    made = sketch(rig, rig.defaults, UPRIGHT, upright, FRONT, mode="line-of-action")
    assert max(np.abs(steps).max() for steps in made.screws.values()) < 1e-9
    assert all(abs(turn) < 1e-9 for turn in made.turns.values())


def test_up_or_down_the_body_is_the_same_line() -> None:
    rig = tree()
    up = arc((0.0, 0.0), math.pi / 2, 1.2, 1.1)
    top, heading = up.positions([1.2])[0], up.headings([1.2])[0]
    down = arc(tuple(top), heading + math.pi, 1.2, -1.1)
    one, other = (sketch(rig, rig.defaults, UPRIGHT, s, FRONT, mode="line-of-action") for s in (up, down))
    for bone in UPRIGHT:
        np.testing.assert_allclose(one.screws[bone], other.screws[bone], atol=1e-9)


def test_bones_seen_as_one_point_have_no_line() -> None:
    rig = tree()
    with pytest.raises(NoLine, match="single point"):
        sketch(rig, rig.defaults, ("trunk_1",), line((0, 0), (0, 0.001)), ViewPlane.named("top"), mode="line-of-action")


def test_a_line_laid_through_the_rest_pose_undoes_what_keys_turned_in_the_view() -> None:
    """[DB] §3.3: whatever the keys were, the stroke makes of the body what it makes of it at rest."""
    rig = tree()
    stroke = arc((0.0, 0.0), math.pi / 2, 1.2, 1.1)
    keyed = rig.defaults.copy()
    for channel, turn in {"trunk_1.rz": 0.3, "trunk_2.rz": -0.7, "left.rz": 0.9}.items():
        keyed[rig.channel_index(channel)] = turn
    found = {}
    for name, pose, support in (("rest", rig.defaults, "pose"), ("paper", keyed, "rest"), ("pose", keyed, "pose")):
        made = sketch(rig, pose, UPRIGHT, stroke, FRONT, mode="line-of-action", support=support)
        found[name] = positions(*bent_by(rig, made, pose), *UPRIGHT)
    np.testing.assert_allclose(found["paper"], found["rest"], rtol=0, atol=1e-9)
    assert np.abs(found["pose"] - found["rest"]).max() > 0.05
    with pytest.raises(UnknownName, match="support"):
        sketch(rig, keyed, UPRIGHT, stroke, FRONT, mode="line-of-action", support="sitting")  # type: ignore[arg-type]
