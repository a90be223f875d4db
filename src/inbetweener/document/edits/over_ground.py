"""A clip whose body is moved over the ground: new curves of what carries it, and of what it holds in the world."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.curves.tracing import traced_within
from inbetweener.document.document import Document
from inbetweener.document.edits.limb import quartered
from inbetweener.errors import InvalidEdit
from inbetweener.maths import euler
from inbetweener.motion import Clip, Motion
from inbetweener.motion.way import Move
from inbetweener.retarget.channels import plain_channels
from inbetweener.rig import ROOT, Rig, chains
from inbetweener.rig.chains import above
from inbetweener.rig.characters import character as the_character

NEAR = 2e-4
"""Of a body's height, in metres and as an angle: so near new curves of its root are to what they shall be."""


def _carriers(rig: Rig, joints: Sequence[int]) -> list[int]:
    """The highest joints that can be moved and turned every way, of those given."""
    plain, found = plain_channels(rig), list[int]()
    for j in joints:
        if all(9 * j + dof in plain for dof in range(6)) and not any(each in found for each in above(rig, j)):
            found.append(j)
    return found


def moved_clip(document: Document, clip: Clip, move: Move, character: str) -> Clip:
    """A clip whose body is moved over the ground; keys where what carries it has some, and as few more as it takes."""
    rig, chosen = document.rig, the_character(document.rig, character)
    carriers, plain = _carriers(rig, chosen.joints), plain_channels(rig)
    hips = [rig.joint_index(part.joint) for part in document.anatomy().find("hips")]
    able = {j for j in chosen.joints if j in carriers or any(each in carriers for each in above(rig, j))}
    if not carriers or not any(j in able for j in hips or able):
        raise InvalidEdit(
            "nothing that carries the hips can be moved and turned every way; give its root all six channels", "clip"
        )
    motion, curves, height = Motion(rig, clip), clip.curves, chains.size(rig)
    every = quartered(clip.frame_times)
    for joint in carriers:
        columns = [plain[9 * joint + dof] for dof in range(6)]
        names = [rig.channels[c].name for c, _ in columns]
        sizes = np.array([1.0] * 3 + [height] * 3) * np.array([abs(weight) for _, weight in columns])
        made = _traced(_joint_read(motion, joint, columns, move, every), motion, names, sizes, NEAR * height)
        curves = curves.replaced(made)
    for handle in rig.handles:
        if rig.joint_index(handle.joints[0]) in able:
            for place in (handle.channels[:3], handle.channels[3:6]):
                made = _traced(_place_read(motion, place, move), motion, place, np.ones(3), NEAR * height)
                curves = curves.replaced(made)
    return replace(clip, curves=curves)


def _joint_read(
    motion: Motion, joint: int, columns: Sequence[tuple[int, float]], move: Move, every: Floats
) -> Callable[[Floats], Floats]:
    """What the six channels of a joint have to be at times (T,)."""
    rig, order = motion.rig, motion.rig.joints[joint].order
    parent, rest = rig.joints[joint].parent, rig.skeleton.rest[joint]
    numbers = [c for c, _ in columns]
    weights, defaults = np.array([weight for _, weight in columns]), rig.defaults[numbers]

    def told(times: Floats) -> Floats:
        turns, shifts = move(times)
        values = motion.channels(times)
        dofs = rig.dof_map.dofs(values)[:, 9 * joint : 9 * joint + 6]
        linear, origin, carried = np.eye(3)[None], np.zeros((1, 3)), np.eye(3)[None]
        if parent != ROOT:
            world, orientation = rig.posed(values).forward
            linear, origin, carried = world[:, parent, :, :3], world[:, parent, :, 3], orientation[:, parent]
        spin = euler.axis_matrix(1, turns)
        place = np.einsum("tij,tj->ti", np.broadcast_to(linear, spin.shape), dofs[:, :3]) + origin
        place = np.einsum("tij,tj->ti", spin, place) + shifts - origin
        before = carried @ rest
        turned = np.swapaxes(before, 1, 2) @ spin @ before @ euler.to_matrix(dofs[:, 3:], order)
        local = np.linalg.solve(np.broadcast_to(linear, spin.shape), place[..., None])[..., 0]
        return np.concatenate([local - dofs[:, :3], euler.from_matrix(turned, order), dofs[:, 3:]], axis=1)

    grid = told(every)
    first = euler.continuous(np.stack([grid[0, 6:], grid[0, 3:6]]), order)[1]
    known = euler.continuous(np.concatenate([first[None], grid[1:, 3:6]]), order)

    def read(times: Floats) -> Floats:
        found, values = told(times), motion.channels(times)[:, numbers]
        near = np.stack([np.interp(times, every, known[:, c]) for c in range(3)], axis=1)
        pairs = np.stack([near, found[:, 3:6]])
        angles = euler.continuous(pairs, order)[1]
        own = values.copy()
        own[:, :3] += found[:, :3] / weights[:3]
        own[:, 3:] = defaults[3:] + angles / weights[3:]
        return own

    return read


def _place_read(motion: Motion, names: Sequence[str], move: Move) -> Callable[[Floats], Floats]:
    """Where a place in the world that three channels tell has to be at times (T,)."""
    columns = [motion.rig.channel_index(name) for name in names]

    def read(times: Floats) -> Floats:
        turns, shifts = move(times)
        return np.asarray(
            np.einsum("tij,tj->ti", euler.axis_matrix(1, turns), motion.channels(times)[:, columns]) + shifts
        )

    return read


def _traced(
    read: Callable[[Floats], Floats], motion: Motion, names: Sequence[str], sizes: Floats, near: float
) -> dict[str, Curve]:
    """Curves of channels that are as told, within so many metres or, by `sizes`, as much of an angle."""
    clip = motion.clip
    own = [curve.times for name in names if (curve := clip.curves.get(name)) is not None and len(curve) > 1]
    times = np.unique(np.concatenate([[clip.start, clip.end], *own]).round(9))
    every = quartered(clip.frame_times)
    wanted = read(every)

    def error(curves: list[Curve]) -> Floats:
        return np.asarray((np.abs(Bundle.of(curves).evaluate(every) - wanted) * sizes).max(axis=1))

    return dict(zip(names, traced_within(read, times, every, error, near)[0], strict=True))
