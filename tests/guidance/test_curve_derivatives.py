"""Values to jerks of curves, and their derivatives by parameters, against the curves package and differences."""

import numpy as np
import pytest

from inbetweener.curves import Bundle
from inbetweener.guidance.parameters import Parameters
from tests.guidance.arm import swing

MOTION = swing()
NAMES = tuple(MOTION.clip.curves)
CURVES = [MOTION.clip.curves[name] for name in NAMES]
WHOLE = Parameters.of(CURVES, [MOTION.rig.channel(name) for name in NAMES], 1.0)
TIMES = np.linspace(0.013, 0.987, 40)


def bent() -> np.ndarray:
    random = np.random.default_rng(4)
    return WHOLE.start + np.where(
        WHOLE.is_width, random.uniform(-0.1, 0.1, len(WHOLE)), random.normal(0, 1, len(WHOLE))
    )


def test_motion_is_that_of_the_curves() -> None:
    x = bent()
    motion = WHOLE.motion(x, TIMES)[0]
    expected = Bundle.of(WHOLE.changed(CURVES, x)).evaluate_motion(TIMES)
    np.testing.assert_allclose(motion[..., :3], expected, rtol=1e-12, atol=1e-12)


def test_jerk_is_the_rate_of_acceleration() -> None:
    x, step = bent(), 1e-6
    before, after = (WHOLE.motion(x, TIMES + sign * step)[0][..., 2] for sign in (-1.0, 1.0))
    jerk = WHOLE.motion(x, TIMES)[0][..., 3]
    np.testing.assert_allclose(jerk, (after - before) / (2 * step), rtol=1e-5, atol=1e-5 * np.abs(jerk).max())


@pytest.mark.parametrize("step", [1e-5, 1e-6])
def test_derivatives_agree_with_differences(step: float) -> None:
    x = bent()
    _, derivatives, indices = WHOLE.motion(x, TIMES)
    dense = np.zeros((len(TIMES), len(CURVES), 4, len(WHOLE) + 1))
    for t in range(len(TIMES)):
        for c in range(len(CURVES)):
            for p in range(4):
                dense[t, c, :, indices[t, c, p]] += derivatives[t, c, :, p]
    for p in range(len(WHOLE)):
        unit = np.eye(len(WHOLE))[p] * step
        difference = (WHOLE.motion(x + unit, TIMES)[0] - WHOLE.motion(x - unit, TIMES)[0]) / (2 * step)
        assert np.abs(difference).max() > 0
        for order in range(4):
            size = np.abs(difference[:, :, order]).max()
            np.testing.assert_allclose(dense[:, :, order, p], difference[:, :, order], atol=2e-5 * size)
