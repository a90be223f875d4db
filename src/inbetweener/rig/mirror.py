"""Left and right: which joint or channel is the partner of which, and the mirror image of a pose.

Names are read the way people write them: `arm_l`, `arm.L`, `l_arm`, `LeftArm`, `mixamorig:LeftArm`, `arm-left`,
`Bip01 L Arm`, `LThumb`. A side is a word of its own, so `lower` and `spinal_reach` have none.
"""

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen
from inbetweener.maths import euler, transforms
from inbetweener.rig.dof_map import derivative
from inbetweener.rig.joint import DOFS
from inbetweener.rig.rig import Rig

Side = Literal["left", "right"]

WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
"""The words of a name: split at separators and digits, and where capitals start a word."""

_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l"}
_ACROSS = np.diag([-1.0, 1.0, 1.0])


def _side_word(name: str) -> tuple[int, int, str] | None:
    """Where the side stands in the name (start, end), and which it is: a whole word before a single letter."""
    words = list(WORDS.finditer(name))
    for word in words:
        for side in ("left", "right"):
            if word[0].lower().startswith(side):
                return word.start(), word.start() + len(side), side
    for word in words:
        if word[0].lower() in ("l", "r"):
            return word.start(), word.end(), word[0].lower()
    return None


def mirrored_name(name: str) -> str:
    """The name of the other side, written the same way; the name itself when it has no side."""
    found = _side_word(name)
    if found is None:
        return name
    start, end, side = found
    written, other = name[start:end], _OTHER[side]
    if written.isupper():
        other = other.upper()
    elif written[0].isupper():
        other = other.capitalize()
    return name[:start] + other + name[end:]


def partners(names: Iterable[str]) -> tuple[Ints, tuple[str, ...]]:
    """For each name the index of its mirror partner, its own without a side; and the names whose partner is missing."""
    listed = list(names)
    index = {name: i for i, name in enumerate(listed)}
    found = [index.get(mirrored_name(name), i) for i, name in enumerate(listed)]
    missing = tuple(name for name in listed if mirrored_name(name) not in index)
    return np.array(found, np.int64), missing


