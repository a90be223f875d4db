"""Baking: what looseness adds to keyed motion, as a layer of curves like any other.

The layer holds loose minus keyed values, so the original keys stay as they are, and muting the layer brings the keyed
motion back. Before it is fitted it has a key on every frame and is there what was previewed; fitted, it has few keys
and stays within a tolerance. In a loop its last values are its first, so that it closes as well as the keyed motion.
"""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.curves import Curve
from inbetweener.kinodynamics.loose_motion import LooseMotion
from inbetweener.motion import Clip, Curves, Layer, Motion, fit_clip

TOLERANCE = 0.002
"""Metres by which a fitted bake may miss what was previewed, at frames."""

STILL = 1e-12
"""Channels that looseness moves by less than this, of their unit, get no curve."""

CLOSED = 1e-6
"""Of a channel's unit: ends of a loop that differ by less are the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Bake:
    """A baked layer, and how far joints and named points are from the preview at frames, in metres at most."""

    layer: Layer
    error: float
    keys: int
    frames: int

    def __str__(self) -> str:
        return f"{self.keys} keys from {self.frames} frames; within {1000 * self.error:.2g} mm of the preview at frames"


def bake(motion: LooseMotion, name: str = "loose", *, tolerance: float | None = TOLERANCE) -> Bake:
    """What looseness adds, as a layer; with a tolerance of None with a key on every frame, which is exact there."""
    dense = dense_layer(motion, motion.clip.frame_times, name)
    layer = dense if tolerance is None or not dense.curves else _fitted(motion, dense, tolerance)
    clip = motion.clip
    baked = Motion(motion.rig, replace(clip, layers=(*clip.layers, layer)))
    keys = sum(len(curve) for curve in layer.curves.values())
    return Bake(layer, _furthest(motion, baked), keys, len(clip.frame_times))


def dense_layer(motion: LooseMotion, times: Floats, name: str = "loose") -> Layer:
    """Loose minus keyed values at times (T,), straight between them."""
    clip = motion.clip
    if clip.end - times[-1] > 1e-6 / clip.rate:
        times = np.append(times, clip.end)
    added = motion.channels(times) - motion.tight.channels(times)
    if clip.loops:
        # The same state, but for rounding: a loop shall not drift by it.
        added[-1] = np.where(np.abs(added[-1] - added[0]) < CLOSED, added[0], added[-1])
    curves = {
        motion.rig.channels[c].name: Curve.sampled(times, added[:, c])
        for c in _loose(motion)
        if np.abs(added[:, c]).max() > STILL
    }
    return Layer(name, Curves(curves))


def _loose(motion: LooseMotion) -> Ints:
    return np.sort(np.concatenate([motion.loosened.swinging.channels, motion.loosened.following.channels]))


def _fitted(motion: LooseMotion, dense: Layer, tolerance: float) -> Layer:
    """The same with few keys: the layer is fitted as if it were the base, on top of the keyed motion."""
    fitted, _ = fit_clip(motion.rig, _upside_down(motion, dense), tolerance)
    curves = {name: fitted.curves[name] for name in dense.curves}
    if motion.clip.loops:
        curves = {name: _closed(curve, dense.curves[name]) for name, curve in curves.items()}
    return Layer(dense.name, Curves(curves))


def _upside_down(motion: LooseMotion, dense: Layer) -> Clip:
    """A clip that moves as the baked one, its base being what is baked and its lowest layer what was the base.

    A channel without a base curve rests on its default, which must not count twice, nor be lost.
    """
    clip, keyed = motion.clip, {}
    for channel in motion.rig.channels:
        curve = clip.curves.get(channel.name)
        if channel.name in dense.curves:
            keyed[channel.name] = Curve.constant(channel.default, clip.start) if curve is None else curve
        elif curve is not None:
            keyed[channel.name] = replace(curve, values=curve.values - channel.default)
    return replace(clip, curves=dense.curves, layers=(Layer("keyed", Curves(keyed)), *clip.layers))


def _closed(curve: Curve, dense: Curve) -> Curve:
    """A fitted curve that ends as it starts, as the dense one does."""
    if dense.values[0] != dense.values[-1]:
        return curve
    return replace(curve, values=np.append(curve.values[:-1], curve.values[0]))


def _furthest(motion: LooseMotion, baked: Motion) -> float:
    """Metres: how far apart any joint or named point of two motions is on a frame."""
    rig, times = motion.rig, motion.clip.frame_times
    if not rig.joints:
        return 0.0
    joints, offsets = rig.point_arrays(rig.places)
    apart = rig.world_from_joint(motion.channels(times)) - rig.world_from_joint(baked.channels(times))
    apart = apart[:, joints]
    return float(np.linalg.norm(np.einsum("tprc,pc->tpr", apart[..., :3], offsets) + apart[..., 3], axis=-1).max())
