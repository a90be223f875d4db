"""Big turns: no jump at half a turn, no turn lost beyond a whole one, keyed or sketched; and the order of the steps."""

import math

import numpy as np
import pytest

from inbetweener.maths import dual_quaternions, transforms
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Bend, Joint, Point, Rig, bend_channel, joint_channels
from inbetweener.skinning import Blending, Mesh, Skin

LENGTH = 2.0
AXES = {"bend": (0.0, 0.0, 1.0), "twist": (1.0, 0.0, 0.0)}
DOFS = {"bend": "rz", "twist": "rx"}


def bar(*, far: float | None, axis: tuple[float, float, float] = AXES["bend"], samples: int = 10) -> tuple[Rig, Mesh]:
    """Two joints at one place, the second with a bone of LENGTH along x; `far` is its weight, or None for one each.

    The second can be turned by keys, and bent by half a turn about `axis` by the channel "sketch".
    """
    joints = (Joint("still", -1), Joint("far", 0))
    at = (np.arange(samples) + 0.5)[:, None] * LENGTH / samples * np.array([1.0, 0.0, 0.0])
    turns = np.tile(math.pi * np.asarray(axis) / samples, (samples, 1))
    bend = Bend("sketch", "sketch", {"far": np.concatenate([turns, np.cross(at, turns)], axis=1)})
    channels = (*joint_channels(joints[1]), bend_channel("sketch"))
    rig = Rig(joints, channels, (Point("far", (LENGTH, 0.0, 0.0), "tip"),), bends=(bend,))
    vertices = np.stack([np.linspace(0.0, LENGTH, 21), np.full(21, 0.1), np.full(21, 0.05)], axis=1)
    share = np.full(21, 1.0 if far is None else far)
    bind = transforms.inverse(rig.rest_world())
    weights = np.stack([1.0 - share, share], axis=1)
    influences = np.tile([0, 1], (21, 1))
    return rig, Mesh("bar", vertices, np.empty((0, 3)), ("still", "far"), bind, influences, weights)  # type: ignore[arg-type]


def keyed(rig: Rig, **values: float) -> np.ndarray:
    pose = rig.defaults.copy()
    for name, value in values.items():
        pose[rig.channel_index(name if name == "sketch" else f"far.{name}")] = value
    return pose


def places(mesh: Mesh, rig: Rig, blending: Blending, pose: np.ndarray) -> np.ndarray:
    """Vertices in double precision."""
    moves = dual_quaternions.normalised(Skin(mesh, rig, blending, poses=pose).transforms(pose))
    return dual_quaternions.apply(moves, mesh.vertices)


def world_places(mesh: Mesh, rig: Rig, pose: np.ndarray) -> np.ndarray:
    """The same as [DB] §4.4 reads literally: steps Δ = q·q_prev* in the world, the newest on the left."""
    skin, one = Skin(mesh, rig, "differential", poses=pose), np.array(dual_quaternions.IDENTITY)
    q, plan = skin.tree.composed(skin.tree.differentials(rig, pose)), skin.plan
    above = np.where((skin.tree.parents >= 0)[:, None], q[skin.tree.parents], one)
    steps = dual_quaternions.product(q, dual_quaternions.inverse(above))
    moves = np.array([one if prefix < 0 else q[prefix] for prefix in plan.prefixes])
    for v, (start, end) in enumerate(zip(plan.starts, plan.starts[1:], strict=False)):
        step = one
        for node, weight in zip(plan.nodes[start:end], plan.weights[start:end].astype(np.float64), strict=True):
            step = step + abs(weight) * (steps[node] - one)
            if weight < 0.0:
                moves[v], step = dual_quaternions.product(step, moves[v]), one
    return dual_quaternions.apply(dual_quaternions.normalised(moves), mesh.vertices)


@pytest.mark.parametrize("kind", AXES)
@pytest.mark.parametrize("by", ["keys", "sketch"])
def test_half_a_turn_is_no_border(kind: str, by: str) -> None:
    rig, mesh = bar(far=0.5, axis=AXES[kind])
    epsilon = 1e-6

    def jump(blending: Blending) -> float:
        if by == "sketch":
            poses = [keyed(rig, sketch=1.0 + side * epsilon / math.pi) for side in (-1, 1)]
        else:
            poses = [keyed(rig, **{DOFS[kind]: math.pi + side * epsilon}) for side in (-1, 1)]
        before, after = (places(mesh, rig, blending, pose) for pose in poses)
        return float(np.linalg.norm(after - before, axis=1).max())

    # A bar that folds over misses by its length, one that flips about itself by its thickness.
    assert jump("dual-quaternion") > (1.0 if kind == "bend" else 0.15)
    assert jump("screw") > (1.0 if kind == "bend" else 0.15)
    assert jump("differential") < 4 * epsilon


