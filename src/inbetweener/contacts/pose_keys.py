"""Which channels can be posed at a time without a new key, and what raises a key there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.curves import Curve
from inbetweener.motion import Constraint
from inbetweener.posing import limb
from inbetweener.rig import Channel, Place, Rig

SAME_TIME = 1e-6
"""Keys nearer than this, in seconds, belong to one pose."""


@dataclass(frozen=True, slots=True, eq=False)
class PoseKeys:
    """The keys of one pose; those are left out whose value would move a pin somewhere between its own neighbours."""

    rig: Rig
    curves: Mapping[str, Curve]
    time: float
    kept: Sequence[Constraint] = ()

    def moving(self, contacts: Iterable[Constraint]) -> frozenset[str]:
        """All of them that move the point of any of the contacts; no scales, as no pose makes a limb longer."""
        found = {c for each in contacts for c in each.channels(self.rig)}
        channels = [self.rig.channels[c] for c in found]
        return frozenset(each.name for each in channels if each.kind != "scale" and self._is_free(each))

    def of_limbs(self, points: Iterable[Place]) -> frozenset[str]:
        """All of them that drive nothing but the limbs that the points belong to."""
        joints = {joint for place in points for point, _ in place.parts for joint in limb(self.rig, point.joint)}
        return frozenset(
            channel.name
            for channel in self.rig.channels
            if all(drive.joint in joints for drive in channel.drives) and self._is_free(channel)
        )

    def _is_free(self, channel: Channel) -> bool:
        curve = self.curves.get(channel.name)
        key = key_at(curve, self.time)
        if curve is None or key is None:
            return False
        reach = curve.times[max(0, key - 1)], curve.times[min(len(curve) - 1, key + 1)]
        return not any(
            not each.stands
            and each.start <= reach[1]
            and reach[0] <= each.end
            and self.rig.channel_index(channel.name) in each.channels(self.rig)
            for each in self.kept
        )


def key_at(curve: Curve | None, time: float) -> int | None:
    """Which key a curve has at a time, if it has one there."""
    # A lone key is not a pose of its own: it holds for all time.
    if curve is None or len(curve) < 2:
        return None
    nearest = int(np.abs(curve.times - time).argmin())
    return nearest if abs(curve.times[nearest] - time) < SAME_TIME else None


def raised(curve: Curve, time: float, by: float) -> Curve:
    """The curve with the key at a time raised; its tangents keep their slopes."""
    values = curve.values.copy()
    values[key_at(curve, time)] += by
    return replace(curve, values=values)
