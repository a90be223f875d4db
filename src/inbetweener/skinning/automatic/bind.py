"""Bind a mesh to a rig: weights by heat, as many influences as wished."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.errors import InvalidRig
from inbetweener.rig import Rig
from inbetweener.skinning.automatic.heat import heat_weights
from inbetweener.skinning.differential import Bind
from inbetweener.skinning.mesh import Mesh, normalised_weights

FAINT = 0.005
"""Weights this small are not worth an influence."""
SHORTEST = 1e-4
"""A bone shorter than this share of the mesh's size is none: its joint only carries others."""


def bind(mesh: Mesh, rig: Rig, *, influences: int = 8, joints: Sequence[str] | None = None) -> Mesh:
    """The mesh with weights found from the rig's bones instead of its own; everything else stays.

    Where the joints stand when it is bound is what the mesh says, and for joints it does not name, what the rest pose
    says. `influences` is how many joints a vertex may follow at most, `joints` names those that may be followed: by
    default those that the mesh follows already, or all of the rig's where it is bare and follows but one.
    """
    if influences < 1:
        raise InvalidRig(f"a vertex cannot follow {influences} joints; allow at least one influence")
    stance = Bind.of(mesh, rig)
    candidates = _candidates(stance, rig, joints, mesh)
    weights = heat_weights(mesh.vertices, mesh.triangles, *_segments(stance, candidates))
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
