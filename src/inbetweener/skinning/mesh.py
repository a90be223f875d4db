"""A mesh bound to joints, with blend shapes."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Bools, frozen, same
from inbetweener.errors import InvalidDocument

Singles = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int32]

WEIGHT_TOLERANCE = 1e-3
"""How far the weights of a vertex may be from summing to one: 8-bit weights in files come this close."""


@dataclass(frozen=True, slots=True, eq=False)
class MendedWeights:
    """Influences and weights (V, N) fit for a mesh, N as many as the busiest vertex needs, heaviest first.

    `rescaled` rows did not sum to one, `impossible` rows held an entry that is negative, not finite or of no joint, and
    `unbound` rows had no weight left and were bound to the fallback joint. A row may be counted in each.
    """

    influences: Indices
    weights: Singles
    rescaled: int
    impossible: int
    unbound: int
    mended: int
    """Rows of any of the three kinds."""


def normalised_weights(
    influences: npt.ArrayLike, weights: npt.ArrayLike, joint_count: int, *, fallback: int = 0, tolerance: float = 1e-4
) -> MendedWeights:
    """Mend influences and weights (V, N). Sums within `tolerance` of one are made exact but not counted."""
    joints = np.array(influences, dtype=np.int64)
    shares = np.array(weights, dtype=np.float64)
    if joints.shape != shares.shape or joints.ndim != 2:
        raise ValueError(f"influences {joints.shape} and weights {shares.shape} must both be (V, N)")
    # Some files mark an unused entry by a joint of no skin; without weight that is no fault.
    with np.errstate(invalid="ignore"):
        wrong = ~np.isfinite(shares) | (shares < 0) | (((joints < 0) | (joints >= joint_count)) & (shares != 0))
    shares[wrong] = 0.0
    totals = shares.sum(axis=1)
    unbound = totals <= 0
    off = ~unbound & (np.abs(totals - 1.0) > tolerance)
    shares /= np.where(unbound, 1.0, totals)[:, None]
    if shares.shape[1] == 0 and len(shares):
        joints, shares = np.zeros((len(joints), 1), np.int64), np.zeros((len(shares), 1))
    joints[unbound, :1], shares[unbound, :1] = fallback, 1.0
    joints[shares == 0] = 0
    impossible: Bools = wrong.any(axis=1)
    order = np.argsort(-shares, axis=1, kind="stable")
    used = int(max((shares > 0).sum(axis=1).max(initial=1), 1))
    return MendedWeights(
        frozen(np.take_along_axis(joints, order, axis=1)[:, :used], np.int32),
        frozen(np.take_along_axis(shares, order, axis=1)[:, :used], np.float32),
        rescaled=int(off.sum()),
        impossible=int(impossible.sum()),
        unbound=int(unbound.sum()),
        mended=int((off | impossible | unbound).sum()),
    )


def check_weights(mesh: "Mesh") -> None:
    """Raise InvalidDocument where a vertex has no weights, or such as do not sum to one."""
    totals = mesh.weights.sum(axis=1, dtype=np.float64)
    wrong = ~(np.abs(totals - 1.0) <= WEIGHT_TOLERANCE)
    if not wrong.any():
        return
    vertex, others = int(np.argmax(wrong)), int(wrong.sum()) - 1
    total = float(totals[vertex])
    what = f"vertex {vertex} has no weights" if total == 0.0 else f"weights of vertex {vertex} sum to {total:g}, not 1"
    also = f", and so for {others} more" if others else ""
    raise InvalidDocument(f"mesh {mesh.name!r}: {what}{also}; bind it anew (inbetweener skin --weights auto)")


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface looks: linear RGBA and, if there is one, an encoded PNG, JPEG or WebP texture.

    `look` is the number of the material of the file that a document came from, whose further maps are only kept there.
    """

    name: str = ""
    colour: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    texture: bytes | None = field(default=None, repr=False)
    double_sided: bool = False
    look: int | None = None


