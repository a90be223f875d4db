"""Animations become clips; what they move decides which channels the rig has."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from inbetweener.arrays import Floats, frozen, read_only
from inbetweener.curves import BEZIER, Curve
from inbetweener.errors import InvalidDocument
from inbetweener.formats import reach
from inbetweener.formats.gltf.reading.meshes import Shown, widened
from inbetweener.formats.gltf.reading.scene import Scene
from inbetweener.formats.gltf.reading.source import Accessors, Source, named
from inbetweener.formats.gltf.reading.tracks import Track, Tracks
from inbetweener.formats.gltf.schema import EXTRAS
from inbetweener.formats.names import Names
from inbetweener.formats.turn_kernels import Turns
from inbetweener.formats.turns import along_turns, curves_of
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import Order
from inbetweener.maths.transforms import Quaternion
from inbetweener.motion import Clip, Curves
from inbetweener.rig import ROOT, Joint, Rig, joint_channels

DOFS = {"translation": "tx ty tz", "rotation": "rx ry rz", "scale": "sx sy sz"}
SMALLEST_ANGLE = 1e-8
"""Radians: a tenth of what single-precision quaternions can tell apart."""


@dataclass(frozen=True, slots=True)
class Take:
    """An animation: its number and name, its tracks, and the extras beside it."""

    index: int
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
            source.leave_out(f"/animations/{index}", "moves nothing; left out")
            continue
        name = names.unused(named(animation, f"clip_{index}"))
        takes.append(Take(index, name, list(moved.values()), animation.extras))
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
                source.spend(sum(60 * len(curve.times) for curve in made), f"/animations/{take.index}")
                if off > tolerances[j]:
                    source.note(
                        f"/nodes/{track.node}", f"turns too wildly in clip {take.name!r}; followed within {off:.2g} rad"
                    )
            else:
                made = curves_of(track.times, track.values, track.ins, track.outs, track.kinds)
            names = (
                shown.channels_of_node[track.node]
                if track.path == "weights"
                else ([f"{joints[j].name}.{dof}" for dof in DOFS[track.path].split()])
            )
            curves.update(zip(names, made, strict=True))
        try:
            clips.append(_clip(take, curves))
        except InvalidDocument as error:
            source.fail(f"/animations/{take.index}", str(error))
    channels = [
        channel
        for j, joint in enumerate(joints)
        for path, dofs in DOFS.items()
        if path == "rotation" or j in by_path[path] or (path == "translation" and joint.parent == ROOT)
        for channel in joint_channels(joint, dofs)
    ]
    lows, highs = _ranges(clips, {channel.name for channel in shown.channels})
    return Rig(joints, (*channels, *widened(shown.channels, lows, highs))), tuple(clips)


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


RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0, 24000 / 1001, 30000 / 1001, 60000 / 1001)
"""Tried in this order: the lowest on whose frames all keys lie wins."""
DEFAULT = 24.0
_SLACK = 0.01
"""Of a frame; exporters write times in single precision."""


def guessed_rate(times: Floats) -> float:
    """Frames a second such that all key times lie on frames; the default where none fits."""
    for rate in RATES:
        frames = times * rate
        if np.abs(frames - np.round(frames)).max(initial=0.0) < _SLACK:
            return rate
    return DEFAULT


def best_order(rest: Quaternion, tracks: list[Track]) -> Order:
    """The rotation order that keeps all tracks of a joint farthest from the pole, halfway between keys too."""
    seen = []
    for track in tracks:
        q = quaternions.normalised(track.values)
        seen.append(q)
        if len(q) > 1:
            seen.append(quaternions.slerp(q[:-1], q[1:], np.full(len(q) - 1, 0.5)))
    relative = quaternions.product(quaternions.inverse(rest), np.concatenate(seen))
    return euler.best_order(quaternions.to_matrix(relative))


def angle_curves(
    track: Track, rest: Quaternion, order: Order, tolerance: float
) -> tuple[tuple[Curve, Curve, Curve], float]:
    """Curves of rx, ry, rz for a rotation track, and within how many radians they follow it."""
    back = quaternions.inverse(rest)
    keys = ins = outs = np.ascontiguousarray(quaternions.product(back, track.values))
    if (track.kinds == BEZIER).any():
        ins, outs = (np.ascontiguousarray(quaternions.product(back, part)) for part in (track.ins, track.outs))
    slopes = read_only(ins), read_only(outs)
    given = Turns(read_only(track.times), read_only(keys), *slopes, frozen(track.kinds, np.uint8))
    angles, off = along_turns(given, order, tolerance)
    x, y, z = angles.curves()
    return (x, y, z), off
