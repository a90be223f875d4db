"""What a character holds in the world, moved along with it: targets and poles of handles, props, targets of motions."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from inbetweener.curves import Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.document.document import Document, Prop
from inbetweener.kinodynamics import PointTarget, Target
from inbetweener.maths import quaternions, transforms
from inbetweener.maths.transforms import Transform, as_quaternion, as_vector
from inbetweener.motion import Clip, Curves
from inbetweener.motion.layers import TOLERANCE


def carried(document: Document, kept: Callable[[str], bool], by: Transform, said: list[str]) -> Document:
    """What names of `kept` hold in the world, moved along: targets and poles of handles, props, targets of motions."""
    matrix = by.matrix()
    trios = [handle.channels[n : n + 3] for handle in document.rig.handles if kept(handle.name) for n in (0, 3)]
    defaults: dict[str, float] = {}
    for trio in trios:
        at = matrix[:, :3] @ [document.rig.channel(each).default for each in trio] + matrix[:, 3]
        defaults |= dict(zip(trio, map(float, at), strict=True))
    limited = [
        each.name
        for each in document.rig.channels
        if each.name in defaults and not each.lower == -each.upper == -math.inf
    ]
    if limited:
        said.append(f"limits of {len(limited)} channels of handles, which were places in the world, are lifted")
    channels = tuple(
        replace(each, default=defaults[each.name], lower=-math.inf, upper=math.inf) if each.name in defaults else each
        for each in document.rig.channels
    )
    old = {name: document.rig.channel(name).default for name in defaults}
    return replace(
        document,
        rig=replace(document.rig, channels=channels),
        clips=tuple(_carried_clip(each, trios, matrix, old) for each in document.clips),
        props=tuple(
            replace(each, transform=_moved(each, by)) if each.joint is None and kept(each.name) else each
            for each in document.props
        ),
        loosenings=tuple(
            replace(
                each,
                aims=tuple(
                    replace(aim, target=_carried_target(aim.target, by)) if kept(aim.name) else aim for aim in each.aims
                ),
            )
            for each in document.loosenings
        ),
    )


def _carried_clip(clip: Clip, trios: list[tuple[str, ...]], matrix: np.ndarray, defaults: dict[str, float]) -> Clip:
    for trio in trios:
        clip = replace(
            clip,
            curves=_turned(clip.curves, trio, matrix, {name: defaults[name] for name in trio}, clip.start),
            layers=tuple(
                replace(each, curves=_turned(each.curves, trio, np.c_[matrix[:, :3], np.zeros(3)], {}, clip.start))
                for each in clip.layers
            ),
        )
    return clip


def _turned(
    curves: Curves, trio: tuple[str, ...], matrix: np.ndarray, resting: dict[str, float], start: float
) -> Curves:
    """Curves of x, y and z moved as places are; a layer's are only turned, as they are added to places."""
    if not any(name in curves for name in trio):
        return curves
    given = [curves.get(name, Curve.constant(resting.get(name, 0.0), start)) for name in trio]
    made: dict[str, Curve | None] = {}
    for name, row in zip(trio, matrix, strict=True):
        terms = [(float(share), curve) for share, curve in zip(row[:3], given, strict=True) if abs(share) > 1e-15]
        terms += [(float(row[3]), Curve.constant(1.0, start))] if row[3] else []
        made[name] = weighted_sum(terms, TOLERANCE) if len(terms) > 1 or terms[0][0] != 1.0 else terms[0][1]
    return curves.replaced(made)


def _moved(prop: Prop, by: Transform) -> Transform:
    place = transforms.product(by.matrix(), prop.transform.matrix())[:, 3]
    turn = quaternions.product(by.rotation, prop.transform.rotation)
    return Transform(as_vector(place), as_quaternion(turn), prop.transform.scale)


def _carried_target(target: Target, by: Transform) -> Target:
    if not isinstance(target, PointTarget):
        return target
    matrix = by.matrix()
    position, turned, velocity = target.position, target.orientation, target.velocity
    if isinstance(position, tuple):
        position = as_vector(matrix[:, :3] @ np.array(position) + matrix[:, 3])
    if isinstance(velocity, tuple):
        velocity = as_vector(matrix[:, :3] @ np.array(velocity))
    if isinstance(turned, tuple):
        turned = as_quaternion(quaternions.product(by.rotation, turned))
    return replace(target, position=position, orientation=turned, velocity=velocity)
