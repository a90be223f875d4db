"""Write a document as a USD layer, or as a package with its pictures."""

from pathlib import Path

import numpy as np

import inbetweener
from inbetweener.arrays import Floats
from inbetweener.curves import Bundle, Curve
from inbetweener.document import Document, Prop
from inbetweener.errors import FormatError
from inbetweener.formats.degrees import DofCurves, scaled
from inbetweener.formats.files import baked, clear_file_errors
from inbetweener.formats.losses import beside, blended
from inbetweener.formats.straighten import straightened
from inbetweener.formats.usd.inside.ours import CHANNEL, CLIP, DOCUMENT, JOINT, PROP
from inbetweener.formats.usd.kept import kept_text
from inbetweener.formats.usd.layout import CLIPS, PROPS, VARIANTS, Layout, Played
from inbetweener.formats.usd.prims import Idents, Prim, Prims, rows_of
from inbetweener.formats.usd.splines import codes_of, knots_of
from inbetweener.formats.usd.stage import require_usd, written
from inbetweener.formats.usd.write_meshes import Meshes
from inbetweener.maths import quaternions, transforms
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.system import replace_file

SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")
SUM_SHARE = 0.01
"""Of the tolerance, for curves that cannot be added exactly: many joints add up."""
_PARTS = (("translate", "xyz", 0, 1.0), ("rotate", "", 3, 180.0 / np.pi), ("scale", "xyz", 6, 1.0))
"""Operations, the order of their axes where that is not the joint's, first degree of freedom, units of one of ours."""


