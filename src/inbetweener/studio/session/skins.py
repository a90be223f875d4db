"""How the meshes of one page are blended: where matrices of joints do not tell it all, by plans and differentials."""

import hashlib
from collections import OrderedDict
from functools import cached_property
from threading import Lock

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.motion import Motion
from inbetweener.skinning import Mesh, Skin
from inbetweener.studio.protocol import binary, to_page
from inbetweener.studio.protocol.binary import blends_steps, plan_arrays

KEPT = 64
"""Plans remembered at a time: those of all meshes of a document, in the few shapes that undoing goes through."""


class Plans:
    """Skins whose vertices take the same steps share a plan; asked from the worker and from the server's threads."""

    def __init__(self) -> None:
        self._door = Lock()
        self._numbers: dict[bytes, int] = {}
        self._skins: OrderedDict[int, Skin] = OrderedDict()
        self._last = 0

    def number(self, skin: Skin) -> int:
        """The number of a skin's plan, a new one where none is like it."""
        likeness = _likeness(skin)
        with self._door:
            number = self._numbers.get(likeness)
            if number is None:
                self._last = number = self._last + 1
                self._numbers[likeness] = number
            # The newest skin stands for all; its mesh is kept, so that no other comes to its address.
            self._skins[number] = skin
            self._skins.move_to_end(number)
            if len(self._skins) > KEPT:
                gone, _ = self._skins.popitem(last=False)
                self._numbers = {each: n for each, n in self._numbers.items() if n != gone}
            return number

    def arrays(self, number: int) -> bytes | None:
        """The bytes of a plan; None where it has been forgotten."""
        with self._door:
            skin = self._skins.get(number)
        return None if skin is None else plan_arrays(skin)


def plan_url(number: int) -> str:
    """Where a plan's arrays are."""
    return f"/plan/{number}"


def _likeness(skin: Skin) -> bytes:
    """What a plan depends on, as a digest: the mesh, the nodes, and where the bones are in the mesh."""
    tree, found = skin.tree, hashlib.sha256(f"{id(skin.mesh)} {blends_steps(skin)}".encode())
    for part in (tree.parents, tree.lasts, tree.bends, tree.steps.samples, tree.bind.starts, tree.bind.ends):
        found.update(np.ascontiguousarray(part).tobytes())
    return found.digest()


class Skins:
    """The meshes of a document that need a plan, and the numbers that it takes on each frame."""

    def __init__(self, plans: Plans) -> None:
        self._plans = plans
        self._skins: dict[int, tuple[Skin, int]] = {}

    def follow(self, document: Document, motion: Motion | None, *, settled: bool) -> bool:
        """Be ready for a document that is shown by a motion; whether any mesh has another plan now.

        Unless it is settled, because a hand still moves it, the steps stay as they are wherever they can: a little
        longer than they should be is better than fetching another plan in the middle of a drag.
        """
        before, self._skins = self._skins, {}
        if motion is not None:
            poses = _Poses(motion)
            for number, mesh in enumerate(document.meshes):
                if needs_plan(mesh, document):
                    self._skins[number] = self._made(mesh, document, poses, before.get(number), settled)
        return {n: plan for n, (_, plan) in before.items()} != {n: plan for n, (_, plan) in self._skins.items()}

    def message(self) -> to_page.Skins:
        """Which plans there are."""
        return to_page.Skins(
            items=[to_page.SkinInfo(mesh, plan, plan_url(plan)) for mesh, (_, plan) in self._skins.items()]
        )

    def numbers(self, revision: int, first: int, channels: Floats, whose: binary.Whose = "shown") -> list[bytes]:
        """What the plans blend on consecutive frames, for their channel values (F, C)."""
        return [
            binary.blend(revision, mesh, plan, first, *_posed(skin, channels), len(skin.mesh.joints), whose)
            for mesh, (skin, plan) in self._skins.items()
        ]

    @property
    def size(self) -> int:
        """How many numbers a frame takes."""
        return sum(8 * len(skin.tree) for skin, _ in self._skins.values())

    def _made(
        self, mesh: Mesh, document: Document, poses: "_Poses", before: tuple[Skin, int] | None, settled: bool
    ) -> tuple[Skin, int]:
        others = [skin for skin, _ in self._skins.values()][:1]
        if before is None or before[0].mesh is not mesh or before[0].blending != document.blending:
            skin = Skin(mesh, document.rig, document.blending, poses=poses.all, like=others)
            return skin, self._plans.number(skin)
        known, _ = before
        is_same_rig = known.rig is document.rig
        if is_same_rig and not settled:
            return before
        keeps = not settled and known.poses.shape[1] == len(document.rig.channels)
        skin = Skin(
            mesh, document.rig, document.blending, poses=known.poses if keeps else poses.all, like=[known, *others]
        )
        if is_same_rig and known.tree.steps == skin.tree.steps:
            return before
        return skin, self._plans.number(skin)


class _Poses:
    """The poses of all frames, worked out when they are first needed."""

    def __init__(self, motion: Motion) -> None:
        self._motion = motion

    @cached_property
    def all(self) -> Floats:
        """Channel values (F, C)."""
        return self._motion.channels(self._motion.clip.frame_times)


def needs_plan(mesh: Mesh, document: Document) -> bool:
    """Whether matrices of joints do not say where a mesh is: it is blended otherwise, or along a bent bone."""
    bent = {joint for bend in document.rig.bends for joint in bend.screws}
    if len(mesh.joints) == 1:
        return mesh.joints[0] in bent
    return document.blending != "linear" or bool(bent)


def _posed(skin: Skin, channels: Floats) -> tuple[Floats, Floats | None]:
    """Differentials (F, N, 8) and, where any joint is scaled, stretches (F, K, 3, 4)."""
    differentials = np.empty((len(channels), len(skin.tree), 8))
    stretches: Floats | None = None
    for frame, pose in enumerate(channels):
        differentials[frame], rigid = skin.tree.posed(skin.rig, pose)
        if not rigid and (stretch := skin.stretches(pose)) is not None:
            if stretches is None:
                stretches = np.broadcast_to(np.eye(3, 4), (len(channels), *stretch.shape)).copy()
            stretches[frame] = stretch
    return differentials, stretches
