"""Hinges that stand one on the other in one place, as robots have them: one joint to who asks what a body is."""

from dataclasses import replace

import numpy as np

from inbetweener.anatomy.part import Part
from inbetweener.maths.transforms import Transform
from inbetweener.rig import ROOT, Joint, Rig

SAME = 1e-4
"""Of a body's size: what is nearer stands in one place."""


def stacked(rig: Rig) -> list[list[int]]:
    """Rows of joints in one place of which each carries nothing but the next, and hangs on something, two or more."""
    at = rig.rest_world()[:, :, 3]
    size = float(np.ptp(at, axis=0).max()) if len(at) else 0.0
    below: list[list[int]] = [[] for _ in rig.joints]
    for j, joint in enumerate(rig.joints):
        if joint.parent != ROOT:
            below[joint.parent].append(j)
    rows: dict[int, list[int]] = {}
    for j, joint in enumerate(rig.joints):
        if joint.parent == ROOT or rig.joints[joint.parent].parent == ROOT:
            continue
        if not below[j] and not rig.joints[joint.parent].name.startswith(joint.name):
            # An end that has no length of its own is no hinge.
            continue
        if below[joint.parent] == [j] and np.linalg.norm(at[j] - at[joint.parent]) < SAME * size:
            row = rows.pop(joint.parent, [joint.parent])
            rows[j] = [*row, j]
    return list(rows.values())


def merged(rig: Rig, rows: list[list[int]]) -> tuple[Joint, ...]:
    """The joints with the last of every row in place of it, where they are in the world; nobody is turned."""
    at = rig.rest_world()[:, :, 3]
    gone = {j for row in rows for j in row[:-1]}
    kept = [j for j in range(len(rig.joints)) if j not in gone]
    made = []
    for j in kept:
        above = rig.joints[j].parent
        while above in gone:
            above = rig.joints[above].parent
        away = at[j] - (at[above] if above != ROOT else np.zeros(3))
        parent = ROOT if above == ROOT else kept.index(above)
        made.append(Joint(rig.joints[j].name, parent, Transform(tuple(away.tolist()))))
    return tuple(made)


def parted(rig: Rig, rows: list[list[int]], found: dict[str, Part]) -> tuple[Part, ...]:
    """A part for every joint: hinges of a row twist, but limbs begin with their first."""
    made = dict(found)
    for row in rows:
        last = found[rig.joints[row[-1]].name]
        for n, j in enumerate(row[:-1]):
            name = rig.joints[j].name
            if n == 0 and last.role in ("thigh", "upper_arm"):
                made[name] = replace(last, joint=name, number=1)
                made[last.joint] = replace(last, number=2)
            else:
                made[name] = Part(name, "twist", last.side, confidence=last.confidence)
    return tuple(made[joint.name] for joint in rig.joints)
