import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

import inbetweener as ib
from inbetweener.contacts import sliding
from inbetweener.contacts.measure import look_times, spread
from inbetweener.motion import Motion


@given(st.integers(0, 10_000), st.integers(2, 60))
def test_spread_is_the_farthest_pair_to_within_a_percent(seed: int, count: int) -> None:
    positions = np.random.default_rng(seed).normal(size=(count, 3)) * [1.0, 0.1, 0.01]
    farthest = pdist(positions).max()
    assert 0.99 * farthest <= spread(positions) <= farthest * (1 + 1e-12)


def test_spread_of_one_place_is_zero() -> None:
    assert spread(np.ones((5, 3))) == 0.0


def test_sliding_looks_between_frames() -> None:
    document = ib.example("spider-walk")
    motion, foot = Motion(document.rig, document.clip()), document.rig.point("foot_1_l")
    times = look_times(motion, 0.0, 0.5)
    assert len(times) == 8 * 12 + 1
    assert sliding(motion, foot, 0.0, 0.5) == spread(motion.states(times, foot)[0])
