"""Geometry: polygons as triangles, skins with all their influences, blend shapes with those in between."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.formats.between import Full, share
from inbetweener.formats.fbx.planes import SHAPE, Key
from inbetweener.formats.fbx.polygons import read_corners
from inbetweener.formats.fbx.scene import Scene, Thing
from inbetweener.formats.fbx.skeleton import Skeleton, turn
from inbetweener.formats.fbx.surfaces import Surfaces
from inbetweener.formats.fbx.takes import own_shapes
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.names import Names
from inbetweener.formats.polygons import Corners, Shape, Skin, mesh_of
from inbetweener.rig import DOFS, Channel
from inbetweener.skinning import Material, Mesh


@dataclass(slots=True)
class Shown:
    """All meshes and shape channels; by what the file moves, our channels and when each is whole."""

    meshes: list[Mesh] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    shapes_of: dict[Key, list[tuple[str, Full]]] = field(default_factory=dict)
    is_dual: bool = False


def read_meshes(scene: Scene, skeleton: Skeleton, unit: float) -> Shown:
    """The meshes of all nodes."""
    return _Reading(scene, skeleton, unit).read()


class _Reading:
    def __init__(self, scene: Scene, skeleton: Skeleton, unit: float) -> None:
        self.scene = scene
        self.source = scene.source
        self.skeleton = skeleton
        self.unit = unit
        self.surfaces = Surfaces(scene)
        self.shown = Shown()
        self._names = Names()
        self._taken = Names(f"{joint.name}.{dof}" for joint in skeleton.joints for dof in DOFS)
        self._corners: dict[int, Corners | None] = {}

    def read(self) -> Shown:
        for model in self.scene.all("Model"):
            joint = self.skeleton.joint_of.get(model.number)
            for geometry, _ in self.scene.below(model, "Geometry"):
                if geometry.sort == "Mesh":
                    self._mesh(model, joint, geometry)
                elif geometry.sort != "Shape":
                    self.source.leave_out(geometry.place or model.place, f"{geometry.sort} surfaces are left out")
        return self.shown

    def _mesh(self, model: Thing, joint: str | None, geometry: Thing) -> None:
        if geometry.number not in self._corners:
            self._corners[geometry.number] = read_corners(geometry, model.place, self.source)
        corners = self._corners[geometry.number]
        if corners is None:
            return
        count = len(corners.points)
        skin = self._skin(geometry, model, joint, count)
        shapes = self._shapes(geometry, model, count)
        placed = _geometric(model)
        materials = [self.surfaces.get(each) for each, _ in self.scene.below(model, "Material")]
        used = np.unique(corners.materials)
        # A node that only shows it has to have a name apart from all joints; what it shows has its own.
        title = geometry.name if geometry.name and joint not in (None, model.name) else model.name
        for number in used:
            own = corners.materials == number
            name = self._names.unused((title or "mesh") + (f":{number}" if len(used) > 1 else ""))
            material = materials[number] if 0 <= number < len(materials) else Material()
            self._part(name, corners, own, placed, skin, shapes, material)

    def _part(
        self,
        name: str,
        corners: Corners,
        own: npt.NDArray[np.bool_],
        placed: Floats,
        skin: Skin,
        shapes: list[Shape],
        material: Material,
    ) -> None:
        """The triangles of one material: corners that are alike in every way become one vertex."""
        part = corners.of(own)
        self.source.spend(80 * len(part.points_of) + 24 * len(part.points_of) * len(shapes), f"mesh {name!r}")
        made = mesh_of(name, corners, part, placed, self.unit, skin, shapes, material)
        if not np.isfinite(made.vertices).all():
            self.source.fail(f"mesh {name!r}", "has vertices out of all bounds", "export the file anew")
        self.shown.meshes.append(made)

    def _skin(self, geometry: Thing, model: Thing, joint: str | None, count: int) -> Skin:
        clusters = []
        for skin, _ in self.scene.below(geometry, "Deformer"):
            if skin.sort == "Skin":
                kind = skin.record.text("SkinningType")
                if kind == "DualQuaternion":
                    self.shown.is_dual = True
                elif kind == "Blend":
                    self.source.note(model.place, "mixes linear and dual-quaternion blending; blended linearly here")
                clusters += [each for each, _ in self.scene.below(skin, "Deformer") if each.sort == "Cluster"]
        rows: list[tuple[Ints, Floats]] = []
        names, binds = [], []
        for cluster in clusters:
            found = self._cluster(cluster, count)
            if found is not None:
                names.append(found[0])
                binds.append(found[1])
                rows.append(found[2:])
        if not names:
            if joint is None:
                self.source.fail(model.place, "its skin binds it to no node", "export the file anew")
            return Skin((joint,), np.eye(3, 4)[None], np.zeros((count, 1), np.int64), np.ones((count, 1)))
        points = np.concatenate([points for points, _ in rows])
        weights = np.concatenate([weights for _, weights in rows])
        bones = np.repeat(np.arange(len(rows)), [len(points) for points, _ in rows])
        busiest = int(np.bincount(points, minlength=count).max(initial=1))
        self.source.spend(24 * busiest * count, model.place)
        influences, shares = np.zeros((count, busiest), np.int64), np.zeros((count, busiest))
        order = np.argsort(points, kind="stable")
        points, bones, weights = points[order], bones[order], weights[order]
        column = np.arange(len(points)) - np.searchsorted(points, points)
        influences[points, column], shares[points, column] = bones, weights
        totals = shares.sum(axis=1)
        if (unbound := totals <= 0).any():
            # They follow the node itself, or the first joint where nothing else needs the node.
            influences[unbound, 0], shares[unbound, 0] = 0 if joint is None else len(names), 1.0
            if joint is not None:
                names.append(joint)
                binds.append(np.eye(3, 4))
            whom = "the first" if joint is None else "the node"
            self.source.note(model.place, f"{int(unbound.sum())} vertices follow no joint; they follow {whom}")
        off = int((np.abs(totals[~unbound] - 1) > 1e-3).sum())
        if off:
            self.source.note(model.place, f"weights of {off} vertices do not sum to 1; scaled")
        return self._once(Skin(tuple(names), np.array(binds), influences, shares), model)

    def _once(self, skin: Skin, model: Thing) -> Skin:
        """One entry a joint where several clusters bind it alike."""
        if len(set(skin.joints)) == len(skin.joints):
            return skin
        first: dict[str, int] = {}
        place = np.arange(len(skin.joints))
        for n, name in enumerate(skin.joints):
            if name in first and np.abs(skin.binds[n] - skin.binds[first[name]]).max() < 1e-6:
                place[n] = first[name]
            first.setdefault(name, n)
        return Skin(skin.joints, skin.binds, place[skin.influences], skin.weights)

    def _cluster(self, cluster: Thing, count: int) -> tuple[str, Floats, Ints, Floats] | None:
        bone = next((each for each, _ in self.scene.below(cluster, "Model")), None)
        points = cluster.record.array("Indexes", np.int64)
        weights = cluster.record.array("Weights", np.float64)
        if bone is None or bone.number not in self.skeleton.joint_of:
            if points is not None and len(points):
                self.source.leave_out(cluster.place, "binds to no node; left out")
            return None
        if points is None or weights is None:
            points, weights = np.empty(0, np.int64), np.empty(0)
        if len(points) != len(weights) or (len(points) and not 0 <= points.min() <= points.max() < count):
            self.source.fail(cluster.place, f"its points and weights are not those of {count} vertices")
        matrix = cluster.record.array("Transform", np.float64)
        if matrix is None or matrix.size != 16 or not (np.abs(matrix) < 1e30).all():
            self.source.fail(cluster.place, "has no matrix by which it is bound", "export the file anew")
        bind = matrix.reshape(4, 4).T[:3].copy()
        bind[:, 3] *= self.unit
        kept = np.isfinite(weights) & (weights > 0)
        return self.skeleton.joint_of[bone.number], bind, points[kept], weights[kept]

    def _shapes(self, geometry: Thing, model: Thing, count: int) -> list[Shape]:
        made = []
        for deformer, _ in self.scene.below(geometry, "Deformer"):
            if deformer.sort != "BlendShape":
                continue
            for channel, _ in self.scene.below(deformer, "Deformer"):
                if channel.sort == "BlendShapeChannel":
                    targets = [each.record for each, _ in self.scene.below(channel, "Geometry") if each.sort == "Shape"]
                    peaks = channel.record.array("FullWeights", np.float64)
                    key = channel.number, SHAPE
                    made += self._channel(
                        channel.name, key, targets, peaks, channel.number_of(SHAPE, 0.0), model, count
                    )
        for name, target in own_shapes(geometry).items():
            percent = geometry.number_of(name, 0.0)
            made += self._channel(name, (geometry.number, name), [target], None, percent, model, count)
        return made

    def _channel(
        self,
        title: str,
        key: Key,
        targets: list[Record],
        peaks: Floats | None,
        percent: float,
        model: Thing,
        count: int,
    ) -> list[Shape]:
        place = f"shape {title!r} of {model.name!r}"
        found = [self._offsets(target, "Vertices", count, place) for target in targets]
        if peaks is not None and len(targets) == 1 and len(peaks) > 1 and found[0] is not None:
            # Blender says here how much of its way each vertex goes.
            points = targets[0].array("Indexes", np.int64)
            if points is not None and len(points) == len(peaks) and np.isfinite(peaks).all():
                found[0][points] *= peaks[:, None] / 100.0
            peaks = None
        if peaks is None or len(peaks) < len(targets) or not np.isfinite(peaks).all():
            peaks = 100.0 * (1 + np.arange(len(targets))) / max(len(targets), 1)
        peaks = peaks[: len(targets)]
        knots = sorted({0.0, *peaks.tolist()})
        if len(knots) != len(targets) + 1:
            self.source.leave_out(place, "two of its shapes are whole at one value; left out")
            return []
        made = []
        for target, peak, offsets in zip(targets, peaks.tolist(), found, strict=True):
            if offsets is None:
                continue
            name = (title if peak == knots[-1] else f"{title} {peak:g}") or "shape"
            full = tuple(knots), knots.index(peak)
            label = self._taken.unused(f"{model.name}.{name}")
            self.source.spend(60 * count, place)
            made.append(Shape(name, label, offsets, self._offsets(target, "Normals", count, place)))
            default = float(share(np.array([percent]), full)[0])
            self.shown.channels.append(
                Channel(label, "shape", default=default, lower=min(0.0, default), upper=max(1.0, default))
            )
            self.shown.shapes_of.setdefault(key, []).append((label, full))
        if len(made) > 1:
            self.source.note(place, "shapes in between are shapes of their own here")
        return made

    def _offsets(self, target: Record, name: str, count: int, place: str) -> Floats | None:
        points, values = target.array("Indexes", np.int64), target.array(name, np.float64)
        if points is None or values is None or len(values) != 3 * len(points):
            return None
        if len(points) and not 0 <= points.min() <= points.max() < count:
            self.source.fail(place, f"moves vertices that the mesh of {count} does not have")
        made = np.zeros((count, 3))
        made[points] = np.where(np.isfinite(values), values, 0.0).reshape(-1, 3)
        return made


def _geometric(model: Thing) -> Floats:
    """Where a node has its geometry: a transform that its children do not take over."""
    linear = turn(model.vector("GeometricRotation")) * model.vector("GeometricScaling", 1.0)
    return np.concatenate([linear, model.vector("GeometricTranslation")[:, None]], axis=1)
