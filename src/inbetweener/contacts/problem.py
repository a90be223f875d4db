"""The problem of holding contacts: which keys may change, which states are watched, where they should be. Frozen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints, frozen
from inbetweener.contacts.free_keys import IN_SLOPE, IN_WIDTH, NUMBERS, OUT_SLOPE, OUT_WIDTH, VALUE, FreeKeys
from inbetweener.contacts.measure import stature
from inbetweener.curves import BEZIER, Bundle
from inbetweener.curves.value_limits import Shape, ValueLimits
from inbetweener.errors import InbetweenerError
from inbetweener.maths import quaternions
from inbetweener.motion import Constraint, Motion
from inbetweener.rig import Channel
from inbetweener.tangents.agreement import fixed_times

if TYPE_CHECKING:
    from scipy import sparse

MARGIN = 1e-4
"""Curves are kept this far inside their limits, in the channel's unit, so that pushing back may give way a little."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyLimits:
    """The limits of all segments of free keys; slopes (S, 2) the variables of the slopes at their ends, −1 for none."""

    keys: FreeKeys
    limits: ValueLimits
    slopes: Ints
    level: Floats

    @classmethod
    def of(cls, keys: FreeKeys, channels: list[Channel]) -> Self:
        """The limits of all segments of the free curves."""
        bundle = keys.bundle
        inner = np.ones(len(bundle.times), np.bool_)
        inner[bundle.starts[1:] - 1] = False
        segments = np.flatnonzero(inner & (bundle.kinds == BEZIER))
        lower, upper = (
            np.repeat([getattr(channel, side) for channel in channels], np.diff(bundle.starts))[segments]
            for side in ("lower", "upper")
        )
        limits = ValueLimits.of(bundle, segments, lower, upper)
        variables, chosen = np.full(NUMBERS * len(bundle.times), -1, np.int64), keys.chosen.tocoo()
        variables[chosen.row] = chosen.col
        level = np.zeros(len(keys))
        level[chosen.col] = -keys.numbers.ravel()[chosen.row] / chosen.data
        rows = np.stack([NUMBERS * limits.keys + OUT_SLOPE, NUMBERS * (limits.keys + 1) + IN_SLOPE], axis=1)
        return cls(keys, limits, variables[rows], level)

    def worst(self, shaped: Bundle) -> float:
        """How far the worst curve goes beyond its limits."""
        return self.limits.worst(_shape(shaped))

    def rows(self, shaped: Bundle) -> "tuple[Floats, sparse.csr_array]":
        """(m,) how far extremes are beyond the margin, signed, and how these move with z: sparse (m, n)."""
        from scipy import sparse

        limits, key = self.limits, self.limits.keys
        ends = np.stack([shaped.values[key], shaped.values[key + 1]])
        # No extreme can be asked to stay within less than its own keys.
        low, high = (
            np.minimum(limits.low + MARGIN, ends.min(axis=0)),
            np.maximum(limits.high - MARGIN, ends.max(axis=0)),
        )
        near = replace(limits, low=low, high=high).beyond(_shape(shaped), 0.0)
        by = np.sign(near.by)[:, None] * limits.cuts(near, _shape(shaped)).rows
        key = key[near.segments]
        after, out, in_ = key + 1, shaped.outs[key], shaped.ins[key + 1]
        entries = [
            (key, VALUE, by[:, 0]),
            (after, VALUE, by[:, 2]),
            (key, OUT_SLOPE, by[:, 1] * out[:, 0]),
            (key, OUT_WIDTH, by[:, 1] * out[:, 1] / np.maximum(out[:, 0], 1e-12)),
            (after, IN_SLOPE, by[:, 3] * in_[:, 0]),
            (after, IN_WIDTH, by[:, 3] * in_[:, 1] / np.maximum(in_[:, 0], 1e-12)),
        ]
        rows = np.tile(np.arange(len(key)), len(entries))
        columns = np.concatenate([NUMBERS * k + number for k, number, _ in entries])
        weights = np.concatenate([w for _, _, w in entries])
        raw = sparse.csr_array((weights, (rows, columns)), shape=(len(key), NUMBERS * len(shaped.times)))
        derivative = (raw @ self.keys.chosen).tocsr()
        movable = np.flatnonzero(np.diff(derivative.indptr))
        return near.by[movable], derivative[movable]

    def brought_in(self, z: Floats) -> Floats:
        """z with all curves inside."""
        start, keys = np.zeros(len(z)), self.keys
        return self.limits.brought_in(
            z, lambda at: _shape(keys.shaped(at)), self.slopes, self.level, start, keys.owners
        )


