"""The state of a point: where it is and how it is turned."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen
from inbetweener.errors import InvalidRequest
from inbetweener.rig import Place, Rig


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Where a point is or should be: position (3,) in metres, turn (3, 3) in the world; None where it is all one."""

    position: Floats | None = None
    turn: Floats | None = None

    def __post_init__(self) -> None:
        for name, shape in (("position", (3,)), ("turn", (3, 3))):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, _checked(name, given, shape))


def _checked(name: str, given: npt.ArrayLike, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    array = frozen(given)
    if array.shape != shape:
        raise InvalidRequest(f"a state's {name} has shape {array.shape}, expected {shape}")
    if not np.isfinite(array).all():
        raise InvalidRequest(f"a state's {name} holds a value that is not a finite number")
    if name == "turn" and np.abs(array @ array.T - np.eye(3)).max() > 1e-6:
        raise InvalidRequest("a state's turn is no rotation: its rows are not perpendicular and of length one")
    return array


def state_of(rig: Rig, channels: npt.ArrayLike, place: Place) -> State:
    """The state that a place on the body has in a pose (C,)."""
    position, turn = rig.states(np.atleast_2d(np.asarray(channels, np.float64)), place)
    return State(position[0], turn[0])
