"""Targets made ready to be solved for: checked, named, and measured against the motion as keyed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.kinodynamics.corrections import Shape, with_layers, without_layers
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.kinodynamics.residuals import Ask, PointAsk, PoseAsk, earlier
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.kinodynamics.soft.hitting import rigid_targets
from inbetweener.kinodynamics.spring import InvalidLooseness
from inbetweener.kinodynamics.target import PointTarget, PoseTarget, Target
from inbetweener.maths import quaternions
from inbetweener.motion import Clip, Layer
from inbetweener.rig import Place, Rig, bent
from inbetweener.rig.freedom import channels_moving
from inbetweener.rig.joint import ROOT

SAME = 1e-9
"""Seconds or metres: nearer than this, two times or two places are one."""

Targets = Mapping[str, Target] | Sequence[Target]
"""Targets by name; those in a sequence are called after what they aim at."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Named targets of a loose motion, which is taken without the corrections that they had before."""

    motion: LooseMotion
    names: tuple[str, ...]
    targets: tuple[Target, ...]
    asks: tuple[Ask, ...]
    shapes: tuple[Shape, ...]

    @classmethod
    def of(cls, motion: LooseMotion, targets: Targets) -> Self:
        """Raise InvalidLooseness where a target cannot be meant: outside the clip, immovable, or contradicting."""
        by_name = named(targets)
        bare = _on_clip(motion, without_layers(motion.clip, by_name))
        by_name = rigid_targets(motion, bare, by_name)
        asks = []
        for name, target in by_name.items():
            _require_inside(bare, name, target)
            asks.append(_point_ask(bare, name, target) if isinstance(target, PointTarget) else _pose_ask(bare, target))
        for (one, first), (other, second) in combinations(zip(by_name, asks, strict=True), 2):
            if abs(by_name[one].time - by_name[other].time) < SAME and _contradict(first, second):
                raise InvalidLooseness(
                    f"targets {one!r} and {other!r} ask for different things of the same part at "
                    f"{by_name[one].time:g} s; move one of them in time, or take it away"
                )
        shapes = tuple(Shape.of(target.bell, target.time, bare.clip) for target in by_name.values())
        return cls(bare, tuple(by_name), tuple(by_name.values()), tuple(asks), shapes)

    def layers(self, coefficients: Floats) -> tuple[Layer, ...]:
        """Corrections with coefficients (K, 2, C), as one layer a target."""
        return tuple(
            Layer(name, shape.curves(self.motion.rig, own))
            for name, shape, own in zip(self.names, self.shapes, coefficients, strict=True)
        )

    def with_layers(self, layers: Sequence[Layer]) -> LooseMotion:
        """The loose motion of the clip with corrections in it."""
        return _on_clip(self.motion, with_layers(self.motion.clip, layers))


def _on_clip(motion: LooseMotion, clip: Clip) -> LooseMotion:
    return LooseMotion(motion.loosened, clip, motion.solids)


def giving_way(rig: Rig, place: Place) -> Ints:
    """The channels (n,) that give way for a place where nobody says which.

    Turns and IK handles that move it, not those of a root, which would slide the whole body there; where there are
    none, controls and shifts do.
    """
    moving = sorted(channels_moving(rig, place, "both"))
    handled = {name for handle in rig.handles for name in handle.channels}
    roots = {joint.name for joint in rig.joints if joint.parent == ROOT}
    carried = [c for c in moving if not {drive.joint for drive in rig.channels[c].drives} & roots]
    usual = [
        c
        for c in carried
        if (rig.channels[c].kind == "rotation")
        or (rig.channels[c].name in handled and rig.channels[c].kind == "translation")
    ]
    return np.array(usual or [c for c in carried if rig.channels[c].kind != "scale"], np.int64)


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
    if not clip.start - SAME <= target.time <= clip.end + SAME:
        raise InvalidLooseness(
            f"target {name!r} at {target.time:g} s lies outside the clip {clip.name!r}, "
            f"{clip.start:g} to {clip.end:g} s; move it inside"
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
        rig, frozen(channels, np.int64), frozen(values), frozen(rated, np.int64), frozen(rates), loosened.step
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
