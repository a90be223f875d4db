"""Bones are bones: files key the translation and scale of every node; only what carries a body is free to move."""

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from inbetweener.anatomy import Anatomy, recognise
from inbetweener.arrays import Bools, Ints
from inbetweener.motion import Clip
from inbetweener.rig import ROOT, Rig, chains
from inbetweener.skinning import Mesh, bound_joints

MOVES = 1e-3
"""The share of its length by which a bone has to move to be animated so: less is an exporter's rounding."""
MOST = 0.75
"""The share of a body's joints that are most of it."""


def with_bones(rig: Rig, meshes: Iterable[Mesh], clips: Iterable[Clip]) -> tuple[Rig, list[str]]:
    """A rig as read from a file whose bones keep their lengths unless they are freed, and a line about those that the
    clips move all the same.

    Free are roots; whatever carries the whole skin, or where there is none the whole body, such as the hips below
    an armature; the first joint on a way down that moves, if no bone carries it; and nodes without a skin above or
    below them, such as targets of IK. Roots above what carries the body are held as they are keyed, turns and all: a
    pull moves the body, and not what it stands in.
    """
    meshes = tuple(meshes)
    moving = _moving(rig, list(clips))
    parents = np.array([joint.parent for joint in rig.joints], np.int64)
    free = _carrying(parents, _bound(rig, meshes), moving)
    alone = (parents == ROOT) & ~np.isin(np.arange(len(parents)), parents)
    held = {
        "translation": {rig.joints[j].name for j in np.flatnonzero(~free)},
        "scale": {rig.joints[j].name for j in np.flatnonzero(~alone)},
    }
    held["translation"] |= (above := _above_the_body(rig, recognise(rig, bound_joints(meshes)), free))
    held["rotation"] = above
    channels = tuple(
        replace(channel, free=False)
        if channel.drives and channel.drives[0].joint in held.get(channel.kind, ())
        else channel
        for channel in rig.channels
    )
    still = [rig.joints[j].name for j in np.flatnonzero(moving & ~free)]
    return replace(rig, channels=channels), _told(still)


def _above_the_body(rig: Rig, anatomy: Anatomy, free: Bools) -> set[str]:
    """The roots above the last joint on the way to the hips that is free to move."""
    found: set[str] = set()
    for hips in anatomy.find("hips")[:1]:
        way = chains.path_from_root(rig, hips.joint)
        carriers = [n for n, name in enumerate(way) if free[rig.joint_index(name)]]
        found.update(name for name in way[: max(carriers, default=0)] if anatomy[name].role == "root")
    return found


def _told(names: list[str]) -> list[str]:
    if not names:
        return []
    count = "a bone is" if len(names) == 1 else f"{len(names)} bones are"
    some = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    return [f"{count} moved along or scaled by the clips ({some}); kept so, and held by drags and poses until freed"]


def _moving(rig: Rig, clips: list[Clip]) -> Bools:
    """(J,) which joints are moved, or scaled, within a clip or from one clip to another."""
    stretches = np.linalg.norm(rig.rest_world()[:, :, :3], axis=1).mean(axis=1)
    least = 0.01 * chains.size(rig)
    found = np.zeros(len(rig.joints), np.bool_)
    for j, joint in enumerate(rig.joints):
        above = float(stretches[joint.parent]) if joint.parent != ROOT else 1.0
        length = max(above * float(np.linalg.norm(joint.rest.translation)), least)
        far = above * _spread(clips, [f"{joint.name}.t{axis}" for axis in "xyz"])
        wide = _spread(clips, [f"{joint.name}.s{axis}" for axis in "xyz"])
        found[j] = far > MOVES * length or wide > MOVES * max(map(abs, joint.rest.scale))
    return found


def _spread(clips: list[Clip], channels: list[str]) -> float:
    """How far apart the values of some channels are at most, as the diagonal of a box."""
    sides = []
    for name in channels:
        values = [clip.curves[name].values for clip in clips if name in clip.curves]
        ends = [float(end) for each in values for end in (each.min(), each.max())]
        sides.append(max(ends) - min(ends) if ends else 0.0)
    return math.hypot(*sides)


def _bound(rig: Rig, meshes: Iterable[Mesh]) -> Bools:
    """(J,) which joints carry vertices; where there are no meshes, all from the first that several hang on."""
    found = np.zeros(len(rig.joints), np.bool_)
    for name in bound_joints(meshes):
        found[rig.joint_index(name)] = True
    if found.any():
        return found
    found[:] = True
    below: list[list[int]] = [[] for _ in rig.joints]
    for j, joint in enumerate(rig.joints):
        if joint.parent != ROOT:
            below[joint.parent].append(j)
    for root in (j for j, joint in enumerate(rig.joints) if joint.parent == ROOT):
        passed, way = [], root
        while len(below[way]) == 1:
            passed.append(way)
            way = below[way][0]
        # A row without a branch is bones from its first joint.
        found[passed] = not below[way]
    return found


def _carrying(parents: Ints, bound: Bools, moving: Bools) -> Bools:
    """(J,) which joints may move freely."""
    count = len(parents)
    below, tree = bound.astype(np.int64), np.arange(count)
    for j in range(count - 1, -1, -1):
        if parents[j] != ROOT:
            below[parents[j]] += below[j]
    # The last entry, above the roots, leads nothing.
    above, led, free = bound.copy(), np.zeros(count + 1, np.bool_), np.zeros(count, np.bool_)
    for j, parent in enumerate(parents):
        tree[j] = j if parent == ROOT else tree[parent]
        if moving[j] and not led[parent] and below[j] >= MOST * below[tree[j]]:
            # What most of a body moves upon is no bone of it, whatever few vertices it may hold.
            while parent != ROOT:
                above[parent], parent = False, parents[parent]
        led[j] = moving[j] or led[parents[j]]
    for j, parent in enumerate(parents):
        carried = parent != ROOT and bool(above[parent])
        whole = below[j] == below[tree[j]] > 0
        first = moving[j] and not led[parent]
        above[j] |= carried
        free[j] = parent == ROOT or (not carried and (whole or first or below[j] == 0))
    return free
