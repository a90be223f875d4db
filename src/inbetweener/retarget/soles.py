"""Feet in the neutral pose: what they stand on, by their skin or, without one, by what is known of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.retarget.frames import level_frame
from inbetweener.retarget.slots import Slot
from inbetweener.rig import Rig
from inbetweener.rig.chains import above
from inbetweener.rig.mirror import Side
from inbetweener.skinning import Mesh

LOW = 0.02
"""Of the leg's length: what of a foot is no higher than this above its lowest place is of its sole."""
CORNERS = 16
"""Directions on the ground in which the corners of a sole are looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """A foot in its neutral pose; offsets (3,) in the frames of joints, without their scale.

    foot, toe  their joints; the toe is below nought where there is none
    ball       where it rolls, carried by the foot: its toe's origin or, without toes, the tip
    sole       (n, 3) corners of what the foot carries of the sole; of toes in the frame of theirs
    height     of the ball above the sole, in metres
    """

    foot: int
    toe: int
    ball: Floats
    sole: Floats
    toes: Floats
    height: float


def skin_by_joint(rig: Rig, meshes: Sequence[Mesh], linear: Floats, places: Floats) -> dict[int, Floats]:
    """Vertices (n, 3) by the joint that moves them most, where they are in the neutral pose."""
    found: dict[int, list[Floats]] = {}
    for mesh in meshes:
        lead = mesh.influences[np.arange(len(mesh.vertices)), mesh.weights.argmax(axis=1)]
        for k in np.unique(lead):
            joint, matrix = rig.joint_index(mesh.joints[k]), mesh.joint_from_mesh[k]
            own = mesh.vertices[lead == k].astype(np.float64) @ matrix[:, :3].T + matrix[:, 3]
            found.setdefault(joint, []).append(own @ linear[joint].T + places[joint])
    return {joint: np.concatenate(each) for joint, each in found.items()}


def foot_of(
    rig: Rig,
    slots: Mapping[Slot, int],
    side: Side,
    turns: Floats,
    linear: Floats,
    places: Floats,
    axes: Floats,
    skin: Mapping[int, Floats],
    leg: float,
) -> Foot | None:
    """The foot of one side; none where no joint is one."""
    foot, toe = slots.get(("foot", side, 0, 0)), slots.get(("toe", side, 0, 0), -1)
    if foot is None:
        return None
    ahead = level_frame(rig, slots, side, places, axes)[:, 0]
    of_toes = [j for j in range(len(rig.joints)) if j == toe or toe in above(rig, j)] if toe >= 0 else []
    of_foot = [j for j in range(len(rig.joints)) if j not in of_toes and (j == foot or foot in above(rig, j))]
    flesh = [_flesh(rig, joints, linear, places, skin) for joints in (of_foot, of_toes)]
    floor = float(np.concatenate(flesh)[:, 1].min())
    soles = []
    for each, joints in zip(flesh, (of_foot, of_toes), strict=True):
        # Without a skin, the sole is below what is known of the foot.
        known = any(j in skin for j in joints)
        soles.append(_corners(each if known else each * [1.0, 0.0, 1.0] + [0.0, floor, 0.0], axes))
    every = np.concatenate(soles)
    low = every[every[:, 1] <= floor + LOW * leg]
    ball = places[toe] if toe >= 0 else low[(low @ ahead).argmax()]
    return Foot(
        foot,
        toe,
        turns[foot].T @ (ball - places[foot]),
        (soles[0] - places[foot]) @ turns[foot],
        (soles[1] - places[toe]) @ turns[toe],
        float(ball[1] - floor),
    )


def _flesh(rig: Rig, joints: Sequence[int], linear: Floats, places: Floats, skin: Mapping[int, Floats]) -> Floats:
    """Vertices (n, 3) that joints carry; where there are none, the joints themselves and points on them."""
    found = [skin[j] for j in joints if j in skin]
    if found:
        return np.concatenate(found)
    marks = [places[j] for j in joints]
    marks += [
        places[j] + linear[j] @ np.asarray(point.offset)
        for point in rig.points
        if (j := rig.joint_index(point.joint)) in joints
    ]
    return np.array(marks).reshape(-1, 3)


def _corners(points: Floats, axes: Floats) -> Floats:
    """Those of some points (n, 3) that lie farthest in any of many directions."""
    if not len(points):
        return points
    angles, down = np.meshgrid(
        np.arange(CORNERS) * 2.0 * np.pi / CORNERS, np.radians([-50.0, -20.0, 2.0, 25.0, 50.0, 75.0])
    )
    ways = np.stack([np.cos(down) * np.sin(angles), -np.sin(down), np.cos(down) * np.cos(angles)], axis=-1)
    return points[np.unique((points @ (ways.reshape(-1, 3) @ axes.T).T).argmax(axis=0))]


def sole_height(foot: Foot, turns: Floats, places: Floats) -> float:
    """How high above the ground it stands, in metres."""
    return float((places[foot.foot] + turns[foot.foot] @ foot.ball)[1] - foot.height)
