"""A document of arrays: joints, and where each of them is within its parent on every frame."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, are_sane, read_only
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.errors import InvalidDocument
from inbetweener.formats.bones import with_bones
from inbetweener.formats.bvh.turns import rotations_of, unbroken
from inbetweener.maths import euler, quaternions
from inbetweener.maths.euler import ORDERS, Order
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import ROOT, Channel, Joint, Rig, joint_channels

STILL = 1e-9
"""Metres, or parts, by which a joint may leave its rest before it gets channels for that."""
SHORTEST = 1e-6
"""Below this length a quaternion says no rotation."""


def from_arrays(
    names: Sequence[str],
    parents: npt.ArrayLike,
    offsets: npt.ArrayLike,
    rotations: npt.ArrayLike,
    positions: npt.ArrayLike | None = None,
    *,
    rate: float,
    order: str | Sequence[str] | None = None,
    rest: npt.ArrayLike | None = None,
    name: str = "untitled",
    clip: str = "clip",
) -> Document:
    """As `Document.from_arrays`, which says what is what."""
    names = [str(each) for each in names]
    count = len(names)
    parents = _shaped("parents", parents, (count,))
    offsets = _shaped("offsets", offsets, (count, 3))
    resting = np.tile(quaternions.IDENTITY, (count, 1)) if rest is None else _shaped("rest", rest, (count, 4))
    resting = unit("rest", resting)
    angles = np.asarray(rotations, np.float64)
    euler_given = angles.ndim == 3 and angles.shape[2] == 3
    turns = _shaped("rotations", angles, (None, count, 3 if euler_given else 4))
    frames = len(turns)
    if euler_given:
        orders = _orders(order, count)
        turns = np.stack([rotations_of(turns[:, j], orders[j]) for j in range(count)], axis=1) if count else turns
    elif order is not None:
        raise InvalidDocument("order belongs to Euler angles (F, J, 3); these rotations are quaternions (F, J, 4)")
    else:
        orders, turns = None, unit("rotations", turns)
    moved = np.broadcast_to(offsets, (frames, count, 3))
    if positions is not None:
        given = np.asarray(positions, np.float64)
        given = _shaped("positions", given, (frames, count, 3) if given.ndim == 3 else (frames, 3))
        moved = given if given.ndim == 3 else np.concatenate([given[:, None], moved[:, 1:]], axis=1)
    if not (np.isfinite(rate) and rate > 0):
        raise InvalidDocument(f"rate {rate:g} frames a second must be positive")
    joints = tuple(
        Joint(each, int(parent), Transform(tuple(offset), tuple(turn)), orders[j] if orders else "ZYX")
        for j, (each, parent, offset, turn) in enumerate(
            zip(names, parents, offsets.tolist(), resting.tolist(), strict=True)
        )
    )
    same = rest is None and euler_given
    return sampled_document(
        name, clip, joints, np.arange(frames) / rate, rate, turns, moved, angles=angles if same else None
    )


def sampled_document(
    name: str,
    clip: str,
    joints: tuple[Joint, ...],
    times: Floats,
    rate: float,
    turns: Floats,
    places: Floats,
    scales: Floats | None = None,
    angles: Floats | None = None,
) -> Document:
    """Joints and where they are in their parents: quaternions (F, J, 4), places and scales (F, J, 3).

    Where `angles` (F, J, 3) are known too, in the orders of the joints and from rest, they are not made anew.
    """
    if not len(times):
        return Document(name, Rig(joints, _channels(joints, places, scales)))
    times = read_only(np.ascontiguousarray(times))
    columns: dict[str, Floats] = {}
    made = list(joints)
    for j, joint in enumerate(joints):
        if angles is None:
            own = quaternions.product(quaternions.inverse(joint.rest.rotation), turns[:, j])
            matrices = quaternions.to_matrix(own)
            made[j] = replace(joint, order=euler.best_order(matrices))
            values = euler.from_matrix(matrices, made[j].order)
        else:
            values = angles[:, j]
        values = euler.continuous(values, made[j].order)
        columns |= {f"{joint.name}.r{axis}": values[:, n] for n, axis in enumerate("xyz")}
        columns |= {f"{joint.name}.t{axis}": places[:, j, n] for n, axis in enumerate("xyz")}
        if scales is not None:
            columns |= {f"{joint.name}.s{axis}": scales[:, j, n] for n, axis in enumerate("xyz")}
    rig = Rig(tuple(made), _channels(joints, places, scales))
    curves = {channel.name: dense(times, columns[channel.name]) for channel in rig.channels}
    whole = Clip(clip, float(times[-1]), float(times[0]), rate, Curves(curves))
    rig, whole, _, _ = unbroken(rig, whole)
    rig, _ = with_bones(rig, (), (whole,))
    return Document(name, rig, clips=(whole,))


def dense(times: Floats, values: Floats) -> Curve:
    """A key on every sample; a single one where nothing changes."""
    values = np.ascontiguousarray(values)
    return Curve.sampled(times[:1], values[:1]) if (values == values[0]).all() else Curve.sampled(times, values)


def _channels(joints: tuple[Joint, ...], places: Floats, scales: Floats | None) -> tuple[Channel, ...]:
    """Turns for all joints, places for roots, and whatever else ever leaves its rest."""
    made: list[Channel] = []
    for j, joint in enumerate(joints):
        moves = joint.parent == ROOT or np.abs(places[:, j] - joint.rest.translation).max(initial=0.0) > STILL
        grows = scales is not None and np.abs(scales[:, j] - joint.rest.scale).max(initial=0.0) > STILL
        made += joint_channels(joint, ("tx ty tz " if moves else "") + "rx ry rz" + (" sx sy sz" if grows else ""))
    return tuple(made)


def unit(what: str, turns: Floats) -> Floats:
    """Quaternions (..., 4) made of length one."""
    # Of whatever length: the squares of long ones would be no numbers.
    turns = turns / np.maximum(1.0, np.abs(turns).max(axis=-1, keepdims=True))
    lengths = np.linalg.norm(turns, axis=-1)
    if (lengths < SHORTEST).any():
        where = ", ".join(str(each) for each in np.argwhere(lengths < SHORTEST)[0])
        raise InvalidDocument(f"{what}[{where}] is a quaternion of length nought")
    return np.asarray(turns / lengths[..., None], np.float64)


def _orders(order: str | Sequence[str] | None, count: int) -> list[Order]:
    if order is None:
        raise InvalidDocument("Euler angles (F, J, 3) need an order, such as order='ZYX'")
    given = [order] * count if isinstance(order, str) else list(order)
    if len(given) != count:
        raise InvalidDocument(f"order has {len(given)} entries for {count} joints; give one for all, or one a joint")
    for each in given:
        if each not in ORDERS:
            raise InvalidDocument(f"order {each!r} is not one of {', '.join(ORDERS)}")
    return [ORDERS[ORDERS.index(each)] for each in given]


def _shaped(what: str, values: npt.ArrayLike, shape: tuple[int | None, ...]) -> Floats:
    """Finite numbers of a shape, in which None is any length."""
    array = np.asarray(values, np.float64)
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
        wanted = ", ".join("F" if n is None else str(n) for n in shape) + ("," if len(shape) == 1 else "")
        raise InvalidDocument(f"{what} has shape {array.shape}; expected ({wanted})")
    if not are_sane(array).all():
        where = ", ".join(str(each) for each in np.argwhere(~are_sane(array))[0])
        raise InvalidDocument(f"{what}[{where}] is not a finite number below 1e30")
    return array
