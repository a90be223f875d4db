"""The problem of one pose: which channels may move, how far, and which states are watched. Frozen."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.errors import InbetweenerError, InvalidRequest
from inbetweener.motion import Constraint
from inbetweener.posing.request import PoseRequest, Pull
from inbetweener.posing.settings import Settings
from inbetweener.rig import Channel, Point, Rig, chains
from inbetweener.rig.freedom import channels_moving, free_channels, held_channels
from inbetweener.rig.part import RigPart, part_around
from inbetweener.rig.watching import Look, View, view


class NothingToPose(InbetweenerError):
    """No channel that may move reaches any pulled point; says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A pose request, compiled. The n free channels are `start + scale · z`, so that [TSO]'s w_d term is ‖z‖².

    channels       (C,) all channel values at the start of the gesture
    free, columns  (n,) the free channels in the rig and in the part
    scale          (n,) a channel's unit over its stiffness; lowest, highest (n,) its limits, widened to where it is
    pins           the pins that matter; others cannot move
    pulled_rows    how many rows the pulled states have; the pins' rows follow
    """

    rig: Rig
    channels: Floats
    request: PoseRequest
    settings: Settings
    height: float
    part: RigPart
    free: Ints
    columns: Ints
    scale: Floats
    lowest: Floats
    highest: Floats
    pins: tuple[Constraint, ...]
    watched: View
    pulled_rows: int

    @property
    def row_scale(self) -> Floats:
        """(R,) turns lengths into shares of the character's height."""
        return self.watched.watched.row_scale

    @property
    def names(self) -> tuple[str, ...]:
        """The free channels."""
        return tuple(self.rig.channels[c].name for c in self.free)

    @property
    def row_tolerances(self) -> Floats:
        """(R,) how far each row may be off: heights of the character, or radians; each pin has its own."""
        pulls = np.full((len(self.request.pulls), 2), self.settings.tolerance)
        allowed = np.concatenate([pulls, self.pin_tolerances])
        return np.asarray(allowed[self.watched.owners, self.watched.turns.astype(np.int64)], np.float64)

    @property
    def pin_tolerances(self) -> Floats:
        """(pins, 2) how far each may be off: heights of the character, and radians."""
        return np.array([pin.allowed(self.height, self.settings.tolerance) for pin in self.pins]).reshape(-1, 2)

    def values(self, z: Floats) -> Floats:
        """Values (n,) of the free channels; never beyond a limit, whatever rounding did."""
        return np.minimum(np.maximum(self.channels[self.free] + self.scale * z, self.lowest), self.highest)

    def posed(self, z: Floats) -> Floats:
        """All channel values (C,)."""
        values = self.channels.copy()
        values[self.free] = self.values(z)
        return values


def build(rig: Rig, channels: npt.ArrayLike, request: PoseRequest, settings: Settings | None = None) -> Problem:
    """Find the channels that may move, their limits, and the pins that matter."""
    values = _checked(rig, channels)
    moving = [channels_moving(rig, each.point, each.wanted) for each in request.pulls]
    pinned = [pin.channels(rig) for pin in request.pins]
    settled = [pin.wanted == "both" for pin in request.pins]
    held = held_channels(rig, request.channels, frozenset().union(*moving))
    allowed, watched_pins = free_channels(frozenset().union(*moving), pinned, settled, held)
    if request.channels is not None:
        allowed &= {rig.channel_index(name) for name in request.channels}
    else:
        blends = {handle.channels[-1] for handle in rig.handles}
        allowed = frozenset(
            c for c in allowed if rig.channels[c].kind != "scale" and rig.channels[c].name not in blends
        )
    if not allowed:
        raise NothingToPose(_reason(rig, request, frozenset().union(*moving)))
    free = np.array(sorted(allowed))
    pins = tuple(request.pins[i] for i in watched_pins)
    listed: tuple[Pull | Constraint, ...] = (*request.pulls, *pins)
    part = part_around(rig, [each.point for each in listed], [pin.base for pin in pins if pin.base is not None])
    height = chains.size(rig)
    looks = [Look(pull.point, 0, pull.wanted) for pull in request.pulls]
    looks += [Look(pin.point, 0, pin.wanted, _base(rig, values, pin)) for pin in pins]
    watched = view(rig, part, values[None], looks, height)
    chosen = [rig.channels[c] for c in free]
    start = values[free]
    return Problem(
        rig,
        values,
        request,
        settings or Settings(),
        height,
        part,
        frozen(free, np.int64),
        frozen([part.local_channel(c) for c in free], np.int64),
        frozen([_unit(channel, height) / channel.stiffness for channel in chosen]),
        # A value that is already outside may stay there, but not get worse.
        frozen(np.minimum([channel.lower for channel in chosen], start)),
        frozen(np.maximum([channel.upper for channel in chosen], start)),
        pins,
        watched,
        int((watched.owners < len(request.pulls)).sum()),
    )


def _base(rig: Rig, channels: Floats, pin: Constraint) -> Point | None:
    """Where the joint from which a pin is seen has its point."""
    if pin.base is None:
        return None
    x, y, z = pin.seen(rig.posed(channels[None]))[0][0].tolist()
    return Point(pin.base, (x, y, z))


def _checked(rig: Rig, channels: npt.ArrayLike) -> Floats:
    values = frozen(channels)
    if values.shape != (len(rig.channels),):
        raise InvalidRequest(f"channel values of shape {values.shape} given, expected ({len(rig.channels)},)")
    if not np.isfinite(values).all():
        worst = rig.channels[int(np.argmin(np.isfinite(values)))].name
        raise InvalidRequest(f"channel {worst!r} holds a value that is not a finite number")
    return values


def _unit(channel: Channel, height: float) -> float:
    """The change of a channel that counts as much as a turn of one radian: lengths are measured in heights.

    A control counts by all that it drives, so that it moves no sooner than the joints below it would on their own.
    """
    size = float(np.hypot.reduce([d.weight / (height if d.axis[0] == "t" else 1.0) for d in channel.drives]))
    if size > 0.0:
        return 1.0 / size
    return channel.unit(height)


def _reason(rig: Rig, request: PoseRequest, moving: frozenset[int]) -> str:
    what = f"{', '.join(str(pull.point) for pull in request.pulls)} cannot be pulled"
    if not moving:
        return f"{what}: no channel moves it"
    if request.channels is not None:
        names = [rig.channels[c].name for c in sorted(moving)]
        return f"{what}: none of the channels allowed moves it; those that would: {', '.join(names[:6])}"
    remedy = "loosen a pin, free a bone or name the channels that may move"
    return f"{what}: pins hold all that could move it, or it is the length of a bone; {remedy}"
