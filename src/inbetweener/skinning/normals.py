"""Normals: made from triangles, and carried along by joints."""

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.skinning import kernels
from inbetweener.skinning.mesh import Indices, Singles


def vertex_normals(vertices: npt.ArrayLike, triangles: Indices) -> Singles:
    """Unit normals (V, 3): the mean of the faces around each vertex, weighted by their area.

    A vertex without a face that has an area points up, so that every normal has length one.
    """
    points = np.ascontiguousarray(vertices, np.float32)
    result = np.empty_like(points)
    kernels.gather_normals(points, np.ascontiguousarray(triangles, np.int32), result)
    return result


def carried_normals(normals: Singles, influences: Indices, weights: Singles, linear: Floats) -> Singles:
    """Unit normals (V, 3) after the inverse transposes of matrices (K, 3, 3), blended by influences (V, N)."""
    # The matrix of cofactors is the inverse transpose times the determinant: defined for flattened joints too, but of
    # its size, which must not weigh in the blend.
    x, y, z = linear[..., 0], linear[..., 1], linear[..., 2]
    cofactors = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], axis=-1)
    volume = np.einsum("...r,...r->...", x, cofactors[..., 0])[..., None, None]
    flat = np.abs(volume) < 1e-12 * np.abs(cofactors).max(axis=(-2, -1), initial=0.0, keepdims=True)
    matrices = np.zeros((len(linear), 3, 4))
    matrices[..., :3] = cofactors / np.where(flat, 1.0, volume)
    result = np.empty_like(normals)
    kernels.blend_linear(normals, influences, weights, matrices, False, result)
    lengths = np.linalg.norm(result, axis=1, keepdims=True)
    up = np.array([0.0, 1.0, 0.0], np.float32)
    return np.where(lengths > 0, result / np.where(lengths > 0, lengths, np.float32(1.0)), up)
