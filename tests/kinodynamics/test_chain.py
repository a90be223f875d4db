"""Springs along a chain: as a whole it swings and comes to rest as one spring would, however many joints it has."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import eigh

from inbetweener.builtin import example
from inbetweener.dynamics.forward import mass_matrix
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, Loosened, Looseness, Spring, as_a_whole, chain
from inbetweener.kinodynamics.looseness import as_one, chain_tip
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip
from inbetweener.rig import Bend, Joint, Rig, bend_channel, control, joint_channels


def tail(count: int) -> Rig:
    """Joints in a row along x, each turning about z; the last carries nothing further."""
    joints = [Joint("root")]
    for n in range(count):
        joints.append(Joint(f"tail_{n}", n, Transform((0.6 / count if n else 0.1, 0.0, 0.0))))
    joints.append(Joint("end", count, Transform((0.6 / count, 0.0, 0.0))))
    channels = [*joint_channels(joints[0], "tx ty tz")]
    for joint in joints[1 : count + 1]:
        channels += joint_channels(joint, "rz")
    return Rig(tuple(joints), tuple(channels))


@pytest.mark.parametrize("count", [1, 3, 9])
@pytest.mark.parametrize("tip", [0.4, 1.0])
def test_the_slowest_swing_is_the_one_asked_for(count: int, tip: float):
    rig = tail(count)
    loosened = Loosened(rig, Looseness(chain(rig, "tail_0", Spring(2.0, 0.2), tip=tip)), 24.0)
    masses = mass_matrix(loosened.body, rig.keyed.rest_dofs, loosened.simulation.dofs)
    frequencies = np.array([loosened.swinging.springs[n].frequency for n in loosened.order])
    stiffness = np.diag(np.diag(masses) * (2 * np.pi * frequencies) ** 2)
    slowest = np.sqrt(eigh(stiffness, masses, eigvals_only=True)[0]) / (2 * np.pi)
    assert slowest == pytest.approx(2.0, rel=1e-9)


@pytest.mark.parametrize("name", ["fox-tail", "boxer"])
def test_a_whole_body_sways_as_slowly_as_asked(name: str):
    rig = example(name).rig
    loosened = Loosened(rig, Looseness(as_a_whole(rig, Spring(3.0, 0.4), without=["head"])), 24.0)
    masses = mass_matrix(loosened.body, rig.keyed.rest_dofs, loosened.simulation.dofs)
    springs = [loosened.swinging.springs[n] for n in loosened.order]
    stiffness = np.diag(np.diag(masses) * [(2 * np.pi * each.frequency) ** 2 for each in springs])
    squares, shapes = eigh(stiffness, masses)
    assert np.sqrt(squares[0]) / (2 * np.pi) == pytest.approx(3.0, rel=1e-6)
    damping = np.diag(masses) @ (shapes[:, 0] ** 2 * [4 * np.pi * s.damping * s.frequency for s in springs])
    assert damping / (2 * np.sqrt(squares[0])) == pytest.approx(0.4, rel=1e-6)


@pytest.mark.parametrize("first", ["tail_1", "spine_1"])
@pytest.mark.parametrize("tip", [0.4, 1.0, 1.7])
def test_a_chain_is_known_by_its_springs(first: str, tip: float):
    rig, asked = example("fox-tail").rig, Spring(3.0, 0.3)
    springs = chain(rig, first, asked, tip=tip)
    whole = as_one(rig, springs)
    assert (whole.frequency, whole.damping) == pytest.approx((3.0, 0.3), rel=1e-7)
    assert chain_tip(rig, springs, first) == pytest.approx(tip, rel=1e-9)
    last = next(reversed(springs))
    assert chain_tip(rig, springs, last) is None, "a joint with nothing below it"
    tighter = replace(springs[last], frequency=1.01 * springs[last].frequency)
    assert chain_tip(rig, {**springs, last: tighter}, first) is None
    assert chain_tip(rig, {**springs, last: replace(springs[last], damping=0.9)}, first) is None
    assert chain_tip(rig, {name: each for name, each in springs.items() if name != last}, first) is None


def test_springs_that_are_alike_swing_as_the_one_they_were_made_of():
    rig = example("boxer").rig
    whole = as_one(rig, as_a_whole(rig, Spring(3.0, 0.4), without=["head"]))
    assert (whole.frequency, whole.damping) == pytest.approx((3.0, 0.4), rel=1e-9)


def test_a_plucked_chain_rings_as_its_spring_says():
    rig, asked = tail(6), Spring(2.0, 0.15)
    looseness = Looseness(chain(rig, "tail_0", asked, tip=1.0), window=2.0, gravity=0.0, drag=0.0)
    motion = LooseMotion(Loosened(rig, looseness, 24.0), Clip("still", end=4.0))
    loosened = motion.loosened
    count = 480
    # Bent evenly, and let go: a reference that jumps back to nothing after its first moment.
    values = np.zeros((2, len(rig.channels), 3))
    bent = [rig.channel_index(f"tail_{n}.rz") for n in range(6)]
    values[0, bent, 0] = 0.02
    steps = np.arange(1, count + 1)
    rows = np.ones((count, count + 1), np.int64)
    for row, n in zip(rows, steps, strict=True):
        row[: count - n + 1] = 0
    path = motion.follow(np.zeros((count, len(rig.channels))), values, rows, steps, rows[:, -1:])[:, bent].sum(axis=1)
    after = np.flatnonzero(np.diff(np.sign(path)))
    crossings = (after + path[after] / (path[after] - path[after + 1])) * loosened.step
    damped = 2.0 * np.sqrt(1 - asked.damping**2)
    assert np.diff(crossings[1:]).mean() == pytest.approx(0.5 / damped, rel=0.05)
    tops = np.array([np.abs(path[a + 1 : b + 1]).max() for a, b in pairwise(after)])
    assert np.log(tops[1] / tops[3]) == pytest.approx(
        2 * np.pi * asked.damping / np.sqrt(1 - asked.damping**2), rel=0.15
    )


def test_a_joint_that_a_control_curls_too_still_swings_with_its_mass():
    fox = example("fox-tail")
    springs = chain(fox.rig, "tail_1", Spring(2.0, 0.3))
    motion = LooseMotion(Loosened(fox.rig, Looseness(springs, window=0.4), 24.0), fox.clips[0])
    assert len(motion.loosened.swinging.channels) == 18
    assert motion.loosened.swinging.shared.any()
    times = np.array([0.3, 0.9])
    # What the control adds to the joints is as keyed, with or without it.
    rig = tail(3)
    curled = replace(rig, channels=(*rig.channels, control("curl", {f"tail_{n}.rz": 0.5 for n in range(3)})))
    plain, shared = (
        LooseMotion(
            Loosened(each, Looseness(chain(each, "tail_0", Spring(2.0, 0.3)), window=0.4, gravity=1.0), 24.0),
            Clip("still", end=1.0),
        )
        for each in (rig, curled)
    )
    assert not plain.loosened.swinging.shared.any()
    found = shared.channels(times)
    np.testing.assert_allclose(found[:, : len(rig.channels)], plain.channels(times), atol=1e-12)
    np.testing.assert_array_equal(found[:, -1], 0.0)
    assert np.abs(found).max() > 0.01


def test_a_sketch_does_not_change_how_a_body_swings():
    rig, spring = tail(3), Spring(2.0, 0.2)
    shape = Bend("curl", "curl", {"tail_1": np.full((8, 6), 0.05)})
    drawn = replace(rig, channels=(*rig.channels, bend_channel("curl")), bends=(shape,))
    springs = chain(rig, "tail_0", spring, tip=0.4)
    assert chain(drawn, "tail_0", spring, tip=0.4) == springs
    assert as_one(drawn, springs) == as_one(rig, springs)


@pytest.mark.parametrize("tip", [0.0, -1.0, 1e-30, 1e200, float("inf"), float("nan")])
def test_absurd_tips_are_refused(tip: float):
    rig = example("fox-tail").rig
    with pytest.raises(InvalidLooseness, match="at its tip; give between"):
        chain(rig, rig.joints[1].name, Spring(2.0, 0.2), tip=tip)
