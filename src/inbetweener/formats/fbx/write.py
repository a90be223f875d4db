"""Write a document as a binary FBX file of version 7.4."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.document import Document
from inbetweener.errors import FormatError
from inbetweener.formats.degrees import DofCurves, scaled
from inbetweener.formats.fbx import container
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.write_keys import curve_records
from inbetweener.formats.fbx.write_layers import Laid, layers_of
from inbetweener.formats.fbx.write_meshes import UNITS_A_METRE, Meshes, groups_of
from inbetweener.formats.fbx.writing import VERSION, Objects, node, properties, ticks
from inbetweener.formats.files import baked, clear_file_errors
from inbetweener.formats.losses import losses_of
from inbetweener.formats.straighten import straightened
from inbetweener.maths import euler, quaternions
from inbetweener.motion import Clip
from inbetweener.rig import Joint
from inbetweener.system import replace_file

SUM_SHARE = 0.01
"""Of the tolerance, for curves that cannot be added exactly: many joints add up."""
_ORDERS = {"ZYX": 0, "YZX": 1, "XZY": 2, "ZXY": 3, "YXZ": 4, "XYZ": 5}
_PARTS = (
    ("T", "Lcl Translation", 0, UNITS_A_METRE),
    ("R", "Lcl Rotation", 3, 180.0 / np.pi),
    ("S", "Lcl Scaling", 6, 1.0),
)
"""Curve node, property, first degree of freedom, and how many of the file's units one of ours is."""


def write(document: Document, path: Path | str, tolerance: float = 1e-4, sampled: bool = False) -> tuple[str, ...]:
    """Write the file, whole or not at all; returns one line for everything that FBX cannot hold.

    Keys, tangents and Euler orders are kept: slopes and values in single precision, widths to a ten-thousandth of the
    segment, as the format has them. Only where several curves drive one degree of freedom are they fitted, within a
    small part of `tolerance` metres or radians. With `sampled`, whatever moves gets a straight key on every frame
    instead, for programs that drop tangents, as Blender does.
    """
    path = Path(path)
    if path.suffix.lower() != ".fbx":
        raise FormatError(path, "", f"FBX files end in .fbx, not {path.suffix!r}")
    document, loose = baked(document)
    straight = straightened(document)
    losses = [*loose, *losses_of(document, "FBX", "dual-quaternion"), *straight.losses()]
    document = straight.document
    rates = {clip.rate for clip in document.clips}
    if len(rates) > 1:
        losses.append(
            f"clips have {len(rates)} frame rates; the file says that of the first, and keys stay where they are"
        )
    whole = _Writing(document, SUM_SHARE * tolerance, sampled, losses).file()
    with clear_file_errors(path):
        replace_file(path, container.pack(whole, VERSION))
    return tuple(losses)


