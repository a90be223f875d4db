"""Elastic solids on bones: what shakes them and what does not, and that the filter is the simulation."""

import numpy as np
import pytest

from inbetweener.arrays import Floats
from inbetweener.kinodynamics import ElasticPart, Spring
from inbetweener.kinodynamics.soft.elastic import ElasticBody
from inbetweener.kinodynamics.soft.history import History, looking_back
from inbetweener.kinodynamics.soft.softened import Softened
from inbetweener.motion import Motion
from tests.kinodynamics.soft.bodies import STEP, TALL, free_rig, going, rod

RIG, ROD = free_rig(), rod()
PART = ElasticPart("rod", "bone", Spring(3.0, 0.2), cells=10, modes=12)


def body(part: ElasticPart = PART, gravity: float = 1.0) -> ElasticBody:
    found = Softened(RIG, [ROD], [part], step=STEP, gravity=gravity).bodies[0][1]
    assert isinstance(found, ElasticBody)
    return found


def still(times: Floats) -> Floats:
    return np.zeros_like(times)


def tip(solid: ElasticBody, motion: Motion, times: list[float], count: int = 120) -> Floats:
    """How far the middle of the top is off (T, 3)."""
    return solid.offsets(motion, np.array(times), count)[:, -4:].mean(axis=1).astype(np.float64)


def test_even_movement_bends_nothing():
    motion = going(RIG, {"bone.tx": lambda t: 3.0 * t, "bone.tz": lambda t: -1.0 - 2.0 * t, "bone.ry": still})
    assert np.abs(tip(body(gravity=0.0), motion, [0.3, 1.1])).max() < 1e-9


def test_free_fall_bends_nothing():
    solid = body()
    gravity = -solid.gravity[1]
    motion = going(RIG, {"bone.ty": lambda t: 2.0 * t - 0.5 * gravity * t * t, "bone.tx": lambda t: 0.4 * t})
    assert np.abs(tip(solid, motion, [0.2, 1.3])).max() < 1e-8


@pytest.mark.parametrize("count", [1, 7, 150])
def test_at_rest_it_sags_as_statics_says_however_short_the_window(count: int):
    solid = body()
    lying = going(RIG, {"bone.rx": lambda t: np.full_like(t, np.pi / 2)})
    modes = solid.amplitudes(lying, np.array([1.0]), count)[0]
    # Gravity, seen from a bone that lies on its front, pulls along its z.
    field = np.zeros((3, 4))
    field[2, 3] = solid.gravity[1]
    np.testing.assert_allclose(modes, solid.loads @ field.ravel(), rtol=1e-9, atol=1e-12)
    assert tip(solid, lying, [1.0], count)[0, 2] > 0.01


def test_a_spin_stretches_it_outwards():
    solid, rate = body(gravity=0.0), 4.0
    spinning = going(RIG, {"bone.rz": lambda t: rate * t})
    found = tip(solid, spinning, [1.0], 240)[0]
    assert found[1] > 1e-4
    assert np.abs(found[[0, 2]]).max() < 0.02 * found[1]
    faster = tip(solid, going(RIG, {"bone.rz": lambda t: 2 * rate * t}), [1.0], 240)[0]
    assert faster[1] / found[1] == pytest.approx(4.0, rel=0.02)


def shaking() -> Motion:
    return going(
        RIG,
        {
            "bone.tx": lambda t: 0.2 * np.sin(5 * t),
            "bone.ty": lambda t: 0.1 * np.cos(3 * t),
            "bone.rz": lambda t: 0.6 * np.sin(2 * t),
            "bone.rx": lambda t: 0.4 * np.sin(4 * t + 1),
        },
    )


def test_every_mode_swings_as_the_differential_equation_has_it():
    """By scipy, what shakes it being straight between moments and lasting until the end."""
    from scipy.signal import StateSpace, lsim  # half a second, which collecting tests need not take

    solid, motion, count = body(), shaking(), 90
    seen = looking_back(np.array([1.2]), STEP, count)
    triples, windows = seen.triples()
    balance = solid.balanced(History(motion, "bone").bone(seen.moments), triples)[windows.rows[0]]
    for mode, spring in enumerate(solid.springs):
        omega = 2 * np.pi * spring.frequency
        pulled = StateSpace([[0, 1], [-(omega**2), -2 * spring.damping * omega]], [[0], [omega**2]], [[1, 0]], 0)
        quarter = min(count, max(1, round(0.25 / (spring.frequency * STEP))))
        wishes = np.append(balance[:, mode], balance[-1, mode])
        start = [balance[:quarter, mode].mean(), 0.0]
        _, path, _ = lsim(pulled, wishes, STEP * np.arange(count + 1), X0=start)
        found = solid.amplitudes(motion, np.array([1.2]), count)[0, mode]
        assert found == pytest.approx(path[-1], abs=1e-10)


