"""Sculpting: the field against brute force, the surface against closed forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.arrays import Floats
from inbetweener.builtin.rigging import Bone, build_rig
from inbetweener.builtin.sculpt import Limb, Paint, Part, Sculpt
from inbetweener.builtin.sculpt.cache import sculpt_mesh
from inbetweener.builtin.sculpt.field import Field
from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.rig import Rig

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
number = st.floats(-0.6, 0.6)
point = st.tuples(number, number, number)


def one_joint() -> Rig:
    return build_rig([Bone("root", None, (0.0, 0.0, 0.0))])


def field(*limbs: Limb) -> Field:
    return Field.of(Sculpt(limbs), one_joint())


def volume(points: Floats, triangles: np.ndarray) -> float:
    a, b, c = (points[triangles[:, n]].astype(np.float64) for n in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


@given(a=point, b=point, radius=st.floats(0.02, 0.2), end=st.floats(0.02, 0.2), at=point)
def test_a_part_is_the_nearest_of_the_balls_along_its_axis(
    a: tuple[float, float, float],
    b: tuple[float, float, float],
    radius: float,
    end: float,
    at: tuple[float, float, float],
) -> None:
    if np.linalg.norm(np.subtract(a, b)) < abs(radius - end) + 0.05:
        return
    share = np.linspace(0, 1, 4001)[:, None]
    centres = np.array(a) * (1 - share) + np.array(b) * share
    brute = (np.linalg.norm(centres - np.array(at), axis=1) - (radius + share[:, 0] * (end - radius))).min()
    made = field(Limb("x", (Part("root", a, radius, b, end),))).part_distances(np.array([at]))[0, 0]
    assert made == pytest.approx(brute, abs=2e-5)


@given(
    radii=st.tuples(st.floats(0.1, 0.5), st.floats(0.1, 0.5), st.floats(0.1, 0.5)),
    direction=point.filter(lambda d: np.linalg.norm(d) > 0.1),
)
def test_a_stretched_ball_is_an_ellipsoid(
    radii: tuple[float, float, float], direction: tuple[float, float, float]
) -> None:
    surface = np.array(direction) / np.linalg.norm(np.array(direction)) * np.array(radii)
    normal = surface / np.array(radii) ** 2
    normal /= np.linalg.norm(normal)
    ball = field(Limb("x", (Part("root", (0.0, 0.0, 0.0), 1.0, scale=radii),)))
    on, out = ball.distances(np.array([surface, surface + 1e-4 * normal]))
    assert on == pytest.approx(0.0, abs=1e-12)
    assert out == pytest.approx(1e-4, rel=0.02)


def test_limbs_melt_into_their_parent_but_not_into_each_other() -> None:
    apart = tuple(
        Limb(name, (Part("root", (x, 0.3, 0.0), 0.05),), "body", 0.08) for name, x in (("one", -0.06), ("other", 0.06))
    )
    body = Limb("body", (Part("root", (0.0, 0.0, 0.0), 0.1),))
    both = field(body, *apart)
    single = field(body, apart[0])
    between = np.array([[0.0, 0.3, 0.0]])
    assert both.distances(between)[0] == pytest.approx(0.01, abs=1e-9), "exactly the distance to either ball"
    close = Limb("close", (Part("root", (0.0, 0.16, 0.0), 0.05),), "body", 0.08)
    seam = np.array([[0.0, 0.105, 0.06]])
    assert field(body, close).distances(seam)[0] < min(single.distances(seam)[0], 0.05) - 0.005


def test_the_surface_of_a_ball_is_round() -> None:
    for detail in (1, 2, 4):
        ball = Sculpt((Limb("ball", (Part("root", (0.1, 0.2, 0.3), 0.25),), detail=detail),), cell=0.05)
        mesh = sculpt_mesh("ball", ball, one_joint())
        away = mesh.vertices - np.array([0.1, 0.2, 0.3])
        np.testing.assert_allclose(np.linalg.norm(away, axis=1), 0.25, atol=1e-5)
        np.testing.assert_allclose(mesh.normals, away / 0.25, atol=1e-4)
        assert volume(mesh.vertices, mesh.triangles) == pytest.approx(4 / 3 * np.pi * 0.25**3, rel=0.03)


@given(detail=st.sampled_from([2, 4]), x=st.floats(-0.3, 0.3), y=st.floats(-0.3, 0.3), thin=st.floats(0.02, 0.05))
def test_meshes_close_between_cells_of_different_sizes(detail: int, x: float, y: float, thin: float) -> None:
    shape = Sculpt(
        (
            Limb("coarse", (Part("root", (0.0, 0.0, 0.0), 0.15, (0.0, 0.2, 0.1), 0.1),)),
            Limb("fine", (Part("root", (0.0, 0.0, 0.0), thin, (x, y, 0.4), thin),), "coarse", 0.02, detail),
        ),
        cell=0.045,
    )
    mesh = sculpt_mesh("both", shape, one_joint())
    edges = np.stack([mesh.triangles, np.roll(mesh.triangles, -1, axis=1)], axis=-1).reshape(-1, 2)
    assert len(np.unique(edges, axis=0)) == len(edges)
    assert np.array_equal(np.unique(edges, axis=0), np.unique(edges[:, ::-1], axis=0))
    assert volume(mesh.vertices, mesh.triangles) > 0


def test_colours_change_along_a_clean_line() -> None:
    shape = Sculpt(
        (Limb("ball", (Part("root", (0.0, 0.0, 0.0), 0.2, colour=RED),)),),
        (Paint(Part("root", (0.0, 0.0, 0.2), 0.12, colour=BLUE)),),
        cell=0.03,
    )
    mesh = sculpt_mesh("ball", shape, one_joint())
    assert mesh.colours is not None
    blue = mesh.colours[:, 2] > 0.5
    away = np.linalg.norm(mesh.vertices - np.array([0.0, 0.0, 0.2]), axis=1)
    assert away[blue].max() < 0.12 + 1e-3
    assert away[~blue].min() > 0.12 - 1e-3
    mixed = mesh.triangles[blue[mesh.triangles].any(axis=1) & ~blue[mesh.triangles].all(axis=1)]
    assert len(mixed) > 20
    assert np.ptp(away[mixed], axis=1).max() < 0.004, "the two colours are never farther apart than a few millimetres"


def test_influence_spreads_around_a_joint_and_no_farther() -> None:
    rig = build_rig([Bone("lower", None, (0.0, 0.0, 0.0)), Bone("upper", "lower", (0.0, 0.5, 0.0))])
    parts = (
        Part("lower", (0.0, 0.0, 0.0), 0.1, (0.0, 0.5, 0.0), 0.1),
        Part("upper", (0.0, 0.0, 0.0), 0.1, (0.0, 0.5, 0.0), 0.1),
    )
    mesh = sculpt_mesh("bar", Sculpt((Limb("bar", parts),), cell=0.04, softness=8), rig)
    upper = np.where(np.array(mesh.joints)[mesh.influences] == "upper", mesh.weights, 0).sum(axis=1)
    height = mesh.vertices[:, 1]
    assert (upper[height > 0.75] > 0.99).all()
    assert (upper[height < 0.25] < 0.01).all()
    bands = [upper[(height > low) & (height <= low + 0.06)].mean() for low in np.arange(0.26, 0.74, 0.06)]
    assert (np.diff(bands) > 0).all(), "rises all the way through the joint"


def test_mistakes_are_named() -> None:
    with pytest.raises(UnknownName, match="limb"):
        field(Limb("arm", (Part("root", (0.0, 0.0, 0.0), 0.1),), "body"))
    with pytest.raises(InvalidRig, match="swallows"):
        field(Limb("x", (Part("root", (0.0, 0.0, 0.0), 0.3, (0.1, 0.0, 0.0), 0.1),)))
    with pytest.raises(InvalidRig, match="detail"):
        field(Limb("x", (Part("root", (0.0, 0.0, 0.0), 0.3),), detail=3))
    huge = Sculpt((Limb("x", (Part("root", (0.0, 0.0, 0.0), 9.0),)),), cell=0.01)
    with pytest.raises(InvalidRig, match="larger cells"):
        sculpt_mesh("huge", huge, one_joint())
