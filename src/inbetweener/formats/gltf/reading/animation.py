"""Animations become clips; what they move decides which channels the rig has."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.formats.gltf import reach
from inbetweener.formats.gltf.reading.accessors import Accessors
from inbetweener.formats.gltf.reading.meshes import Shown, widened
from inbetweener.formats.gltf.reading.rotations import angle_curves, best_order, curves_of
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.source import Names, Source, named
from inbetweener.formats.gltf.reading.timing import guessed_rate
from inbetweener.formats.gltf.reading.tracks import Track, Tracks
from inbetweener.formats.gltf.schema import EXTRAS
from inbetweener.motion import Clip, Curves
from inbetweener.rig import ROOT, Joint, Rig, joint_channels

DOFS = {"translation": "tx ty tz", "rotation": "rx ry rz", "scale": "sx sy sz"}
SMALLEST_ANGLE = 1e-8
"""Radians: a tenth of what single-precision quaternions can tell apart."""


@dataclass(frozen=True, slots=True)
class Take:
    """An animation: its name, its tracks, and the extras beside it."""

    name: str
    tracks: list[Track]
    extras: Any


def read_takes(source: Source, accessors: Accessors, shown: Shown) -> list[Take]:
    """All animations that move something."""
    reader = Tracks(source, accessors)
    takes: list[Take] = []
    names = Names()
    for index, animation in enumerate(source.gltf.animations):
        moved: dict[tuple[int, str], Track] = {}
        for c, channel in enumerate(animation.channels):
            node = channel.target.node
            shapes = shown.channels_of_node.get(node, ()) if node is not None else ()
            track = reader.read(index, c, len(shapes))
            if track is not None and (track.node, track.path) in moved:
                source.note(
                    f"/animations/{index}/channels/{c}/target",
                    f"the {track.path} of node {track.node} is already moved by another channel; the first counts",
                )
            elif track is not None:
                moved[track.node, track.path] = track
        if not moved:
            source.note(f"/animations/{index}", "moves nothing; left out")
            continue
        name = names.unused(named(animation, f"clip_{index}"))
        takes.append(Take(name, list(moved.values()), animation.extras))
    return takes


def animate(
    source: Source, scene: Scene, shown: Shown, takes: list[Take], tolerance: float
) -> tuple[Rig, tuple[Clip, ...]]:
    """The rig with its channels, and the clips. `tolerance` is in metres, for rotations between keys."""
    by_path: dict[str, dict[int, list[Track]]] = {"translation": {}, "rotation": {}, "scale": {}, "weights": {}}
    for take in takes:
        for track in take.tracks:
            by_path[track.path].setdefault(scene.joint_of_node[track.node], []).append(track)
    joints = tuple(
        replace(joint, order=best_order(joint.rest.rotation, by_path["rotation"][j]))
        if j in by_path["rotation"]
        else joint
        for j, joint in enumerate(scene.joints)
    )
    tolerances = _tolerances(joints, shown, by_path, tolerance)
    clips = []
    for take in takes:
        curves: dict[str, Curve] = {}
        for track in take.tracks:
            j = scene.joint_of_node[track.node]
            if track.path == "rotation":
                turns, off = angle_curves(track, joints[j].rest.rotation, joints[j].order, tolerances[j])
                made = list(turns)
                if off > tolerances[j]:
                    source.note(
                        f"/nodes/{track.node}", f"turns too wildly in clip {take.name!r}; followed within {off:.2g} rad"
                    )
            else:
                made = curves_of(track.times, track.values, track.ins, track.outs, track.kinds)
            names = shown.channels_of_node[track.node] if track.path == "weights" else _names(joints[j], track.path)
            curves.update(zip(names, made, strict=True))
        clips.append(_clip(take, curves))
    channels = [
        channel
        for j, joint in enumerate(joints)
        for path, dofs in DOFS.items()
        if path == "rotation" or j in by_path[path] or (path == "translation" and joint.parent == ROOT)
        for channel in joint_channels(joint, dofs)
    ]
    lows, highs = _ranges(clips, {channel.name for channel in shown.channels})
    return Rig(joints, (*channels, *widened(shown.channels, lows, highs))), tuple(clips)


def _names(joint: Joint, path: str) -> list[str]:
    return [f"{joint.name}.{dof}" for dof in DOFS[path].split()]


def _tolerances(
    joints: tuple[Joint, ...], shown: Shown, by_path: dict[str, dict[int, list[Track]]], tolerance: float
) -> list[float]:
    def largest(path: str, resting: list[float]) -> Floats:
        result = np.array(resting, np.float64)
        for j, tracks in by_path[path].items():
            for track in tracks:
                size = np.linalg.norm(track.values, axis=1) if path == "translation" else np.abs(track.values)
                result[j] = max(result[j], float(size.max()))
        return result

    lengths = largest("translation", [float(np.linalg.norm(joint.rest.translation)) for joint in joints])
    scales = largest("scale", [float(np.abs(joint.rest.scale).max()) for joint in joints])
    turning = np.array([j in by_path["rotation"] for j in range(len(joints))], np.bool_)
    allowed = reach.Allowance.of(joints, lengths, scales, reach.extents(joints, shown.meshes), turning)
    return [float(angle) for angle in allowed.angles(tolerance, SMALLEST_ANGLE)]


def _clip(take: Take, curves: dict[str, Curve]) -> Clip:
    times = np.unique(np.concatenate([track.times for track in take.tracks]))
    kept = take.extras.get(EXTRAS) if isinstance(take.extras, dict) else None
    kept = kept if isinstance(kept, dict) else {}

    def number(name: str, otherwise: float, least: float) -> float:
        value = kept.get(name)
        return float(value) if isinstance(value, int | float) and least < value < 1e9 else otherwise

    start = number("start", 0.0, -1e9)
    end = number("end", float(times[-1]), start - 1e-9)
    rate = number("rate", guessed_rate(times), 0.0)
    return Clip(take.name, max(start, end), start, rate, Curves(curves), loops=kept.get("loops") is True)


def _ranges(clips: list[Clip], names: set[str]) -> tuple[dict[str, float], dict[str, float]]:
    lows: dict[str, float] = {}
    highs: dict[str, float] = {}
    for clip in clips:
        for name in names & set(clip.curves):
            values = clip.curves[name].values
            lows[name] = min(lows.get(name, np.inf), float(values.min()))
            highs[name] = max(highs.get(name, -np.inf), float(values.max()))
    return lows, highs
