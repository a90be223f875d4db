"""Compiled skinning."""

import math

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import kernel
from inbetweener.skinning.mesh import Indices, Singles


@kernel("void(const(f4[:,::1]), const(i4[:,::1]), const(f4[:,::1]), const(f8[:,:,::1]), b1, f4[:,::1])")
def blend_linear(
    vectors: Singles,
    influences: Indices,
    weights: Singles,
    matrices: Floats,
    with_translation: bool,
    result: Singles,
) -> None:
    """result[v] = Σ w · matrix[joint] · vectors[v]; without translation for normals."""
    m = np.empty((3, 4))
    for v in range(len(vectors)):
        m[:] = 0.0
        for n in range(influences.shape[1]):
            w = weights[v, n]
            if w != 0.0:
                for r in range(3):
                    for c in range(4):
                        m[r, c] += w * matrices[influences[v, n], r, c]
        x, y, z = vectors[v, 0], vectors[v, 1], vectors[v, 2]
        for r in range(3):
            moved = m[r, 0] * x + m[r, 1] * y + m[r, 2] * z
            result[v, r] = moved + m[r, 3] if with_translation else moved


@kernel("void(const(f4[:,::1]), const(i4[:,::1]), f4[:,::1])")
def gather_normals(vertices: Singles, triangles: Indices, result: Singles) -> None:
    """result[v] = unit sum of the cross products of the triangles at v, each as long as twice its area; +y for none."""
    sums = np.zeros((len(vertices), 3))
    a, b = np.empty(3), np.empty(3)
    for t in range(len(triangles)):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        for r in range(3):
            a[r] = np.float64(vertices[j, r]) - np.float64(vertices[i, r])
            b[r] = np.float64(vertices[k, r]) - np.float64(vertices[i, r])
        for r in range(3):
            s, u = (r + 1) % 3, (r + 2) % 3
            across = a[s] * b[u] - a[u] * b[s]
            sums[i, r] += across
            sums[j, r] += across
            sums[k, r] += across
    for v in range(len(vertices)):
        length = math.sqrt(sums[v, 0] ** 2 + sums[v, 1] ** 2 + sums[v, 2] ** 2)
        for r in range(3):
            up = 1.0 if r == 1 else 0.0
            result[v, r] = sums[v, r] / length if length > 0.0 else up
