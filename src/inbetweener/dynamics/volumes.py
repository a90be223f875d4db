"""Masses from meshes: what closed surfaces enclose, shared among joints as the skin around it is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from inbetweener.arrays import Bools, Floats, Ints
from inbetweener.errors import InvalidRig
from inbetweener.rig import Rig
from inbetweener.rig.masses import WATER, MassModel, merged, metres_from_joint
from inbetweener.skinning import Mesh
from inbetweener.skinning.automatic.surface import Surface

SAMPLES = 30_000
"""About so many places inside a skin are asked which joints they follow."""

NEIGHBOURS = 6
"""A place inside follows the joints of so many vertices around it, the nearer the more."""

OFF_GRID = np.array([0.3819660112501051, 0.2360679774997897])
"""Rays start off any round number, so that none meets an edge of a tidy mesh."""


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """Volume (K,), first moment (K, 3) and second moment (K, 3, 3) by joint of a mesh, in the mesh's own space."""

    volume: Floats
    first: Floats
    second: Floats

    @classmethod
    def of(cls, places: Floats, sides: Floats, shares: Floats) -> Self:
        """Small boxes about places (n, 3) with sides (n, 3) and the joints' shares in them (n, K)."""
        own = shares.T * sides.prod(axis=1)
        products = (places[:, :, None] * places[:, None, :]).reshape(-1, 9)
        products[:, ::4] += sides**2 / 12.0
        return cls(own.sum(axis=1), own @ places, (own @ products).reshape(-1, 3, 3))

    @classmethod
    def exact(cls, corners: Floats, joint: int, count: int) -> Self:
        """What triangles (F, 3, 3) enclose, all for one joint: a sum of signed tetrahedra from their middle."""
        middle = corners.mean(axis=(0, 1))
        a, b, c = np.moveaxis(corners - middle, 1, 0)
        six = np.einsum("fi,fi->f", a, np.cross(b, c))
        sign = np.sign(six.sum()) or 1.0
        shares = np.zeros((1, count))
        shares[0, joint] = 1.0
        total = a + b + c
        # ∫ x = V/4 Σ corners, ∫ x xᵀ = V/20 (Σ x xᵀ + Σ Σ x yᵀ), the fourth corner being the middle.
        volume = sign * six / 6.0
        first = (volume / 4.0) @ total
        outer = np.einsum("fi,fj->fij", total, total) + sum(np.einsum("fi,fj->fij", x, x) for x in (a, b, c))
        second = np.einsum("f,fij->ij", volume / 20.0, outer)
        whole = float(volume.sum())
        second += np.outer(first, middle) + np.outer(middle, first) + whole * np.outer(middle, middle)
        first = first + whole * middle
        return cls(whole * shares[0], shares.T @ first[None], shares[0][:, None, None] * second)


def from_meshes(rig: Rig, meshes: Iterable[Mesh], *, density: float = WATER) -> MassModel:
    """Masses of all that closed parts of meshes enclose; a part with a hole in its surface counts for nothing.

    A part that follows one joint is measured exactly. Of others the volume is exact, and how joints share it is found
    at places inside, each of which follows the skin around it.
    """
    pieces: list[list[tuple[float, Floats, Floats]]] = [[] for _ in rig.joints]
    metres = metres_from_joint(rig)
    listed = list(meshes)
    for mesh in listed:
        for part in _fillings(mesh):
            for k, name in enumerate(mesh.joints):
                if part.volume[k] > 0:
                    joint = rig.joint_index(name)
                    pieces[joint].append(_piece(part, k, mesh.joint_from_mesh[k], metres[joint], density))
    if not any(pieces):
        names = ", ".join(repr(mesh.name) for mesh in listed) or "none"
        raise InvalidRig(f"no mesh encloses a volume ({names}); close their surfaces, or use box masses")
    together = [merged(each) for each in pieces]
    return MassModel(
        rig,
        np.array([mass for mass, _, _ in together]),
        np.array([np.linalg.pinv(m) @ centre for m, (_, centre, _) in zip(metres, together, strict=True)]),
        np.array([inertia for _, _, inertia in together]),
        tuple(joint.name for joint, each in zip(rig.joints, pieces, strict=True) if not each),
    )


def _piece(
    part: Filling, k: int, joint_from_mesh: Floats, metres: Floats, density: float
) -> tuple[float, Floats, Floats]:
    """Mass, centre and inertia about it of one joint's share, in metres along the joint's axes."""
    linear = metres @ joint_from_mesh[:, :3]
    centre = part.first[k] / part.volume[k]
    spread = linear @ (part.second[k] / part.volume[k] - np.outer(centre, centre)) @ linear.T
    mass = density * float(part.volume[k]) * abs(float(np.linalg.det(linear)))
    place = metres @ (joint_from_mesh[:, :3] @ centre + joint_from_mesh[:, 3])
    return mass, place, mass * (np.trace(spread) * np.eye(3) - spread)


