"""Sums of curves become glTF keys: held, straight or cubic, with more keys only where the tolerance asks."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.formats.gltf.schema import SamplerMode
from inbetweener.formats.gltf.writing import kernels
from inbetweener.formats.gltf.writing.sums import Sums
from inbetweener.maths import euler, quaternions
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
