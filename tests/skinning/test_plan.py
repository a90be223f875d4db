"""The plan of a mesh against Eq. 1 as it is written: every influence's whole path, step by step, nothing shared."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.arrays import Floats
from inbetweener.maths import dual_quaternions
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Bend, Joint, Rig, bend_channel, joint_channels
from inbetweener.skinning import BLENDINGS, Mesh, Skin
from inbetweener.skinning.differential.tree import attachments
from tests.skinning.bodies import some_mesh, some_pose, some_rig


def by_the_book(skin: Skin, pose: Floats) -> Floats:
    """[DB] Eq. 1 for every vertex (V, 8): Π over steps of I + Σ over influences of w·(Δ − I)."""
    tree, mesh = skin.tree, skin.mesh
    differentials = tree.differentials(skin.rig, pose)
    joints = np.array([skin.rig.joint_index(name) for name in mesh.joints])
    passed, fraction = attachments(mesh, joints, tree)
    identity = np.array(dual_quaternions.IDENTITY)
    result = np.empty((len(mesh.vertices), 8))
    for v in range(len(mesh.vertices)):
        paths = []
        for last in passed[v]:
            path = [int(last)]
            while tree.parents[path[0]] >= 0:
                path.insert(0, int(tree.parents[path[0]]))
            paths.append(path)
        made = identity
        for step in range(max(len(path) for path in paths)):
            blend = identity.copy()
            for n, path in enumerate(paths):
                if step < len(path):
                    share = fraction[v, n] if path[step] == passed[v, n] else 1.0
                    blend += mesh.weights[v, n] * share * (differentials[path[step]] - identity)
            made = dual_quaternions.product(made, blend)
        result[v] = made
    return dual_quaternions.normalised(result)


@given(seed=st.integers(0, 10_000), influences=st.integers(1, 5))
def test_shared_prefixes_change_nothing(seed: int, influences: int) -> None:
    rig = some_rig(seed, bends=2)
    mesh, pose = some_mesh(seed, rig, vertices=12, influences=influences), some_pose(seed, rig)
    skin = Skin(mesh, rig, "differential", poses=pose)
    found = dual_quaternions.normalised(skin.transforms(pose))
    # Weights are single numbers and their sums are off by a few in ten million.
    expected = by_the_book(skin, pose)
    np.testing.assert_allclose(found, expected, atol=3e-6)
    # Vertices alone take a shorter way, from their last step to the first; with normals they go by the transform.
    places = dual_quaternions.apply(expected, mesh.vertices)
    np.testing.assert_allclose(skin.vertices(pose), places, atol=1e-5)
    normals = mesh.vertices / np.linalg.norm(mesh.vertices, axis=1, keepdims=True)
    both = Skin(replace(mesh, normals=normals), rig, "differential", poses=pose).posed(pose)
    np.testing.assert_allclose(both[0], places, atol=1e-5)
    turned = np.einsum("vrc,vc->vr", dual_quaternions.to_matrix(expected)[..., :3], normals)
    np.testing.assert_allclose(both[1], turned, atol=1e-5)


def test_what_all_influences_share_is_left_to_the_prefix() -> None:
    """A vertex halfway along a bent bone of ten samples, with its parent's whole bone behind it."""
    joints = (Joint("a", -1), Joint("b", 0, Transform((1.0, 0.0, 0.0))))
    screws = {name: np.tile([0.0, 0.0, 0.1, 0.0, 0.0, 0.0], (10, 1)) for name in "ab"}
    rig = Rig(joints, (*joint_channels(joints[1], "rz"), bend_channel("s")), bends=(Bend("s", "s", screws),))
    vertices = np.array([[0.55, 0.0, 0.0], [0.55, 0.0, 0.0], [1.2, 0.0, 0.0], [0.5, 0.0, 0.0]])
    weights = np.array([[1.0, 0.0], [0.6, 0.4], [0.5, 0.5], [0.5, 0.5]])
    bind = np.tile(np.eye(3, 4), (2, 1, 1))
    bind[1, 0, 3] = -1.0
    mesh = Mesh("dots", vertices, np.empty((0, 3)), ("a", "b"), bind, np.tile([0, 1], (4, 1)), weights)  # type: ignore[arg-type]
    skin = Skin(mesh, rig, "differential", poses=[[0.5, 1.0]])
    tree, plan = skin.tree, skin.plan
    a, b = tree.bends
    rows = [slice(plan.starts[v], plan.starts[v + 1]) for v in range(4)]
    # Alone: five whole samples are the prefix, half of the sixth is its own.
    assert plan.prefixes[0] == a + 4
    assert plan.nodes[rows[0]].tolist() == [a + 5]
    assert plan.weights[rows[0]].tolist() == pytest.approx([-0.5], rel=1e-6)
    # With the child, which passed all ten and turned: half of the sixth and the rest by 0.4, the fraction folded in.
    assert plan.prefixes[1] == a + 4
    assert plan.nodes[rows[1]].tolist() == [*range(a + 5, a + 10), *range(tree.firsts[1], b)]
    assert plan.weights[rows[1]][0] == pytest.approx(-(0.6 * 0.5 + 0.4), rel=1e-6)
    assert plan.weights[rows[1]][1:] == pytest.approx(-0.4, rel=1e-6)
    # Beyond the end of the parent's bone all ten of its samples are shared.
    assert plan.prefixes[2] == a + 9
    # On the border of two samples nothing of the sixth is taken.
    assert plan.prefixes[3] == a + 4
    assert plan.nodes[rows[3]][0] == a + 5
    assert plan.weights[rows[3]][0] == pytest.approx(-0.5, rel=1e-6)


def test_a_vertex_without_weights_stays_where_it_was_bound() -> None:
    rig = some_rig(1)
    mesh, pose = some_mesh(1, rig), some_pose(1, rig)
    weights = mesh.weights.copy()
    weights[0] = 0.0
    bare = Mesh("bare", mesh.vertices, mesh.triangles, mesh.joints, mesh.joint_from_mesh, mesh.influences, weights)
    posed = Skin(bare, rig, "differential", poses=pose).vertices(pose)
    np.testing.assert_allclose(posed[0], mesh.vertices[0], atol=1e-6)
    np.testing.assert_allclose(posed[1:], Skin(mesh, rig, "differential", poses=pose).vertices(pose)[1:], atol=1e-6)


def test_a_plan_is_made_once_for_a_mesh_and_a_shape_of_the_tree() -> None:
    rig = some_rig(8, bends=1)
    mesh, pose = some_mesh(8, rig), some_pose(8, rig)
    first = Skin(mesh, rig, "differential", poses=pose).plan
    renamed = replace(rig, points=())
    assert Skin(mesh, replace(renamed), "differential", poses=pose).plan is first
    assert Skin(mesh, rig, "differential", poses=3.0 * pose).plan is not first
    moved = replace(mesh, vertices=mesh.vertices + np.float32(0.1))
    assert Skin(moved, rig, "differential", poses=pose).plan is not first


def test_a_mesh_without_vertices_needs_no_plan() -> None:
    rig = some_rig(8)
    empty = some_mesh(8, rig, vertices=9)
    none = replace(
        empty,
        vertices=empty.vertices[:0],
        triangles=empty.triangles[:0],
        influences=empty.influences[:0],
        weights=empty.weights[:0],
    )
    for blending in BLENDINGS:
        assert Skin(none, rig, blending).vertices(rig.defaults).shape == (0, 3)