def write(document: Document, path: Path | str, tolerance: float = 1e-4, sampled: bool = False) -> tuple[str, ...]:
    """Write the file, whole or not at all; returns one line for everything that other programs will not see.

    Skeletons are UsdSkel, sampled on every frame as that has no splines; parts that only carry meshes, and props, are
    nodes whose operations have splines with our own tangents, or with `sampled` samples on every frame, for programs
    that know no splines. Curves that cannot be added exactly are fitted within a small part of `tolerance`. Attributes
    of our own keep the rest of the document and every channel's spline, so that it comes back as it was. Pictures
    stand beside a layer, under names that begin as its own, and inside a package (.usdz).
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise FormatError(path, "", f"USD files end in {', '.join(SUFFIXES)}, not {path.suffix!r}")
    require_usd(path)
    made = _Writing(document, path, SUM_SHARE * tolerance, sampled)
    told = made.told()
    packed = path.suffix.lower() == ".usdz"
    with clear_file_errors(path):
        if not packed:
            for name, data in made.meshes.pictures.items():
                replace_file(path.parent / name, data)
        replace_file(path, written(path, told, made.meshes.pictures if packed else {}))
    return tuple(made.losses)


class _Writing:
    def __init__(self, document: Document, path: Path, tolerance: float, sampled: bool) -> None:
        self.original = document
        plain, loose = baked(document)
        straight = straightened(plain)
        plain = straight.document
        others = [*loose, *blended(document, "dual-quaternion"), *straight.losses()]
        self.losses = [f"for other programs, {line}" for line in others] + beside(document)
        self.path = path
        self.tolerance = tolerance
        self.sampled = sampled
        self.layout = Layout(plain)
        self.prims = Prims()
        pictures = "picture" if path.suffix.lower() == ".usdz" else f"{path.stem}_picture"
        self.meshes = Meshes(self.layout, self.prims, pictures, self.losses)
        self.curves = [DofCurves(plain.rig, each.clip, tolerance) for each in self.layout.played]

    def told(self) -> bytes:
        """Everything, for the process that writes."""
        layout, played = self.layout, self.layout.played
        root = self.prims.add(layout.root, "Xform", self.original.name)
        root.told["about"]["kind"] = "component"
        root.attribute(DOCUMENT, "string", kept_text(self.original), uniform=True)
        if len(played) > 1:
            root.told["variants"][VARIANTS] = played[0].ident
        for j in layout.nodes:
            self._node(j)
        self.meshes.add_all()
        self._clips()
        self._props()
        head = {
            "metersPerUnit": 1.0,
            "upAxis": "Y",
            "timeCodesPerSecond": layout.rate,
            "framesPerSecond": layout.rate,
            "customLayerData": {"creator": f"inbetweener {inbetweener.__version__}"},
        }
        if played:
            clip = played[0].clip
            start, end = codes_of(np.array([clip.start, clip.end]), layout.rate).tolist()
            head |= {"startTimeCode": start, "endTimeCode": end}
        return self.prims.packed(layout.root.strip("/"), head, list(self.meshes.pictures))

    def _node(self, j: int) -> None:
        """A joint as a node: T · rest · R · S, each operation on one axis where it moves."""
        rig, path = self.layout.document.rig, self.layout.nodes[j]
        joint, rest = rig.joints[j], rig.rest_dofs[9 * j : 9 * j + 9]
        prim = self.prims.add(path, "Xform", joint.name)
        prim.attribute(JOINT, "string", joint.name, uniform=True)
        ops: list[str] = []
        for name, axes, first, factor in _PARTS:
            if name == "rotate" and joint.rest.rotation != quaternions.IDENTITY:
                prim.attribute("xformOp:orient", "quatd", joint.rest.rotation)
                ops.append("xformOp:orient")
            found = {n: [each.curve(9 * j + first + n) for each in self.curves] for n in range(3)}
            values = rest[first : first + 3]
            if any(curve is not None for own in found.values() for curve in own):
                for axis in axes or joint.order.lower():
                    n = "xyz".index(axis)
                    ops.append(f"xformOp:{name}{axis.upper()}")
                    self._moved(prim, ops[-1], factor * float(values[n]), found[n], factor)
            elif name == "rotate" and values.any():
                for axis in joint.order:
                    ops.append(f"xformOp:rotate{axis}")
                    prim.attribute(ops[-1], "double", factor * float(values["XYZ".index(axis)]))
            elif name != "rotate" and (values != (name == "scale")).any():
                ops.append(f"xformOp:{name}")
                prim.attribute(ops[-1], "double3", values.tolist())
        if ops:
            prim.attribute("xformOpOrder", "token[]", ops, uniform=True)

    def _moved(self, prim: Prim, name: str, rest: float, curves: list[Curve | None], factor: float) -> None:
        """An operation that moves: in itself, or as the chosen clip says."""
        for each, curve in zip(self.layout.played, curves, strict=True):
            target = self._told_by(prim, each)
            if curve is None:
                target.attribute(name, "double", rest)
            elif self.sampled:
                values = Bundle.of([scaled(curve, factor)]).evaluate(each.clip.frame_times)[:, 0]
                target.attribute(name, "double", rest, samples=(self._codes(each), values))
            else:
                target.attribute(name, "double", rest, knots=knots_of(scaled(curve, factor), self.layout.rate))

    def _told_by(self, prim: Prim, played: Played) -> Prim:
        """Where it is told how a clip moves a prim; what the prim itself says would count for more than a variant."""
        return prim if len(self.layout.played) == 1 else self.prims.add(self.layout.chosen(prim.path, played), "")

    def _codes(self, played: Played) -> Floats:
        return codes_of(played.clip.frame_times, self.layout.rate)

    def _clips(self) -> None:
        layout, rounded = self.layout, 0
        if layout.played:
            self.prims.add(f"{layout.root}/{CLIPS}", "Scope")
        for clip, played in zip(self.original.clips, layout.played, strict=True):
            prim = self.prims.add(f"{layout.root}/{CLIPS}/{played.ident}", "Scope", clip.name)
            prim.attribute(CLIP, "string", clip.name, uniform=True)
            idents = Idents()
            for name, curve in clip.curves.items():
                knots = knots_of(curve, layout.rate)
                prim.attribute(f"{CHANNEL}{idents.unused(name)}", "double", knots=knots, displayName=name)
            for bones in layout.bones:
                made = self.prims.add(layout.animation(bones, played), "SkelAnimation", clip.name)
                rows = layout.rows(bones, played)
                made.attribute("joints", "token[]", bones.tokens, uniform=True)
                for name, kind, values in (
                    ("translations", "float3[]", rows.translations),
                    ("rotations", "quatf[]", np.roll(rows.rotations, -1, axis=-1)),
                    ("scales", "half3[]", rows.scales),
                    ("blendShapeWeights", "float[]", rows.weights),
                ):
                    if name != "blendShapeWeights" or bones.shapes:
                        still = len(values) == 1
                        samples = None if still else (rows.codes, values)
                        made.attribute(name, kind, values[0] if still else None, samples=samples)
                if bones.shapes:
                    made.attribute("blendShapes", "token[]", bones.shapes, uniform=True)
                rounded = max(rounded, rows.rounded)
        if rounded:
            self.losses.append(
                f"for other programs, scales of {rounded} joints are rounded to half precision, as UsdSkel has them"
            )

    def _props(self) -> None:
        layout, idents = self.layout, Idents()
        if any(prop.joint is None or layout.document.rig.joint_index(prop.joint) not in layout.nodes
               for prop in self.original.props):  # fmt: skip
            self.prims.add(f"{layout.root}/{PROPS}", "Scope")
        for prop in self.original.props:
            j = None if prop.joint is None else layout.document.rig.joint_index(prop.joint)
            above = f"{layout.root}/{PROPS}" if j is None or j not in layout.nodes else layout.nodes[j]
            # Below a node stand other nodes and meshes, too.
            ident = idents.unused(prop.name or "prop")
            prim = self.prims.add(f"{above}/{ident if above.endswith(PROPS) else f'{ident}_prop'}", "Xform", prop.name)
            prim.attribute(PROP, "string", prop.name, uniform=True)
            if j is None or j in layout.nodes:
                _placed(prim, prop.transform)
            else:
                self._carried(prim, prop, j)
            _solid(self.prims.add(f"{prim.path}/Solid", _KINDS[type(prop.solid)]), prop)

    def _carried(self, prim: Prim, prop: Prop, j: int) -> None:
        """A prop in the hand of a skeleton, to which nothing but skins can be bound: where that is, frame by frame."""
        rig, played = self.layout.document.rig, self.layout.played
        placed = prop.transform.matrix()
        rest = rows_of(transforms.product(rig.rest_world()[j], placed)).ravel().tolist()
        name = "xformOp:transform"
        if not played:
            prim.attribute(name, "matrix4d", rest)
        for each in played:
            world = rig.world_from_joint(each.channels)[:, j]
            samples = self._codes(each), rows_of(transforms.product(world, placed))
            self._told_by(prim, each).attribute(name, "matrix4d", rest, samples=samples)
        prim.attribute("xformOpOrder", "token[]", [name], uniform=True)


_KINDS = {Sphere: "Sphere", Box: "Cube", Capsule: "Capsule"}


def _placed(prim: Prim, placed: Transform) -> None:
    prim.attribute("xformOp:translate", "double3", placed.translation)
    prim.attribute("xformOp:orient", "quatd", placed.rotation)
    prim.attribute("xformOp:scale", "double3", placed.scale)
    prim.attribute("xformOpOrder", "token[]", ["xformOp:translate", "xformOp:orient", "xformOp:scale"], uniform=True)


def _solid(prim: Prim, prop: Prop) -> None:
    solid: Solid = prop.solid
    match solid:
        case Sphere(radius):
            prim.attribute("radius", "double", radius)
            extent = (radius,) * 3
        case Capsule(radius, half):
            prim.attribute("axis", "token", "Y", uniform=True)
            prim.attribute("radius", "double", radius)
            prim.attribute("height", "double", 2 * half)
            extent = (radius, half + radius, radius)
        case Box(half_extents):
            prim.attribute("size", "double", 2.0)
            prim.attribute("xformOp:scale", "double3", half_extents)
            prim.attribute("xformOpOrder", "token[]", ["xformOp:scale"], uniform=True)
            extent = (1.0,) * 3
    prim.attribute("extent", "float3[]", np.outer([-1.0, 1.0], extent))
    prim.attribute("primvars:displayColor", "color3f[]", [prop.colour], interpolation="constant")
