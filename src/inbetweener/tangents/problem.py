"""The problem of one drag: what may change, what must hold, when it is looked at. Frozen; solvers work beside it."""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.errors import InbetweenerError
from inbetweener.motion import Curves, Motion
from inbetweener.rig import Place, chains
from inbetweener.rig.freedom import Wanted, channels_moving, free_channels
from inbetweener.rig.part import RigPart, part_of
from inbetweener.tangents.constraints import Constraint, Lock, Pin
from inbetweener.tangents.items import Items, Watch, watched_items
from inbetweener.tangents.layered import weight_of, with_limits_left
from inbetweener.tangents.sampling import constraint_times, times_within
from inbetweener.tangents.settings import Settings
from inbetweener.tangents.variables import Variables, can_change


class NothingToDrag(InbetweenerError):
    """No tangent can move the point at that time; says why."""


@dataclass(frozen=True, slots=True)
class DragRequest:
    """Drag `point` at `time` seconds, while `constraints` hold.

    `layer` names the layer whose curves may change, the base curves by default; `channels` allows only some of them.
    """

    point: Place
    time: float
    wanted: Wanted = "position"
    constraints: tuple[Constraint, ...] = ()
    layer: str | None = None
    channels: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A drag, compiled.

    names      (F,) the channels whose tangents are free; columns (F,) where they stand in the rig part
    part       the joints that carry any watched point, and the channels that drive them
    channels   (T, c) values of the part's channels at all watched moments
    offsets    (T, F) what the free curves' channels have besides `weight` × the free curve: other layers
    targets    positions (I, 3) and orientations (I, 3, 3) that the watched states should have
    """

    motion: Motion
    request: DragRequest
    settings: Settings
    height: float
    names: tuple[str, ...]
    part: RigPart
    variables: Variables
    items: Items
    columns: Ints
    channels: Floats
    offsets: Floats
    weight: float

    @property
    def row_scale(self) -> Floats:
        """(R,) turns lengths into shares of the character's height."""
        return self.items.view.watched.row_scale

    @property
    def curves(self) -> Curves:
        """The curves that are edited: the base or a layer."""
        return edited_curves(self.motion, self.request.layer)

    def owner_name(self, owner: int) -> str:
        """What an animator calls a constraint."""
        return self.request.constraints[owner].name


def edited_curves(motion: Motion, layer: str | None) -> Curves:
    """The base curves of a motion's clip, or a layer's."""
    return motion.clip.curves if layer is None else motion.clip.layer(layer).curves


def changed_motion(motion: Motion, layer: str | None, curves: Curves) -> Motion:
    """The motion with other curves in its base or in a layer."""
    clip = motion.clip
    if layer is None:
        return Motion(motion.rig, replace(clip, curves=curves))
    layers = tuple(replace(each, curves=curves) if each.name == layer else each for each in clip.layers)
    return Motion(motion.rig, replace(clip, layers=layers))


def build(motion: Motion, request: DragRequest, settings: Settings | None = None) -> Problem:
    """Find the free tangents, the constraints that matter, and the times at which to look at them."""
    settings = settings or Settings()
    rig, curves = motion.rig, edited_curves(motion, request.layer)
    places = [request.point if isinstance(c, Lock) else c.point for c in request.constraints]
    moving = [channels_moving(rig, p, c.wanted) for p, c in zip(places, request.constraints, strict=True)]
    # A full state pinned for good holds already: what moves it can stay as it is.
    settled = [isinstance(c, Pin) and c.wanted == "both" and c.is_endless for c in request.constraints]
    allowed, watched = free_channels(channels_moving(rig, request.point, request.wanted), moving, settled)
    if request.channels is not None:
        allowed = frozenset(c for c in allowed if rig.channels[c].name in request.channels)
    free = [c for c in sorted(allowed) if can_change(curves.get(rig.channels[c].name), request.time)]
    if not free:
        raise NothingToDrag(_reason(request, [rig.channels[c].name for c in sorted(allowed)], curves))

    names = tuple(rig.channels[c].name for c in free)
    height = chains.size(rig)
    left = [
        with_limits_left(motion, request.layer, rig.channels[c], curves[rig.channels[c].name], request.time)
        for c in free
    ]
    variables = Variables.of([curves[name] for name in names], left, request.time, settings, height)
    looks = constraint_times(*variables.span, variables.window.times, variables.shortest, motion.clip.rate)
    part = part_of(rig, [rig.joint_index(p.joint) for place in (request.point, *places) for p, _ in place.parts])
    watches = [Watch(-1, request.point, request.time, request.wanted)]
    for i in watched:
        constraint = request.constraints[i]
        if isinstance(constraint, Lock):
            times = np.array([constraint.time])
        else:
            times = times_within(looks, constraint.start, constraint.end, variables.span)
        watches += [Watch(i, places[i], float(t), constraint.wanted) for t in times]
    items = watched_items(motion, part, watches, height)
    channels = motion.channels(items.moments)[:, part.channels]
    columns = np.array([part.local_channel(c) for c in free])
    weight = weight_of(motion, request.layer)
    return Problem(
        motion,
        request,
        settings,
        height,
        names,
        part,
        variables,
        items,
        columns=frozen(columns, np.int64),
        channels=frozen(channels),
        offsets=frozen(channels[:, columns] - weight * variables.window.evaluate(items.moments)),
        weight=weight,
    )


def _reason(request: DragRequest, moving: list[str], curves: Curves) -> str:
    what = f"{request.point} cannot be dragged at {request.time:g} s"
    if not moving:
        return f"{what}: no channel moves it"
    keyed = [name for name in moving if name in curves]
    if not keyed:
        return f"{what}: none of the channels that move it has keys ({', '.join(moving[:4])} …); key them first"
    return f"{what}: no Bezier segment of the channels that move it is active then; drag between keys"
