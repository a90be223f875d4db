"""Bind a mesh to a rig: weights by heat, as many influences as wished."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats, Ints
from inbetweener.errors import InvalidRig
from inbetweener.rig import Rig
from inbetweener.skinning.automatic.forks import parted
from inbetweener.skinning.automatic.surface import Surface
from inbetweener.skinning.differential import Bind
from inbetweener.skinning.mesh import Mesh, normalised_weights

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


FAINT = 0.005
"""Weights this small are not worth an influence."""
SHORTEST = 1e-4
"""A bone shorter than this share of the mesh's size is none: its joint only carries others."""


def bind(
    mesh: Mesh,
    rig: Rig,
    *,
    influences: int = 8,
    joints: Sequence[str] | None = None,
    conduction: float = CONDUCTION,
) -> Mesh:
    """The mesh with weights found from the rig's bones instead of its own; everything else stays.

    Where the joints stand when it is bound is what the mesh says, and for joints it does not name, what the rest pose
    says. `influences` is how many joints a vertex may follow at most, `joints` names those that may be followed: by
    default those that the mesh follows already, or all of the rig's where it is bare and follows but one. More
    `conduction` is softer: limbs of rubber want a hundred times what bodies with elbows do.
    """
    if influences < 1:
        raise InvalidRig(f"a vertex cannot follow {influences} joints; allow at least one influence")
    stance = Bind.of(mesh, rig)
    candidates = _candidates(stance, rig, joints, mesh)
    weights = heat_weights(mesh.vertices, mesh.triangles, *_segments(stance, candidates), conduction=conduction)
    weights = parted(weights, candidates, stance.parents, stance.starts, stance.ends)
    slots, kept = strongest(weights, influences)
    used = np.unique(slots[kept > 0.0])
    renamed = np.zeros(len(candidates), np.int64)
    renamed[used] = np.arange(len(used))
    found = normalised_weights(renamed[slots], kept, max(len(used), 1))
    bound = candidates[used]
    return replace(
        mesh,
        joints=tuple(rig.joints[joint].name for joint in bound),
        joint_from_mesh=stance.joint_from_mesh[bound],
        influences=found.influences,
        weights=found.weights,
    )


def strongest(weights: Floats, count: int) -> tuple[Ints, Floats]:
    """The `count` largest of weights (V, B) as slots and weights (V, N), rows summing to one.

    All are lessened by the largest one that is left out, so that from vertex to vertex an influence fades away before
    it goes.
    """
    count = min(count, weights.shape[1])
    order = np.argsort(-weights, axis=1, kind="stable")[:, : count + 1]
    ranked = np.take_along_axis(weights, order, axis=1)
    left_out = ranked[:, count] if ranked.shape[1] > count else np.zeros(len(ranked))
    # Where everything is alike there is nothing to choose by, and half of the largest must do.
    lessened = np.minimum(np.maximum(left_out, FAINT), 0.5 * ranked[:, 0])
    kept = np.maximum(ranked[:, :count] - lessened[:, None], 0.0)
    return order[:, :count].astype(np.int64), kept / kept.sum(axis=1, keepdims=True)


def _segments(stance: Bind, candidates: Ints) -> tuple[Floats, Floats, Ints]:
    """Starts, ends (S, 3) and owners (S,) of what warms the skin: a bone forks towards every joint that hangs from it.

    A chest that warmed only one shoulder would make a body lopsided. Joints that lead to none that is followed are
    targets and the like, and nothing goes out to them.
    """
    leads = np.zeros(len(stance.parents), np.bool_)
    leads[candidates] = True
    for joint in range(len(leads) - 1, -1, -1):
        if leads[joint] and stance.parents[joint] >= 0:
            leads[stance.parents[joint]] = True
    starts, ends, owners = [], [], []
    for bone, joint in enumerate(candidates):
        tips = [stance.ends[joint], *stance.starts[(stance.parents == joint) & leads]]
        starts += [stance.starts[joint]] * len(tips)
        ends += tips
        owners += [bone] * len(tips)
    return np.array(starts), np.array(ends), np.array(owners, np.int64)


def _candidates(stance: Bind, rig: Rig, joints: Sequence[str] | None, mesh: Mesh) -> Ints:
    if not rig.joints:
        raise InvalidRig(f"mesh {mesh.name!r} cannot be bound: the rig has no joints")
    if joints is not None and not joints:
        raise InvalidRig(f"mesh {mesh.name!r} cannot be bound to no joints at all; name at least one")
    if joints is None:
        # Files list targets and controls among the joints of a skin; those that carry none of it are told by that.
        followed = np.unique(mesh.influences[mesh.weights > 0.0])
        joints = [mesh.joints[i] for i in followed] if len(followed) > 1 else [joint.name for joint in rig.joints]
    named = np.unique([rig.joint_index(name) for name in joints])
    size = float(np.ptp(mesh.vertices, axis=0).max(initial=0.0))
    long = named[np.linalg.norm((stance.ends - stance.starts)[named], axis=1) > SHORTEST * size]
    return long if len(long) else named
