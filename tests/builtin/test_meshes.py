"""The meshes are closed, face outwards and follow the right joints."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.skinning import Mesh, Skin


def at_rest(document: Document, mesh: Mesh) -> Floats:
    rig = document.rig
    return Skin(mesh, rig).vertices(rig.defaults, rig.rest_world()).astype(np.float64)


def face_normals(points: Floats, mesh: Mesh) -> Floats:
    a, b, c = (points[mesh.triangles[:, n]] for n in range(3))
    return np.cross(b - a, c - a)


def test_every_edge_has_two_triangles_that_run_along_it_opposite_ways(document: Document) -> None:
    for mesh in document.meshes:
        edges = np.stack([mesh.triangles, np.roll(mesh.triangles, -1, axis=1)], axis=-1).reshape(-1, 2)
        there = np.unique(edges, axis=0)
        assert len(there) == len(edges), f"{mesh.name}: an edge runs the same way twice"
        assert np.array_equal(there, np.unique(edges[:, ::-1], axis=0)), f"{mesh.name} has a border"


def test_normals_are_unit_and_point_outwards(document: Document) -> None:
    for mesh in document.meshes:
        assert mesh.normals is not None
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-4)
        points = mesh.vertices.astype(np.float64)
        faces = face_normals(points, mesh)
        assert (points[mesh.triangles[:, 0]] * faces).sum() > 0, "the volume is positive"
        agreeing = (faces * mesh.normals[mesh.triangles].mean(axis=1)).sum(axis=1) > 0
        assert agreeing.mean() > 0.99, mesh.name


def test_weights_are_normalised_and_few(document: Document) -> None:
    for mesh in document.meshes:
        assert mesh.weights.min() >= 0
        assert (mesh.weights > 0).sum(axis=1).max() <= 5
        np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-5)


def test_skinning_at_rest_gives_the_mesh_where_its_joints_are(document: Document) -> None:
    skin = document.meshes[0]
    np.testing.assert_allclose(at_rest(document, skin), skin.vertices, atol=1e-5)


def test_no_vertex_is_far_from_the_bones_that_move_it(document: Document) -> None:
    rig = document.rig
    joints = rig.rest_world()[:, :, 3]
    skin = document.meshes[0]
    large = np.linalg.norm(np.ptp(skin.vertices, axis=0))
    strongest = np.argmax(skin.weights, axis=1)
    chosen = skin.influences[np.arange(len(strongest)), strongest]
    for n, name in enumerate(skin.joints):
        owned = skin.vertices[chosen == n]
        if len(owned) == 0:
            continue
        index = rig.joint_index(name)
        ends = [joints[j] for j, joint in enumerate(rig.joints) if joint.parent == index] or [joints[index]]
        near = np.min([distance_to_segment(owned, joints[index], end) for end in ends], axis=0)
        assert near.max() < 0.3 * large, f"{name} moves a vertex {near.max():.2f} m away"


def distance_to_segment(points: Floats, a: Floats, b: Floats) -> Floats:
    along = b - a
    share = np.clip((points - a) @ along / max(float(along @ along), 1e-12), 0, 1)
    return np.linalg.norm(points - a - share[:, None] * along, axis=1)


def test_left_limbs_never_move_the_right_side(document: Document) -> None:
    rig = document.rig
    joints = rig.rest_world()[:, :, 3]
    skin = document.meshes[0]
    for side, sign in (("_l", 1.0), ("_r", -1.0)):
        for n, name in enumerate(skin.joints):
            # Joints well off the middle only: hips' children lie next to it and share its skin.
            if not name.endswith(side) or sign * joints[rig.joint_index(name), 0] < 0.1:
                continue
            moved = ((skin.influences == n) & (skin.weights > 0.05)).any(axis=1)
            assert (sign * skin.vertices[moved, 0] > -0.02).all(), name
