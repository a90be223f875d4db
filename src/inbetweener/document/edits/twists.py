"""Twist bones that follow by themselves: given where nobody animates them, and taken back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.anatomy.twists import twists
from inbetweener.document.document import Document
from inbetweener.document.edits.result import Result
from inbetweener.errors import InvalidDocument
from inbetweener.motion import Motion

MOVED = np.radians(0.5)
"""A twist bone that turns by more in a clip is animated there."""


@dataclass(frozen=True, slots=True, repr=False)
class TwistsResult(Result):
    """A document whose twist bones follow, or no longer do; and by joint, why others stay as they are."""

    joints: tuple[str, ...]
    follow: bool
    left: Mapping[str, str]

    @property
    def lines(self) -> tuple[str, ...]:
        """What follows now, or no longer does."""
        some = ", ".join(self.joints[:4]) + (" …" if len(self.joints) > 4 else "")
        done = "follow the joints that they belong to" if self.follow else "stand by themselves"
        return (f"{len(self.joints)} twist bones {done}: {some}" if self.joints else "no twist bone changed",)

    @property
    def problem(self) -> str:
        """What does not follow, and why."""
        reasons = dict[str, list[str]]()
        for name, why in self.left.items():
            reasons.setdefault(why, []).append(name)
        return "; ".join(
            f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {why}"
            for why, names in reasons.items()
        )

    @property
    def facts(self) -> dict[str, Any]:
        """The same, in full."""
        return {"follow" if self.follow else "free": list(self.joints), "left": dict(self.left)}


def follow_twists(document: Document, *, follow: bool = True) -> TwistsResult:
    """Let twist bones take their share of the twist of the joint they belong to, whatever moves it; or no longer.

    Those of forearms, shins and necks turn along with hand, foot and head, by how far along they are; those of upper
    arms and thighs turn back, by how near to the trunk they are. One that a clip animates is left as it is animated.
    """
    rig, left, given = document.rig, dict[str, str](), dict[str, Any]()
    if follow:
        found = list(twists(rig, document.anatomy()))
        if not found:
            raise InvalidDocument(
                f"no twist bone was recognised beside a limb of {document.name!r}; say which joints they are "
                "(inbetweener recognise --set JOINT=twist:left)"
            )
        moved = _animated(document)
        for each in found:
            if each.follows is None:
                left[each.joint] = each.why
            elif each.joint in moved:
                left[each.joint] = f"animated in {moved[each.joint]!r}, and left so"
            elif rig.joint(each.joint).follows is None:
                given[each.joint] = each.follows
    else:
        given = {joint.name: None for joint in rig.joints if joint.follows is not None}
    if not given:
        return TwistsResult(document, (), follow, left)
    joints = tuple(replace(joint, follows=given[joint.name]) if joint.name in given else joint for joint in rig.joints)
    return TwistsResult(replace(document, rig=replace(rig, joints=joints)), tuple(given), follow, left)


def _animated(document: Document) -> dict[str, str]:
    """By joint, a clip in which its own channels turn it."""
    rig, found = document.rig, dict[str, str]()
    for clip in document.clips:
        motion = Motion(rig, clip)
        own = rig.linear_map.dofs(motion.channels(clip.frame_times)).reshape(-1, len(rig.joints), 9)[:, :, 3:6]
        away = np.abs(own - rig.rest_dofs.reshape(-1, 9)[:, 3:6]).max(axis=(0, 2), initial=0.0)
        for j in np.flatnonzero(away > MOVED):
            found.setdefault(rig.joints[j].name, clip.name)
    return found