def test_the_slowest_mode_rings_at_the_frequency_asked_for_and_dies_away_as_damped():
    solid = body(gravity=0.0)
    jolted = going(RIG, {"bone.tx": lambda t: np.where(t > 0, 1.0, 0.0) * t})
    times = np.arange(0.3, 2.0, STEP)
    path = solid.amplitudes(jolted, times, 480)[:, :2].sum(axis=1)
    after = np.flatnonzero(np.diff(np.sign(path)))
    crossings = times[after] + STEP * path[after] / (path[after] - path[after + 1])
    damped = 3.0 * np.sqrt(1 - 0.2**2)
    assert np.diff(crossings).mean() == pytest.approx(0.5 / damped, rel=0.01)
    tops = np.abs(path[1:-1][(np.abs(path[1:-1]) >= np.abs(path[:-2])) & (np.abs(path[1:-1]) > np.abs(path[2:]))])
    assert np.log(tops[0] / tops[2]) == pytest.approx(2 * np.pi * 3.0 * 0.2 / damped, rel=0.05)


def test_any_state_is_the_same_to_the_bit_however_it_is_asked_for():
    solid, motion = body(), shaking()
    times = np.arange(0, 40) / 24
    together = solid.offsets(motion, times, 60)
    for n in (0, 7, 39):
        np.testing.assert_array_equal(solid.offsets(motion, times[n : n + 1], 60)[0], together[n])
        np.testing.assert_array_equal(solid.offsets(motion, times[n::-1], 60)[0], together[n])


def test_turning_the_whole_world_about_the_vertical_changes_nothing():
    def moves(angle: float) -> Motion:
        c, s = np.cos(angle), np.sin(angle)
        return going(
            RIG,
            {
                "bone.tx": lambda t: c * 0.2 * np.sin(5 * t),
                "bone.tz": lambda t: -s * 0.2 * np.sin(5 * t),
                "bone.ry": lambda t: np.full_like(t, angle),
            },
        )

    straight, turned = (tip(body(), moves(angle), [0.9, 1.7]) for angle in (0.0, 2.1))
    assert np.abs(straight).max() > 0.005
    np.testing.assert_allclose(turned, straight, atol=1e-7)


@pytest.mark.parametrize("travel", [0.0, 1.5])
def test_loops_close_even_when_they_get_on(travel: float):
    def step(t: Floats) -> Floats:
        return travel * t / 2.0 + 0.1 * np.sin(np.pi * t)

    loop = going(RIG, {"bone.tx": step, "bone.rz": lambda t: 0.3 * np.sin(2 * np.pi * t)}, loops=True)
    ends = tip(body(), loop, [0.0, 2.0], 200)
    assert np.abs(ends[0]).max() > 1e-3
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)
    # The seam is no jolt: what was before the start is what comes before the end.
    np.testing.assert_allclose(*tip(body(), loop, [-0.1, 1.9], 200), atol=1e-7)


def test_a_large_swing_bends_it_around_and_does_not_stretch_it():
    soft = body(ElasticPart("rod", "bone", Spring(1.3, 0.3), cells=16, modes=12))
    lying = going(RIG, {"bone.rx": lambda t: np.full_like(t, np.pi / 2)})
    offsets = soft.offsets(lying, np.array([1.0]), 60)[0].astype(np.float64)
    middle = (ROD.vertices.astype(np.float64) + offsets).reshape(-1, 4, 3).mean(axis=1)
    assert middle[-1, 2] > 0.35 * TALL
    length = np.linalg.norm(np.diff(middle, axis=0), axis=1).sum()
    assert length == pytest.approx(TALL, rel=0.03)
    # Small swings are left as they are.
    tiny = body(ElasticPart("rod", "bone", Spring(30.0, 0.3), cells=16, modes=12), gravity=0.1)
    shifts = tiny.amplitudes(lying, np.array([1.0]), 60)[0] @ tiny.solid.shapes[:, : offsets.size]
    np.testing.assert_allclose(tiny.offsets(lying, np.array([1.0]), 60)[0].ravel(), shifts, atol=1e-7)


@pytest.mark.parametrize(("alpha", "beta"), [(2.0, 0.0), (0.0, 0.02), (1.5, 0.01)])
def test_modes_are_damped_by_alpha_and_beta(alpha: float, beta: float):
    """c_i = α + β k_i for modes of unit mass ([IKD] Eq. 24)."""
    solid = body(ElasticPart.rayleigh("rod", "bone", 3.0, alpha, beta, cells=10, modes=12))
    for spring in solid.springs:
        stiffness, damping = spring.rates
        assert damping == pytest.approx(min(alpha + beta * stiffness, 200 * np.sqrt(stiffness)), rel=1e-9)
    assert len({spring.frequency for spring in solid.springs}) > 6