@pytest.mark.parametrize("kind", AXES)
def test_half_a_blend_is_half_the_turn_through_four_turns(kind: str) -> None:
    rig, mesh = bar(far=0.5)
    for turns in np.linspace(-4.0, 4.0, 33):
        theta = 2.0 * math.pi * turns
        found = places(mesh, rig, "differential", keyed(rig, **{DOFS[kind]: theta}))
        half = dual_quaternions.exponential([*(0.5 * theta * np.asarray(AXES[kind])), 0.0, 0.0, 0.0])
        np.testing.assert_allclose(found, dual_quaternions.apply(half, mesh.vertices), atol=1e-13)


def test_dual_quaternions_lose_whole_turns() -> None:
    rig, mesh = bar(far=0.5)
    found = places(mesh, rig, "dual-quaternion", keyed(rig, rz=2.0 * math.pi))
    np.testing.assert_allclose(found, mesh.vertices, atol=1e-13)
    half = places(mesh, rig, "differential", keyed(rig, rz=2.0 * math.pi))
    assert np.abs(half + mesh.vertices * [1.0, 1.0, -1.0]).max() < 1e-13


def test_a_clip_that_winds_up_moves_the_skin_without_a_jump() -> None:
    rig, mesh = bar(far=0.3)
    angles = np.linspace(0.0, 6.0 * math.pi, 600)
    poses = np.stack([keyed(rig, rx=angle, rz=0.4 * angle) for angle in angles])
    skin = Skin(mesh, rig, "differential", poses=poses)
    frames = np.stack([skin.vertices(pose) for pose in poses])
    # Nothing can be faster than a bar of this length turning by its whole share.
    fastest = LENGTH * 1.05 * (angles[1] - angles[0]) * 1.4
    assert np.linalg.norm(np.diff(frames, axis=0), axis=-1).max() < fastest


def test_local_steps_give_the_half_bent_bar_and_world_steps_miss_it() -> None:
    """The order trap: steps on the left, as §4.4 writes them, turn about places that have already moved."""
    rig, half = bar(far=0.5)
    _, whole = bar(far=None)
    expected = places(whole, rig, "differential", keyed(rig, sketch=0.5))
    local = places(half, rig, "differential", keyed(rig, sketch=1.0))
    literal = world_places(half, rig, keyed(rig, sketch=1.0))
    np.testing.assert_allclose(local[::2], expected[::2], atol=1e-14)
    # Between two samples a quarter of a step is blended linearly, where half of half a step would be exact.
    np.testing.assert_allclose(local, expected, atol=2e-5)
    missed = np.linalg.norm(literal - expected, axis=1).max()
    assert missed == pytest.approx(0.73, abs=0.03)


def test_world_and_local_steps_agree_where_nothing_is_blended() -> None:
    rig, mesh = bar(far=None)
    pose = keyed(rig, sketch=1.0, ry=0.7)
    found = world_places(mesh, rig, pose)
    # Between two samples the literal form has a fraction of a step about another centre.
    ends = [0, 2, 4, 10, 20]
    np.testing.assert_allclose(found[ends], places(mesh, rig, "differential", pose)[ends], atol=1e-12)


def test_a_joint_below_a_twisted_bone_keeps_its_winding() -> None:
    """A twist of three turns along a bone turns the far half of the next bone by three turns too."""
    joints = (Joint("a", -1), Joint("b", 0, Transform((1.0, 0.0, 0.0))))
    turns = np.tile([6.0 * math.pi / 30, 0.0, 0.0, 0.0, 0.0, 0.0], (30, 1))
    rig = Rig(joints, (bend_channel("sketch"),), bends=(Bend("sketch", "sketch", {"a": turns}),))
    bind = transforms.inverse(rig.rest_world())
    dot = np.array([[1.2, 0.1, 0.0]])
    skins = []
    for weights in ([0.0, 1.0], [1.0, 0.0]):
        mesh = Mesh("dot", dot, np.empty((0, 3)), ("a", "b"), bind, np.array([[0, 1]]), np.array([weights]))  # type: ignore[arg-type]
        skins.append(Skin(mesh, rig, "differential", poses=np.ones(1)))
    for value in np.linspace(0.0, 1.0, 25):
        angle = 6.0 * math.pi * value
        expected = [1.2, 0.1 * math.cos(angle), 0.1 * math.sin(angle)]
        for skin in skins:
            np.testing.assert_allclose(skin.vertices(np.array([value]))[0], expected, atol=1e-6)
