"""How far the joints of a body turn: published ranges of motion, laid on the channels that a rig happens to have.

The figures are those of the American Academy of Orthopaedic Surgeons, "Joint Motion: Method of Measuring and
Recording", 1965, in degrees from the neutral pose: standing, arms down. Knees bend to 140 instead of 135, as D. Boone
and S. Azen, "Normal range of motion of joints in male subjects", Journal of Bone and Joint Surgery 61-A, 1979, measured
142.5 ± 5.4. A spine is one row of joints there, so ours share its range, each half as much again as its part, as no
spine bends evenly.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.anatomy import Anatomy, Part, Role
from inbetweener.anatomy.facing import ahead
from inbetweener.arrays import Floats
from inbetweener.curves.limits import value_ranges
from inbetweener.maths import euler, quaternions
from inbetweener.motion import Clip, Motion
from inbetweener.rig import ROOT, Channel, Rig, chains

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Ball:
    """Degrees by which the far end of a part goes backwards and forwards, to the middle and aside, and turns about
    itself either way.
    """

    bend: Range
    aside: Range
    twist: float


HINGES: Mapping[Role, tuple[float, float]] = {"forearm": (150.0, 80.0), "shin": (140.0, 10.0), "finger": (100.0, 5.0)}
"""By part how far it bends from straight, and turns about itself; of fingers those joints that are no knuckles."""
BALLS: Mapping[Role, Ball] = {
    "spine": Ball((-25.0, 80.0), (-35.0, 35.0), 45.0),
    "neck": Ball((-45.0, 45.0), (-45.0, 45.0), 60.0),
    "clavicle": Ball((-15.0, 15.0), (-10.0, 30.0), 10.0),
    "upper_arm": Ball((-60.0, 180.0), (-50.0, 180.0), 90.0),
    "hand": Ball((-80.0, 80.0), (-30.0, 30.0), 80.0),
    "thigh": Ball((-30.0, 120.0), (-30.0, 45.0), 45.0),
    "foot": Ball((-50.0, 20.0), (-35.0, 35.0), 15.0),
    "toe": Ball((-45.0, 70.0), (-10.0, 10.0), 5.0),
}
"""Of hands nobody knows where the palm is, nor of feet which way they tilt: the larger range counts both ways."""
RAISED_ARM = Ball((-45.0, 135.0), (-140.0, 90.0), 90.0)
"""An arm that is at rest as in a T-pose: horizontally backwards and forwards, down and up."""
ROWS: Mapping[Role, Role] = {"spine": "spine", "chest": "spine", "neck": "neck", "head": "neck"}
"""Parts that share a range with all others of their row."""
UNEVEN = 1.5
SIDE = 3.0
"""Degrees that a hinge gives sideways."""
BENT = math.sin(math.radians(10.0))
"""What is never bent by so much does not show its hinge."""
ALONG = math.cos(math.radians(20.0))
"""A hinge this near to an axis of its joint is that axis: the other two angles stay about nought."""
LOCKED = math.radians(80.0)
"""From here on the middle of three angles is too near to where they lose a freedom."""
LEAST = 0.3
"""The share of a range that is left at least, however its joint's axes lie."""
STRAIGHT, SKEWED = math.radians(5.0), math.radians(35.0)
"""A hinge with a turn about itself may not bend backwards, nor sideways, by more than this."""
FRAMES = 24
"""So many frames of every clip are looked at for how hinges bend."""
WOUND = math.radians(330.0)
"""A channel whose keys lie farther apart than this goes round and round: it is not limited."""


def limited(rig: Rig, anatomy: Anatomy, clips: Sequence[Clip] = (), *, hard: bool = False) -> tuple[Channel, ...]:
    """The rig's channels with limits as bodies have them, on joints that are known and have no limits yet.

    Soft limits are widened so that no curve of a clip breaks them; `hard` ones are the published figures. Of people all
    parts are limited, of others hinges that show how they bend.
    """
    body = _Body(rig, anatomy, clips)
    wanted: dict[str, Range] = {}
    for part in anatomy.body:
        if part.role in HINGES:
            wanted |= body.hinge(part)
        elif anatomy.kind == "humanoid" and (ball := body.ball_of(part)) is not None:
            wanted |= body.turns(part, ball)
    return tuple(_limited(c, wanted[c.name], clips, hard) if c.name in wanted else c for c in rig.channels)


def _limited(channel: Channel, to: Range, clips: Sequence[Clip], hard: bool) -> Channel:
    if math.isfinite(channel.lower) or math.isfinite(channel.upper):
        return channel
    lower, upper = min(to[0], channel.default), max(to[1], channel.default)
    curves = [clip.curves[channel.name] for clip in clips if channel.name in clip.curves]
    values = np.concatenate([np.empty(0), *(value_ranges(curve).ravel() for curve in curves)])
    if len(values) and np.ptp(values) > WOUND:
        return channel
    if not hard and len(values):
        lower, upper = min(lower, float(values.min())), max(upper, float(values.max()))
    return replace(channel, lower=lower, upper=upper)


