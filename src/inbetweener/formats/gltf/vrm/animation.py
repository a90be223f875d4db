"""A clip of a person as a VRM animation, which any VRM character can play: turns of human bones, ways of the hips."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import inbetweener
from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.errors import FormatError, InvalidEdit
from inbetweener.formats.files import baked, clear_file_errors
from inbetweener.formats.gltf import container
from inbetweener.formats.gltf.read import read
from inbetweener.formats.gltf.schema import (
    EXTRAS,
    Animation,
    AnimationChannel,
    AnimationSampler,
    Asset,
    Buffer,
    Gltf,
    Node,
    Scene,
    Target,
)
from inbetweener.formats.gltf.vrm.expressions import GAZE, PRESETS, names_of
from inbetweener.formats.gltf.vrm.tpose import TPose
from inbetweener.formats.gltf.writing.packing import Packer
from inbetweener.maths import quaternions
from inbetweener.system import replace_file

__all__ = ["read", "write"]

NAME = "VRMC_vrm_animation"
STILL = 1e-7
"""Of a turn, a metre or a weight: less is no motion."""
STRETCHED = 0.001
"""Metres: bones whose lengths change by more are told."""
EYES = ("leftEye", "rightEye")


def write(document: Document, path: Path | str, clip: str | None = None, rate: float | None = None) -> tuple[str, ...]:
    """Write a clip (the first by default) of a person, a straight key on every frame; returns what it cannot hold.

    `rate` in frames a second is the clip's own by default. Bones are those that the file said, or that were recognised.
    """
    path = Path(path)
    if not document.clips:
        raise FormatError(path, "", f"{document.name!r} has no clip; a VRM animation is one")
    if rate is not None and not 0 < rate <= 1000:
        raise FormatError(path, "", f"{rate:g} frames a second cannot be; choose up to 1000")
    name = document.clip(clip).name
    further = len(document.clips) - 1
    losses = [f"{further} further clips are left out: a VRM animation plays one"] if further else []
    document, loose = baked(document, name, rate)
    try:
        pose = TPose.of(document, name)
    except InvalidEdit as error:
        raise FormatError(path, "", f"a VRM animation is of a person: {error}") from None
    written = _Written(document, name, rate, pose)
    whole = written.file()
    with clear_file_errors(path):
        replace_file(path, whole)
    return (*losses, *loose, *written.losses)


class _Written:
    """A file being put together."""

    def __init__(self, document: Document, clip: str, rate: float | None, pose: TPose) -> None:
        self.document, self.pose, self.clip = document, pose, document.clip(clip)
        self.rate = self.clip.rate if rate is None else rate
        count = int(np.floor((self.clip.end - self.clip.start) * self.rate + 1e-6)) + 1
        self.times = self.clip.start + np.arange(count) / self.rate
        self.channels = document.motion(clip).channels(self.times)
        self.nodes = [Node(name=bone, children=[]) for bone in pose.bones]
        self.samplers: list[AnimationSampler] = []
        self.tracks: list[AnimationChannel] = []
        self.losses: list[str] = []
        self.packer = Packer()
        self.seconds = self.packer.plain(self.times - self.times[0], "animation", bounds=True)

    def file(self) -> bytes:
        """All of it."""
        order = {bone: n for n, bone in enumerate(self.pose.bones)}
        record: dict[str, Any] = {
            "specVersion": "1.0",
            "humanoid": {"humanBones": {bone: {"node": n} for bone, n in order.items()}},
        }
        turned = self._bones(order)
        if expressions := self._expressions():
            record["expressions"] = expressions
        if gaze := self._gaze(turned):
            record["lookAt"] = gaze
        if not self.tracks:
            still = np.tile(np.array(self.nodes[order["hips"]].translation), (len(self.times), 1))
            self._track(order["hips"], "translation", still)
        views, data = self.packer.finish()
        end = float(self.times[-1] - self.times[0])
        told = {"start": 0.0, "end": end, "rate": self.rate, "loops": self.clip.loops}
        gltf = Gltf(
            asset=Asset(version="2.0", generator=f"inbetweener {inbetweener.__version__}"),
            scene=0,
            scenes=[Scene(nodes=[n for n in range(len(self.nodes)) if not self._is_carried(n)])],
            nodes=self.nodes,
            animations=[
                Animation(
                    name=self.clip.name or None,
                    samplers=self.samplers,
                    channels=self.tracks,
                    extras={EXTRAS: told},
                )
            ],
            accessors=self.packer.accessors,
            buffer_views=views,
            buffers=[Buffer(byte_length=len(data))],
            extensions={NAME: record},
            extensions_used=[NAME],
        )
        return container.pack(gltf, data)

    def _is_carried(self, node: int) -> bool:
        return any(node in each.children for each in self.nodes)

    def _track(self, node: int, path: str, values: Floats) -> None:
        sampler = AnimationSampler(input=self.seconds, output=self.packer.plain(values, "animation"))
        self.samplers.append(sampler)
        self.tracks.append(AnimationChannel(sampler=len(self.samplers) - 1, target=Target(node=node, path=path)))

    def _bones(self, order: Mapping[str, int]) -> dict[str, Floats]:
        """Turns of all bones and ways of the hips; how each is turned (T, 3, 3) from the T pose."""
        pose, rig = self.pose, self.document.rig
        world, turns = rig.posed(self.channels).forward
        turned = {bone: pose.turned(bone, turns[:, joint]) for bone, joint in pose.bones.items()}
        longer = 0.0
        for bone, joint in pose.bones.items():
            carrier, node = pose.parents[bone], self.nodes[order[bone]]
            node.translation = pose.offset(bone)
            if carrier is None:
                own = turned[bone]
            else:
                self.nodes[order[carrier]].children.append(order[bone])
                own = turned[carrier].transpose(0, 2, 1) @ turned[bone]
                lengths = np.linalg.norm(world[:, joint, :, 3] - world[:, pose.bones[carrier], :, 3], axis=1)
                longer = max(longer, float(np.ptp(lengths)))
            if bone not in EYES and np.abs(own - np.eye(3)).max() > STILL:
                self._track(order[bone], "rotation", _xyzw(own))
            if bone == "hips":
                places = world[:, joint, :, 3] @ pose.facing.T
                if np.abs(places - np.array(node.translation)).max() > STILL:
                    self._track(order[bone], "translation", places)
        if longer > STRETCHED:
            self.losses.append(f"bones change their lengths by up to {1000 * longer:.0f} mm: those of VRM do not")
        human = {rig.joints[joint].name for joint in pose.bones.values()}
        others = {
            drive.joint
            for channel in rig.channels
            if channel.name in self.clip.curves
            for drive in channel.drives
            if drive.joint not in human
        }
        if others:
            self.losses.append(f"{len(others)} joints that are no human bones, as hair or props, are left out")
        return turned

    def _expressions(self) -> dict[str, Any]:
        """Weights of expressions, each the X of a node."""
        kept = None if self.document.source is None else self.document.source.kept
        own = set() if kept is None else names_of(msgspec.json.decode(kept.text).get("extensions", {}))
        presets = set(PRESETS.values())
        found: dict[str, Any] = {}
        left = 0
        for c, channel in enumerate(self.document.rig.channels):
            values = self.channels[:, c]
            if channel.kind != "shape" or (np.ptp(values) < STILL and abs(values[0]) < STILL):
                continue
            if channel.name not in presets | own or channel.name in GAZE:
                left += 1
                continue
            self.nodes.append(Node(name=channel.name, children=[]))
            self._track(len(self.nodes) - 1, "translation", np.stack([values, 0 * values, 0 * values], axis=1))
            kind = "preset" if channel.name in presets else "custom"
            found.setdefault(kind, {})[channel.name] = {"node": len(self.nodes) - 1}
        if left:
            self.losses.append(f"{left} shapes that are no expressions of VRM are left out")
        return found

    def _gaze(self, turned: Mapping[str, Floats]) -> dict[str, Any]:
        """Where both eyes look, as the turn of a node."""
        eyes = [eye for eye in EYES if eye in turned]
        if not eyes or "head" not in turned:
            return {}
        ways = [turned["head"].transpose(0, 2, 1) @ turned[eye] for eye in eyes]
        if max(np.abs(way - np.eye(3)).max() for way in ways) < 1e-4:
            return {}
        both = quaternions.slerp(quaternions.from_matrix(ways[0]), quaternions.from_matrix(ways[-1]), 0.5)
        self.nodes.append(Node(name="lookAt", children=[]))
        self._track(len(self.nodes) - 1, "rotation", _xyzw(quaternions.to_matrix(both)))
        places = [self.pose.facing @ (self.pose.places[eye] - self.pose.places["head"]) for eye in eyes]
        return {"node": len(self.nodes) - 1, "offsetFromHeadBone": [float(part) for part in np.mean(places, axis=0)]}


def _xyzw(turns: Floats) -> Floats:
    return quaternions.continuous(quaternions.from_matrix(turns))[:, [1, 2, 3, 0]]
