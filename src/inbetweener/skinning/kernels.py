"""Compiled skinning."""

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
