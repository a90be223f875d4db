"""Heat over a skin, warmed by the bones beneath it: in balance, each bone's share is its weight."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.skinning.automatic.surface import Surface

CONDUCTION = 0.2
"""How far heat spreads, in squared distances to the bone: more is softer. On a tube of radius r, a bone's weight falls
off beyond its end as exp(−x / (r·√c)); at 0.2 the weights of sculpted and hand-painted characters are met best."""


def heat_weights(
    vertices: npt.ArrayLike,
    triangles: npt.ArrayLike,
    starts: npt.ArrayLike,
    ends: npt.ArrayLike,
    owners: npt.ArrayLike | None = None,
    *,
    conduction: float = CONDUCTION,
) -> Floats:
    """Weights (V, B) of bones, segments from starts to ends (B, 3), for the vertices (V, 3) of a mesh; rows sum to one.

    Where bones are forked, there are more segments than bones, and owners (S,) says which bone each belongs to.

    Solves −c·Δw + h·w = h·p on the surface, h one over the squared distance of the nearest bone, p one for that bone
    and nothing for others (Baran and Popović 2007, §4): one factorisation for all bones. Vertices in one place have the
    same weights, whatever triangles use them.
    """
    vertices, triangles = np.asarray(vertices, np.float64), np.asarray(triangles, np.int64)
    starts, ends = np.asarray(starts, np.float64), np.asarray(ends, np.float64)
    owned = np.arange(len(starts)) if owners is None else np.asarray(owners, np.int64)
    if len(vertices) == 0 or owned.max() == 0:
        return np.ones((len(vertices), int(owned.max()) + 1))
    surface = Surface.of(vertices, triangles)
    strength, shares = sources(surface.places, surface.normals(), starts, ends, owned)
    return balanced(surface, conduction, strength, shares)[surface.place_of]


def balanced(surface: Surface, conduction: float, strength: Floats, shares: Floats) -> Floats:
    """Heat (n, B) that neither rises nor falls any more."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import splu

    stiffness, areas = surface.laplacian()
    warming = areas * strength
    # Divided by the diagonal on both sides, so that tiny triangles and huge ones weigh alike.
    matrix = conduction * stiffness + diags_array(warming)
    scale = 1.0 / np.sqrt(matrix.diagonal())
    scaled = (diags_array(scale) @ matrix @ diags_array(scale)).tocsc()
    factor = splu(scaled, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    used = np.flatnonzero(shares.any(axis=0))
    heat = np.zeros_like(shares)
    heat[:, used] = scale[:, None] * factor.solve((scale * warming)[:, None] * shares[:, used])
    heat = np.maximum(heat, 0.0)
    return heat / heat.sum(axis=1, keepdims=True)


TIE = 0.05
"""Bones that are farther than the nearest by less than this share warm a place together."""
OUTSIDE = 20.0
"""How many times farther than it is a bone counts that lies wholly in front of the skin rather than behind it."""
BEHIND, BEFORE = 0.5, 0.0
"""Cosines between the inward normal and the way to a bone at which it is surely behind, and surely in front."""
NEAREST = 1e-3
"""A bone counts as no nearer than this share of the mesh's size: some lie in the skin itself."""


def sources(places: Floats, normals: Floats, starts: Floats, ends: Floats, owners: Ints) -> tuple[Floats, Floats]:
    """How strongly each place (n, 3) is warmed (n,), one over a distance squared, and by which bones (n, B), shares.

    Segments from starts to ends (S, 3) belong to bones: owners (S,), 0 to B − 1. A skin is warmed from within: the
    inner side of one thigh sees the other leg's bone, but only in front of it.
    """
    size = float(np.ptp(places, axis=0).max(initial=0.0)) or 1.0
    facing = np.linalg.norm(normals, axis=1) > 0.5
    distances = np.empty((len(places), int(owners.max()) + 1))
    counted = np.full_like(distances, np.inf)
    for start, end, bone in zip(starts, ends, owners, strict=True):
        way = end - start
        square = float(way @ way)
        along = np.clip((places - start) @ way / square, 0.0, 1.0) if square > 0.0 else np.zeros(len(places))
        to_bone = start + along[:, None] * way - places
        distance = np.linalg.norm(to_bone, axis=1)
        inward = -np.einsum("ni,ni->n", normals, to_bone) / np.maximum(distance, 1e-12 * size)
        before = np.where(facing, np.clip((BEHIND - inward) / (BEHIND - BEFORE), 0.0, 1.0), 0.0)
        distance = np.maximum(distance, NEAREST * size)
        farther = distance * (1.0 + (OUTSIDE - 1.0) * before)
        distances[:, bone] = np.where(farther < counted[:, bone], distance, distances[:, bone])
        counted[:, bone] = np.minimum(farther, counted[:, bone])
    nearest = counted.argmin(axis=1)[:, None]
    shares = np.maximum(0.0, 1.0 - (counted / np.take_along_axis(counted, nearest, axis=1) - 1.0) / TIE)
    strength = 1.0 / np.take_along_axis(distances, nearest, axis=1)[:, 0] ** 2
    return strength, shares / shares.sum(axis=1, keepdims=True)
