"""Bends: sketched shapes of bones. Each is a pose of its own, dialled in by an ordinary channel."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, frozen, same
from inbetweener.errors import InvalidRig
from inbetweener.maths import dual_quaternions


@dataclass(frozen=True, slots=True, eq=False)
class Bend:
    """Small steps along bones, times the value of the channel called `channel`.

    `screws` holds for each bent joint (S, 6): the rotation vector and translation of S even steps from the start of
    its bone to the end, each in the joint's own rest frame. Screws of several bends add up, step by step: steps are
    small, so their sum means what it says, and a twist of three turns fades in through three turns ([DB] §4.5).
    """

    name: str
    channel: str
    screws: Mapping[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked = {}
        for joint, screws in self.screws.items():
            array = frozen(screws)
            if array.ndim != 2 or array.shape[1] != 6 or len(array) == 0:
                raise InvalidRig(f"bend {self.name!r}: steps of {joint!r} have shape {array.shape}, expected (S, 6)")
            if not np.isfinite(array).all():
                raise InvalidRig(f"bend {self.name!r}: a step of {joint!r} is not a finite number")
            checked[joint] = array
        object.__setattr__(self, "screws", checked)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bend):
            return NotImplemented
        return (
            (self.name, self.channel) == (other.name, other.channel)
            and list(self.screws) == list(other.screws)
            and all(same(mine, other.screws[joint]) for joint, mine in self.screws.items())
        )

    __hash__ = None  # type: ignore[assignment]  # holds arrays


def resampled(screws: Floats, count: int) -> Floats:
    """The same bend in `count` steps: each new step has its share of every old one that it overlaps."""
    old = len(screws)
    if old == count:
        return screws
    edges = np.linspace(0.0, old, count + 1)
    whole = np.concatenate([np.zeros((1, 6)), np.cumsum(screws, axis=0)])
    at = np.stack([np.interp(edges, np.arange(old + 1), whole[:, i]) for i in range(6)], axis=1)
    return np.diff(at, axis=0)


def total_screws(
    bends: tuple[Bend, ...], values: Mapping[str, npt.ArrayLike], joints: Collection[str] | None = None
) -> dict[str, Floats]:
    """By joint: the sum of all bends (T, S, 6) for channel values (T,) by name, in as many steps as the finest has.

    Of all joints, or of some only.
    """
    counts: dict[str, int] = {}
    for bend in bends:
        for joint, screws in bend.screws.items():
            if joints is None or joint in joints:
                counts[joint] = max(counts.get(joint, 0), len(screws))
    frames = len(next(iter(values.values()), ())) if values else 0  # type: ignore[arg-type]
    total = {joint: np.zeros((frames, count, 6)) for joint, count in counts.items()}
    for bend in bends:
        weight = np.asarray(values[bend.channel], np.float64)[:, None, None]
        for joint, screws in ((joint, bend.screws[joint]) for joint in counts if joint in bend.screws):
            total[joint] += weight * resampled(screws, counts[joint])
    return total


def along_bone(screws: Floats, place: float) -> Floats:
    """The transform (T, 8), in the joint's rest frame, at a place 0 to 1 along a bone of steps (T, S, 6)."""
    steps = screws.shape[1]
    at = place * steps
    result = np.broadcast_to(np.array(dual_quaternions.IDENTITY), (len(screws), 8))
    for step in range(int(np.ceil(at - 1e-12))):
        share = min(1.0, at - step)
        result = dual_quaternions.product(result, dual_quaternions.exponential(share * screws[:, step]))
    return result
