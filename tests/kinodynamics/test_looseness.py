"""Looseness: what may be asked for, and what becomes of it on a rig."""

import math

import numpy as np
import pytest

from inbetweener.errors import UnknownName
from inbetweener.kinodynamics import InvalidLooseness, Loosened, Looseness, Spring, everywhere
from tests.kinodynamics.swings import RATE, arm, bones_of

SPRING = Spring(3.0, 0.5)


def test_springs_are_copied_and_cannot_change() -> None:
    given = {"bone_0": SPRING}
    looseness = Looseness(given)
    given["bone_1"] = SPRING
    assert dict(looseness.springs) == {"bone_0": SPRING}
    with pytest.raises(TypeError):
        looseness.springs["bone_1"] = SPRING  # type: ignore[index]


def test_springs_come_and_go() -> None:
    looseness = Looseness({"bone_0": SPRING, "bone_1": SPRING}, window=0.4)
    changed = looseness.with_springs({"bone_0": None, "bone_2": Spring(9.0)})
    assert dict(changed.springs) == {"bone_1": SPRING, "bone_2": Spring(9.0)}
    assert changed.window == 0.4


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("error", 0.0),
        ("error", math.inf),
        ("gravity", math.nan),
        ("gravity", 1e308),
        ("drag", -0.1),
        ("drag", 1.1),
        ("window", 0.0),
    ],
)
def test_numbers_must_be_sound(field: str, value: float) -> None:
    with pytest.raises(InvalidLooseness, match=field):
        Looseness(**{field: value})  # type: ignore[arg-type]


def test_names_must_be_known() -> None:
    with pytest.raises(UnknownName, match="elbow"):
        Loosened(arm(), Looseness({"elbow": SPRING}), RATE)


def test_everywhere_is_all_but_roots_and_those_named() -> None:
    rig = arm()
    assert set(everywhere(rig, SPRING, without=["bone_1"])) == {"bone_0", "bone_2", "tip"}


def test_turns_swing_with_their_mass_and_the_rest_follows() -> None:
    rig = arm()
    loosened = Loosened(rig, Looseness({"bone_1": SPRING, "smile": SPRING}), RATE)
    names = [channel.name for channel in rig.channels]
    assert [names[c] for c in loosened.swinging.channels] == ["bone_1.rx", "bone_1.ry", "bone_1.rz"]
    assert [names[c] for c in loosened.following.channels] == ["smile"]


def test_a_channels_own_spring_wins_over_its_joints() -> None:
    rig = arm()
    own = Spring(9.0, 1.0)
    loosened = Loosened(rig, Looseness({"bone_1": SPRING, "bone_1.ry": own}), RATE)
    assert loosened.swinging.springs == (SPRING, own, SPRING)


def test_gains_grow_with_the_inertia_that_they_turn() -> None:
    rig = arm()
    loosened = Loosened(rig, Looseness(bones_of(rig, SPRING)), RATE)
    stiffness = SPRING.rates[0]
    assert np.allclose(loosened.springs[:, 0], loosened.inertias[loosened.order] * stiffness, rtol=1e-12)


@pytest.mark.parametrize("rate", [12.0, 24.0, 25.0, 30.0, 60.0, 120.0, 240.0])
def test_whole_steps_fit_into_a_frame(rate: float) -> None:
    rig = arm()
    step = Loosened(rig, Looseness(bones_of(rig, SPRING)), rate).step
    assert 1 / rate / step == pytest.approx(round(1 / rate / step), abs=1e-9)
    assert 1 / 250 <= step <= 1 / 80
