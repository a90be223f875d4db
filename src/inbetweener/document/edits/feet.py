"""Feet that keep their place while the pose above them is mixed: legs give way, and the body where they fall short."""

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.document.document import Document
from inbetweener.document.edits.pull import own_poses, standing_feet
from inbetweener.motion.layers import channels_of
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import ROOT, Place, Rig, chains
from inbetweener.rig.freedom import channels_moving
from inbetweener.rig.mirror import Mirror

SAME_PLACE = 0.02
"""Heights of the character by which a foot may be elsewhere on the keys around, and stands there all the same."""
UNPAIRED = 3
"""Joints of a leg, with its foot, where no joint has a partner on the other side."""


class Feet:
    """What is planted at a time of a clip: points in contact, and feet that stand there on the keys around as well.

    A foot that stands on one of these keys only is on its way, and goes along.
    """

    def __init__(self, document: Document, clip: str, time: float, around: Floats, layer: str | None = None) -> None:
        rig, motion = document.rig, document.motion(clip)
        self._rig, pose = rig, motion.channels([time])[0]
        pulls = [
            Pull(rule.point, rule.wanted) for rule in document.rules(clip) if rule.is_planted and rule.holds_at(time)
        ]
        held = {_joint(rig, pull.point) for pull in pulls}
        feet = standing_feet(document.anatomy(), rig, pose)
        places = rig.posed(motion.channels(np.append(around, time))).positions(feet) if feet else np.zeros((1, 0, 3))
        strayed = np.linalg.norm(places - places[-1], axis=2).max(axis=0)
        for foot, by in zip(feet, strayed, strict=True):
            below = {rig.joint_index(name) for name in (foot.joint, *chains.descendants(rig, foot.joint))}
            if by <= SAME_PLACE * chains.height(rig) and not held & below:
                pulls.append(Pull(foot, "both"))
        self._pulls = tuple(pulls)
        self._states = [State(*(each[0] for each in rig.states(pose[None], pull.point))) for pull in pulls]
        self._ways = self._found_ways(motion.clip.layer(layer).joints if layer is not None else ())

    def __bool__(self) -> bool:
        """Whether there is anything to hold."""
        return bool(self._ways)

    @property
    def channels(self) -> Ints:
        """The channels (n,) that may give way."""
        named = frozenset().union(*self._ways)
        return np.array([c for c, channel in enumerate(self._rig.channels) if channel.name in named], np.int64)

    def _found_ways(self, masked: tuple[str, ...]) -> list[frozenset[str]]:
        """The channels that may give way: first those of the legs, then all; each only where some of them help."""
        rig, mirror = self._rig, Mirror.of(self._rig)
        moving = frozenset().union(*(channels_moving(rig, each.point, each.wanted) for each in self._pulls))
        may = own_poses(rig) & {rig.channels[c].name for c in moving}
        if masked:
            may &= frozenset(channels_of(rig, masked))
        legs = {name for pull in self._pulls for name in _leg(mirror, _joint(rig, pull.point))}
        own = {channel.name for channel in rig.channels if channel.drives and {d.joint for d in channel.drives} <= legs}
        own |= {name for handle in rig.handles if legs.issuperset(handle.joints) for name in handle.channels}
        return [names for names in (may & own, may) if names]

    def put(self, pose: Floats) -> Floats:
        """The pose (C,) with all of them back where they were, as far as they can be reached."""
        for names in self._ways:
            drag = PoseDrag(self._rig, pose, PoseRequest(self._pulls, channels=names))
            solution = drag.to(*self._states)
            pose = solution.channels
            if solution.reached:
                break
        return pose


def _joint(rig: Rig, place: Place) -> int:
    """The joint that carries a place most."""
    return rig.joint_index(max(place.parts, key=lambda part: part[1])[0].joint)


def _leg(mirror: Mirror, joint: int) -> list[str]:
    """A joint and those above it, up to the last that has a partner on the other side."""
    joints, above = mirror.rig.joints, [joint]
    while (parent := joints[above[-1]].parent) != ROOT:
        above.append(parent)
    paired = [n for n, each in enumerate(above) if mirror.joints[each] != each]
    return [joints[each].name for each in above[: paired[-1] + 1 if paired else UNPAIRED]]
