"""The distance of the skin from obstacles: closed forms, the slow way, and fewer vertices."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from inbetweener.builtin import example
from inbetweener.curves import Curve
from inbetweener.document import Clearance, Document, Prop
from inbetweener.errors import InvalidDocument
from inbetweener.maths import transforms
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.skinning import Mesh, Skin
from tests.document.puppet import puppet

TIMES = np.linspace(0.0, 2.0, 41)


def passer_by(*props: Prop, vertices: object = ((0.0, 0.0, 0.0),)) -> Document:
    """A body that runs along x from −2 to 2 in two seconds, and a hand one metre above that grows to twice its size."""
    body, hand = Joint("body"), Joint("hand", 0, Transform((0.0, 1.0, 0.0)))
    rig = Rig((body, hand), (*joint_channels(body, "tx ty rz"), *joint_channels(hand, "sx sy sz")))
    curves = {
        "body.tx": Curve.sampled([0.0, 2.0], [-2.0, 2.0]),
        **{f"hand.{axis}": Curve.sampled([0.0, 2.0], [1.0, 2.0]) for axis in ("sx", "sy", "sz")},
    }
    skin = Mesh.rigid("skin", "body", vertices, np.empty((0, 3), int))
    return Document("passer-by", rig, (skin,), props, (Clip("pass", 2.0, curves=Curves(curves)),))


def measured(document: Document, times: np.ndarray = TIMES, **more: int) -> np.ndarray:
    return Clearance(document, **more).measure(document.motion(), times)


def obstacle(solid: Solid, *, joint: str | None = None, **place: object) -> Prop:
    return Prop("thing", solid, Transform(**place), "obstacle", joint)


def rotation(*turn: float) -> tuple[float, ...]:
    return tuple(Rotation.from_rotvec(turn).as_quat(scalar_first=True).tolist())


def slowly(document: Document, times: np.ndarray) -> np.ndarray:
    """The same by skinning whole meshes and asking each solid; for obstacles that are not scaled."""
    motion = document.motion()
    channels = motion.channels(times)
    found = []
    for values, world in zip(channels, motion.world_from_joint(times), strict=True):
        points = np.concatenate([Skin(mesh, document.rig).vertices(values, world) for mesh in document.meshes])
        row = []
        for prop in document.props:
            if prop.role == "obstacle":
                own = prop.transform.matrix()
                if prop.joint is not None:
                    own = transforms.product(world[document.rig.joint_index(prop.joint)], own)
                row.append(prop.solid.distance(transforms.apply(transforms.inverse(own), points)).min())
        found.append(row)
    return np.array(found)


def test_a_vertex_that_passes_a_sphere() -> None:
    document = passer_by(obstacle(Sphere(0.5), translation=(0.0, 0.3, 0.0)))
    x = -2.0 + 2.0 * TIMES
    np.testing.assert_allclose(measured(document)[:, 0], np.hypot(x, 0.3) - 0.5, atol=1e-12)


def test_the_nearest_of_two_vertices_counts() -> None:
    document = passer_by(obstacle(Sphere(0.5)), vertices=((-0.25, 0.0, 0.0), (0.5, 0.0, 0.0)))
    x = -2.0 + 2.0 * TIMES
    nearest = np.minimum(np.abs(x - 0.25), np.abs(x + 0.5)) - 0.5
    np.testing.assert_allclose(measured(document)[:, 0], nearest, atol=1e-12)


def test_only_obstacles_count_in_their_order() -> None:
    near, far = obstacle(Sphere(0.5)), replace(obstacle(Sphere(0.5), translation=(0.0, 9.0, 0.0)), name="far")
    document = passer_by(far, replace(near, name="prop", role="prop"), near)
    clearance = Clearance(document)
    assert clearance.names == ("far", "thing")
    least = clearance.measure(document.motion(), TIMES).min(axis=0)
    np.testing.assert_allclose(least, [8.5, -0.5], atol=1e-12)


def test_an_obstacle_in_the_hand_moves_and_grows_with_it() -> None:
    """It always is one metre above the vertex, and its radius doubles."""
    document = passer_by(obstacle(Sphere(0.25), joint="hand"))
    np.testing.assert_allclose(measured(document)[:, 0], 1.0 - 0.25 * (1.0 + TIMES / 2.0), atol=1e-12)


def test_held_and_standing_obstacles_together() -> None:
    standing = replace(obstacle(Sphere(0.5)), name="standing")
    document = passer_by(standing, obstacle(Sphere(0.25), joint="hand"), replace(standing, name="again"))
    distances = measured(document)
    np.testing.assert_array_equal(distances[:, 0], distances[:, 2])
    np.testing.assert_allclose(distances[:, 0], np.abs(-2.0 + 2.0 * TIMES) - 0.5, atol=1e-12)
    np.testing.assert_allclose(distances[:, 1], 1.0 - 0.25 * (1.0 + TIMES / 2.0), atol=1e-12)


@pytest.mark.parametrize("joint", [None, "body"])
def test_a_stretched_box_is_a_longer_box(joint: str | None) -> None:
    turned = rotation(0.3, -0.2, 0.9)
    stretched = obstacle(Box((0.1, 0.2, 0.3)), joint=joint, rotation=turned, scale=(2.0, -3.0, 0.5))
    longer = obstacle(Box((0.2, 0.6, 0.15)), joint=joint, rotation=turned)
    vertices = np.random.default_rng(5).normal(scale=0.25, size=(20, 1, 3))
    one, other = (
        np.array([measured(passer_by(each, vertices=vertex)) for vertex in vertices]) for each in (stretched, longer)
    )
    np.testing.assert_allclose(one, other, atol=1e-12)
    assert one.min() < 0 < one.max()


def test_an_evenly_scaled_capsule_is_a_larger_capsule() -> None:
    one, other = (
        measured(passer_by(each, vertices=np.random.default_rng(1).normal(size=(20, 3))))
        for each in (obstacle(Capsule(0.1, 0.2), scale=(3.0, 3.0, 3.0)), obstacle(Capsule(0.3, 0.6)))
    )
    np.testing.assert_allclose(one, other, atol=1e-12)


def test_the_distance_from_a_squeezed_sphere_is_never_too_large() -> None:
    """An ellipsoid has no closed form; a dense cloud on its surface gives the distance from outside."""
    scale = (1.0, 0.4, 0.7)
    document = passer_by(obstacle(Sphere(0.5), scale=scale), vertices=((0.0, 0.5, 0.3),))
    ways = np.random.default_rng(0).normal(size=(20000, 3))
    surface = 0.5 * np.array(scale) * ways / np.linalg.norm(ways, axis=1, keepdims=True)
    points = document.motion().joint_positions(TIMES)[:, 0] + [0.0, 0.5, 0.3]
    true = np.linalg.norm(points[:, None] - surface, axis=2).min(axis=1)
    found = measured(document)[:, 0]
    assert (0 < found).all()
    assert (found <= true + 1e-9).all()


def test_what_is_scaled_to_nothing_is_not_there() -> None:
    flat = obstacle(Box((0.5, 0.5, 0.5)), scale=(1.0, 0.0, 1.0))
    hidden = replace(obstacle(Sphere(0.5), scale=(0.0, 0.0, 0.0), joint="hand"), name="hidden")
    assert np.isposinf(measured(passer_by(flat, hidden))).all()


def test_nothing_to_measure() -> None:
    assert measured(passer_by()).shape == (41, 0)
    assert np.isposinf(measured(replace(passer_by(obstacle(Sphere(1.0))), meshes=()))).all()
    assert measured(passer_by(obstacle(Sphere(1.0))), np.empty(0)).shape == (0, 1)


def test_a_motion_of_other_joints_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="other joints"):
        Clearance(puppet()).measure(passer_by().motion(), TIMES)


@pytest.mark.parametrize("count", [0, -3])
def test_no_vertices_are_refused(count: int) -> None:
    with pytest.raises(InvalidDocument, match="needs one at least"):
        Clearance(passer_by(), vertices=count)


places = st.tuples(*[st.floats(-2, 2)] * 3)
sizes = st.floats(0.05, 1.0)
solids = st.builds(Sphere, sizes) | st.builds(Box, st.tuples(sizes, sizes, sizes)) | st.builds(Capsule, sizes, sizes)


@given(st.lists(st.tuples(solids, places, places, st.sampled_from([None, "hips", "arm.l"])), min_size=1, max_size=4))
def test_the_same_as_the_slow_way_with_shapes_and_blended_weights(things: list) -> None:
    """The puppet smiles: its skin has a shape, two joints a vertex, and a second mesh with one."""
    props = tuple(
        Prop(
            f"thing {n}",
            solid,
            Transform(place, rotation(*turn)),
            "obstacle",
            joint,
        )
        for n, (solid, place, turn, joint) in enumerate(things)
    )
    document = replace(puppet(), props=props)
    clip = document.clip("walk")
    loud = tuple(replace(layer, muted=False) for layer in clip.layers)
    document = replace(document, clips=(replace(clip, layers=loud),), constraints=())
    assert document.motion().channels([0.3])[0, document.rig.channel_index("smile")] == 1.0
    np.testing.assert_allclose(measured(document), slowly(document, TIMES), atol=2e-6)


@pytest.fixture(scope="module")
def robot() -> Document:
    return example("flying-robot")


def test_the_robot_the_slow_way(robot: Document) -> None:
    times = np.linspace(0.0, robot.clip().end, 7)
    np.testing.assert_allclose(measured(robot, times), slowly(robot, times), atol=2e-6)


def test_fewer_vertices_find_nearly_the_same(robot: Document) -> None:
    times = robot.clip().frame_times
    whole = measured(robot, times)
    errors = []
    for count in (250, 1000, 4000):
        clearance = Clearance(robot, vertices=count)
        assert clearance.vertex_count == count
        error = clearance.measure(robot.motion(), times) - whole
        assert error.min() >= 0.0
        errors.append(float(error.max()))
    assert errors == sorted(errors, reverse=True)
    assert errors[1] < 0.02
    assert ((whole < 0).any(axis=0) == (measured(robot, times, vertices=1000) < 0).any(axis=0)).all()


def test_chosen_vertices_are_spread_over_the_body() -> None:
    """Of a dense line of vertices with a crowd at one end, four chosen ones are not all of the crowd."""
    line = [(x, 0.0, 0.0) for x in np.linspace(0.0, 0.01, 97)] + [(1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 0.0, 0.0)]
    document = passer_by(obstacle(Sphere(0.5)), vertices=line)
    whole, few = measured(document), measured(document, vertices=4)
    assert math.isclose(float(np.abs(few - whole).max()), 0.0, abs_tol=0.011)


def test_more_vertices_than_there_are_and_vertices_that_coincide() -> None:
    document = passer_by(obstacle(Sphere(0.5)), vertices=[(1.0, 0.0, 0.0)] * 5)
    assert Clearance(document, vertices=9).vertex_count == 5
    assert Clearance(document, vertices=3).vertex_count == 1
    np.testing.assert_array_equal(measured(document), measured(document, vertices=3))
