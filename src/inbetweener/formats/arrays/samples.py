"""A clip sampled at a rate, a block of frames at a time: however long it is, memory is that of a block."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.errors import FormatError
from inbetweener.formats.bvh.turns import rotations_of
from inbetweener.formats.files import baked
from inbetweener.formats.straighten import straightened
from inbetweener.maths import quaternions, transforms
from inbetweener.motion import Clip, Motion

NUMBERS = 1 << 19
"""Numbers that a block holds of each kind, about."""


class Samples:
    """A clip of a document as others see it: loose parts and bends baked. Quaternions are w, x, y, z."""

    def __init__(self, path: Path, document: Document, clip: str | None, rate: float | None) -> None:
        if rate is not None and not 1e-9 <= rate <= 1e9:
            raise FormatError(path, "", f"rate {rate:g} must be a positive number")
        self.losses: list[str] = []
        if document.clips:
            document, self.losses = baked(document, document.clip(clip).name, rate)
        chosen = document.clip(clip) if document.clips or clip is not None else None
        straight = straightened(document)
        self.losses += straight.losses()
        self.clip = chosen
        self.rate = rate or (chosen.rate if chosen else 30.0)
        self.times = np.empty(0)
        if chosen is not None:
            self.times = Clip(chosen.name, chosen.end, chosen.start, self.rate).frame_times
        self.channel_names = [channel.name for channel in document.rig.channels]
        self.rig = straight.document.rig
        # Channels are those that the animator knows, joints those of straight bones.
        self._keyed = document.motion(chosen.name) if chosen else None
        self._plain = straight.document.motion(chosen.name) if chosen else None

    @property
    def scaled(self) -> bool:
        """Whether any joint ever leaves its scale of rest."""
        return any(drive.axis[0] == "s" for channel in self.rig.channels for drive in channel.drives)

    def channels(self) -> Iterator[Floats]:
        """Values (f, C)."""
        return self._blocks(self._keyed)

    def world(self) -> Iterator[Floats]:
        """Joint transforms (f, J, 3, 4)."""
        return (self.rig.world_from_joint(block) for block in self._blocks(self._plain))

    def positions(self) -> Iterator[Floats]:
        """Where joints are in the world (f, J, 3)."""
        return (block[..., 3] for block in self.world())

    def turns(self) -> Iterator[Floats]:
        """How joints are turned in the world (f, J, 4)."""
        return _continued(transforms.decompose(block)[1] for block in self.world())

    def local_turns(self) -> Iterator[Floats]:
        """How joints are turned in their parents (f, J, 4)."""
        joints = self.rig.joints
        return _continued(
            np.stack(
                [
                    quaternions.product(joint.rest.rotation, rotations_of(dofs[:, j, 3:6], joint.order))
                    for j, joint in enumerate(joints)
                ],
                axis=1,
            )
            for dofs in self._dofs()
        )

    def local_positions(self) -> Iterator[Floats]:
        """Where joints are in their parents (f, J, 3)."""
        return (dofs[:, :, :3] for dofs in self._dofs())

    def local_scales(self) -> Iterator[Floats]:
        """How they are scaled there (f, J, 3)."""
        return (dofs[:, :, 6:] for dofs in self._dofs())

    def _dofs(self) -> Iterator[Floats]:
        for block in self._blocks(self._plain):
            yield self.rig.dof_map.dofs(block).reshape(len(block), -1, 9)

    def times_by_block(self) -> Iterator[Floats]:
        """Seconds (f,)."""
        size = max(1, NUMBERS // (12 * len(self.rig.joints) + len(self.channel_names) + 1))
        for first in range(0, len(self.times), size):
            yield self.times[first : first + size]

    def _blocks(self, motion: Motion | None) -> Iterator[Floats]:
        return iter(()) if motion is None else (motion.channels(times) for times in self.times_by_block())


def _continued(blocks: Iterator[Floats]) -> Iterator[Floats]:
    """Quaternions (f, J, 4) with signs that go on from frame to frame, over the ends of blocks too."""
    last: Floats | None = None
    for block in blocks:
        whole = quaternions.continuous(block if last is None else np.concatenate([last[None], block]))
        made = whole if last is None else whole[1:]
        last = made[-1]
        yield made
