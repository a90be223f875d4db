"""How the ground goes by below a body that walks in place, by what its soles do."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Motion
from inbetweener.motion.way import slow
from inbetweener.retarget.body import Body

LOW = 0.04
"""Of the leg's length: what of a sole is so much above the ground counts for little in how fast that goes by."""
LIKE = 0.3
"""Legs a second by which soles that stand may differ in how fast they go by, as first guessed."""
CLOSER = (1.0, 1 / 3, 1 / 6, 1 / 12, 1 / 12)
"""Shares of that by which they may differ, one after the other, from what the last ones said."""
RISES = 0.15
"""Legs a second: what goes up or down faster rolls or swings, and counts for little."""
AROUND, STEADY = 0.5, 0.03
"""Seconds in which soles are looked at for what most of them do, and over which the speed of the ground is a mean."""


def gone_by(body: Body, motion: Motion, times: Floats) -> Floats:
    """The way (T, 3) that makes up for how the ground goes by below soles."""
    world, _ = motion.rig.posed(motion.channels(times)).forward
    rest, orientation = (each[0] for each in motion.rig.skeleton.forward(motion.rig.rest_dofs[None]))
    tracks = []
    for foot in body.feet.values():
        for joint, corners in ((foot.foot, foot.sole), (foot.toe, foot.toes)):
            if len(corners):
                own = np.linalg.solve(rest[joint, :, :3], orientation[joint] @ corners.T).T
                tracks.append(np.einsum("tij,kj->tki", world[:, joint, :, :3], own) + world[:, None, joint, :, 3])
    if not tracks:
        raise InvalidEdit("no feet were recognised, so nobody knows how it stands; say which joints they are", "clip")
    soles = np.concatenate(tracks, axis=1)
    speeds = np.gradient(soles, times, axis=0) * [1.0, 0.0, 1.0]
    heights = soles[..., 1] - np.percentile(soles[..., 1].min(axis=1), 10.0)
    counts = np.exp(-((np.maximum(heights, 0.0) / (LOW * body.leg)) ** 2))
    counts *= np.exp(-((np.gradient(soles[..., 1], times, axis=0) / (RISES * body.leg)) ** 2))
    speed = _usual(times, speeds, counts, LIKE * body.leg)
    for share in CLOSER:
        # What goes by otherwise swings over the ground; in the air it goes on as it did and will.
        near = counts * np.exp(-(((speeds - speed[:, None]) ** 2).sum(axis=2)) / (share * LIKE * body.leg) ** 2)
        total = near.sum(axis=1)[:, None]
        speed = slow(times, (np.einsum("tk,tki->ti", near, speeds) + 0.05 * speed) / (total + 0.05), STEADY)
    steps = 0.5 * (speed[1:] + speed[:-1]) * np.diff(times)[:, None]
    return -np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])


def _usual(times: Floats, speeds: Floats, counts: Floats, like: float) -> Floats:
    """The speed (T, 3) that most of what is near the ground has around a time, of speeds (T, K, 3) and what counts.

    What stands goes by with one speed, what swings with many.
    """
    at = np.arange(times[0], times[-1] + AROUND, 0.25 * AROUND)
    found: list[Floats] = []
    for time in at:
        rows = slice(int(np.searchsorted(times, time - AROUND)), int(np.searchsorted(times, time + AROUND)) + 1)
        low, seen = counts[rows].reshape(-1), speeds[rows].reshape(-1, 3)
        near = np.flatnonzero(low > 0.2)
        near = near[:: len(near) // 500 + 1]
        if not len(near):
            found.append(found[-1] if found else np.zeros(3))
            continue
        apart = ((seen[near, None] - seen[None, near]) ** 2).sum(axis=2)
        alike = np.exp(-apart / like**2) * low[near]
        most = alike[int(alike.sum(axis=1).argmax())]
        found.append(most @ seen[near] / most.sum())
    return np.stack([np.interp(times, at, np.array(found)[:, c]) for c in range(3)], axis=1)