class _Body:
    """A rig whose ranges are looked for, in its rest pose."""

    def __init__(self, rig: Rig, anatomy: Anatomy, clips: Iterable[Clip]) -> None:
        self.rig, self.anatomy = rig, anatomy
        world, turned = rig.skeleton.forward(rig.rest_dofs[None])
        self.at, self.turned = world[0, :, :, 3], turned[0]
        self.ahead = ahead(rig, anatomy)
        self.angles = _angles(rig, clips)
        """(n, J, 3) of the rest pose, and of some frames of every clip."""
        self.rows = {
            row: sum(ROWS.get(part.role) == row for part in anatomy.body) for row in dict.fromkeys(ROWS.values())
        }
        # Plain channels only: one that drives several joints says nothing about one of them.
        self.channels = {
            c.drives[0].dof: c.name
            for c in rig.channels
            if c.kind == "rotation" and len(c.drives) == 1 and c.drives[0].weight == 1.0 and c.default == 0.0
        }

    def _place(self, joint: str) -> Floats:
        return self.at[self.rig.joint_index(joint)]

    def _bone(self, part: Part) -> Floats | None:
        """Where a part points (3,) in the world at rest: to the next of its limb, or to its only end."""
        below = chains.descendants(self.rig, part.joint)
        own = [name for name in below if self.anatomy[name].role not in ("helper", "control", "twist")]
        direct = [name for name in own if self.rig.joints[self.rig.joint_index(name)].parent == self._index(part)]
        ends = [self._place(name) for name in direct or own[:1]]
        if not ends:
            joint = self._index(part)
            tip = self.turned[joint] @ chains.tip(self.rig, part.joint)
            ends = [self.at[joint] + tip]
        bone = np.mean(ends, axis=0) - self._place(part.joint)
        length = float(np.linalg.norm(bone))
        return bone / length if length > 1e-9 else None

    def _index(self, part: Part) -> int:
        return self.rig.joint_index(part.joint)

    def hinge(self, part: Part) -> dict[str, Range]:
        """Limits of a part that bends one way: about the axis about which it is bent, at rest or in the clips."""
        j = self._index(part)
        above, bone = self.rig.joints[j].parent, self._bone(part)
        knuckle = part.role == "finger" and (above == ROOT or self.anatomy.parts[above].role != "finger")
        if above == ROOT or bone is None or knuckle:
            return {}
        came = self.at[j] - self._origin(above, j)
        if np.linalg.norm(came) < 1e-9:
            return {}
        most, about = HINGES[part.role]
        hinge = _Hinge(
            self.turned[j].T @ came / np.linalg.norm(came), self.turned[j].T @ bone, self.rig.joints[j].order
        )
        axis = hinge.axis(self.angles[:, j])
        if axis is None and self.anatomy.kind == "humanoid" and part.role != "finger":
            # Forearms go forwards, shins backwards.
            axis = np.cross(hinge.came, self.turned[j].T @ (self.ahead if part.role == "forearm" else -self.ahead))
            length = float(np.linalg.norm(axis))
            axis = axis / length if length > BENT else None
        if axis is None:
            return {}
        return self._named(part, hinge.box(axis, math.radians(most), math.radians(about)))

    def _origin(self, above: int, joint: int) -> Floats:
        """Where the bone before a joint began: at the next joint above that is elsewhere, past helpers and twists."""
        size = 1e-3 * chains.size(self.rig)
        while np.linalg.norm(self.at[joint] - self.at[above]) < size or self.anatomy.parts[above].role in (
            "twist",
            "helper",
        ):
            if (parent := self.rig.joints[above].parent) == ROOT:
                break
            above = parent
        return self.at[above]

    def _named(self, part: Part, box: Floats) -> dict[str, Range]:
        dofs = [f"{part.joint}.r{axis}" for axis in "xyz"]
        return {
            self.channels[dof]: (float(low), float(high))
            for dof, (low, high) in zip(dofs, box, strict=True)
            if dof in self.channels
        }

    def ball_of(self, part: Part) -> Ball | None:
        """How far a part turns that turns every way."""
        if part.role not in ROWS:
            return BALLS.get(part.role)
        row = ROWS[part.role]
        share = UNEVEN / self.rows[row] if self.rows[row] > 1 else 1.0
        whole = BALLS[row]
        bend, aside = ((low * share, high * share) for low, high in (whole.bend, whole.aside))
        return Ball(bend, aside, whole.twist * share)

    def turns(self, part: Part, ball: Ball) -> dict[str, Range]:
        """Limits of a part that turns every way: each channel has the range of the movement that it is most like."""
        bone = self._bone(part)
        if bone is None:
            return {}
        up = np.array([0.0, 1.0, 0.0])
        left = np.cross(up, self.ahead)
        out = -left if part.side == "right" else left
        forth, aside = self.ahead, out
        if part.role in ("foot", "toe"):
            forth = up
        if part.role in ("upper_arm", "clavicle") and abs(float(bone @ up)) < math.sin(math.radians(45.0)):
            ball, aside = RAISED_ARM if part.role == "upper_arm" else ball, up
        moves: list[tuple[Floats, Range]] = [(bone, (-ball.twist, ball.twist))]
        for way, allowed in ((forth, ball.bend), (aside, ball.aside)):
            axis = np.cross(bone, way)
            if (length := float(np.linalg.norm(axis))) > BENT:
                moves.append((axis / length, allowed))
        return self._named(part, np.radians([_like(axis, moves) for axis in self.turned[self._index(part)].T]))


