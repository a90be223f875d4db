"""A mesh's arrays, read back by their description alone."""

import struct

import numpy as np

import inbetweener as ib
from inbetweener.studio.protocol.binary import mesh_arrays


def test_everything_is_where_the_description_says() -> None:
    mesh = ib.example("talking-face").meshes[0]
    data = mesh_arrays(mesh)
    vertices, triangles, influences, joints, shapes, flags = struct.unpack_from("<6I", data)
    assert (vertices, triangles, joints, shapes) == (
        len(mesh.vertices), len(mesh.triangles), len(mesh.joints), len(mesh.shapes)
    )  # fmt: skip
    parts = [
        (mesh.vertices, "<f4", vertices * 3),
        (mesh.triangles, "<u4", triangles * 3),
        (mesh.influences, "<u4", vertices * influences),
        (mesh.weights, "<f4", vertices * influences),
        (mesh.joint_from_mesh, "<f4", joints * 12),
        (mesh.normals, "<f4", vertices * 3 * (flags & 1)),
        (mesh.uvs, "<f4", vertices * (flags & 2)),
        (mesh.colours, "<f4", vertices * (flags & 4)),
        *((shape.offsets, "<f4", vertices * 3) for shape in mesh.shapes),
    ]
    at = 24
    for expected, kind, count in parts:
        assert (expected is None) == (count == 0)
        if expected is not None:
            found = np.frombuffer(data, kind, count, at)
            assert np.array_equal(found, np.asarray(expected, kind).ravel())
            at += found.nbytes
    assert at == len(data)
    assert shapes > 0