class _Writing:
    def __init__(self, document: Document, tolerance: float, sampled: bool, losses: list[str]) -> None:
        self.document = document
        self.rig = document.rig
        self.tolerance = tolerance
        self.sampled = sampled
        self.losses = losses
        self.objects = Objects()
        self.models: dict[str, int] = {}
        self.flat: list[str] = []
        """Clips whose layers are merged."""

    def file(self) -> Record:
        """All records."""
        rig, clips = self.rig, self.document.clips
        groups = groups_of(rig, self.document.meshes, self.losses)
        shown = {group.joint for group in groups}
        for j, joint in enumerate(rig.joints):
            self._model(j, joint, joint.name in shown)
        meshes = Meshes(rig, self.objects, self.models, self.document.blending, self.losses)
        for group in groups:
            meshes.add(group)
        for clip in clips:
            self._stack(clip, meshes.shapes)
        if self.flat:
            why = "keys on every frame know none" if self.sampled else "FBX has none that do the same"
            self.losses.append(f"the layers of {len(self.flat)} clips are merged: {why}")
        rate = clips[0].rate if clips else 24.0
        span = min((clip.start for clip in clips), default=0.0), max((clip.end for clip in clips), default=0.0)
        # A unit is a centimetre.
        return self.objects.file(rate, 1.0, span)

    def _model(self, j: int, joint: Joint, shows: bool) -> None:
        dofs = self.rig.rest_dofs[9 * j : 9 * j + 9]
        before = euler.from_matrix(quaternions.to_matrix(joint.rest.rotation), "ZYX")
        look = properties(
            RotationOrder=_ORDERS[joint.order],
            PreRotation=np.degrees(before),
            RotationActive=True,
            InheritType=1,
            Lcl_Translation=UNITS_A_METRE * dofs[:3],
            Lcl_Rotation=np.degrees(dofs[3:6]),
            Lcl_Scaling=dofs[6:],
        )
        sort = "Mesh" if shows else "LimbNode"
        number = self.objects.add("Model", joint.name, sort, [node("Version", 232), look])
        self.models[joint.name] = number
        self.objects.connect(number, 0 if joint.parent < 0 else self.models[self.rig.joints[joint.parent].name])
        if not shows:
            inside = [properties(Size=1.0), node("TypeFlags", "Skeleton")]
            self.objects.connect(self.objects.add("NodeAttribute", joint.name, "LimbNode", inside), number)

    def _stack(self, clip: Clip, shapes: list[tuple[int, str]]) -> None:
        start, end = ticks(clip.start), ticks(clip.end)
        span = properties(LocalStart=start, LocalStop=end, ReferenceStart=start, ReferenceStop=end)
        stack = self.objects.add("AnimationStack", clip.name, "", [span], "AnimStack")
        layer = self.objects.add("AnimationLayer", clip.name, "", [], "AnimLayer")
        self.objects.connect(layer, stack)
        upper: list[Laid] | None = []
        if clip.layers:
            named = frozenset(name for _, name in shapes)
            upper = None if self.sampled else layers_of(self.rig, clip, named, self.tolerance)
        if upper is None:
            self.flat.append(clip.name)
        moved = DofCurves(self.rig, replace(clip, layers=()) if upper else clip, self.tolerance)
        times = clip.frame_times if self.sampled else None
        for j, joint in enumerate(self.rig.joints):
            for label, name, first, factor in _PARTS:
                curves = [moved.curve(9 * j + first + n) for n in range(3)]
                if all(curve is None for curve in curves):
                    continue
                rest = factor * self.rig.rest_dofs[9 * j + first : 9 * j + first + 3]
                scaled_curves = [None if curve is None else scaled(_on(curve, times), factor) for curve in curves]
                self._curve_node(layer, self.models[joint.name], label, name, scaled_curves, rest)
        for channel, name in shapes:
            curve = moved.channel(name)
            if curve is not None:
                rest = np.array([100.0 * self.rig.channel(name).default])
                self._curve_node(
                    layer, channel, "DeformPercent", "DeformPercent", [scaled(_on(curve, times), 100.0)], rest
                )
        for each in upper or ():
            self._layer(stack, each, shapes)

    def _layer(self, stack: int, laid: Laid, shapes: list[tuple[int, str]]) -> None:
        """A layer upon those that the stack has."""
        layer = self.objects.add("AnimationLayer", laid.name, "", [properties(**laid.properties())], "AnimLayer")
        self.objects.connect(layer, stack)
        if laid.weights is not None:
            self._curve_node(layer, layer, "Weight", "Weight", [scaled(laid.weights, 100.0)], np.array([100.0]))
        for j, joint in enumerate(self.rig.joints):
            for label, name, first, factor in _PARTS:
                curves = [laid.dofs.get(9 * j + first + n) for n in range(3)]
                if any(curve is not None for curve in curves):
                    larger = [None if curve is None else scaled(curve, factor) for curve in curves]
                    self._curve_node(layer, self.models[joint.name], label, name, larger, np.zeros(3))
        for channel, name in shapes:
            if name in laid.shapes:
                curve = scaled(laid.shapes[name], 100.0)
                self._curve_node(layer, channel, "DeformPercent", "DeformPercent", [curve], np.zeros(1))

    def _curve_node(
        self, layer: int, target: int, label: str, name: str, curves: list[Curve | None], rest: Floats
    ) -> None:
        names = [f"d|{axis}" for axis in "XYZ"] if len(curves) == 3 else [f"d|{name}"]
        defaults = properties(**{each: float(value) for each, value in zip(names, rest, strict=True)})
        made = self.objects.add("AnimationCurveNode", label, "", [defaults], "AnimCurveNode")
        self.objects.connect(made, layer)
        self.objects.connect(made, target, name)
        for each, curve, value in zip(names, curves, rest, strict=True):
            if curve is not None:
                inside = curve_records(curve, value)
                self.objects.connect(self.objects.add("AnimationCurve", "", "", inside, "AnimCurve"), made, each)


def _on(curve: Curve, times: Floats | None) -> Curve:
    """The curve, or a straight key at each of some times."""
    return curve if times is None else Curve.sampled(times, Bundle.of([curve]).evaluate(times)[:, 0])
