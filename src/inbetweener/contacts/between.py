"""Hold planted points between frames too: where limbs turn fast, a foot that stands on frames bulges in between."""

from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.contacts.measure import stature
from inbetweener.contacts.plant import HOLD, frames_of, free_channels
from inbetweener.contacts.problem import Watch, levers
from inbetweener.contacts.solve import error_rows, errors
from inbetweener.curves import LINEAR, Curve, evaluate
from inbetweener.motion import Constraint, Curves, Motion

SEEN = 3e-4
"""Metres that a point may be away between frames."""

PARTS = 4
"""Keys that a frame may get: it, and three after it."""

NEAREST = 1e-6
"""Seconds between keys, at least."""

ROUNDS = 3
"""Gauss–Newton steps; what is off by millimetres needs two."""


def held_between(motion: Motion, contacts: Sequence[Constraint], kept: Sequence[Constraint] = ()) -> Curves:
    """The curves of a motion whose contacts stand on frames, with keys between those where they do not.

    Each of these poses differs as little as may be from what was there; what is `kept` stays in place.
    """
    frames = motion.clip.frame_times
    looks = _looks(motion, contacts, frames)
    if not len(looks) or not len(columns := _keyed(motion, contacts, frames)):
        return motion.clip.curves
    rig, height = motion.rig, stature(motion)
    before = motion.channels(looks)
    watches = [_standing(motion, each, frames, looks) for each in contacts]
    watches += [Watch(each, at, *each.states(motion, looks[at])) for each in kept if len(at := frames_of(each, looks))]
    worth = levers(motion, before, columns) / height
    poses = before.copy()
    for _ in range(ROUNDS):
        normal = np.tile(np.diag((worth / HOLD) ** 2), (len(looks), 1, 1))
        pull = (worth / HOLD) ** 2 * (poses - before)[:, columns]
        for watch in watches:
            rows = error_rows(rig, height, poses[watch.at], watch, columns)
            normal[watch.at] += np.matmul(rows.transpose(0, 2, 1), rows)
            pull[watch.at] += np.matmul(errors(rig, height, poses[watch.at], watch)[:, None], rows)[:, 0]
        poses[:, columns] -= np.linalg.solve(normal, pull[..., None])[..., 0]
    return motion.clip.curves.replaced(
        {
            (name := rig.channels[c].name): _with_keys(motion.clip.curves[name], frames, looks, (poses - before)[:, c])
            for c in columns
        }
    )


def _keyed(motion: Motion, contacts: Sequence[Constraint], frames: Floats) -> Ints:
    """Channels that move a contact's point, with a straight line from frame to frame."""
    curves, channels = motion.clip.curves, motion.rig.channels
    return np.array(
        [
            c
            for c in free_channels(motion, contacts)
            if np.isin(frames, (curve := curves[channels[c].name]).times).all()
            and (curve.interpolations == LINEAR).all()
        ],
        np.int64,
    )


def _looks(motion: Motion, contacts: Sequence[Constraint], frames: Floats) -> Floats:
    """Times between frames, three between each two where a contact's point is seen to be away."""
    gaps: set[int] = set()
    parts = np.arange(1, PARTS) / PARTS
    for each in contacts:
        first = frames_of(each, frames)[:-1]
        if len(first):
            times = frames[first, None] + parts * (frames[first + 1] - frames[first])[:, None]
            off = each.states(motion, times.ravel())[0] - _place(motion, each, frames)
            gaps.update(first[(np.linalg.norm(off, axis=1).reshape(times.shape) > SEEN).any(axis=1)].tolist())
    first = np.array(sorted(gaps), np.int64)
    return (frames[first, None] + parts * (frames[first + 1] - frames[first])[:, None]).ravel()


def _place(motion: Motion, contact: Constraint, frames: Floats) -> Floats:
    """Where it stands, on its frames."""
    place: Floats = contact.states(motion, frames[frames_of(contact, frames)])[0].mean(axis=0)
    return place


def _standing(motion: Motion, contact: Constraint, frames: Floats, looks: Floats) -> Watch:
    at, on = frames_of(contact, looks), frames_of(contact, frames)
    turns = contact.states(motion, frames[on])[1]
    place = _place(motion, contact, frames)
    return Watch(contact, at, np.tile(place, (len(at), 1)), np.tile(turns[len(on) // 2], (len(at), 1, 1)))


def _with_keys(curve: Curve, frames: Floats, times: Floats, by: Floats) -> Curve:
    """The curve with keys at times between frames, straight as all of its own, that are off it by so much.

    Keys that it has there already come along; none is set beside one.
    """
    nodes = np.concatenate([frames, times])
    order = np.argsort(nodes)
    change = np.concatenate([np.zeros(len(frames)), by])[order]
    beside = np.clip(np.searchsorted(curve.times, times), 1, len(curve.times) - 1)
    free = np.minimum(times - curve.times[beside - 1], curve.times[beside] - times) > NEAREST
    every = np.concatenate([curve.times, times[free]])
    values = np.concatenate([curve.values, evaluate(curve, times[free])]) + np.interp(every, nodes[order], change)
    order = np.argsort(every)
    return Curve.sampled(every[order], values[order])