def _like(axis: Floats, moves: Iterable[tuple[Floats, Range]]) -> Range:
    """The range about an axis: of the movement about the nearest one, or of all that are near where none is."""
    seen = [(float(axis @ each), allowed) for each, allowed in moves]
    nearest = max(abs(cosine) for cosine, _ in seen)
    near = [(c, allowed) for c, allowed in seen if abs(c) >= (nearest if nearest > 0.85 else min(nearest, 0.35))]
    ranges = [allowed if cosine > 0 else (-allowed[1], -allowed[0]) for cosine, allowed in near]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


@dataclass(frozen=True, slots=True)
class _Hinge:
    """A bone that came along `came` and goes on along `bone` at rest, both (3,) in the joint's own axes at rest."""

    came: Floats
    bone: Floats
    order: euler.Order

    def _bends(self, angles: Floats) -> Floats:
        """(n, 3) where the bone points."""
        return euler.to_matrix(angles, self.order) @ self.bone

    def axis(self, angles: Floats) -> Floats | None:
        """The axis (3,) about which poses with these angles (n, 3) bend, if any is bent enough."""
        bends = np.cross(self.came, self._bends(angles))
        if np.linalg.norm(bends, axis=1).max() < BENT:
            return None
        axis: Floats = np.linalg.eigh(bends.T @ bends)[1][:, 2]
        return axis if float(bends.sum(axis=0) @ axis) > 0 else -axis

    def box(self, axis: Floats, most: float, about: float) -> Floats:
        """(3, 2) lower and upper angles: from straight to `most` about the axis, and `about` the bone itself either way
        where that does not turn the hinge.
        """
        main, at_rest = int(np.argmax(np.abs(axis))), float(self._bend(self.bone[None], axis)[0])
        if abs(axis[main]) > ALONG:
            axis = np.sign(axis[main]) * np.eye(3)[main]
        swings = np.linspace(-at_rest, most - at_rest, 61)
        turns = quaternions.to_matrix(quaternions.from_axis_angle(axis, swings))
        angles = euler.from_matrix(turns, self.order)
        # Angles jump where the middle one comes to a right angle; from there on the main one goes on alone.
        sound = np.abs(angles[:, euler.axes(self.order)[1]]) < LOCKED
        jumps = np.cumsum(~sound)
        angles = np.concatenate([angles[sound & (jumps == jumps[np.argmin(np.abs(swings))])], np.zeros((1, 3))])
        box = np.stack([angles.min(axis=0), angles.max(axis=0)], axis=1)
        ends = sorted((axis[main] * swings[0], axis[main] * swings[-1]))
        box[main] = min(box[main, 0], ends[0]), max(box[main, 1], ends[1])
        still = np.ptp(box, axis=1) < math.radians(2.0 * SIDE)
        side = math.radians(SIDE)
        box[still] = [-side, side]
        twist = int(np.argmax(np.abs(self.bone)))
        if still[twist]:
            wider = box.copy()
            wider[twist] = [-about, about]
            if self._holds(wider, axis, SKEWED):
                return wider
        # Angles that each go with the hinge may lead off it together: askew axes have less room.
        share = 1.0
        while share > LEAST and not self._holds(share * box, axis, math.inf):
            share -= 0.1
        return share * box

    def _bend(self, bones: Floats, axis: Floats) -> Floats:
        """(n,) how far bones (n, 3) are bent from straight about an axis."""
        across = np.cross(axis, self.came)
        flat = self.came - (self.came @ axis) * axis
        return np.arctan2(bones @ across, bones @ flat)

    def _holds(self, box: Floats, axis: Floats, aside: float) -> bool:
        """Whether nothing in a box of angles bends backwards, nor sideways by more than that."""
        grid = np.stack(np.meshgrid(*(np.linspace(low, high, 7) for low, high in box), indexing="ij"), axis=-1)
        bones = self._bends(grid.reshape(-1, 3))
        sideways = np.abs(np.arcsin(np.clip(bones @ axis, -1.0, 1.0)) - math.asin(np.clip(self.bone @ axis, -1.0, 1.0)))
        return bool(self._bend(bones, axis).min() >= -STRAIGHT and sideways.max() <= aside)


def _angles(rig: Rig, clips: Iterable[Clip]) -> Floats:
    poses = [rig.defaults[None]]
    for clip in clips:
        frames = clip.frame_times
        poses.append(Motion(rig, clip).channels(frames[:: max(1, len(frames) // FRAMES)]))
    return rig.dof_map.dofs(np.concatenate(poses)).reshape(-1, len(rig.joints), 9)[:, :, 3:6]