def _shape(bundle: Bundle) -> Shape:
    return Shape(bundle.values, bundle.ins, bundle.outs)


LEAST_LEVER = 0.1
"""A channel counts as if it moved the body at least this far, in heights for one unit: a twisted foot is seen too."""

EASE = 0.1
"""Where key values are free, those so many seconds before and after a contact are too: nothing is torn at its ends."""

FINEST = 1.0 / 120.0
"""Seconds between looks, at most."""


class NothingToHold(InbetweenerError):
    """No key can move any point of the contacts; says why."""


KEPT = 30.0
"""How much more what is kept counts than a contact: where both cannot be, the contact gives way."""


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """A constraint that is watched at looks[at] (m,): it should have positions (m, 3) and turns (m, 3, 3)."""

    rule: Constraint
    at: Ints
    positions: Floats
    turns: Floats
    weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Contacts and pins, compiled.

    names, columns  (F,) the channels whose keys may change, and where they stand in the rig
    looks           (T,) the times at which states and curves are looked at
    channels        (T, C) all channel values before; offsets (T, F) what layers add to the free curves
    before          (T, F) values of the free curves before
    worth           (F,) how much a change of one unit moves the body, in heights, times the channel's stiffness
    """

    motion: Motion
    height: float
    names: tuple[str, ...]
    columns: Ints
    keys: FreeKeys
    limits: KeyLimits
    looks: Floats
    channels: Floats
    offsets: Floats
    before: Floats
    worth: Floats
    watches: tuple[Watch, ...]


def build(
    motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint] = (), *, values: bool = False
) -> Problem:
    """Free the tangents, and key values if wanted, that can move the contacts' points while these should hold.

    A point is held where the poses put it that no tangent can change; where these disagree it is led from one to the
    next. Where no such pose is — keys that are staggered, or values free — it is held at its mean place.
    """
    rig, clip = motion.rig, motion.clip
    height = stature(motion)
    ease = EASE if values else 0.0
    moved: dict[str, list[tuple[float, float]]] = {}
    for contact in contacts:
        for c in sorted(contact.channels(rig)):
            channel = rig.channels[c]
            curve = clip.curves.get(channel.name)
            if channel.poses and curve is not None and (curve.interpolations[:-1] == BEZIER).any():
                moved.setdefault(channel.name, []).append((contact.start - ease, contact.end + ease))
    if not moved:
        raise NothingToHold(_reason(contacts))
    columns = np.array(sorted(rig.channel_index(name) for name in moved), np.int64)
    channels = [rig.channels[c] for c in columns]
    names = tuple(channel.name for channel in channels)
    curves = [clip.curves[name] for name in names]
    looks = _looks(motion, [moved[name] for name in names], names, contacts)
    poses = motion.channels(looks)
    worth = levers(motion, poses, columns) / height
    keys = FreeKeys.of(curves, channels, 1.0 / worth, [moved[name] for name in names], values)
    before = keys.bundle.evaluate(looks)
    return Problem(
        motion,
        height,
        names,
        frozen(columns, np.int64),
        keys,
        KeyLimits.of(keys, channels),
        frozen(looks),
        frozen(poses),
        frozen(poses[:, columns] - before),
        frozen(before),
        frozen(worth * [channel.stiffness for channel in channels]),
        (
            *(_contact_watch(motion, contact, looks, values) for contact in contacts),
            *(_kept_watch(motion, each, looks) for each in kept),
        ),
    )


def _reason(contacts: Sequence[Constraint]) -> str:
    if not contacts:
        return "there is no contact to hold; name at least one"
    points = ", ".join(dict.fromkeys(str(contact.point) for contact in contacts))
    return f"{points} cannot be held: no channel that moves them has a Bezier segment; fit the clip or key them first"


def _looks(
    motion: Motion,
    ranges: Sequence[Sequence[tuple[float, float]]],
    names: Sequence[str],
    contacts: Sequence[Constraint],
) -> Floats:
    """Times from the first to the last key that may change or turn along: frames, and more where these are coarse."""
    edges = [contact.start for contact in contacts] + [contact.end for contact in contacts]
    inside, spans = [np.array(edges)], []
    for name, listed in zip(names, ranges, strict=True):
        times = motion.clip.curves[name].times
        for start, end in listed:
            first = max(0, int(np.searchsorted(times, start, side="right")) - 2)
            last = min(len(times) - 1, int(np.searchsorted(times, end, side="left")) + 1)
            spans.append((times[first], times[last]))
            inside.append(times[first : last + 1])
    # Half frames too: keys one frame apart could bulge unseen between them.
    step = min(0.5 / motion.clip.rate, FINEST)
    frames = [np.arange(np.ceil(a / step), np.floor(b / step) + 1) * step for a, b in spans]
    return np.unique(np.concatenate([*inside, *frames]).round(9))


def levers(motion: Motion, poses: Floats, columns: Ints) -> Floats:
    """(F,) how far a channel moves the joints and named points, root mean square in metres for one unit."""
    rig = motion.rig
    some = poses[np.unique(np.linspace(0, len(poses) - 1, 12).astype(np.int64))]
    moves = rig.jacobians(some, rig.places)[:, :, :3][..., columns]
    return np.maximum(np.sqrt((moves**2).sum(axis=2).mean(axis=(0, 1))), LEAST_LEVER * stature(motion))


def _contact_watch(motion: Motion, contact: Constraint, looks: Floats, values: bool) -> Watch:
    at = np.flatnonzero(_within(looks, contact))
    moving = {motion.rig.channels[c].name for c in contact.channels(motion.rig)}
    curves = [curve for name, curve in motion.clip.curves.items() if name in moving]
    anchors = [] if values else fixed_times(curves, contact.start, contact.end)
    if not anchors:
        positions, turns = contact.states(motion, looks[at])
        middle = int(np.argmin(np.linalg.norm(positions - positions.mean(axis=0), axis=1)))
        held = np.tile(positions.mean(axis=0), (len(at), 1)), np.tile(turns[middle], (len(at), 1, 1))
    else:
        held = _led(motion, contact, np.array(anchors), looks[at])
    return Watch(contact, at, *held)


def _led(motion: Motion, rule: Constraint, anchors: Floats, times: Floats) -> tuple[Floats, Floats]:
    """States at times (m,) on the way between those at the anchors, at rest there; beyond the ends as there."""
    positions, turns = rule.states(motion, anchors)
    share = np.interp(times, anchors, np.arange(len(anchors)))
    left = np.minimum(share.astype(np.int64), max(0, len(anchors) - 2))
    right = np.minimum(left + 1, len(anchors) - 1)
    share -= left
    share = share * share * (3.0 - 2.0 * share)
    rotations = quaternions.from_matrix(turns)
    return (
        positions[left] + share[:, None] * (positions[right] - positions[left]),
        quaternions.to_matrix(quaternions.slerp(rotations[left], rotations[right], share)),
    )


def _kept_watch(motion: Motion, kept: Constraint, looks: Floats) -> Watch:
    at = np.flatnonzero(_within(looks, kept))
    return Watch(kept, at, *kept.states(motion, looks[at]), KEPT)


def _within(looks: Floats, held: Constraint) -> Bools:
    return (looks >= held.start - 1e-9) & (looks <= held.end + 1e-9)
