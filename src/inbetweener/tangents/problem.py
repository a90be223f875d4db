"""The problem of one drag: what may change, what must hold, when it is looked at. Frozen; solvers work beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.errors import InbetweenerError
from inbetweener.motion import Clear, Constraint, Curves, Lock, Motion
from inbetweener.motion.clear import Apart
from inbetweener.rig import Place, Point, chains
from inbetweener.rig.freedom import Wanted, channels_moving, free_channels, held_channels
from inbetweener.rig.part import RigPart, part_around
from inbetweener.tangents.agreement import targets
from inbetweener.tangents.items import Items, Watch, watched_items
from inbetweener.tangents.layered import weights_of, with_limits_left
from inbetweener.tangents.sampling import constraint_times, fine_times, times_within
from inbetweener.tangents.settings import Settings
from inbetweener.tangents.variables import Variables, can_change


class NothingToDrag(InbetweenerError):
    """No tangent can move the point at that time; says why."""


@dataclass(frozen=True, slots=True)
class DragRequest:
    """Drag `point` at `time` seconds, while `constraints` hold.

    `layer` names the layer whose curves may change, the base curves by default; `channels` allows only some of them.
    `clear` says what stays out of what, where anything does.
    """

    point: Place
    time: float
    wanted: Wanted = "position"
    constraints: tuple[Constraint | Lock, ...] = ()
    layer: str | None = None
    channels: frozenset[str] | None = None
    clear: Clear | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A drag, compiled.

    names      (F,) the channels whose tangents are free; columns (F,) where they stand in the rig part
    part       the joints that carry any watched point, and the channels that drive them
    channels   (T, c) values of the part's channels at all watched moments
    offsets    (T, F) what the free curves' channels have besides the free curve, times `weights` (T, F): other layers
    targets    by number of a rule: positions (m, 3) and orientations (m, 3, 3) that its items should have
    apart      the pairs that stay apart, where that is wanted, looked at at clear_times (t,)
    """

    motion: Motion
    request: DragRequest
    targets: Mapping[int, tuple[Floats, Floats]]
    settings: Settings
    height: float
    names: tuple[str, ...]
    part: RigPart
    variables: Variables
    items: Items
    columns: Ints
    channels: Floats
    offsets: Floats
    weights: Floats
    apart: Apart | None = None
    clear_times: Floats = field(default_factory=lambda: frozen(np.zeros(0)))

    @property
    def row_scale(self) -> Floats:
        """(R,) turns lengths into shares of the character's height."""
        return self.items.view.watched.row_scale

    @property
    def curves(self) -> Curves:
        """The curves that are edited: the base or a layer."""
        return edited_curves(self.motion, self.request.layer)

    @property
    def rules(self) -> tuple[Constraint, ...]:
        """What the request's constraints mean for the dragged point."""
        return tuple(each.of(self.request.point) for each in self.request.constraints)

    def owner_name(self, owner: int) -> str:
        """What an animator calls a constraint."""
        return self.rules[owner].name

    @property
    def row_tolerances(self) -> Floats:
        """(R,) how far each row may be off: heights of the character, or radians; each rule has its own."""
        default = self.settings.tolerance
        # The dragged state, number −1, comes last.
        allowed = np.array([*(rule.allowed(self.height, default) for rule in self.rules), (default, default)])
        return np.asarray(allowed[self.items.row_owners(), self.items.view.turns.astype(np.int64)], np.float64)


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
    rules = tuple(each.of(request.point) for each in request.constraints)
    dragged = channels_moving(rig, request.point, request.wanted)
    held = held_channels(rig, request.channels, dragged)
    settled = [rule.is_settled for rule in rules]
    allowed, watched = free_channels(dragged, [each.channels(rig) for each in rules], settled, held)
    if request.channels is not None:
        allowed = frozenset(c for c in allowed if rig.channels[c].name in request.channels)
    moving = [rig.channels[c].name for c in sorted(allowed)]
    seen = weights_of(motion, request.layer, moving, [request.time])[0] != 0.0
    free = [
        c
        for c, name, counts in zip(sorted(allowed), moving, seen, strict=True)
        if counts and can_change(curves.get(name), request.time)
    ]
    if not free:
        raise NothingToDrag(_reason(request, moving, curves, seen=bool(seen.any())))

    names = tuple(rig.channels[c].name for c in free)
    height = chains.size(rig)
    left = [
        with_limits_left(motion, request.layer, rig.channels[c], curves[rig.channels[c].name], request.time)
        for c in free
    ]
    variables = Variables.of([curves[name] for name in names], left, request.time, settings, height)
    window, shortest = variables.window.times, variables.shortest
    looks = constraint_times(*variables.span, window, shortest, motion.clip.rate, settings.looks)
    places = (request.point, *(rule.point for rule in rules))
    part = part_around(rig, places, [rule.base for rule in rules if rule.base is not None])
    watches, wished = [Watch(-1, request.point, request.time, request.wanted)], {}
    for i in watched:
        rule = rules[i]
        times = times_within(looks, rule.start, rule.end, variables.span)
        mine = {rig.channels[c].name for c in rule.channels(rig)}
        free_curves = [curves[name] for name in names if name in mine]
        wished[i] = targets(motion, rule, free_curves, variables.span, times)
        for time, position in zip(times.tolist(), wished[i][0].tolist(), strict=True):
            base = None if rule.base is None else Point(rule.base, tuple(position))
            watches.append(Watch(i, rule.point, time, rule.wanted, base))
    items = watched_items(motion, part, watches, height)
    channels = motion.channels(items.moments)[:, part.channels]
    columns = np.array([part.local_channel(c) for c in free])
    weights = weights_of(motion, request.layer, names, items.moments)
    apart, fine = None, np.zeros(0)
    if request.clear is not None:
        apart = Apart.of(motion, request.clear, free, height, variables.span)
        fine = fine_times(*variables.span, variables.shortest, motion.clip.rate)
    return Problem(
        motion,
        request,
        wished,
        settings,
        height,
        names,
        part,
        variables,
        items,
        columns=frozen(columns, np.int64),
        channels=frozen(channels),
        offsets=frozen(channels[:, columns] - weights * variables.window.evaluate(items.moments)),
        weights=frozen(weights),
        apart=apart if apart is not None and len(apart.pairs) else None,
        clear_times=frozen(fine),
    )


def _reason(request: DragRequest, moving: list[str], curves: Curves, *, seen: bool) -> str:
    what = f"{request.point} cannot be dragged at {request.time:g} s"
    if not moving:
        return f"{what}: no channel moves it"
    if not seen:
        owner = "the base is" if request.layer is None else f"layer {request.layer!r} is muted, masked, weightless or"
        return f"{what}: {owner} overridden there, so no change would be seen; choose another layer"
    keyed = [name for name in moving if name in curves]
    if not keyed:
        return f"{what}: none of the channels that move it has keys ({', '.join(moving[:4])} …); key them first"
    return f"{what}: no Bezier segment of the channels that move it is active then; drag between keys"
