"""Targets made ready to be solved for: checked, named, and measured against the motion as keyed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.kinodynamics.corrections import SLOPE, Shape, frames_of, with_layers, without_layers
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.residuals import Ask, HoldAsk, PointAsk, PoseAsk, earlier
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.soft.hitting import rigid_targets
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.kinodynamics.target import PointTarget, PoseTarget, Target
from inbetweener.maths import quaternions
from inbetweener.motion import Clip, Layer
from inbetweener.rig import Place, Rig, bent
from inbetweener.rig.freedom import channels_moving, held_channels
from inbetweener.rig.joint import ROOT

SAME = 1e-9
"""Seconds or metres: nearer than this, two times or two places are one."""

LED, JUDGED = 2, 4
"""How often a frame what holds is led, about, and how often it is judged."""

NEAR, HELD = 3e-4, 1e-3
"""Metres: how near it is led, and how near it must be to count as held."""

FARTHEST = 1e9
"""Metres, radians or shares up to which a target may be away; far beyond, squares are infinite and no step is left."""

Targets = Mapping[str, Target] | Sequence[Target]
"""Targets by name; those in a sequence are called after what they aim at."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Named targets of a loose motion, which is taken without the corrections that they had before.

    What holds is led at every half frame, and judged at every quarter: by `checks`, which are else what is asked.
    """

    motion: LooseMotion
    names: tuple[str, ...]
    targets: tuple[Target, ...]
    asks: tuple[Ask, ...]
    checks: tuple[Ask, ...]
    shapes: tuple[Shape, ...]

    @classmethod
    def of(cls, motion: LooseMotion, targets: Targets) -> Self:
        """Raise InvalidLooseness where a target cannot be meant: outside the clip, immovable, or contradicting."""
        by_name = named(targets)
        bare = _on_clip(motion, without_layers(motion.clip, by_name))
        by_name = rigid_targets(motion, bare, by_name)
        asks, checks = [], []
        for name, target in by_name.items():
            _require_inside(bare, name, target)
            asks.append(_ask(bare, name, target, LED, NEAR))
            _require_near(bare, name, asks[-1])
            checks.append(_ask(bare, name, target, JUDGED, HELD))
        for (one, first), (other, second) in combinations(zip(by_name, asks, strict=True), 2):
            if abs(by_name[one].time - by_name[other].time) < SAME and _contradict(first, second):
                raise InvalidLooseness(
                    f"targets {one!r} and {other!r} ask for different things of the same part at "
                    f"{by_name[one].time:g} s; move one of them in time, or take it away"
                )
        shapes = tuple(_shape(bare, target) for target in by_name.values())
        return cls(bare, tuple(by_name), tuple(by_name.values()), tuple(asks), tuple(checks), shapes)

    @property
    def parts(self) -> int:
        """Of how many parts the correction of a target is made at most."""
        return max((len(shape.parts) for shape in self.shapes), default=2)

    def motions(self, times: Floats) -> Floats:
        """(T, K · B, 3): values, velocities and accelerations of all parts of all corrections; of those that there are
        not, nought.
        """
        result = np.zeros((len(times), len(self.shapes), self.parts, 3))
        for k, shape in enumerate(self.shapes):
            result[:, k, : len(shape.parts)] = shape.motion(times)
        return result.reshape(len(times), len(self.shapes) * self.parts, 3)

    def layers(self, coefficients: Floats) -> tuple[Layer, ...]:
        """Corrections with coefficients (K, B, C), as one layer a target."""
        return tuple(
            Layer(name, shape.curves(self.motion.rig, own[: len(shape.parts)]))
            for name, shape, own in zip(self.names, self.shapes, coefficients, strict=True)
        )

    def with_layers(self, layers: Sequence[Layer]) -> LooseMotion:
        """The loose motion of the clip with corrections in it."""
        return _on_clip(self.motion, with_layers(self.motion.clip, layers))


def _on_clip(motion: LooseMotion, clip: Clip) -> LooseMotion:
    return LooseMotion(motion.loosened, clip, motion.solids)


def giving_way(rig: Rig, place: Place) -> Ints:
    """The channels (n,) that give way for a place where nobody says which.

    Turns, IK handles and blend shapes that move it, not those of a root, which would slide the whole body there; where
    there are none, controls and shifts do.
    """
    moving = sorted(channels_moving(rig, place, "both") - held_channels(rig))
    handled = {name for handle in rig.handles for name in handle.channels}
    roots = {joint.name for joint in rig.joints if joint.parent == ROOT}
    carried = [c for c in moving if not {drive.joint for drive in rig.channels[c].drives} & roots]
    usual = [
        c
        for c in carried
        if rig.channels[c].kind in ("rotation", "shape")
        or (rig.channels[c].name in handled and rig.channels[c].kind == "translation")
    ]
    return np.array(usual or [c for c in carried if rig.channels[c].poses], np.int64)


def named(targets: Targets) -> dict[str, Target]:
    """Targets by name, those without one called after what they aim at."""
    if isinstance(targets, Mapping):
        return dict(targets)
    found: dict[str, Target] = {}
    for target in targets:
        name, number = target.name, 2
        while name in found:
            name, number = f"{target.name} {number}", number + 1
        found[name] = target
    return found


def _require_inside(motion: LooseMotion, name: str, target: Target) -> None:
    clip = motion.clip
    if not clip.start - SAME <= target.time <= target.end <= clip.end + SAME:
        raise InvalidLooseness(
            f"target {name!r} at {target.time:g} s lies outside the clip {clip.name!r}, "
            f"{clip.start:g} to {clip.end:g} s; move it inside"
        )


def _require_near(motion: LooseMotion, name: str, ask: Ask) -> None:
    """Refuse a target whose place is too far off, or what it asks for."""
    keyed = motion.tight.channels(ask.times)
    away = [ask.residuals(keyed[None])]
    if isinstance(ask, PointAsk | HoldAsk):
        away.append(motion.rig.states(keyed, ask.place)[0])
    farthest = max(float(np.abs(each).max(initial=0.0)) for each in away)
    if not farthest <= FARTHEST:
        raise InvalidLooseness(
            f"target {name!r} is {farthest:.1g} away, and beyond {FARTHEST:g} nothing can be aimed at; bring it nearer"
        )


def _shape(motion: LooseMotion, target: Target) -> Shape:
    until = target.until if isinstance(target, PointTarget) else None
    stops = until is None and target.velocity not in (None, "keyed")
    if isinstance(target, PoseTarget):
        return Shape.of(target.bell.let_go() if stops else target.bell, target.time, motion.clip, bumps="before")
    # Where somebody has drawn what comes after, it is that.
    return Shape.of(target.bell, target.time, motion.clip, until, "after" if stops and not target.bell.drawn else None)


def _ask(motion: LooseMotion, name: str, target: Target, often: int, within: float) -> Ask:
    """A target as it is measured; what holds so often a frame."""
    if not isinstance(target, PointTarget):
        return _pose_ask(motion, target)
    return _point_ask(motion, name, target) if target.until is None else _hold_ask(motion, name, target, often, within)


def _times(motion: LooseMotion, time: float, moving: bool) -> Floats:
    """The time of a target and, where it wants a speed, a step earlier."""
    return frozen([time, earlier(motion, time)][: 1 + moving])


def _hold_ask(motion: LooseMotion, name: str, target: PointTarget, often: int, within: float) -> HoldAsk:
    place, until = target.point, target.end
    assert not isinstance(place, SoftPoint)  # is refused
    times = np.linspace(target.time, until, often * frames_of(target.time, until, motion.clip) + 1)
    if often == LED:
        # On one grid of steps, windows share what they pass.
        step = motion.loosened.step
        times = np.unique(np.r_[target.time + step * np.round((times[:-1] - target.time) / step), until])
    # What stands still stands where it is at first.
    read = times if target.velocity is None else np.full_like(times, target.time)
    positions, turns = motion.rig.states(motion.tight.channels(read), place)
    if isinstance(target.position, tuple):
        positions = np.tile(np.array(target.position), (len(times), 1))
    if isinstance(target.orientation, tuple):
        given = quaternions.normalised(target.orientation)
        turns = np.tile(quaternions.to_matrix(given), (len(times), 1, 1))
    middles = [part.times[part.values == part.values.max()].mean() for part in _shape(motion, target).parts[2:]]
    return HoldAsk(
        motion.rig,
        place,
        frozen(_chosen(motion, name, place, target.channels), np.int64),
        frozen(times),
        None if target.position is None else frozen(positions),
        None if target.orientation is None else frozen(turns),
        frozen([(target.time + until) / 2, target.time, *middles]),
        within,
    )


def _point_ask(motion: LooseMotion, name: str, target: PointTarget) -> PointAsk:
    rig, step, place = motion.rig, motion.loosened.step, target.point
    assert not isinstance(place, SoftPoint)  # has been made rigid
    keyed = motion.tight.channels([target.time, earlier(motion, target.time)])
    position, turn = rig.states(keyed, place)
    wanted_turn = None
    if target.orientation is not None:
        given = target.orientation
        wanted_turn = turn[0] if given == "keyed" else quaternions.to_matrix(quaternions.normalised(given))
    gives = _chosen(motion, name, place, target.channels)
    return PointAsk(
        rig,
        place,
        frozen(gives, np.int64),
        step,
        _times(motion, target.time, target.velocity is not None),
        _wanted(target.position, position[0]),
        None if wanted_turn is None else frozen(wanted_turn),
        _wanted(target.velocity, (position[0] - position[1]) / step),
    )


def _wanted(given: tuple[float, ...] | str | None, keyed: Floats) -> Floats | None:
    return None if given is None else frozen(keyed if isinstance(given, str) else given)


def _chosen(motion: LooseMotion, name: str, place: Place, channels: frozenset[str] | None) -> Ints:
    """The channels that may give way for a target, those that do move its place."""
    rig = motion.rig
    if channels is None:
        gives = giving_way(rig, place)
    else:
        moving = {*channels_moving(rig, place, "both")}
        moving |= {rig.channel_index(bending) for bending in bent.channels_bending(rig, place)}
        gives = np.array(sorted(moving & {rig.channel_index(each) for each in channels}), np.int64)
    if not len(gives):
        raise InvalidLooseness(f"target {name!r}: no channel that may give way moves {place}; name some that do")
    return gives


def _pose_ask(motion: LooseMotion, target: PoseTarget) -> PoseAsk:
    rig, loosened = motion.rig, motion.loosened
    loose = np.sort(np.concatenate([loosened.swinging.channels, loosened.following.channels]))
    now, before = motion.tight.channels([target.time, earlier(motion, target.time)])
    if isinstance(target.pose, str):
        channels, values = loose, now[loose]
    else:
        channels = np.array([rig.channel_index(name) for name in target.pose], np.int64)
        values = np.array(list(target.pose.values()), np.float64)
    rated = loose if target.velocity else loose[:0]
    rates = (now - before)[rated] / loosened.step * (target.velocity == "keyed")
    if not len(channels) + len(rated):
        raise InvalidLooseness(f"pose target at {target.time:g} s: no channel is loose, and none is named")
    return PoseAsk(
        rig,
        frozen(channels, np.int64),
        frozen(values),
        frozen(rated, np.int64),
        frozen(rates),
        loosened.step,
        _times(motion, target.time, len(rated) > 0),
        frozen(np.arange(SLOPE + 1, len(_shape(motion, target).parts)), np.int64),
    )


def _contradict(one: Ask, other: Ask) -> bool:
    """Whether two asks of the same time want different things of the same place, or of the same channel."""
    if isinstance(one, PointAsk) and isinstance(other, PointAsk):
        pairs = ((one.position, other.position), (one.turn, other.turn), (one.velocity, other.velocity))
        return one.place.parts == other.place.parts and any(_differ(a, b) for a, b in pairs)
    if isinstance(one, PoseAsk) and isinstance(other, PoseAsk):
        wanted, rated = (dict(zip(ask.tolist(), values, strict=True)) for ask, values in _numbers(one))
        also, moved = (dict(zip(ask.tolist(), values, strict=True)) for ask, values in _numbers(other))
        both = [(wanted, also), (rated, moved)]
        return any(abs(a[c] - b[c]) > SAME for a, b in both for c in a.keys() & b.keys())
    return False


def _numbers(ask: PoseAsk) -> tuple[tuple[Ints, Floats], tuple[Ints, Floats]]:
    return (ask.channels, ask.values), (ask.rated, ask.rates)


def _differ(a: Floats | None, b: Floats | None) -> bool:
    return a is not None and b is not None and bool(np.abs(a - b).max() > SAME)
