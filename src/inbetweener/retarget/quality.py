"""How good retargeted motion is on every frame, measured on the motion that the rig's channels make."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.retarget.body import Body
from inbetweener.retarget.soles import Foot
from inbetweener.retarget.stands import Planted
from inbetweener.rig import Point
from inbetweener.rig.mirror import Side

Stands = dict[Side, tuple[Planted, ...]]


@dataclass(frozen=True, eq=False)
class Quality:
    """Metres on frames at times (T,), the worst of both feet or of all ends; limits in the channels' own units.

    slide   how far a planted ball is from the mean of its places
    below   how deep a sole is in the ground
    missed  how far a hand or foot is from where the source, by scale, has it
    beyond  how far a channel is beyond a limit
    """

    times: Floats
    slide: Floats
    below: Floats
    missed: Floats
    beyond: Floats

    @cached_property
    def worst(self) -> tuple[tuple[str, float, float], ...]:
        """What is worst: its name, how bad it is and when, in seconds."""
        found = []
        for name in ("slide", "below", "missed", "beyond"):
            track = getattr(self, name)
            at = int(track.argmax()) if len(track) else 0
            found.append((name, float(track[at]) if len(track) else 0.0, float(self.times[at]) if len(track) else 0.0))
        return tuple(found)

    def worst_times(self, count: int = 5) -> tuple[float, ...]:
        """The moments to look at first, at least a quarter of a second apart."""
        total = (self.slide + self.below + self.missed).copy()
        found: list[float] = []
        while len(found) < count and len(total) and total.max() > 1e-3:
            at = int(total.argmax())
            found.append(float(self.times[at]))
            total[np.abs(self.times - self.times[at]) < 0.25] = 0.0
        return tuple(found)


def measure(
    body: Body, times: Floats, values: Floats, stands: Stands, trend: Floats, goals: dict[int, Floats]
) -> Quality:
    """The quality of channel values (T, C); `trend` (T, 3) is what was taken away in place, `goals` by joint (T, 3)."""
    rig, frames = body.rig, len(times)
    posed = rig.posed(values)
    slide, below, missed = np.zeros(frames), np.zeros(frames), np.zeros(frames)
    world = posed.world_from_joint
    rest, orientation = (each[0] for each in rig.skeleton.forward(rig.rest_dofs[None]))
    for side, foot in body.feet.items():
        ball = posed.positions([ball_point(body, foot)])[:, 0] + trend
        for each in stands.get(side, ()):
            span = slice(each.first, each.last + 1)
            away = np.linalg.norm(ball[span] - ball[span].mean(axis=0), axis=1)
            slide[span] = np.maximum(slide[span], away)
        for joint, corners in ((foot.foot, foot.sole), (foot.toe, foot.toes)):
            if len(corners):
                own = np.linalg.solve(rest[joint, :, :3], orientation[joint] @ corners.T)
                below = np.maximum(below, -(world[:, joint, 1, :3] @ own + world[:, joint, 1, 3:]).min(axis=1))
    names = [rig.joints[joint].name for joint in goals]
    reached = posed.positions([Point(name) for name in names])
    for n, goal in enumerate(goals.values()):
        missed = np.maximum(missed, np.linalg.norm(reached[:, n] - goal, axis=1))
    lower, upper = (np.array([getattr(c, side) for c in rig.channels]) for side in ("lower", "upper"))
    beyond = np.maximum(lower - values, values - upper).max(axis=1, initial=0.0)
    return Quality(times, slide, np.maximum(below, 0.0), missed, np.maximum(beyond, 0.0))


def ball_point(body: Body, foot: Foot) -> Point:
    """Where a foot rolls: the origin of its toe or, without toes, its tip."""
    if foot.toe >= 0:
        return Point(body.rig.joints[foot.toe].name)
    world, orientation = (each[0, foot.foot] for each in body.rig.skeleton.forward(body.rig.rest_dofs[None]))
    own = np.linalg.solve(world[:, :3], orientation @ foot.ball)
    name = body.rig.joints[foot.foot].name
    return Point(name, tuple(own.tolist()), f"{name} ball")
