# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed and pressed during a drag, as Blender's own tools take it; without Blender."""

import math

import numpy as np
import pytest

from extension.blender.hand import Hand, increment

TURNED = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""Its own X is the world's Y."""


def said(keys: str, hand: Hand | None = None) -> Hand:
    """A hand after keys in a row, "S-" before one that is pressed with Shift."""
    hand = hand or Hand(TURNED)
    for key in keys.split():
        assert hand.press(key.removeprefix("S-"), key.startswith("S-")), key
    return hand


@pytest.mark.parametrize(
    ("keys", "way"),
    [
        ("", (1.0, 2.0, 3.0)),
        ("X", (1.0, 0.0, 0.0)),
        ("X X", (0.0, 2.0, 0.0)),
        ("X X X", (1.0, 2.0, 3.0)),
        ("S-X", (0.0, 2.0, 3.0)),
        ("S-Z S-Z", (1.0, 2.0, 0.0)),
        ("X Y", (0.0, 2.0, 0.0)),
    ],
)
def test_axes_and_planes_leave_their_part_of_the_way(keys: str, way: tuple[float, float, float]) -> None:
    np.testing.assert_allclose(said(keys).way((1.0, 2.0, 3.0)), way, atol=1e-12)


@pytest.mark.parametrize(
    ("keys", "way"),
    [
        ("X ZERO PERIOD ZERO FIVE", (0.05, 0.0, 0.0)),
        ("ONE TWO BACK_SPACE MINUS", (-1.0, 0.0, 0.0)),
        ("MINUS ONE MINUS", (1.0, 0.0, 0.0)),
        ("ONE TAB NUMPAD_2 TAB THREE", (1.0, 2.0, 3.0)),
        ("S-Y ONE TAB TWO", (1.0, 0.0, 2.0)),
        ("X X PERIOD FIVE", (0.0, 0.5, 0.0)),
        ("Z MINUS", (0.0, 0.0, 0.0)),
        ("PERIOD PERIOD FIVE", (0.5, 0.0, 0.0)),
    ],
)
def test_numbers_count_instead_of_the_pointer(keys: str, way: tuple[float, float, float]) -> None:
    np.testing.assert_allclose(said(keys).way((7.0, 7.0, 7.0), step=1.0), way, atol=1e-12)


def test_what_is_taken_back_lets_the_pointer_count_again() -> None:
    np.testing.assert_allclose(said("ONE BACK_SPACE").way((1.0, 2.0, 3.0)), (1.0, 2.0, 3.0))
    assert not Hand().press("BACK_SPACE")
    assert not Hand().press("G")


def test_steps_are_whole_and_as_long_as_the_view_is_wide() -> None:
    np.testing.assert_allclose(Hand().way((0.16, -0.24, 0.0), step=0.1), (0.2, -0.2, 0.0))
    np.testing.assert_allclose(said("X X").way((0.16, -0.24, 0.0), step=0.1), (0.0, -0.2, 0.0), atol=1e-12)
    assert [increment(d, fine) for d in (7.0, 0.7) for fine in (False, True)] == pytest.approx([0.1, 0.01, 0.01, 1e-3])


def test_turns_are_typed_in_degrees() -> None:
    assert said("X MINUS THREE ZERO").angle(2.0) == pytest.approx(-math.pi / 6)
    assert Hand().angle(0.37, math.radians(5.0)) == pytest.approx(math.radians(20.0))
    np.testing.assert_allclose(said("X X").turn_axis(), (0.0, 1.0, 0.0))


def test_the_header_tells_axis_and_numbers() -> None:
    assert said("X ONE").told() == "[1|] along global X"
    assert said("S-X S-X ONE TAB").told() == "1, [0|] across local X"
    assert Hand().told() == ""
