"""A walk on another way: the body goes there on every frame, a foot only while it swings, and legs make up for it."""

from collections.abc import Callable, Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.maths import euler
from inbetweener.motion import Motion
from inbetweener.motion.way import Move
from inbetweener.retarget.body import Body
from inbetweener.retarget.channels import plain_channels
from inbetweener.retarget.feet import eased, widened
from inbetweener.retarget.figure import REACH, Figure, Limb
from inbetweener.retarget.match import match
from inbetweener.retarget.quality import Stands
from inbetweener.retarget.slots import LEG, SIDES
from inbetweener.retarget.stands import find_stands
from inbetweener.rig import ROOT

Later = Callable[[Floats], Move]
"""How a body is moved, by how much later (T,) in seconds than it is: feet that stand wait for it."""


def stands_of(body: Body, motion: Motion) -> Stands:
    """When which foot stands, by frames."""
    times = motion.clip.frame_times
    world, turns = motion.rig.posed(motion.channels(times)).forward
    return find_stands(body, times, motion.clip.rate, np.ascontiguousarray(world[..., 3]), turns)


def can_step(body: Body) -> bool:
    """Whether both legs have joints that turn every way, so that feet can be put anywhere."""
    plain = plain_channels(body.rig)
    legs = [body.limb(LEG[:3], side) for side in SIDES]
    return all(len(leg) == 3 and all(9 * j + d in plain for j in leg for d in (3, 4, 5)) for leg in legs)


class Stepping:
    """A motion on every frame, and where its feet shall be while its body is moved."""

    def __init__(self, body: Body, motion: Motion, stands: Stands, later: Later) -> None:
        self.body, self.motion = body, motion
        self.times = motion.clip.frame_times
        world, turns = motion.rig.posed(motion.channels(self.times)).forward
        self._legs: list[tuple[Limb, Floats, Floats]] = []
        for side in SIDES:
            limb = Limb.of(body, body.limb(LEG[:3], side), -1.0)
            wait = np.zeros((len(self.times), 1))
            for each in stands.get(side, ()):
                span = slice(each.first, each.last + 1)
                wait[span, 0] = self.times[span].mean() - self.times[span]
            angles, shifts = later(eased(wait, stands.get(side, ()), motion.clip.rate)[:, 0])(self.times)
            spin = euler.axis_matrix(1, angles)
            goal = np.einsum("tij,tj->ti", spin, world[:, limb.end, :, 3]) + shifts
            self._legs.append((limb, goal, spin @ turns[:, limb.end]))

    def sunk(self, moved: Motion) -> Floats:
        """How much lower (T,) hips have to be so that legs reach, coming and going smoothly."""
        world, _ = moved.rig.posed(moved.channels(self.times)).forward
        need = np.zeros(len(self.times))
        for limb, goal, _ in self._legs:
            upper, lower, end = (world[:, j, :, 3] for j in (limb.upper, limb.lower, limb.end))
            length = np.linalg.norm(lower - upper, axis=1) + np.linalg.norm(end - lower, axis=1)
            # A leg that was straight may be as straight as it was.
            reach = np.maximum(REACH * length, np.linalg.norm(end - upper, axis=1))
            away = upper - goal
            high = np.sqrt(np.maximum(reach**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
            need = np.maximum(need, away[:, 1] - high)
        return widened(np.clip(need, 0.0, 0.2 * self.body.leg), moved.clip.rate)

    def curves(self, moved: Motion) -> dict[str, Curve]:
        """Curves of legs, a key on every frame, that put feet where they shall be while the body is moved."""
        rig = self.body.rig
        values = moved.channels(self.times)
        world, turns = rig.posed(values).forward
        pairs = match(self.body, self.body)
        figure = Figure(self.body, pairs, turns)
        figure.places[:] = world[..., 3][:, [pair.joint for pair in pairs]]
        made: dict[str, Curve] = {}
        for limb, goal, foot in self._legs:
            limb.reach(figure, goal)
            new = {limb.upper: figure.turn(limb.upper), limb.lower: figure.turn(limb.lower), limb.end: foot}
            made |= self._written(new, turns, values)
        return made

    def _written(self, new: dict[int, Floats], turns: Floats, values: Floats) -> dict[str, Curve]:
        """Curves of channels that turn joints as they shall be (T, 3, 3), given how all are turned."""
        rig, plain, made = self.body.rig, plain_channels(self.body.rig), dict[str, Curve]()
        for joint, wished in new.items():
            carried = _carried(rig.joints[joint].parent, [each.parent for each in rig.joints], new, turns)
            local = np.swapaxes(carried @ rig.skeleton.rest[joint], 1, 2) @ wished
            own = [plain[9 * joint + 3 + axis] for axis in range(3)]
            factors, columns = np.array([weight for _, weight in own]), [c for c, _ in own]
            was = (values[:, columns] - rig.defaults[columns]) * factors
            angles = euler.from_matrix(local, rig.joints[joint].order)
            angles = euler.continuous(np.stack([was, angles]), rig.joints[joint].order)[1]
            for axis, (column, factor) in enumerate(own):
                channel = rig.channels[column]
                track = np.clip(channel.default + angles[:, axis] / factor, channel.lower, channel.upper)
                made[channel.name] = Curve.sampled(self.times, track)
        return made


def _carried(joint: int, parents: Sequence[int], new: dict[int, Floats], turns: Floats) -> Floats:
    """How a joint is turned (T, 3, 3) once those above it are turned anew."""
    above = joint
    while above != ROOT and above not in new:
        above = parents[above]
    if joint == ROOT:
        return np.eye(3)[None]
    if above == ROOT:
        return turns[:, joint]
    return np.asarray(new[above] @ np.swapaxes(turns[:, above], 1, 2) @ turns[:, joint])
