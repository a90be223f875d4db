"""Soft parts of a loose motion: built-in meshes, loose joints below them, points, windows that are found, pictures."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.document import Loosening
from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import (
    ElasticPart,
    LooseMotion,
    Loosened,
    Looseness,
    SoftPart,
    SoftPoint,
    Spring,
    SpringyPart,
    error_map,
    window_error,
)
from inbetweener.kinodynamics.soft.elastic import ElasticBody
from inbetweener.render.body import Body
from inbetweener.skinning import Skin
from tests.kinodynamics.soft.bodies import STEP, free_rig, going, rod

HAT = ElasticPart("cartoon", "hat_1", cells=8, modes=8)
NOD = Looseness({"head": Spring(2.5, 0.3)}, window=0.3, soft=(HAT,))


@pytest.fixture(scope="module")
def gentleman() -> Document:
    return example("hat-and-door")


def loosened(document: Document, looseness: Looseness) -> Document:
    return replace(document, loosenings=(Loosening(document.clips[0].name, looseness),))


def loose(document: Document, looseness: Looseness) -> LooseMotion:
    motion = loosened(document, looseness).shown_motion()
    assert isinstance(motion, LooseMotion)
    return motion


def test_windows_are_said_to_miss_what_a_soft_part_is_off(gentleman: Document):
    """Against windows from before the clip on, in the world, by the skin itself."""
    times = gentleman.clips[0].frame_times[8:]
    told, missed = [], []
    full = loose(gentleman, Looseness(soft=(HAT,), window=gentleman.clips[0].end))
    for window in (0.2, 0.5, 1.0):
        motion = loose(gentleman, Looseness(soft=(HAT,), window=window))
        (number,) = motion.loosened.softened.numbers
        skin, poses = Skin(motion.loosened.meshes[number], motion.rig), motion.channels(times)
        seen, whole = (
            np.stack(
                [skin.vertices(pose, offsets=off) for pose, off in zip(poses, each.offsets(times)[number], strict=True)]
            )
            for each in (motion, full)
        )
        missed.append(np.linalg.norm(seen - whole, axis=2).max())
        told.append(window_error(motion, times).max())
    assert missed[0] > 0.05 > 0.01 > missed[2]
    np.testing.assert_allclose(told, missed, rtol=0.15, atol=5e-4)
    np.testing.assert_allclose(error_map(full, times, [0.2, 0.5, 1.0]).max(axis=1), told, rtol=1e-6)
    found = loose(gentleman, Looseness(soft=(HAT,), window="auto", error=0.001))
    assert window_error(found, times).max() <= 0.001


def test_soft_parts_alone_leave_all_channels_as_keyed(gentleman: Document):
    motion = loose(gentleman, Looseness(soft=(HAT,)))
    times = gentleman.clips[0].frame_times
    np.testing.assert_array_equal(motion.channels(times), gentleman.motion().channels(times))
    offsets = motion.offsets(times)
    assert list(offsets) == [0]
    moved = np.abs(offsets[0]).max(axis=(0, 2)) > 1e-6
    heights = gentleman.meshes[0].vertices[:, 1]
    assert moved[heights > 2.0].all()
    assert not moved[heights < 1.4].any()
    assert 0.03 < np.abs(offsets[0]).max() < 0.4


def test_a_hat_on_a_loose_head_is_shaken_by_the_head_that_is_seen(gentleman: Document):
    keyed, nodding = (loose(gentleman, replace(NOD, springs=springs)) for springs in ({}, NOD.springs))
    times = np.array([1.0, 1.2, 1.4])
    assert np.abs(nodding.offsets(times)[0] - keyed.offsets(times)[0]).max() > 0.005
    # The part below looks at the same bone: its loose states, one window for every moment.
    body = nodding.loosened.softened.bodies[0][1]
    count = nodding.loosened.softened.count(body, nodding.clip)
    np.testing.assert_array_equal(
        body.offsets(nodding, times, count), nodding.offsets(times)[0][:, body.carried.vertices]
    )


def test_springs_that_do_not_move_the_bone_change_nothing(gentleman: Document):
    arm = replace(NOD, springs={"forearm_l": Spring(2.0)})
    times = np.array([1.1])
    np.testing.assert_array_equal(
        loose(gentleman, arm).offsets(times)[0], loose(gentleman, replace(NOD, springs={})).offsets(times)[0]
    )


def test_a_soft_point_is_where_the_skin_shows_it(gentleman: Document):
    motion, mesh = loose(gentleman, NOD), gentleman.meshes[0]
    tip = int(np.argmax(mesh.vertices[:, 1]))
    times = np.array([0.9, 1.25])
    found, _ = motion.soft_states(times, SoftPoint("cartoon", tip))
    skin, channels, offsets = Skin(mesh, gentleman.rig), motion.channels(times), motion.offsets(times)[0]
    for place, pose, offset in zip(found, channels, offsets, strict=True):
        np.testing.assert_allclose(place, skin.vertices(pose, None, offset)[tip], atol=2e-6)
    stuck = motion.rigid_place(0.9, SoftPoint("cartoon", tip))
    np.testing.assert_allclose(motion.states([0.9], stuck)[0][0], found[0], atol=1e-12)
    with pytest.raises(UnknownName, match="bonnet"):
        motion.soft_states(times, SoftPoint("bonnet", 0))


def test_a_window_that_is_found_misses_less_than_asked():
    rig, mesh = free_rig(), rod()
    shaken = going(rig, {"bone.tx": lambda t: 0.15 * np.sin(9 * t), "bone.rx": lambda t: 0.5 * np.sin(5 * t)}, end=6.0)
    part = ElasticPart("rod", "bone", Spring(3.0, 0.15), cells=8, modes=8)
    times = np.linspace(4.0, 6.0, 25)
    for error in (0.005, 0.0005):
        made = LooseMotion(Loosened(rig, Looseness(soft=(part,), error=error), 24.0, [mesh]), shaken.clip)
        body = made.loosened.softened.bodies[0][1]
        assert isinstance(body, ElasticBody)
        whole = body.offsets(shaken, times, 720)
        assert np.abs(whole).max() > 0.01
        missed = np.linalg.norm(made.offsets(times)[0][:, body.carried.vertices] - whole, axis=2).max()
        assert missed < error


@pytest.mark.parametrize("part", [HAT, SpringyPart("cartoon", "head", frame="world")], ids=["elastic", "springy"])
def test_pictures_show_what_is_soft(gentleman: Document, part: SoftPart):
    shown = loosened(gentleman, Looseness(soft=(part,)))
    soft, keyed = (Body(document, document.clips[0]) for document in (shown, gentleman))
    time = 1.2
    swung, still = (body.skin(body.pose(time)).vertices for body in (soft, keyed))
    offsets = loose(gentleman, Looseness(soft=(part,))).offsets([time])[0][0]
    apart = np.linalg.norm(swung - still, axis=1)[: len(offsets)]
    np.testing.assert_allclose(apart, np.linalg.norm(offsets, axis=1), atol=2e-3)
    assert apart.max() > 0.003


def test_steps_are_those_of_the_frames():
    rig, mesh = free_rig(), rod()
    made = Loosened(rig, Looseness(soft=(ElasticPart("rod", "bone", cells=6, modes=4),)), 24.0, [mesh])
    assert made.softened.step == pytest.approx(STEP)
