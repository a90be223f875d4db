"""Heat over a skin, warmed by the bones beneath it: in balance, each bone's share is its weight."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.skinning.automatic.sources import sources
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
