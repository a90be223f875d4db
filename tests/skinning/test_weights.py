import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from inbetweener.skinning import normalised_weights

ROWS = {
    "good": ([0, 1], [0.25, 0.75], 0),
    "too much": ([0, 1], [1.0, 1.0], 1),
    "too little": ([0, 1], [0.2, 0.0], 1),
    "negative": ([0, 1], [1.0, -0.5], 1),
    "not a number": ([0, 1], [0.5, np.nan], 1),
    "infinite": ([0, 1], [0.5, np.inf], 1),
    "nothing": ([0, 1], [0.0, 0.0], 1),
    "no such joint": ([0, 9], [0.5, 0.5], 1),
    "no such joint, unused": ([0, 9], [1.0, 0.0], 0),
}


@pytest.mark.parametrize(("joints", "weights", "mended"), ROWS.values(), ids=ROWS.keys())
def test_each_kind_of_row_is_mended_and_counted(joints: list[int], weights: list[float], mended: int) -> None:
    found = normalised_weights([joints], [weights], 3, fallback=2)
    assert found.mended == mended
    np.testing.assert_allclose(found.weights.sum(axis=1), 1.0, rtol=0, atol=1e-6)
    assert ((found.influences >= 0) & (found.influences < 3)).all()


def test_rows_without_weight_follow_the_fallback_joint() -> None:
    found = normalised_weights([[0, 1], [1, 0]], [[0.0, np.nan], [0.5, 0.5]], 5, fallback=4)
    assert found.influences[0, 0] == 4
    assert found.weights[0].tolist() == [1.0, 0.0]
    assert (found.unbound, found.impossible, found.rescaled, found.mended) == (1, 1, 0, 1)


def test_good_weights_keep_their_meaning_and_lose_idle_columns() -> None:
    found = normalised_weights([[7, 3, 0, 0], [2, 5, 7, 0]], [[0.0, 1.0, 0.0, 0.0], [0.25, 0.0, 0.75, 0.0]], 8)
    assert found.mended == 0
    assert found.influences.tolist() == [[3, 0], [7, 2]]
    assert found.weights.tolist() == [[1.0, 0.0], [0.75, 0.25]]


def test_sums_off_by_a_rounding_are_made_exact_in_silence() -> None:
    found = normalised_weights([[0, 1, 2]], [[0.33333, 0.33333, 0.33333]], 3)
    assert found.mended == 0
    assert abs(found.weights.astype(float).sum() - 1.0) < 1e-7


def test_empty_input() -> None:
    assert normalised_weights(np.zeros((0, 4)), np.zeros((0, 4)), 3).weights.shape == (0, 1)
    bare = normalised_weights(np.zeros((2, 0)), np.zeros((2, 0)), 3, fallback=1)
    assert bare.influences.tolist() == [[1], [1]]
    with pytest.raises(ValueError, match="must both be"):
        normalised_weights(np.zeros((2, 3)), np.zeros((2, 4)), 3)


@given(
    arrays(np.int64, (6, 4), elements=st.integers(-2, 6)),
    arrays(np.float64, (6, 4), elements=st.floats(-2, 2, width=32) | st.sampled_from([np.nan, np.inf, 0.0, 1.0])),
)
def test_whatever_comes_in_a_mesh_can_use_what_comes_out(joints: np.ndarray, weights: np.ndarray) -> None:
    found = normalised_weights(joints, weights, 5)
    assert ((found.influences >= 0) & (found.influences < 5)).all()
    assert (found.weights >= 0).all()
    np.testing.assert_allclose(found.weights.astype(float).sum(axis=1), 1.0, rtol=0, atol=1e-6)
    assert (found.weights[:, -1] > 0).any()  # no idle column
    again = normalised_weights(found.influences, found.weights, 5)
    assert again.mended == 0
    assert np.array_equal(again.influences, found.influences)
