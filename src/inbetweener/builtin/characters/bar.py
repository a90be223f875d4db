"""A plain bar along x: evenly tessellated, closed, with a chain of joints inside; made to be bent and twisted."""

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.builtin.rigging import LIMB_X, Bone, build_rig
from inbetweener.builtin.sculpt import paint_for
from inbetweener.document import Document
from inbetweener.errors import InvalidRig
from inbetweener.maths import transforms
from inbetweener.rig import Point, Rig
from inbetweener.skinning import Mesh

LENGTH, ACROSS = 1.0, 0.1
STEP = 0.0125
"""The edge of a tile of the surface; it divides length and thickness."""
HEIGHT = 0.3
"""The bar's axis above the ground."""

BONE_COLOURS = tuple(paint_for(code) for code in ("#3f7fd0", "#f0843c", "#58a65c", "#a06cc4"))


def bar(joints: int = 2, overlap: float = 0.3) -> Document:
    """A bar of 1 m with 2 to 4 joints, evenly spaced from its left end.

    Each joint owns an equal share of the bar; across a border the weight passes from one joint to the next by a cubic
    step over `overlap` metres, so that a vertex follows at most two joints.
    """
    if not 2 <= joints <= 4:
        raise InvalidRig(f"a bar has 2 to 4 joints, not {joints}")
    if not 0 <= overlap <= LENGTH / joints:
        raise InvalidRig(f"an overlap of {overlap:g} m does not fit joints {LENGTH / joints:g} m long")
    rig = _rig(joints)
    return Document("bar", rig, (_mesh(rig, overlap),))


def _rig(joints: int) -> Rig:
    share = LENGTH / joints
    root = Bone("bar_1", None, (-LENGTH / 2, HEIGHT, 0.0), order=LIMB_X, dofs="tx ty tz rx ry rz")
    chain = [Bone(f"bar_{n}", f"bar_{n - 1}", (share, 0.0, 0.0), order=LIMB_X) for n in range(2, joints + 1)]
    return build_rig([root, *chain], points=[Point(f"bar_{joints}", (share, 0.0, 0.0), "end")])


def _mesh(rig: Rig, overlap: float) -> Mesh:
    vertices, triangles = _box()
    along = vertices[:, 0] + LENGTH / 2
    influences, weights = _weights(along, len(rig.joints), overlap)
    tint = (np.array(BONE_COLOURS)[influences] * weights[..., None]).sum(axis=1)
    # Dark rings and one dark edge, so that bends and turns can be read off the surface.
    ring = np.abs(along * 10 - np.round(along * 10)) < 0.1
    edge = (vertices[:, 1] > HEIGHT + 0.49 * ACROSS) & (vertices[:, 2] > 0.49 * ACROSS)
    tint[ring | edge] *= 0.35
    return Mesh(
        "bar",
        vertices.astype(np.float32),
        triangles.astype(np.int32),
        tuple(joint.name for joint in rig.joints),
        transforms.inverse(rig.rest_world()),
        influences.astype(np.int32),
        weights.astype(np.float32),
        colours=np.concatenate([tint, np.ones((len(tint), 1))], axis=1).astype(np.float32),
    )


def _weights(along: Floats, joints: int, overlap: float) -> tuple[Ints, Floats]:
    """The two joints (V, 2) nearest to a place along the bar in metres, and their weights (V, 2)."""
    share = LENGTH / joints
    border = np.clip(np.round(along / share), 1, joints - 1).astype(np.int64)
    beyond = (along - border * share) / overlap + 0.5 if overlap > 0 else np.sign(along - border * share)
    t = np.clip(beyond, 0.0, 1.0)
    after = t * t * (3 - 2 * t)
    return np.stack([border - 1, border], axis=1), np.stack([1 - after, after], axis=1)


def _box() -> tuple[Floats, Ints]:
    """Vertices and triangles of a box tiled in squares; tiles share the vertices along the box's edges."""
    counts = np.round(np.array([LENGTH, ACROSS, ACROSS]) / STEP).astype(np.int64)
    tiles = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        rows, columns = np.meshgrid(np.arange(counts[u]), np.arange(counts[v]), indexing="ij")
        corner = np.zeros((rows.size, 4, 3), np.int64)
        corner[:, :, u] = rows.ravel()[:, None] + [0, 1, 1, 0]
        corner[:, :, v] = columns.ravel()[:, None] + [0, 0, 1, 1]
        far = corner.copy()
        far[:, :, axis] = counts[axis]
        # u × v = axis, so the far side turns outwards as it is and the near side in reverse.
        tiles += [far, corner[:, ::-1]]
    lattice, index = np.unique(np.concatenate(tiles).reshape(-1, 3), axis=0, return_inverse=True)
    quads = index.reshape(-1, 4)
    vertices = (lattice - counts / 2) * STEP + [0.0, HEIGHT, 0.0]
    return vertices, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