class _ByValue:
    """Equality field by field, arrays compared by content."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # holds arrays

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))  # type: ignore[arg-type]


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return same(a, b)
    return bool(a == b)


@dataclass(frozen=True, slots=True, eq=False)
class BlendShape(_ByValue):
    """Vertex offsets (V, 3) in metres, times the weight channel called `channel`."""

    name: str
    channel: str
    offsets: Singles = field(repr=False)
    normal_offsets: Singles | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "offsets", frozen(self.offsets, np.float32))
        if self.normal_offsets is not None:
            put(self, "normal_offsets", frozen(self.normal_offsets, np.float32))


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Mesh(_ByValue):
    """Triangles whose vertices follow joints.

    vertices         (V, 3) metres, in mesh space
    triangles        (F, 3) counter-clockwise seen from outside
    joints           names of the K joints that may move the mesh
    joint_from_mesh  (K, 3, 4) where each joint finds the mesh when it is bound
    influences       (V, N) indices into `joints`; N is whatever the most influenced vertex needs
    weights          (V, N) ≥ 0, each row sums to 1
    normals (V, 3), uvs (V, 2), colours (V, 4) linear RGBA: where there are any

    A rigid part is a mesh with one joint and weight 1.
    """

    name: str
    vertices: Singles = field(repr=False)
    triangles: Indices = field(repr=False)
    joints: tuple[str, ...]
    joint_from_mesh: npt.NDArray[np.float64] = field(repr=False)
    influences: Indices = field(repr=False)
    weights: Singles = field(repr=False)
    normals: Singles | None = field(default=None, repr=False)
    uvs: Singles | None = field(default=None, repr=False)
    colours: Singles | None = field(default=None, repr=False)
    shapes: tuple[BlendShape, ...] = ()
    material: Material = field(default_factory=Material)

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("vertices", "weights", "normals", "uvs", "colours"):
            if getattr(self, name) is not None:
                put(self, name, frozen(getattr(self, name), np.float32))
        for name in ("triangles", "influences"):
            put(self, name, frozen(getattr(self, name), np.int32))
        put(self, "joint_from_mesh", frozen(self.joint_from_mesh))
        self._check()

    @classmethod
    def rigid(cls, name: str, joint: str, vertices: npt.ArrayLike, triangles: npt.ArrayLike, **more: Any) -> "Mesh":
        """A mesh that moves with one joint, given in that joint's frame."""
        vertices = np.asarray(vertices, np.float32)
        return cls(
            name, vertices, np.asarray(triangles, np.int32), (joint,), np.eye(3, 4)[None],
            np.zeros((len(vertices), 1), np.int32), np.ones((len(vertices), 1), np.float32), **more,
        )  # fmt: skip

    def _check(self) -> None:
        v = len(self.vertices)
        expected: dict[str, tuple[int | None, ...]] = {
            "vertices": (v, 3),
            "triangles": (None, 3),
            "joint_from_mesh": (len(self.joints), 3, 4),
            "influences": (v, None),
            "weights": self.influences.shape,
            "normals": (v, 3),
            "uvs": (v, 2),
            "colours": (v, 4),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array is not None and not _fits(array.shape, shape):
                raise InvalidDocument(f"mesh {self.name!r}: {name} has shape {array.shape}, expected {shape}")
        for shape_ in self.shapes:
            if shape_.offsets.shape != (v, 3):
                raise InvalidDocument(
                    f"mesh {self.name!r}: shape {shape_.name!r} has {len(shape_.offsets)} offsets for {v} vertices"
                )
            if shape_.normal_offsets is not None and shape_.normal_offsets.shape != (v, 3):
                raise InvalidDocument(
                    f"mesh {self.name!r}: shape {shape_.name!r} has {len(shape_.normal_offsets)} normal offsets for"
                    f" {v} vertices"
                )
        if self.triangles.size and not (0 <= self.triangles.min() and self.triangles.max() < v):
            raise InvalidDocument(f"mesh {self.name!r}: a triangle names a vertex that does not exist")
        if self.influences.size and not (0 <= self.influences.min() and self.influences.max() < len(self.joints)):
            raise InvalidDocument(f"mesh {self.name!r}: a vertex names a joint that does not exist")


def _fits(shape: tuple[int, ...], expected: tuple[int | None, ...]) -> bool:
    return len(shape) == len(expected) and all(e is None or s == e for s, e in zip(shape, expected, strict=True))


def bound_joints(meshes: Iterable[Mesh]) -> frozenset[str]:
    """The joints that carry vertices of any of the meshes."""
    return frozenset(mesh.joints[n] for mesh in meshes for n in np.unique(mesh.influences[mesh.weights > 0]))
