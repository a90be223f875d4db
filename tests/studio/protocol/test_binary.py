"""Binary messages, read back by their description alone."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.studio.protocol import binary
from inbetweener.studio.protocol.binary import MalformedMessage, read_move

finite = st.floats(allow_nan=False, allow_infinity=False)
singles = st.floats(-1e6, 1e6, width=32)


def header(data: bytes) -> tuple[int, ...]:
    return struct.unpack_from("<BBHIII", data)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.lists(finite, max_size=16))
def test_a_move_comes_through(gesture: int, sequence: int, values: list[float]) -> None:
    data = struct.pack("<BBHIII", 1, 0, len(values), gesture, sequence, 0) + np.array(values, "<f8").tobytes()
    move = read_move(data)
    assert (move.gesture, move.sequence, list(move.values)) == (gesture, sequence, values)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "shorter than its header"),
        (b"\x01" * 15, "shorter than its header"),
        (struct.pack("<BBHIII", 2, 0, 0, 0, 0, 0), "kind 2"),
        (struct.pack("<BBHIII", 1, 0, 2, 0, 0, 0) + bytes(8), "2 values"),
        (struct.pack("<BBHIII", 1, 0, 4001, 0, 0, 0) + bytes(4001 * 8), "4001 values"),
        (struct.pack("<BBHIIId", 1, 0, 1, 0, 0, 0, float("nan")), "finite"),
        (struct.pack("<BBHIIId", 1, 0, 1, 0, 0, 0, float("inf")), "finite"),
    ],
)
def test_a_malformed_move_is_named(data: bytes, why: str) -> None:
    with pytest.raises(MalformedMessage, match=why):
        read_move(data)


@given(arrays(np.float32, (3, 2, 3, 4), elements=singles), arrays(np.float32, (3, 5), elements=singles))
def test_poses(world: np.ndarray, channels: np.ndarray) -> None:
    data = binary.poses(7, 4, world.astype(np.float64), channels.astype(np.float64))
    assert header(data) == (2, 0, 0, 7, 4, 3)
    assert struct.unpack_from("<II", data, 16) == (2, 5)
    numbers = np.frombuffer(data, "<f4", offset=24)
    assert np.array_equal(numbers, np.concatenate([world.ravel(), channels.ravel()]))


@pytest.mark.parametrize("turns", [False, True])
def test_an_arc(turns: bool) -> None:
    random = np.random.default_rng(1)
    parts = [random.random(shape).astype(np.float32) for shape in ((5, 3), (5,), (5, 4), (2,), (2, 3))]
    positions, speeds, quaternions, keys, key_positions = parts
    samples = binary.ArcSamples(0.5, 4, positions, speeds, quaternions if turns else None, keys, key_positions)
    data = binary.arc(9, 3, samples)
    assert header(data) == (3, int(turns), 4, 9, 3, 5)
    assert struct.unpack_from("<If", data, 16) == (2, 0.5)
    told = [positions, speeds, *([quaternions] if turns else []), keys, key_positions]
    assert np.array_equal(np.frombuffer(data, "<f4", offset=24), np.concatenate([each.ravel() for each in told]))


def test_curves() -> None:
    first = Curve.from_keys(
        [
            Key(0.0, 1.0, out_tangent=Tangent(0.25, 2.0)),
            Key(1.0, -1.0, Tangent(0.5, 0.125), interpolation="constant", tied=False),
        ]
    )
    second = Curve.constant(3.0, 0.5)
    data = binary.curves(2, [(4, 0, first), (1, 2, None), (0, 1, second)])
    assert header(data) == (4, 0, 0, 2, 3, 3)
    assert struct.unpack_from("<9I", data, 16) == (4, 0, 2, 1, 2, 0, 0, 1, 1)
    rows = np.frombuffer(data, "<f4", offset=52).reshape(-1, 8)
    assert rows.tolist() == [
        [0.0, 1.0, 0.0, 0.0, 0.25, 2.0, 2.0, 1.0],
        [1.0, -1.0, 0.5, 0.125, 0.0, 0.0, 0.0, 0.0],
        [0.5, 3.0, 0.0, 0.0, 0.0, 0.0, 2.0, 1.0],
    ]


def test_no_curves_at_all_can_be_told() -> None:
    data = binary.curves(2, [], whole=True)
    assert header(data) == (4, 1, 0, 2, 0, 0)
    assert len(data) == 16
