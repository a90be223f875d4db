"""Meshes of a scene: polygons as triangles, skins with all their influences, blend shapes with those in between."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.document.budget import LONGEST_NAME
from inbetweener.errors import InvalidDocument
from inbetweener.formats.between import Full
from inbetweener.formats.names import Names
from inbetweener.formats.notes import Source
from inbetweener.formats.polygons import Corners, Part, Shape, Skin, mesh_of, triangulated
from inbetweener.formats.usd.joints import Skeleton
from inbetweener.maths import transforms
from inbetweener.rig import DOFS, ROOT, Channel
from inbetweener.skinning import Material, Mesh
from inbetweener.skinning.picture import check_picture


@dataclass(slots=True)
class Shown:
    """All meshes and shape channels; by skeleton and name of a shape there, our channels and when each is whole."""

    meshes: list[Mesh] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    numbers: list[int | None] = field(default_factory=list)
    """Of meshes of ours: which one of the document it is."""
    shapes_of: dict[tuple[str, str], list[tuple[str, Full]]] = field(default_factory=dict)
    is_dual: bool = False


def read_meshes(scene: dict[str, Any], skeleton: Skeleton, source: Source) -> Shown:
    """The meshes of all nodes."""
    return _Reading(scene, skeleton, source).read()


class _Reading:
    def __init__(self, scene: dict[str, Any], skeleton: Skeleton, source: Source) -> None:
        self.scene = scene
        self.skeleton = skeleton
        self.source = source
        self.unit = float(scene["unit"])
        self.binds = {
            each["path"]: (each["joints"], None if each["bind"] is None else np.asarray(each["bind"])[:, :3])
            for each in scene["skeletons"]
        }
        self.shown = Shown()
        self._names = Names()
        self._taken = Names(f"{joint.name}.{dof}" for joint in skeleton.joints for dof in DOFS)
        self._labels: dict[tuple[str, str, Full], str] = {}

    def read(self) -> Shown:
        for n, node in enumerate(self.scene["nodes"]):
            if "mesh" in node:
                self._mesh(n, node, node["mesh"])
        return self.shown

    def _mesh(self, n: int, node: dict[str, Any], told: dict[str, Any]) -> None:
        place = node["path"]
        corners = read_corners(told, place, self.source)
        if corners is None:
            return
        count = len(corners.points)
        skin = self._skin(n, told, place, count)
        shapes = self._shapes(told, place, count)
        placed = np.eye(3, 4)
        materials = [told["material"], *(part["material"] for part in told["parts"])]
        used = np.unique(corners.materials)
        for number in used:
            material = materials[number]
            name = (node["name"] or "mesh")[:LONGEST_NAME]
            name = self._names.unused(name + (f":{number}" if len(used) > 1 else ""))
            part = plain_part(told, corners) if len(used) == 1 else None
            part = part or corners.of(corners.materials == number)
            self.source.spend(80 * len(part.points_of) + 24 * len(part.points_of) * len(shapes), place)
            look = material_of(material, told, place, self.source)
            made = mesh_of(name, corners, part, placed, self.unit, skin, shapes, look)
            if not np.isfinite(made.vertices).all():
                self.source.fail(place, "has vertices out of all bounds", "export the file anew")
            self.shown.meshes.append(made)
            self.shown.numbers.append(told["number"] if len(used) == 1 else None)

    def _skin(self, n: int, told: dict[str, Any], place: str, count: int) -> Skin:
        skin = told["skin"]
        if skin is None or skin["joints"] is None:
            joint = self.skeleton.of_node[n]
            name = self.skeleton.joints[joint].name
            return Skin((name,), np.eye(3, 4)[None], np.zeros((count, 1), np.int64), np.ones((count, 1)))
        joints, binds = self.binds[skin["skeleton"]]
        self.shown.is_dual |= skin["method"] == "dualQuaternion"
        order = skin["order"] if skin["order"] is not None else joints
        found = [self.skeleton.of_joint.get((skin["skeleton"], path), ROOT) for path in order]
        if binds is None or ROOT in found:
            self.source.fail(place, "its skeleton has no bind transforms for all its joints", "export the file anew")
        rows = dict(zip(joints, binds, strict=True))
        stacked = np.stack([rows[path] for path in order])
        if not np.isfinite(stacked).all() or (np.abs(np.linalg.det(stacked[:, :, :3])) < 1e-30).any():
            self.source.fail(place, "a joint of its skeleton has a bind transform that cannot be undone")
        bind = np.array(skin["bind"]).reshape(4, 4)[:3]
        made = transforms.product(transforms.inverse(stacked), bind)
        made[:, :, 3] *= self.unit
        influences, weights = np.asarray(skin["joints"]), np.asarray(skin["weights"])
        if skin["rigid"]:
            influences, weights = (np.repeat(each.reshape(1, -1), count, axis=0) for each in (influences, weights))
        if len(influences) != count:
            self.source.fail(place, f"{len(influences)} rows of influences for {count} points", "export the file anew")
        totals = np.where(np.isfinite(weights) & (weights > 0), weights, 0.0).sum(axis=1)
        off = int((np.abs(totals - 1) > 1e-3).sum())
        if off:
            self.source.note(place, f"weights of {off} vertices do not sum to 1; scaled")
        return Skin(tuple(self.skeleton.joints[j].name for j in found), made, influences, weights)

    def _shapes(self, told: dict[str, Any], place: str, count: int) -> list[Shape]:
        made = []
        owner = told["skin"]["skeleton"] if told["skin"] is not None else ""
        for shape in told["shapes"]:
            steps = [{"weight": 1.0, "name": "", **shape}, *({**shape, **each} for each in shape["between"])]
            knots = sorted({0.0, *(float(each["weight"]) for each in steps)})
            if len(knots) != len(steps) + 1 or not np.isfinite(knots).all():
                self.source.leave_out(place, f"shape {shape['name']!r} is whole twice at one weight; left out")
                continue
            for step in steps:
                full = tuple(knots), knots.index(float(step["weight"]))
                title = shape["title"] if step is steps[0] else f"{shape['title']} {step['weight']:g}"
                self.source.spend(60 * count, place)
                offsets = offsets_of(step["offsets"], shape["points"], count, f"{place} {title}", self.source)
                normals = None
                if step["normals"] is not None:
                    normals = offsets_of(step["normals"], shape["points"], count, f"{place} {title}", self.source)
                made.append(Shape(title, self._channel(owner, shape["name"], title, full), offsets, normals))
            if len(steps) > 1:
                self.source.note(place, "shapes in between are shapes of their own here")
        return made

    def _channel(self, owner: str, name: str, title: str, full: Full) -> str:
        """One for all meshes that a skeleton shapes by that name."""
        key = owner, name, full
        if key not in self._labels:
            self._labels[key] = label = self._taken.unused(title[:LONGEST_NAME])
            self.shown.channels.append(Channel(label, "shape", lower=0.0, upper=1.0))
            self.shown.shapes_of.setdefault((owner, name), []).append((label, full))
        return self._labels[key]


def offsets_of(values: Any, points: Any, count: int, place: str, source: Source) -> Floats:
    """Offsets (count, 3) of all points, where some of them have any."""
    if values is None:
        return np.zeros((count, 3))
    rows = np.asarray(values, np.float64)
    at = np.arange(len(rows)) if points is None else np.asarray(points)
    if len(at) != len(rows) or (len(at) and not 0 <= at.min() <= at.max() < count):
        source.fail(place, f"moves points that the mesh of {count} does not have", "export the file anew")
    made = np.zeros((count, 3))
    made[at] = np.where(np.isfinite(rows), rows, 0.0)
    return made


def material_of(told: dict[str, Any], mesh: dict[str, Any], place: str, source: Source) -> Material:
    """How a part looks; the colour that is shown where there is no material is one."""
    red, green, blue = told.get("colour") or (
        (1.0,) * 3 if told.get("texture") is not None or told.get("coloured") else (0.8,) * 3
    )
    if not told and mesh["colours"] is not None and mesh["colours"]["how"] == "constant":
        red, green, blue = np.asarray(mesh["colours"]["values"])[0].tolist()
    looks = (red, green, blue, told.get("opacity", 1.0))
    r, g, b, a = (min(max(float(part), 0.0), 1.0) if np.isfinite(part) else 0.8 for part in looks)
    texture = None if told.get("texture") is None else _picture(told["texture"], place, source)
    return Material(str(told.get("name", ""))[:LONGEST_NAME], (r, g, b, a), texture, mesh["double"])


def _picture(data: npt.NDArray[np.uint8], place: str, source: Source) -> bytes | None:
    found = data.tobytes()
    try:
        check_picture(found)
    except InvalidDocument as error:
        source.leave_out(place, f"its picture is left out: it {error}")
        return None
    return found


def read_corners(told: dict[str, Any], place: str, source: Source) -> Corners | None:
    """The polygons of a mesh; None, with a note, where none is left."""
    points, counts, point_of = (np.asarray(told[name]) for name in ("points", "counts", "corners"))
    points = points.astype(np.float64)
    if not (np.abs(points) < 1e30).all():
        source.fail(place, "its points are not made of finite numbers", "export the file anew")
    if (counts < 0).any() or counts.sum() != len(point_of) or point_of.min() < 0 or point_of.max() >= len(points):
        source.fail(place, f"its polygons are not those of {len(points)} points", "export the file anew")
    source.spend(200 * len(point_of), place)
    stops = np.cumsum(counts)
    triangles, polygon = triangulated(points, point_of, stops - counts, counts)
    if not len(triangles):
        source.leave_out(place, "the mesh has no polygons; left out")
        return None
    if told["left"]:
        triangles = triangles[:, ::-1]
    look = _Look(point_of, np.repeat(np.arange(len(counts)), counts), place, source)
    materials = np.zeros(len(counts), np.int64)
    for n, part in enumerate(told["parts"]):
        faces = np.asarray(part["faces"])
        materials[faces[(faces >= 0) & (faces < len(counts))]] = n + 1
    uvs = look.rows(told["uvs"])
    if uvs is not None:
        uvs = np.stack([uvs[:, 0], 1.0 - uvs[:, 1]], axis=1)
    colours = None
    if (
        told["colours"] is not None
        and told["colours"]["how"] != "constant"
        and (not told["material"] or told["material"].get("coloured"))
    ):
        colours, alpha = look.rows(told["colours"]), look.rows(told["opacities"])
        if colours is not None:
            alpha = np.ones((len(colours), 1)) if alpha is None else alpha
            colours = np.concatenate([colours, alpha], axis=1)
    return Corners(points, point_of, look.rows(told["normals"]), uvs, colours, triangles, materials[polygon])


def plain_part(told: dict[str, Any], corners: Corners) -> Part | None:
    """The mesh as it stands, where it is made of triangles and everything is told by vertex."""
    told_by = {told[name]["how"] for name in ("normals", "uvs", "colours", "opacities") if told[name] is not None}
    if (np.asarray(told["counts"]) != 3).any() or not told_by <= {"vertex", "varying", "constant"}:
        return None
    first = np.zeros(len(corners.points), np.int64)
    first[corners.point_of[::-1]] = np.arange(len(corners.point_of))[::-1]
    if len(np.unique(corners.point_of)) != len(corners.points):
        return None

    def picked(values: Floats | None) -> Any:
        return None if values is None else values[first]

    uvs, colours = picked(corners.uvs), picked(corners.colours)
    return Part(
        np.arange(len(corners.points)),
        corners.point_of[corners.triangles],
        picked(corners.normals),
        None if uvs is None else uvs.astype(np.float32),
        None if colours is None else colours.astype(np.float32),
    )


@dataclass(frozen=True, slots=True)
class _Look:
    """One value for every corner, however a primvar tells it."""

    point_of: Ints
    polygon_of: Ints
    place: str
    source: Source

    def rows(self, told: Any) -> Floats | None:
        """(C, n); None where there are none that can be used, with a note where there are some."""
        if told is None:
            return None
        values = np.asarray(told["values"], np.float64)
        count = len(self.point_of)
        at = {
            "constant": np.zeros(count, np.int64),
            "uniform": self.polygon_of,
            "vertex": self.point_of,
            "varying": self.point_of,
            "faceVarying": np.arange(count),
        }.get(told["how"])
        if at is not None and told["index"] is not None:
            index = np.asarray(told["index"])
            at = index[at] if at.max() < len(index) else None
        if at is None or at.max() >= len(values) or at.min() < 0 or not np.isfinite(values).all():
            self.source.leave_out(self.place, "normals, coordinates or colours cannot be read; left out")
            return None
        return values[at]
