"""What errors of places cost, once a channel has changed, against the formula written out in double precision."""

import numpy as np

from inbetweener.motion.fit_place_kernels import EVEN, STRIDES, add_jerks, add_shares, jerks, misses, want

STEPS, PLACE, ROW, STRIDE = 60, 1, 2, 2
LOW, HIGH = 10, 50
CHANCE = np.random.default_rng(7)
ERRORS = CHANCE.normal(0, 0.002, (3, 6, STEPS)).astype(np.float32)
BY = CHANCE.normal(0, 1.0, (4, 6, STEPS)).astype(np.float32)
STRICT = CHANCE.uniform(150, 300, (3, 2, STEPS)).astype(np.float32)
GENTLE = np.where(np.arange(STEPS) % 3, 0, CHANCE.uniform(50, 150, (3, STEPS))).astype(np.float32)
CHANGE = CHANCE.normal(0, 0.002, STEPS).astype(np.float32)


def shares(much: float) -> np.ndarray:
    """Of what is allowed, at all steps, once the channel has changed so much."""
    now = ERRORS[PLACE].astype(float) + much * CHANGE * BY[ROW].astype(float)
    far, turned = np.linalg.norm(now[:3], axis=0), np.linalg.norm(now[3:], axis=0)
    return np.asarray(far * STRICT[PLACE, 0] + turned * STRICT[PLACE, 1])


def jolts(much: float) -> np.ndarray:
    """Second differences over what is felt, nought next to the ends."""
    now = (ERRORS[PLACE].astype(float) + much * CHANGE * BY[ROW].astype(float))[:3]
    second = now[:, : -2 * STRIDE] - 2 * now[:, STRIDE:-STRIDE] + now[:, 2 * STRIDE :]
    return np.asarray(np.pad(np.linalg.norm(second, axis=0), STRIDE) * GENTLE[PLACE])


def test_sums_of_every_stride_are_those_of_the_formula() -> None:
    made = [np.zeros(STEPS, np.float32) for _ in STRIDES]
    add_shares(ERRORS, PLACE, STRICT, BY, ROW, CHANGE, LOW, HIGH, *made)
    for much, total in zip(STRIDES, made, strict=True):
        s = shares(much)
        np.testing.assert_allclose(total[LOW:HIGH], (s**8 + EVEN * s**2)[LOW:HIGH], rtol=1e-4)
        assert not total[:LOW].any()
        assert not total[HIGH:].any()
    jerked = [np.zeros(STEPS, np.float32) for _ in STRIDES]
    add_jerks(ERRORS, PLACE, GENTLE, BY, ROW, CHANGE, STRIDE, LOW, HIGH, *jerked)
    for much, total in zip(STRIDES, jerked, strict=True):
        np.testing.assert_allclose(total[LOW:HIGH], jolts(much)[LOW:HIGH] ** 8, rtol=1e-4, atol=1e-9)


def test_what_a_place_wants_is_the_slope_of_what_it_costs() -> None:
    weight, pull = np.zeros((2, STEPS), np.float32)
    want(ERRORS, PLACE, STRICT, BY, ROW, LOW, HIGH, weight, pull)
    step = 1e-6
    slope = np.zeros(STEPS)
    for sign in (-1.0, 1.0):
        now = ERRORS[PLACE].astype(float) + sign * step * BY[ROW].astype(float)
        parts = [np.linalg.norm(now[n : n + 3], axis=0) * STRICT[PLACE, n // 3] for n in (0, 3)]
        s = sum(parts)
        slope += sign * (s**8 + EVEN * s**2) / (2 * step)
    # Squares of the same slope: their weight times half of that is left out on both sides.
    even_parts = np.minimum(*parts) > 0.25 * s
    chosen = even_parts & (np.arange(STEPS) >= LOW) & (np.arange(STEPS) < HIGH)
    assert chosen.sum() > 20
    np.testing.assert_allclose(-2 * pull[chosen], slope[chosen], rtol=1e-2, atol=1e-2 * np.abs(slope).max())
    assert (weight[LOW:HIGH] > 0).all()


def test_misses_and_jerks_are_counted() -> None:
    assert misses(ERRORS, PLACE, STRICT, BY, ROW, CHANGE, 1.0, LOW, HIGH) == (shares(1.0)[LOW:HIGH] > 1).sum() > 0
    before, after = jerks(ERRORS, PLACE, GENTLE, BY, ROW, CHANGE, STRIDE, LOW, HIGH)
    assert before == (jolts(0.0)[LOW:HIGH] > 1).sum()
    assert after == (jolts(1.0)[LOW:HIGH] > 1).sum() > 0
