"""Make the key poses of a contact agree, so that tangents can hold it."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.motion import Clip, Motion
from inbetweener.posing import Pull, Request, Settings, State, build, limb, solve
from inbetweener.posing.snap import EXACT
from inbetweener.rig import Rig, chains
from inbetweener.rig.freedom import channels_moving
from inbetweener.tangents import Contact
from inbetweener.tangents.agreement import fixed_times

EXACT_PULL = 1e12
"""The pull has to outweigh the wish to change little by as much as the answer is to be exact."""

SAME_TIME = 1e-6
"""Keys nearer than this, in seconds, belong to one pose."""


@dataclass(frozen=True, slots=True)
class Snap:
    """How far the point of a contact moved in one key pose, in metres; `missing` is what the limb could not reach."""

    time: float
    moved: float
    missing: float


@dataclass(frozen=True, slots=True, eq=False)
class Agreed:
    """A clip whose key poses agree, and what each of them needed; empty where channels share no key times."""

    clip: Clip
    snaps: tuple[Snap, ...]


def snap_poses(rig: Rig, clip: Clip, contact: Contact, onto: Literal["start", "end", "mean"] = "start") -> Agreed:
    """Bring a contact's point to one place in all key poses within it, each with the smallest change of its limb.

    That place is where the first pose has it, the last, or their mean. Only values of keys that are there change, and
    within limits. Poses are the times at which every channel that moves the point is keyed or does not change;
    where keys are staggered there are none, and `remove_slide` is what helps.
    """
    motion = Motion(rig, clip)
    moving = {rig.channels[c].name for c in channels_moving(rig, contact.point, contact.wanted)}
    times = fixed_times([c for name, c in clip.curves.items() if name in moving], contact.start, contact.end)
    if not times:
        return Agreed(clip, ())
    positions, turns = motion.states(times, contact.point)
    chosen = {"start": 0, "end": len(times) - 1, "mean": _middle(positions)}[onto]
    place = positions.mean(axis=0) if onto == "mean" else positions[chosen]
    wished = State(
        None if contact.wanted == "orientation" else place,
        None if contact.wanted == "position" else turns[chosen],
    )
    settings = Settings(reached=EXACT / max(1.0, chains.height(rig)), pull=EXACT_PULL, iterations=100)
    curves, snaps = dict(clip.curves), []
    for time, pose, position in zip(times, motion.channels(times), positions, strict=True):
        keyed = _keyed_channels(rig, curves, contact, time)
        if not keyed:
            continue
        request = Request((Pull(contact.point, contact.wanted),), channels=keyed)
        solution = solve(build(rig, pose, request, settings), wished)
        for c in np.flatnonzero(solution.channels != pose):
            name = rig.channels[c].name
            curves[name] = _raised(curves[name], time, float(solution.channels[c] - pose[c]))
        reached = solution.states[0].position
        moved = 0.0 if reached is None else float(np.linalg.norm(reached - position))
        snaps.append(Snap(time, moved, float(max(solution.distances.max(), solution.turns.max()))))
    return Agreed(replace(clip, curves=clip.curves.replaced(curves)), tuple(snaps))


def _middle(positions: Floats) -> int:
    return int(np.argmin(np.linalg.norm(positions - positions.mean(axis=0), axis=1)))


def _keyed_channels(rig: Rig, curves: dict[str, Curve], contact: Contact, time: float) -> frozenset[str]:
    """The channels of a limb that have a key at a time: only these can be posed without a new key."""
    joints = set(limb(rig, contact.point.parts[0][0].joint))
    moving = channels_moving(rig, contact.point, contact.wanted)
    return frozenset(
        channel.name
        for channel in (rig.channels[c] for c in moving)
        if channel.kind != "scale"
        and all(drive.joint in joints for drive in channel.drives)
        and _key_at(curves.get(channel.name), time) is not None
    )


def _key_at(curve: Curve | None, time: float) -> int | None:
    # A lone key is not a pose of its own: it holds for all time.
    if curve is None or len(curve) < 2:
        return None
    nearest = int(np.abs(curve.times - time).argmin())
    return nearest if abs(curve.times[nearest] - time) < SAME_TIME else None


def _raised(curve: Curve, time: float, by: float) -> Curve:
    """The curve with the key at a time raised; its tangents keep their slopes."""
    values = curve.values.copy()
    values[_key_at(curve, time)] += by
    return replace(curve, values=values)
