"""Clips become animations, layers flattened, controls resolved to the joints they move."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.document import Document
from inbetweener.formats import reach
from inbetweener.formats.gltf.schema import EXTRAS, Animation, AnimationChannel, AnimationSampler, SamplerMode, Target
from inbetweener.formats.gltf.writing import kernels
from inbetweener.formats.gltf.writing.packing import Packer
from inbetweener.formats.gltf.writing.sums import ClipSums, Sums
from inbetweener.maths import euler, quaternions
from inbetweener.motion import Clip
from inbetweener.rig import Joint
from inbetweener.skinning.mesh import Singles


@dataclass(frozen=True, slots=True)
class Keys:
    """times (n,) float32 and increasing; values, slopes in and out (n, width)."""

    mode: SamplerMode
    times: Singles
    values: Floats
    ins: Floats
    outs: Floats

    def held_until(self, time: float) -> "Keys":
        """The same with the last value kept until `time`, so that the clip is that long."""
        if time <= self.times[-1]:
            return self
        flat = np.zeros((1, self.values.shape[1]))
        return Keys(
            self.mode,
            np.append(self.times, np.float32(time)),
            np.concatenate([self.values, self.values[-1:]]),
            np.concatenate([self.ins, flat]),
            np.concatenate([self.outs, flat]),
        )

    def output(self) -> Floats:
        """Rows as an accessor holds them: in slope, value, out slope of every key for cubics, else the values."""
        if self.mode != "CUBICSPLINE":
            return self.values
        return np.stack([self.ins, self.values, self.outs], axis=1).reshape(-1, self.values.shape[1])


def vector_keys(sums: Sums, offset: float, tolerance: float) -> Keys:
    """Keys of a translation, scale or set of weights; `offset` is taken off all times."""
    stops = sums.stops()
    if len(stops) == 1 or sums.is_held():
        return _held(stops - offset, sums.evaluate(stops))
    before = _just_before(stops, offset)
    room = 2 * len(stops) + 64
    while True:
        made = kernels.Made(np.empty(room), *(np.empty((room, len(sums.bias))) for _ in range(3)))
        count = kernels.cubic_keys(*sums.records, stops, before, tolerance, made)
        if count >= 0:
            break
        room *= 4
    times, values, ins, outs = (part[:count] for part in made)
    return _rounded("CUBICSPLINE" if sums.has_bezier() else "LINEAR", times - offset, values, ins, outs)


def rotation_keys(sums: Sums, joint: Joint, offset: float, tolerance: float) -> Keys:
    """Quaternion keys xyzw of a joint whose three angles are `sums`."""
    stops = sums.stops()
    if len(stops) == 1 or sums.is_held():
        return _held(stops - offset, _turned(sums.evaluate(stops), joint))
    rest = np.array(joint.rest.rotation, np.float64)
    straight = _fitted(sums, joint, stops, rest, offset, tolerance, as_cubic=False)
    if len(straight.times) <= len(stops):
        return straight
    smooth = _fitted(sums, joint, stops, rest, offset, tolerance, as_cubic=True)
    # A cubic key costs thirteen numbers, a straight one five.
    return smooth if 13 * len(smooth.times) < 5 * len(straight.times) else straight


def sampled_keys(sums: Sums, joint: Joint | None, times: Floats, offset: float) -> Keys:
    """Straight keys at `times`: quaternions xyzw of a joint whose three angles are `sums`, else the sums themselves."""
    values = _turned(sums.evaluate(times), joint)
    flat = np.zeros_like(values)
    return _rounded("LINEAR", times - offset, values, flat, flat)


def still_keys(values: Floats, joint: Joint | None, time: float) -> Keys:
    """One key of three angles of a joint, else of the values themselves."""
    return _held(np.array([time]), _turned(values[None], joint))


def _turned(values: Floats, joint: Joint | None) -> Floats:
    """Angles (n, 3) of a joint as quaternions xyzw; without a joint the values themselves."""
    if joint is None:
        return values
    turns = quaternions.from_matrix(euler.to_matrix(values, joint.order))
    rest = np.array(joint.rest.rotation, np.float64)
    return _xyzw(quaternions.continuous(quaternions.product(rest, turns)))


def _fitted(
    sums: Sums, joint: Joint, stops: Floats, rest: Floats, offset: float, tolerance: float, as_cubic: bool
) -> Keys:
    axes: Ints = np.array(euler.axes(joint.order), np.int64)
    before = _just_before(stops, offset)
    room = 2 * len(stops) + 64
    while True:
        made = kernels.Made(np.empty(room), *(np.empty((room, 4)) for _ in range(3)))
        count = kernels.quaternion_keys(*sums.records, stops, before, rest, axes, tolerance, as_cubic, made)
        if count >= 0:
            break
        room *= 4
    times, values, ins, outs = (part[:count] for part in made)
    mode: SamplerMode = "CUBICSPLINE" if as_cubic else "LINEAR"
    return _rounded(mode, times - offset, _xyzw(values), _xyzw(ins), _xyzw(outs))


def _held(times: Floats, values: Floats) -> Keys:
    flat = np.zeros_like(values)
    return _rounded("STEP" if len(times) > 1 else "LINEAR", times, values, flat, flat)


def _just_before(stops: Floats, offset: float) -> Floats:
    """For each stop, the last time before it that single precision can tell from it."""
    single = (stops - offset).astype(np.float32)
    return np.nextafter(single, np.float32(-np.inf)).astype(np.float64) + offset


def _rounded(mode: SamplerMode, times: Floats, values: Floats, ins: Floats, outs: Floats) -> Keys:
    """In single precision two keys may fall on one time: the later counts."""
    single = np.maximum(times, 0.0).astype("<f4")
    kept = np.append(np.diff(single) > 0, True)
    if not kept.all():
        single, values, ins, outs = single[kept], values[kept], ins[kept], outs[kept]
    if mode == "CUBICSPLINE" and len(single) < 2:
        mode = "LINEAR"
    return Keys(mode, single, values, ins, outs)


def _xyzw(q: Floats) -> Floats:
    return q[:, [1, 2, 3, 0]]


ROTATION_SHARE, OTHER_SHARE = 0.3, 0.1
"""Parts of the tolerance for rotations, for translations and for scales; the rest is for reading, twice."""
_SMALLEST_ANGLE = 2e-7
"""Radians: what single-precision quaternions can tell apart."""
_PARTS = (("translation", slice(0, 3)), ("rotation", slice(3, 6)), ("scale", slice(6, 9)))

_Moved = tuple[int, str, Sums]


class Animations:
    """Writes clips for one document."""

    def __init__(
        self,
        document: Document,
        channels_of_node: dict[int, tuple[str, ...]],
        packer: Packer,
        tolerance: float,
        sampled: bool = False,
    ) -> None:
        self.document = document
        self.rig = document.rig
        self.channels_of_node = channels_of_node
        self.packer = packer
        self.sampled = sampled
        self.records: list[Animation] = []
        self.losses: list[str] = []
        self._kept: set[tuple[int, str]] = set()
        self._sums = [ClipSums(self.rig, clip) for clip in document.clips]
        allowed = self._allowance()
        self.angles = allowed.angles(ROTATION_SHARE * tolerance, _SMALLEST_ANGLE)
        self.lengths = allowed.translations(OTHER_SHARE * tolerance)
        self.scales = allowed.scales(OTHER_SHARE * tolerance)
        self.tolerance = tolerance

    def add_all(self) -> None:
        """All clips of the document."""
        self._kept = {(node, path) for sums in self._sums for node, path, _ in self._moved(sums)}
        bones = {
            self.rig.joint_index(name) for mesh in self.document.meshes if len(mesh.joints) > 1 for name in mesh.joints
        }
        self._kept |= {(joint, path) for joint in bones for path, _ in _PARTS}
        for clip, sums in zip(self.document.clips, self._sums, strict=True):
            self._add(clip, sums)

    def _add(self, clip: Clip, sums: ClipSums) -> None:
        moved = self._moved(sums)
        # glTF's time starts at zero.
        first = min([clip.start, *(float(made.bundle.times.min()) for _, _, made in moved)])
        offset = min(first, 0.0)
        if offset < 0:
            self.losses.append(f"clip {clip.name!r} starts before time zero; moved by {-offset:g} s")
        tracks = [(node, path, self._keys(clip, node, path, made, offset)) for node, path, made in moved]
        if self.sampled:
            tracks += self._held_here(moved, clip.start - offset)
        end = clip.end - offset
        if not tracks:
            if not self.rig.joints:
                self.losses.append(f"clip {clip.name!r} moves nothing; left out")
                return
            still = np.array([self.rig.joints[0].rest.translation])
            flat = np.zeros_like(still)
            tracks = [(0, "translation", Keys("LINEAR", np.zeros(1, "<f4"), still, flat, flat))]
        if max(keys.times[-1] for _, _, keys in tracks) < np.float32(end):
            node, path, keys = tracks[0]
            tracks[0] = node, path, keys.held_until(end)
        self.records.append(
            Animation(
                name=clip.name or None,
                samplers=[self._sampler(keys, path) for _, path, keys in tracks],
                channels=[
                    AnimationChannel(sampler=n, target=Target(node=node, path=path))
                    for n, (node, path, _) in enumerate(tracks)
                ],
                extras={
                    EXTRAS: {"start": clip.start - offset, "end": end, "rate": clip.rate, "loops": clip.loops},
                },
            )
        )

    def _moved(self, sums: ClipSums) -> list[_Moved]:
        """What a clip moves: node, path and the numbers over time."""
        places = [
            (j, path, range(9 * j, 9 * j + 9)[part]) for j in range(len(self.rig.joints)) for path, part in _PARTS
        ]
        found = [(j, path, sums.dofs(indices)) for j, path, indices in places]
        found += [(node, "weights", sums.channels(names)) for node, names in self.channels_of_node.items()]
        return [(node, path, made) for node, path, made in found if made is not None]

    def _held_here(self, moved: list[_Moved], start: float) -> list[tuple[int, str, Keys]]:
        """A key for whatever other clips move and this one does not, and for all joints of skins.

        Programs that keep the pose of the clip before, or go back to that of the skin's binding, would show another.
        """
        own = {(node, path) for node, path, _ in moved}
        dofs = self.rig.dof_map.dofs(self.rig.defaults[None])[0]
        held = []
        for node, path in sorted(self._kept - own):
            if path == "weights":
                values = np.array([self.rig.channel(name).default for name in self.channels_of_node[node]])
            else:
                values = dofs[9 * node : 9 * node + 9][dict(_PARTS)[path]]
            joint = self.rig.joints[node] if path == "rotation" else None
            held.append((node, path, still_keys(values, joint, start)))
        return held

    def _keys(self, clip: Clip, node: int, path: str, sums: Sums, offset: float) -> Keys:
        if self.sampled and not sums.is_held():
            joint = self.rig.joints[node] if path == "rotation" else None
            return sampled_keys(sums, joint, _frames_and_end(clip), offset)
        if path == "rotation":
            return rotation_keys(sums, self.rig.joints[node], offset, float(self.angles[node]))
        if path == "weights":
            return vector_keys(sums, offset, self._weight_tolerance(node))
        return vector_keys(sums, offset, float((self.lengths if path == "translation" else self.scales)[node]))

    def _weight_tolerance(self, node: int) -> float:
        """A weight's error moves vertices by the length of the offsets."""
        names = set(self.channels_of_node[node])
        farthest = max(
            (
                float(np.abs(shape.offsets).max(initial=0.0))
                for mesh in self.document.meshes
                for shape in mesh.shapes
                if shape.channel in names
            ),
            default=0.0,
        )
        return min(OTHER_SHARE * self.tolerance / max(farthest * len(names), 1e-12), 1e-3)

    def _sampler(self, keys: Keys, path: str) -> AnimationSampler:
        output = keys.output()
        if path == "weights":
            output = output.reshape(-1)
        return AnimationSampler(
            input=self.packer.plain(keys.times, "animation", bounds=True),
            output=self.packer.plain(output, "animation"),
            interpolation=keys.mode,
        )

    def _allowance(self) -> reach.Allowance:
        """How far joints ever are from their parents, over the keys of all clips."""
        joints = self.rig.joints
        lengths = np.array([float(np.linalg.norm(joint.rest.translation)) for joint in joints])
        scales = np.array([float(np.abs(joint.rest.scale).max()) for joint in joints])
        moving = np.zeros(len(joints), np.bool_)
        for sums in self._sums:
            for j in range(len(joints)):
                moving[j] |= sums.dofs(range(9 * j + 3, 9 * j + 6)) is not None
                shifted, scaled = sums.dofs(range(9 * j, 9 * j + 3)), sums.dofs(range(9 * j + 6, 9 * j + 9))
                if shifted is not None:
                    size = np.linalg.norm(shifted.evaluate(shifted.stops()), axis=1)
                    lengths[j] = max(lengths[j], float(size.max()))
                if scaled is not None:
                    scales[j] = max(scales[j], float(np.abs(scaled.evaluate(scaled.stops())).max()))
        far = reach.extents(joints, self.document.meshes)
        return reach.Allowance.of(joints, lengths, scales, far, moving)


def _frames_and_end(clip: Clip) -> Floats:
    frames = clip.frame_times
    return np.append(frames, clip.end) if clip.end > frames[-1] + 1e-6 else frames
