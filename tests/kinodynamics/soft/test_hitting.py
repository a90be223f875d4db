"""Targets on soft parts: the tip of a hat goes where it is wanted, by changing how its wearer moves."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.kinodynamics import (
    Bell,
    ElasticPart,
    InvalidLooseness,
    LooseMotion,
    Loosened,
    Looseness,
    PointTarget,
    PoseTarget,
    SoftPoint,
    Spring,
    as_a_whole,
    preset,
)
from inbetweener.kinodynamics.soft import hitting
from inbetweener.kinodynamics.solve import solve
from inbetweener.motion import Clip
from inbetweener.skinning import Skin

TIME = 28 / 24


@pytest.fixture(scope="module")
def gentleman() -> Document:
    return example("hat-and-door")


@pytest.fixture(scope="module")
def tip(gentleman: Document) -> SoftPoint:
    return SoftPoint("cartoon", int(np.argmax(gentleman.meshes[0].vertices[:, 1])))


def loose(document: Document, clip: Clip, **springs: Spring) -> LooseMotion:
    looseness = Looseness(springs, window=0.5, soft=(ElasticPart("cartoon", "hat_1", cells=8, modes=8),))
    return LooseMotion(Loosened(document.rig, looseness, clip.rate, document.meshes), clip)


def place(motion: LooseMotion, tip: SoftPoint) -> Floats:
    return motion.soft_states([TIME], tip)[0][0]


@pytest.mark.parametrize("springs", [{}, {"neck": Spring(3.0, 0.4), "head": Spring(3.0, 0.4)}], ids=["tight", "loose"])
def test_the_tip_of_a_hat_is_put_ten_centimetres_lower(gentleman: Document, tip: SoftPoint, springs: dict[str, Spring]):
    clip = gentleman.clips[0]
    motion = loose(gentleman, clip, **springs)
    before = place(motion, tip)
    wish = before - [0.0, 0.1, 0.0]
    target = PointTarget(TIME, tip, tuple(wish.tolist()), bell=Bell(0.4, 0.4))
    solution = solve(motion, {"tip": target})
    assert solution.reached
    # Measured on a motion made anew from the clip with its layer.
    after = place(loose(gentleman, solution.applied(clip), **springs), tip)
    np.testing.assert_allclose(after, wish, atol=1.1e-6)
    outcome = solution.outcomes[0]
    assert outcome.target is target
    assert outcome.before.distance == pytest.approx(0.1)
    assert outcome.after.distance <= 1e-6
    # No key is touched; the correction is one layer.
    assert solution.applied(clip).curves is clip.curves
    assert [layer.name for layer in solution.layers] == ["tip"]


def test_keyed_is_where_the_hat_would_be_if_it_were_stiff(gentleman: Document, tip: SoftPoint):
    clip = gentleman.clips[0]
    motion = loose(gentleman, clip)
    solution = solve(motion, {"tip": PointTarget(TIME, tip, "keyed")})
    stiff = LooseMotion(Loosened(gentleman.rig, Looseness(window=0.5), clip.rate, gentleman.meshes), clip)
    np.testing.assert_allclose(place(loose(gentleman, solution.applied(clip)), tip), place(stiff, tip), atol=1e-6)
    assert solution.outcomes[0].before.distance > 0.01


def test_soft_and_other_targets_are_solved_together(gentleman: Document, tip: SoftPoint):
    clip = gentleman.clips[0]
    motion = loose(gentleman, clip, upper_arm_l=Spring(2.5, 0.4))
    wish = place(motion, tip) + np.array([0.03, -0.04, 0.0])
    hand = gentleman.rig.point("hand_l")
    solution = solve(
        motion,
        {"tip": PointTarget(TIME, tip, tuple(wish.tolist())), "hand": PointTarget(TIME, hand, "keyed")},
    )
    assert solution.reached
    made = loose(gentleman, solution.applied(clip), upper_arm_l=Spring(2.5, 0.4))
    np.testing.assert_allclose(place(made, tip), wish, atol=1.1e-6)
    keyed = motion.tight.states([TIME], hand)[0][0]
    np.testing.assert_allclose(made.states([TIME], hand)[0][0], keyed, atol=1.1e-6)


def test_solving_again_from_a_solved_clip_changes_nothing_much(gentleman: Document, tip: SoftPoint):
    clip = gentleman.clips[0]
    target = {"tip": PointTarget(TIME, tip, "keyed")}
    solved = solve(loose(gentleman, clip), target).applied(clip)
    again = solve(loose(gentleman, solved), target).applied(solved)
    assert [layer.name for layer in again.layers] == ["tip"]
    np.testing.assert_allclose(place(loose(gentleman, again), tip), place(loose(gentleman, solved), tip), atol=1e-6)


@pytest.mark.parametrize("asked", ["stopped", "lower and half as fast", "keyed"])
def test_the_tip_of_a_hat_has_a_speed(gentleman: Document, tip: SoftPoint, asked: str):
    """Measured on a motion made anew, by Equation 13; the tip goes by at three metres a second."""
    clip = gentleman.clips[0]
    motion = loose(gentleman, clip)
    step, skin = motion.loosened.step, Skin(gentleman.meshes[0], gentleman.rig)

    def moving(of: LooseMotion) -> Floats:
        before, now = of.soft_states([TIME - step, TIME], tip)[0]
        return np.stack([now, (now - before) / step])

    here, speed = moving(motion)
    before, now = (
        skin.vertices(motion.tight.channels([t])[0])[tip.vertex].astype(np.float64) for t in (TIME - step, TIME)
    )
    target, wish = {
        "stopped": (PointTarget(TIME, tip, None, velocity=(0.0, 0.0, 0.0)), (None, np.zeros(3))),
        "lower and half as fast": (
            PointTarget(TIME, tip, tuple(here - [0.0, 0.1, 0.0]), velocity=tuple(speed / 2)),
            (here - [0.0, 0.1, 0.0], speed / 2),
        ),
        "keyed": (PointTarget(TIME, tip, velocity="keyed"), (now, (now - before) / step)),
    }[asked]
    solution = solve(motion, {"tip": replace(target, bell=Bell(0.4, 0.4))})
    assert solution.reached
    found = moving(loose(gentleman, solution.applied(clip)))
    if wish[0] is not None:
        np.testing.assert_allclose(found[0], wish[0], atol=1.1e-6)
    np.testing.assert_allclose(found[1], wish[1], atol=1e-3)
    assert np.linalg.norm(speed) > 3
    assert solution.outcomes[0].before.speed > 1.5


def test_what_cannot_be_asked_of_something_soft_is_named(gentleman: Document, tip: SoftPoint):
    motion = loose(gentleman, gentleman.clips[0])
    with pytest.raises(InvalidLooseness, match="'brim' is on something soft"):
        solve(motion, {"brim": PointTarget(TIME, tip, orientation=(1.0, 0.0, 0.0, 0.0))})


def test_out_of_reach_is_said_with_what_remains(gentleman: Document, tip: SoftPoint):
    motion = loose(gentleman, gentleman.clips[0])
    solution = solve(
        motion, {"tip": PointTarget(TIME, tip, (0.0, 9.0, 0.0)), "pose": PoseTarget(0.2, {"head.rx": 0.1})}
    )
    outcome = next(each for each in solution.outcomes if each.name == "tip")
    assert not solution.reached
    assert solution.ending != "reached"
    assert 5.0 < outcome.after.distance < outcome.before.distance


def test_what_ends_farther_off_than_it_was_is_left_as_it_was(
    gentleman: Document, tip: SoftPoint, monkeypatch: pytest.MonkeyPatch
):
    """On a body that is loose as a whole, a round may whip up what it should slow down."""
    monkeypatch.setattr(hitting, "ROUNDS", 1)
    clip, springs = gentleman.clips[0], as_a_whole(gentleman.rig, preset("loose"))
    target = PointTarget(TIME, tip, None, velocity=(0.0, -12.0, 0.0), bell=Bell(0.4, 0.4))
    (outcome,) = solve(loose(gentleman, clip, **springs), {"tip": target}).outcomes
    assert not outcome.reached
    assert outcome.before.speed > 5.0
    assert outcome.after.speed <= outcome.before.speed + 1e-9