def _fillings(mesh: Mesh) -> Iterator[Filling]:
    """What each closed part of a mesh encloses."""
    surface = Surface.of(mesh.vertices.astype(np.float64), mesh.triangles.astype(np.int64))
    if not len(surface.triangles):
        return
    weights = np.zeros((len(surface.places), len(mesh.joints)))
    for slot in range(mesh.influences.shape[1]):
        # Vertices welded together have a say each.
        np.add.at(weights, (surface.place_of, mesh.influences[:, slot]), mesh.weights[:, slot].astype(np.float64))
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-30)
    part_of = surface.parts()[surface.triangles[:, 0]]
    # Vertices of no triangle are parts too, which enclose nothing.
    for part in np.unique(part_of):
        triangles = surface.triangles[part_of == part]
        if not _closed(triangles):
            continue
        followed = np.flatnonzero(weights[np.unique(triangles)].max(axis=0) > 0)
        whole = Filling.exact(surface.places[triangles], int(followed[0]), len(mesh.joints))
        if whole.volume[followed[0]] <= 0:
            continue
        if len(followed) == 1:
            yield whole
        else:
            yield _sampled(surface.places, triangles, weights, float(whole.volume.sum()))


def _closed(triangles: Ints) -> bool:
    """Whether every edge is passed as often one way as the other."""
    size = int(triangles.max()) + 1
    a, b = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    return bool(np.array_equal(np.sort(a * size + b), np.sort(b * size + a)))


def _sampled(places: Floats, triangles: Ints, weights: Floats, volume: float) -> Filling:
    """A closed surface whose inside is shared: places inside it follow the vertices near by."""
    from scipy.sparse import csr_array
    from scipy.spatial import cKDTree

    inside, sides = _boxes_inside(places[triangles], (volume / SAMPLES) ** (1.0 / 3.0))
    used = np.unique(triangles)
    near, which = cKDTree(places[used]).query(inside, k=min(NEIGHBOURS, len(used)))
    closeness = 1.0 / np.maximum(near, 1e-12) ** 2
    closeness /= closeness.sum(axis=1, keepdims=True)
    starts = np.arange(0, closeness.size + 1, closeness.shape[1])
    shares = csr_array((closeness.ravel(), which.ravel(), starts), (len(inside), len(used))) @ weights[used]
    # The boxes fill the surface up to its roundness; what is lacking is given to all alike.
    return Filling.of(inside, sides * (volume / sides.prod(axis=1).sum()) ** (1.0 / 3.0), shares)


def _boxes_inside(corners: Floats, cell: float) -> tuple[Floats, Floats]:
    """Centres and sides (n, 3) of boxes that fill what triangles (F, 3, 3) enclose: stretches of rays along x."""
    low = corners.min(axis=(0, 1))
    flat = (corners[..., 1:] - low[1:]) / cell - OFF_GRID
    first, last = np.ceil(flat.min(axis=1)).astype(np.int64), np.floor(flat.max(axis=1)).astype(np.int64)
    spans = np.maximum(last - first + 1, 0)
    counts = spans.prod(axis=1)
    triangle = np.repeat(np.arange(len(corners)), counts)
    nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    ray = first[triangle] + np.stack([nth // spans[triangle, 1], nth % spans[triangle, 1]], axis=1)
    hit, shares, facing = _within(flat[triangle], ray)
    ray, triangle, facing = ray[hit], triangle[hit], facing[hit]
    x = np.einsum("nk,nk->n", shares[hit], corners[triangle, :, 0])
    order = np.lexsort((x, ray[:, 1], ray[:, 0]))
    ray, x, facing = ray[order], x[order], facing[order]
    # Between two crossings of one ray lies the inside where the surface has been entered and not left.
    depth = np.cumsum(facing)[:-1]
    together = (ray[1:] == ray[:-1]).all(axis=1) & (depth != 0)
    start, length, ray = x[:-1][together], np.diff(x)[together], ray[:-1][together]
    pieces = np.maximum(np.ceil(length / cell).astype(np.int64), 1)
    owner = np.repeat(np.arange(len(start)), pieces)
    share = (np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces) + 0.5) / pieces[owner]
    across = (ray[owner] + OFF_GRID) * cell + low[1:]
    sides = np.column_stack([(length / pieces)[owner], np.full((len(owner), 2), cell)])
    return np.column_stack([start[owner] + share * length[owner], across]), sides


def _within(flat: Floats, ray: Ints) -> tuple[Bools, Floats, Ints]:
    """Which rays (n, 2) meet their triangles (n, 3, 2), where as shares of the corners, and from which side."""
    to = flat - ray[:, None]
    turned = np.roll(to, -1, axis=1), np.roll(to, -2, axis=1)
    areas = turned[0][..., 0] * turned[1][..., 1] - turned[0][..., 1] * turned[1][..., 0]
    total = areas.sum(axis=1)
    hit = ((areas > 0).all(axis=1) | (areas < 0).all(axis=1)) & (total != 0)
    return hit, areas / np.where(total == 0, 1.0, total)[:, None], np.sign(total).astype(np.int64)
