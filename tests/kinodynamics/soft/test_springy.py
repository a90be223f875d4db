"""Vertices on springs: the filter of transforms is the simulation of every vertex, in either frame."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm

from inbetweener.arrays import Floats
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, Spring, SpringyPart
from inbetweener.kinodynamics.soft.softened import Softened
from inbetweener.kinodynamics.soft.springy import SpringyBody
from inbetweener.maths import transforms
from inbetweener.motion import Motion
from inbetweener.skinning import Skin
from tests.kinodynamics.soft.bodies import STEP, flap, going

RIG, FLAP = flap()
SPRING = Spring(4.0, 0.3)
MOVES = {
    "bone.tx": lambda t: 0.3 * np.sin(4 * t),
    "bone.ry": lambda t: 0.8 * np.sin(3 * t),
    "tip.rx": lambda t: 0.7 * np.sin(5 * t + 0.3),
    "bulge": lambda t: 0.5 + 0.5 * np.sin(7 * t),
}


def body(frame: str, drag: float) -> SpringyBody:
    part = SpringyPart("flap", "bone", SPRING, frame)  # type: ignore[arg-type]
    found = Softened(RIG, [FLAP], [part], step=STEP, drag=drag).bodies[0][1]
    assert isinstance(found, SpringyBody)
    return found


def keyed(motion: Motion, moments: Floats) -> Floats:
    """Vertices (N, V, 3) as joints and shapes have them, in double precision."""
    channels = motion.channels(moments)
    carrying = transforms.product(motion.rig.world_from_joint(channels), FLAP.joint_from_mesh)
    bulge = channels[:, RIG.channel_index("bulge"), None, None]
    shaped = FLAP.vertices.astype(np.float64) + bulge * FLAP.shapes[0].offsets.astype(np.float64)
    by_joint = np.stack([transforms.apply(carrying[:, k], shaped) for k in range(2)], axis=2)
    return np.einsum("vk,tvkx->tvx", FLAP.weights.astype(np.float64), by_joint)


@pytest.mark.parametrize("frame", ["joint", "world"])
@pytest.mark.parametrize("drag", [0.0, 0.4, 1.0])
def test_every_vertex_goes_where_its_own_simulation_takes_it(frame: str, drag: float):
    motion, count, time = going(RIG, MOVES), 50, 1.1
    moments = time - STEP * np.arange(count + 1, -1, -1)
    places, bone = keyed(motion, moments), motion.world_from_joint(moments)[:, 0]
    if frame == "joint":
        places = transforms.apply(transforms.inverse(bone), places)
    omega = 2 * np.pi * SPRING.frequency
    damping = 2 * SPRING.damping * omega
    # Place and speed of what swings, place and speed of what pulls it; the latter goes along straight lines.
    pulled = np.array([[0, 1, 0, 0], [-(omega**2), -damping, omega**2, (1 - drag) * damping], [0, 0, 0, 1], [0] * 4])
    swing, flat = expm(STEP * pulled), places.reshape(len(places), -1)
    place, speed = flat[1], (flat[2] - flat[0]) / (2 * STEP)
    for start, end in pairwise(flat[1:]):
        place, speed, _, _ = swing @ [place, speed, start, (end - start) / STEP]
    place = place.reshape(places[0].shape)
    if frame == "joint":
        place = transforms.apply(bone[-1], place)
    offsets = body(frame, drag).offsets(motion, np.array([time]), count)[0]
    channels = motion.channels([time])[0]
    found = Skin(FLAP, RIG).vertices(channels, None, offsets)
    assert np.abs(place - keyed(motion, np.array([time]))[0]).max() > 0.01
    np.testing.assert_allclose(found, place, atol=4e-6)


def test_what_moves_as_a_whole_does_not_swing_as_seen_from_its_joint():
    motion = going(RIG, {name: MOVES[name] for name in ("bone.tx", "bone.ry")})
    assert np.abs(body("joint", 0.0).offsets(motion, np.array([0.9]), 60)).max() < 1e-6
    assert np.abs(body("world", 0.0).offsets(motion, np.array([0.9]), 60)).max() > 1e-3


def test_shapes_alone_swing_as_their_loose_channel_does():
    motion = going(RIG, {"bulge": lambda t: 0.5 + 0.4 * np.sin(7 * t)})
    times = np.array([0.6, 1.3])
    window = 60 * STEP
    loose = LooseMotion(Loosened(RIG, Looseness({"bulge": SPRING}, window=window), 24.0), motion.clip)
    swung = loose.channels(times)[:, RIG.channel_index("bulge")] - motion.channels(times)[:, RIG.channel_index("bulge")]
    offsets = body("joint", 1.0).offsets(motion, times, 60)
    expected = swung[:, None, None] * FLAP.shapes[0].offsets
    # The channel begins with the velocity of its curve, vertices with the one between two moments.
    np.testing.assert_allclose(offsets, expected, atol=2e-5)
    assert np.abs(expected).max() > 1e-3


def test_any_state_is_the_same_to_the_bit_however_it_is_asked_for():
    motion, times = going(RIG, MOVES), np.arange(20) / 24
    together = body("world", 1.0).offsets(motion, times, 40)
    for n in (0, 13):
        np.testing.assert_array_equal(body("world", 1.0).offsets(motion, times[n : n + 1], 40)[0], together[n])


def test_only_what_the_joint_carries_swings():
    part = SpringyPart("flap", "tip", SPRING, "world")
    found = Softened(RIG, [FLAP], [part], step=STEP)
    motion = going(RIG, MOVES)
    offsets = found.offsets(motion, motion, np.array([1.0]), 0)[0]
    share = FLAP.weights[:, 1]
    assert np.abs(offsets[share == 0]).max() == 0
    assert np.abs(offsets[share == 1]).max() > 0.005
