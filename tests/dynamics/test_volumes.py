"""Masses from meshes: closed forms for boxes and balls, shares that add up, and surfaces with holes."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.dynamics import Body
from inbetweener.errors import InvalidRig
from inbetweener.maths.transforms import Transform, inverse
from inbetweener.rig import Joint, Rig
from inbetweener.rig.masses import box_inertia
from inbetweener.skinning import Mesh

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 5, 7], [1, 7, 3]]
)  # fmt: skip


def box(joint: str, low: tuple[float, float, float], sides: tuple[float, float, float], name: str = "box") -> Mesh:
    return Mesh.rigid(name, joint, np.array(low) + CORNERS * sides, SIDES)


def bar(length: float, radius: float, rings: int = 60, around: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """A closed round bar along x from the origin, with flat ends."""
    angle = 2 * np.pi * np.arange(around) / around
    ring = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    along = np.linspace(0.0, length, rings)
    sides = np.column_stack([np.repeat(along, around), np.tile(ring, (rings, 1))])
    vertices = np.concatenate([sides, [[0.0, 0.0, 0.0], [length, 0.0, 0.0]]])
    triangles = []
    for i in range(rings - 1):
        for a in range(around):
            b = (a + 1) % around
            p, q, r, s = i * around + a, i * around + b, (i + 1) * around + a, (i + 1) * around + b
            triangles += [[p, q, r], [q, s, r]]
    last = (rings - 1) * around
    for a in range(around):
        b = (a + 1) % around
        triangles += [[len(sides), b, a], [len(sides) + 1, last + a, last + b]]
    return vertices, np.array(triangles)


def test_a_rigid_box_is_exact() -> None:
    rig = Rig((Joint("a"), Joint("b", 0, Transform((1.0, 0.0, 0.0)))))
    body = Body.from_meshes(rig, [box("b", (3.0, -1.0, 0.5), (0.2, 0.4, 0.6))], density=500.0)
    mass = 500.0 * 0.2 * 0.4 * 0.6
    np.testing.assert_allclose(body.masses.masses, [0.0, mass], rtol=1e-6)
    np.testing.assert_allclose(body.masses.centres[1], [3.1, -0.8, 0.8], rtol=0, atol=1e-6)
    np.testing.assert_allclose(body.masses.inertias[1], box_inertia(mass, (0.2, 0.4, 0.6)), rtol=0, atol=1e-5)
    assert body.masses.unmatched == ("a",)


def test_turned_inside_out_it_weighs_the_same() -> None:
    rig = Rig((Joint("a"),))
    right = box("a", (0.0, 0.0, 0.0), (0.2, 0.4, 0.6))
    wrong = Mesh.rigid("box", "a", right.vertices, right.triangles[:, ::-1])
    assert Body.from_meshes(rig, [wrong]).total == pytest.approx(Body.from_meshes(rig, [right]).total, rel=1e-12)


def test_several_boxes_on_one_joint_are_merged() -> None:
    rig = Rig((Joint("a"),))
    halves = [box("a", (x, 0.0, 0.0), (1.0, 2.0, 3.0)) for x in (0.0, 1.0)]
    whole = Body.from_meshes(rig, [box("a", (0.0, 0.0, 0.0), (2.0, 2.0, 3.0))]).masses
    parts = Body.from_meshes(rig, halves).masses
    np.testing.assert_allclose(parts.masses, whole.masses, rtol=1e-12)
    np.testing.assert_allclose(parts.centres, whole.centres, rtol=0, atol=1e-12)
    np.testing.assert_allclose(parts.inertias, whole.inertias, rtol=1e-9, atol=1e-9 * whole.masses[0])


def test_scaled_joints_weigh_what_is_seen() -> None:
    """A unit box under a joint scaled by 0.1 is a box of 0.1 m."""
    rig = Rig((Joint("a", -1, Transform(scale=(0.1, 0.1, 0.1))),))
    model = Body.from_meshes(rig, [box("a", (0.0, 0.0, 0.0), (1.0, 2.0, 3.0))]).masses
    assert model.masses[0] == pytest.approx(6.0, rel=1e-9)
    np.testing.assert_allclose(model.centres[0], [0.5, 1.0, 1.5], atol=1e-9)  # an offset in the joint's own frame
    np.testing.assert_allclose(model.inertias[0], box_inertia(6.0, (0.1, 0.2, 0.3)), rtol=0, atol=1e-9)


def test_two_joints_share_a_bar_where_the_skin_says() -> None:
    """A bar of two joints whose skin changes over at three eighths: shares, centres and inertias of two cylinders."""
    length, radius, border = 0.8, 0.05, 0.3
    rig = Rig((Joint("a"), Joint("b", 0, Transform((border, 0.0, 0.0)))))
    vertices, triangles = bar(length, radius)
    influences = (vertices[:, :1] > border).astype(int)
    mesh = Mesh(
        "bar", vertices, triangles, ("a", "b"), inverse(rig.rest_world()), influences, np.ones((len(vertices), 1))
    )  # type: ignore[arg-type]
    model = Body.from_meshes(rig, [mesh]).masses
    # Its cross-section is a polygon of forty sides.
    area = 20 * np.sin(2 * np.pi / 40) * radius**2
    assert model.total == pytest.approx(1000 * area * length, rel=1e-5)
    near, far = 1000 * area * border, 1000 * area * (length - border)
    np.testing.assert_allclose(model.masses, [near, far], rtol=0.03)
    np.testing.assert_allclose(model.centres, [[border / 2, 0, 0], [(length - border) / 2, 0, 0]], rtol=0, atol=0.005)
    for inertia, mass, part in zip(model.inertias, (near, far), (border, length - border), strict=True):
        across = mass * (part**2 / 12 + radius**2 / 4)
        np.testing.assert_allclose(np.diag(inertia), [mass * radius**2 / 2, across, across], rtol=0.07)


def test_a_skinned_person_weighs_what_people_weigh() -> None:
    document = ib.example("boxer")
    body = Body.from_meshes(document.rig, document.meshes)
    human = Body.of(document.rig, "human", total=body.total)
    assert 60 < body.total < 85
    at = document.rig.joint_index
    for part in ("thigh", "shank", "forearm", "upper_arm"):
        left, right = (body.masses.masses[at(f"{part}_{side}")] for side in "lr")
        assert left == pytest.approx(right, rel=0.05)  # its skin is not quite symmetric either
        assert left == pytest.approx(human.masses.masses[at(f"{part}_l")], rel=0.5)
    moments = np.linalg.eigvalsh(body.masses.inertias)
    assert (moments > 0).all()
    assert (moments[:, 0] + moments[:, 1] >= moments[:, 2] * (1 - 1e-9)).all()
    centre = body.centre_of_mass(document.rig.defaults[None])[0]
    assert abs(centre[0]) < 0.005
    assert abs(centre[1] - human.centre_of_mass(document.rig.defaults[None])[0, 1]) < 0.05


def test_holes_enclose_nothing() -> None:
    rig = Rig((Joint("a"),))
    whole = box("a", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    torn = Mesh.rigid("torn", "a", whole.vertices, whole.triangles[1:])
    with pytest.raises(InvalidRig, match=r"no mesh encloses a volume \('torn'\)"):
        Body.from_meshes(rig, [torn])
    with pytest.raises(InvalidRig, match=r"\(none\)"):
        Body.from_meshes(rig, [])
    both = Body.from_meshes(rig, [torn, whole])
    assert both.total == pytest.approx(1000.0)


def test_a_part_without_triangles_encloses_nothing() -> None:
    """A vertex that no triangle has, before the others."""
    whole = box("a", (0, 0, 0), (1, 2, 3))
    loose = Mesh.rigid("box", "a", np.concatenate([[[-9.0, -9.0, -9.0]], whole.vertices]), whole.triangles + 1)
    rig = Rig((Joint("a"),))
    assert Body.from_meshes(rig, [loose]).total == pytest.approx(Body.from_meshes(rig, [whole]).total)


def test_seams_do_not_open_a_surface() -> None:
    """Every triangle with corners of its own, as files with texture seams have them."""
    rig = Rig((Joint("a"),))
    whole = box("a", (0.0, 0.0, 0.0), (0.3, 0.2, 0.1))
    loose = Mesh.rigid("loose", "a", whole.vertices[whole.triangles].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    assert Body.from_meshes(rig, [loose]).total == pytest.approx(6.0, rel=1e-5)
