"""Animation samplers, checked and mended: key times and values with a kind of segment after each."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Bools, Bytes, Floats
from inbetweener.curves import BEZIER, CONSTANT, LINEAR
from inbetweener.formats.gltf.reading.source import Accessors, Source
from inbetweener.formats.gltf.schema import AnimationSampler

KINDS = {"STEP": CONSTANT, "LINEAR": LINEAR, "CUBICSPLINE": BEZIER}
WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}


@dataclass(frozen=True, slots=True)
class Track:
    """What one animation channel does to one node.

    times (n,), values (n, width), slopes `ins` and `outs` (n, width) per second (zero where nothing is BEZIER), kinds
    (n,) of the segment after each key: CONSTANT, LINEAR or BEZIER. Rotations are wxyz; BEZIER ones not normalised.
    """

    node: int
    path: str
    times: Floats
    values: Floats
    ins: Floats
    outs: Floats
    kinds: Bytes


class Tracks:
    """Reads samplers; key times are shared between all that share them in the file."""

    def __init__(self, source: Source, accessors: Accessors) -> None:
        self.source = source
        self.accessors = accessors
        self._times: dict[int, tuple[Floats, Bools | None]] = {}

    def read(self, animation: int, channel: int, shape_count: int) -> Track | None:
        """The track of an animation channel; None with a note where it moves nothing that we have."""
        source = self.source
        record = source.gltf.animations[animation]
        target = record.channels[channel].target
        here = f"/animations/{animation}/channels/{channel}"
        if target.node is None and target.path not in (*WIDTHS, "weights"):
            source.note(f"{here}/target/path", f"{target.path[:40]!r} is kept as it is, and not shown here")
        if target.node is None:
            return None
        if target.path not in WIDTHS and target.path != "weights":
            source.note(f"{here}/target/path", f"{target.path[:40]!r} is kept as it is, and not shown here")
            return None
        if target.path == "weights" and shape_count == 0:
            source.leave_out(f"{here}/target", f"node {target.node} has no morph targets; left out")
            return None
        if target.path != "weights" and source.gltf.nodes[target.node].matrix is not None:
            source.note(f"{here}/target", f"node {target.node} is given as a matrix; its parts are animated instead")
        index = record.channels[channel].sampler
        sampler = source.item("sampler", record.samplers, index, f"{here}/sampler")
        place = f"/animations/{animation}/samplers/{index}"
        return self._track(target.node, target.path, sampler, shape_count, place)

    def _kind(self, interpolation: str | int, place: str) -> int:
        if interpolation == 0:
            self.source.note(place, "is 0 instead of a name; read as LINEAR")
            return LINEAR
        if not isinstance(interpolation, str) or interpolation not in KINDS:
            self.source.fail(place, f"{str(interpolation)[:40]!r} is not known")
        return KINDS[interpolation]

    def _track(self, node: int, path: str, sampler: AnimationSampler, shape_count: int, place: str) -> Track:
        kind = self._kind(sampler.interpolation, f"{place}/interpolation")
        times, kept = self._key_times(sampler.input, f"{place}/input")
        total = len(times) if kept is None else len(kept)
        if kind == BEZIER and total < 2:
            self.source.note(f"{place}/input", "a cubic spline needs two keys; the one there is is held")
        per_key = 3 if kind == BEZIER else 1
        # Values, and slopes where there are any.
        width = shape_count if path == "weights" else WIDTHS[path]
        self.source.spend(total * width * (40 if kind == BEZIER else 24), place)
        raw = self._outputs(path, sampler.output, total * per_key, shape_count, f"{place}/output")
        if path == "rotation":
            raw = raw[:, [3, 0, 1, 2]]
        if kind == BEZIER:
            ins, values, outs = raw[0::3], raw[1::3], raw[2::3]
        else:
            values, ins = raw, np.zeros_like(raw)
            outs = ins
        if path == "rotation":
            values = self._unit(values, kind, f"{place}/output")
        if kept is not None:
            ins, values, outs = ins[kept], values[kept], outs[kept]
        if len(times) == 1 and kind == BEZIER:
            kind = LINEAR
        kinds = np.full(len(times), kind, np.uint8)
        return _with_holds(Track(node, path, times, values, ins, outs, kinds))

    def _key_times(self, index: int, place: str) -> tuple[Floats, Bools | None]:
        """Times (n,), and which of the file's keys are kept where not all are."""
        if index not in self._times:
            record = self.accessors.record(index, place)
            if record.component_type != 5126:
                self.source.fail(place, f"accessor {index} must hold floats: key times in seconds")
            times = self.accessors.floats(index, place, "SCALAR")[:, 0].astype(np.float64)
            if record.min is None or record.max is None:
                self.source.note(place, f"accessor {index} lacks min and max; taken from the times themselves")
            self._note_stride(index, place)
            latest = np.maximum.accumulate(np.concatenate([[-1.0], times[:-1]]))
            kept = (times > latest) & (times >= 0)
            if not kept.any():
                self.source.fail(place, f"accessor {index} has no key at or after time zero")
            if not kept.all():
                self.source.note(
                    place, f"times must increase from zero; {int((~kept).sum())} of {len(kept)} keys are dropped"
                )
            times = times[kept]
            times.flags.writeable = False
            self._times[index] = times, None if kept.all() else kept
        return self._times[index]

    def _outputs(self, path: str, index: int, rows: int, shape_count: int, place: str) -> Floats:
        record = self.accessors.record(index, place)
        if path in ("translation", "scale") and record.component_type != 5126:
            self.source.fail(place, f"accessor {index} must hold floats: it moves a {path}")
        if record.component_type != 5126 and not record.normalized:
            self.source.fail(place, f"accessor {index} holds whole numbers that are not normalised")
        wanted = {"rotation": "VEC4", "weights": "SCALAR"}.get(path, "VEC3")
        values = self.accessors.floats(index, place, wanted).astype(np.float64)
        self._note_stride(index, place)
        if path == "weights":
            if len(values) != rows * shape_count:
                self.source.fail(place, f"{len(values)} weights, expected {rows} × {shape_count} morph targets")
            return values.reshape(rows, shape_count)
        if len(values) != rows:
            self.source.fail(place, f"{len(values)} values, expected {rows}")
        return values

    def _note_stride(self, index: int, place: str) -> None:
        view = self.source.gltf.accessors[index].buffer_view
        if view is not None and self.source.gltf.buffer_views[view].byte_stride is not None:
            self.source.note(
                place, "its bufferView has a byteStride, which only vertex data may have; read all the same"
            )

    def _unit(self, values: Floats, kind: int, place: str) -> Floats:
        length = np.linalg.norm(values, axis=1)
        off = np.abs(length - 1) > 0.01
        if off.any():
            worst = int(np.argmax(np.abs(length - 1)))
            self.source.note(
                place, f"{int(off.sum())} rotations are not of length 1 (key {worst}: {length[worst]:.4g}); made so"
            )
        if kind == BEZIER and not off.any():
            # The rounding of a cubic's keys belongs to its shape; it is normalised where it is evaluated.
            return values
        safe = np.where(length > 0, length, 1.0)[:, None]
        return np.where(length[:, None] > 0, values / safe, np.array([1.0, 0.0, 0.0, 0.0]))


def _with_holds(track: Track) -> Track:
    """Held segments given back their name.

    A format with one interpolation a sampler writes a held segment among others as two keys of the same value, the
    second a rounding before the next key.
    """
    times, values = track.times, track.values
    if len(times) < 3 or track.kinds[0] == CONSTANT:
        return track
    hair = 1.5 * np.spacing(times[2:].astype(np.float32)).astype(np.float64)
    doubled = (np.diff(times)[1:] <= hair) & (values[1:-1] == values[:-2]).all(axis=1)
    if track.kinds[0] == BEZIER:
        doubled &= (track.outs[:-2] == 0).all(axis=1) & (track.ins[1:-1] == 0).all(axis=1)
    if not doubled.any():
        return track
    held = np.flatnonzero(doubled)
    kinds = track.kinds.copy()
    kinds[held] = CONSTANT
    kept = np.ones(len(times), np.bool_)
    kept[held + 1] = False
    return Track(
        track.node, track.path, times[kept], values[kept], track.ins[kept], track.outs[kept], kinds[kept]
    )  # fmt: skip