@dataclass(frozen=True, slots=True, eq=False)
class Mirror:
    """Mirrors poses of one rig across the plane x = 0.

    joints (J,) and channels (C,) hold the partner of each; `unmatched` names what has a side but no partner there, and
    is mirrored in place. Right for rigs whose rest pose is symmetric, whatever the local axes are.
    """

    rig: Rig
    joints: Ints
    channels: Ints
    unmatched: tuple[str, ...]

    @classmethod
    def of(cls, rig: Rig, pairs: Mapping[str, str] | None = None) -> Self:
        """The mirror of a rig, with partners found by name; where joints do not say their sides, `pairs` of them do."""
        joints, lonely_joints = partners(joint.name for joint in rig.joints)
        channels, lonely_channels = partners(channel.name for channel in rig.channels)
        driving = {c.drives[0].dof: i for i, c in reversed(list(enumerate(rig.channels))) if len(c.drives) == 1}
        for joint, other in (pairs or {}).items():
            joints[rig.joint_index(joint)] = rig.joint_index(other)
            for dof in DOFS:
                if f"{joint}.{dof}" in driving and f"{other}.{dof}" in driving:
                    channels[driving[f"{joint}.{dof}"]] = driving[f"{other}.{dof}"]
        return cls(rig, frozen(joints, np.int64), frozen(channels, np.int64), (*lonely_joints, *lonely_channels))

    def pose(self, channels: Floats) -> Floats:
        """Channel values of the mirrored pose, for (C,) or frames (T, C)."""
        frames = np.atleast_2d(np.asarray(channels, dtype=np.float64))
        linear = self.rig.linear_map
        # Swapped values are a first guess; what they miss is put right with the smallest change of channels.
        swapped = frames[:, self.channels]
        wanted = self._dofs(self.rig.dof_map.dofs(frames))
        # What follows does so on the other side, too.
        own = [9 * j + d for j, joint in enumerate(self.rig.joints) if joint.follows for d in (3, 4, 5)]
        if self.rig.handles:
            # Where a mirrored handle turns the joints, their own channels mirror what they did without it.
            own = [*self._mirror_handles(swapped), *own]
        wanted[:, own] = self._dofs(linear.dofs(frames))[:, own]
        missed = wanted - linear.dofs(swapped)
        made = swapped + np.linalg.lstsq(derivative(linear, self.rig.defaults).toarray(), missed.T, rcond=None)[0].T
        return made.reshape(np.shape(channels))

    def signs(self) -> Floats:
        """(C,) by what sign each channel's partner makes its own change in the mirror, at rest; 0 where none does."""
        linear, defaults = self.rig.linear_map, self.rig.defaults
        poses = defaults + 0.1 * np.eye(len(defaults))
        wanted = self._dofs(linear.dofs(poses))[self.channels]
        made = [linear.dofs(defaults + sign * 0.1 * np.eye(len(defaults))) for sign in (1.0, -1.0)]
        same, other = (np.abs(each - wanted).max(axis=1, initial=0.0) < 1e-9 for each in made)
        return np.where(same, 1.0, np.where(other, -1.0, 0.0))

    def _mirror_handles(self, swapped: Floats) -> list[int]:
        """Mirror targets and poles in place; returns the degrees of freedom that they take care of.

        A handle without a partner is switched off: the other side's channels cannot be put into its target.
        """
        rig = self.rig
        known = {handle.name for handle in rig.handles}
        cared: list[int] = []
        for handle in rig.handles:
            x, _, _, pole_x, _, _, blend = (rig.channel_index(name) for name in handle.channels)
            swapped[:, [x, pole_x]] *= -1.0
            if mirrored_name(handle.name) not in known or mirrored_name(handle.name) == handle.name:
                swapped[:, blend] = 0.0
            else:
                cared += [9 * rig.joint_index(name) + d for name in handle.joints for d in (3, 4, 5)]
        return cared

    def _dofs(self, dofs: Floats) -> Floats:
        """Degrees of freedom (T, 9J) of the mirrored poses."""
        rig = self.rig
        world, orientation = rig.skeleton.forward(dofs)
        turned = self._axes()
        # The image of joint j is the pose of its partner p, once p's own axes at rest are allowed for.
        image = _ACROSS @ orientation @ _ACROSS @ turned
        frame = np.concatenate([_ACROSS @ world[..., :3] @ _ACROSS @ turned, _ACROSS @ world[..., 3:]], axis=-1)
        result = np.empty((len(dofs), len(rig.joints), 9))
        for p, joint in enumerate(rig.joints):
            j = self.joints[p]
            own, place = image[:, j], frame[:, j, :, 3]
            if joint.parent >= 0:
                above = self.joints[joint.parent]
                own = np.swapaxes(image[:, above], -1, -2) @ own
                place = transforms.apply(transforms.inverse(frame[:, above]), place[:, None])[:, 0]
            own = np.swapaxes(rig.skeleton.rest[p], -1, -2) @ own
            angles, scale = dofs[:, 9 * j + 3 : 9 * j + 6], dofs[:, 9 * j + 6 : 9 * j + 9]
            result[:, p, :3] = place
            result[:, p, 3:6] = _nearby_angles(own, angles, joint.order)
            result[:, p, 6:] = np.einsum("ka,tk->ta", turned[j] ** 2, scale)
        return result.reshape(len(dofs), -1)

    def _axes(self) -> Floats:
        """(J, 3, 3): from the axes of joint j's image at rest to those that its partner has at rest."""
        rig = self.rig
        _, rest = rig.skeleton.forward(rig.rest_dofs[None])
        return np.swapaxes(_ACROSS @ rest[0] @ _ACROSS, -1, -2) @ rest[0][self.joints]


def _nearby_angles(rotations: Floats, angles: Floats, order: euler.Order) -> Floats:
    """Angles (T, 3) of rotations (T, 3, 3): the partner's with other signs where that is right, so turns are kept."""
    for signs in itertools.product((1.0, -1.0), repeat=3):
        if np.abs(euler.to_matrix(angles * signs, order) - rotations).max(initial=0.0) < 1e-9:
            return angles * signs
    start = np.zeros((1, 3))
    return euler.continuous(np.concatenate([start, euler.from_matrix(rotations, order)]), order)[1:]
