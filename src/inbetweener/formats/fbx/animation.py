"""Takes become clips; what they move decides which channels the rig has."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.errors import InvalidDocument
from inbetweener.formats.between import share_curve
from inbetweener.formats.degrees import scaled
from inbetweener.formats.fbx.meshes import Shown
from inbetweener.formats.fbx.planes import ROTATION, SCALING, Plane, Take, Values, merged, traced
from inbetweener.formats.fbx.scene import Scene
from inbetweener.formats.fbx.skeleton import Dof, Skeleton
from inbetweener.formats.names import Names
from inbetweener.maths import euler
from inbetweener.maths.euler import Order
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import DOFS, ROOT, Channel, Joint, Rig, joint_channels

_SAME = 1e-9


def animate(scene: Scene, skeleton: Skeleton, shown: Shown, takes: list[Take]) -> tuple[Rig, tuple[Clip, ...]]:
    """The rig with its channels, and the clips."""
    joints = _ordered(skeleton, takes)
    clips, names = [], Names()
    for take in takes:
        maker = _Clipping(scene, skeleton, joints, shown)
        try:
            clips.append(maker.clip(take, names.unused(take.name)))
        except InvalidDocument as error:
            scene.source.fail(f"stack {take.name!r}", str(error))
    stacks = [curves for clip in clips for curves in (clip.curves, *(layer.curves for layer in clip.layers))]
    used = {name for curves in stacks for name in curves}
    channels: list[Channel] = []
    for joint in joints:
        wanted = [
            dof
            for dof in DOFS
            if f"{joint.name}.{dof}" in used or dof[0] == "r" or (dof[0] == "t" and joint.parent == ROOT)
        ]
        kinds = {dof[0] for dof in wanted}
        channels += joint_channels(joint, " ".join(dof for dof in DOFS if dof[0] in kinds))
    lows, highs = ({}, {})  # type: tuple[dict[str, float], dict[str, float]]
    for clip in clips:
        for channel in shown.channels:
            if channel.name in clip.curves:
                values = clip.curves[channel.name].values
                lows[channel.name] = min(lows.get(channel.name, 0.0), float(values.min()))
                highs[channel.name] = max(highs.get(channel.name, 1.0), float(values.max()))
    shapes = [
        replace(each, lower=min(each.lower, lows.get(each.name, 0.0)), upper=max(each.upper, highs.get(each.name, 1.0)))
        for each in shown.channels
    ]
    return Rig(tuple(joints), (*channels, *shapes)), tuple(clips)


def _ordered(skeleton: Skeleton, takes: list[Take]) -> list[Joint]:
    """The joints; where angles are made anew, in the order that stays farthest from its pole."""
    joints = {joint.name: joint for joint in skeleton.joints}
    for number, (name, resting, order) in skeleton.turned.items():
        if _is_still(resting):
            continue
        seen = [
            resting.T @ euler.to_matrix(np.radians(values.at(_times(values))), order)
            for take in takes
            for plane in take.planes
            if (values := plane.moved.get((number, ROTATION))) is not None
        ]
        joints[name] = replace(joints[name], order=euler.best_order(np.concatenate(seen)))
    return list(joints.values())


def _is_still(turned: Floats) -> bool:
    return bool(np.abs(turned - np.eye(3)).max() < _SAME)


def _times(values: Values) -> Floats:
    """The times of all keys."""
    return np.unique(np.concatenate([np.empty(0), *(curve.times for curve in values.curves if curve is not None)]))


class _Clipping:
    def __init__(self, scene: Scene, skeleton: Skeleton, joints: Sequence[Joint], shown: Shown) -> None:
        self.scene = scene
        self.skeleton = skeleton
        self.joints = {joint.name: joint for joint in joints}
        self.shown = shown
        # Neither products of sums nor shapes in between are sums.
        self.single = {each[:2] for dof in skeleton.dofs if dof.others for each in (dof.first, *dof.others)}
        self.single |= {key for key, shapes in shown.shapes_of.items() if len(shapes) > 1}

    def clip(self, take: Take, name: str) -> Clip:
        """A take as a clip, its upper layers as layers."""
        upper = {key for plane in take.planes[1:] for key in plane.moved}
        take = merged(self.scene, take, sorted(upper & self.single))
        planes = take.planes
        base = self._curves(take, planes[0], upper=False)
        layers, names = [], Names()
        for plane in planes[1:]:
            curves = self._curves(take, plane, upper=True)
            if curves:
                weights = None if plane.weights is None else scaled(plane.weights, 0.01)
                name_of = names.unused(plane.name)
                layers.append(
                    Layer(name_of, Curves(curves), plane.share, plane.muted, plane.replaces, plane.solo, (), weights)
                )
        return Clip(name, take.end, take.start, take.rate, Curves(base), tuple(layers))

    def _curves(self, take: Take, plane: Plane, *, upper: bool) -> dict[str, Curve]:
        made: dict[str, Curve] = {}
        # What replaces others says all of a property, as the base does; what is added, only what is not nought.
        replaces = upper and plane.replaces
        for dof in self.skeleton.dofs:
            if replaces and dof.first[:2] not in plane.moved:
                continue
            curve = self._product(take, plane, dof, upper and not replaces, replaces)
            if curve is not None:
                made[dof.name] = curve
        for number, (name, resting, order) in self.skeleton.turned.items():
            values = plane.moved.get((number, ROTATION))
            if values is not None:
                made.update(self._turned(take, values, name, resting, order, replaces))
            elif not upper and _is_still(resting):
                made.update(self._rested(take, number, name))
        for key, shapes in self.shown.shapes_of.items():
            values = plane.moved.get(key)
            percent = None if values is None else values.curves[0]
            if percent is not None:
                for label, full in shapes:
                    made[label] = share_curve(percent, full, take.frames())
        return made

    def _product(self, take: Take, plane: Plane, dof: Dof, upper: bool, always: bool) -> Curve | None:
        """The curve of a translation or scale; None where it is left as it rests, unless it `always` has one."""
        factor, moving = dof.factor, []
        for n, (number, kind, axis) in enumerate((dof.first, *dof.others)):
            values = plane.moved.get((number, kind))
            shift = dof.shift if n == 0 and not upper else 0.0
            curve = None if values is None else values.curves[axis]
            static = self.scene.things[number].vector(kind, 1.0 if kind == SCALING else 0.0)[axis]
            rest = static if values is None else values.constants[axis]
            if curve is not None:
                moving.append(scaled(curve, 1.0, shift))
            else:
                if upper and n == 0:
                    rest = 0.0 if values is None else rest
                factor *= rest + shift
        if len(moving) == 1:
            return scaled(moving[0], factor)
        if moving:
            self.scene.source.note(
                f"stack {take.name!r}", "scales that a node takes from others move together; a key on every frame"
            )
            bundle = Bundle.of(moving)
            return traced(
                lambda times: factor * bundle.evaluate(times).prod(axis=1)[:, None], take, moving, self.scene
            )[0]
        joint, _, kind = dof.name.rpartition(".")
        default = 0.0 if upper else self.joints[joint].rest_dof(kind)
        far = always or abs(factor - default) > _SAME * max(1.0, abs(default))
        return Curve.constant(factor, take.start) if far else None

    def _turned(
        self, take: Take, values: Values, name: str, resting: Floats, order: Order, always: bool
    ) -> dict[str, Curve]:
        labels = [f"{name}.{dof}" for dof in ("rx", "ry", "rz")]
        if _is_still(resting):
            return {
                label: scaled(curve, np.pi / 180) if curve is not None else Curve.constant(radians, take.start)
                for label, curve, radians in zip(labels, values.curves, np.radians(values.constants), strict=True)
                if curve is not None or radians or always
            }
        own = self.joints[name].order

        def at(times: Floats) -> Floats:
            turns = resting.T @ euler.to_matrix(np.radians(values.at(times)), order)
            return euler.continuous(euler.from_matrix(turns, own), own)

        moving = [curve for curve in values.curves if curve is not None]
        return dict(zip(labels, traced(at, take, moving, self.scene), strict=True))

    def _rested(self, take: Take, number: int, name: str) -> dict[str, Curve]:
        """Angles that the take leaves alone, of a joint that rests at nought."""
        angles = np.radians(self.scene.things[number].vector(ROTATION))
        return {f"{name}.r{'xyz'[n]}": Curve.constant(a, take.start) for n, a in enumerate(angles) if a}
