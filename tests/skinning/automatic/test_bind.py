"""Binding a mesh: where it stays, whom it follows, and how many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Point, Rig, joint_channels
from inbetweener.skinning import Skin
from inbetweener.skinning.automatic import bind
from inbetweener.skinning.automatic.bind import FAINT, strongest
from tests.skinning.automatic.tubes import bare, chain, dense, edges, tube

RIG = chain((-1.0, 0.0, 0.0), (-0.5, 0.0, 0.0), (0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (1.0, 0.0, 0.0))
NAMES = [joint.name for joint in RIG.joints]
BARE = bare(*tube(along=60), RIG)


def test_a_bare_mesh_follows_all_bones_and_stays_where_it_is() -> None:
    bound = bind(BARE, RIG)
    assert bound.joints == tuple(NAMES)
    np.testing.assert_allclose(bound.weights.sum(axis=1), 1.0, rtol=0, atol=1e-6)
    np.testing.assert_allclose(Skin(bound, RIG).vertices(RIG.defaults), BARE.vertices, rtol=0, atol=1e-6)
    leader = dense(bound, NAMES).argmax(axis=1)
    # Away from the borders between bones.
    x = BARE.vertices[:, 0]
    clear = np.abs((x + 1.25) % 0.5 - 0.25) > 0.03
    np.testing.assert_array_equal(leader[clear], np.clip((x[clear] + 1.0) // 0.5, 0, 3).astype(int))


def test_a_bent_elbow_keeps_the_length_of_its_skin() -> None:
    bound = bind(BARE, RIG)
    pose = RIG.defaults.copy()
    pose[RIG.channel_index("j2.rz")] = 1.0
    moved = Skin(bound, RIG).vertices(pose).astype(float)
    pairs = edges(BARE.triangles)
    stretch = np.linalg.norm(np.diff(moved[pairs], axis=1)[:, 0], axis=1) / np.linalg.norm(
        np.diff(BARE.vertices[pairs].astype(float), axis=1)[:, 0], axis=1
    )
    assert stretch.max() < 2.2
    assert stretch.min() > 0.2


def test_only_named_joints_are_followed() -> None:
    bound = bind(BARE, RIG, joints=("j1", "j3"))
    assert bound.joints == ("j1", "j3")
    with pytest.raises(UnknownName, match="j9"):
        bind(BARE, RIG, joints=("j9",))
    with pytest.raises(InvalidRig, match="no joints at all"):
        bind(BARE, RIG, joints=())


def test_joints_that_carried_nothing_stay_out() -> None:
    some = bind(BARE, RIG, joints=("j0", "j3"))
    again = bind(some, RIG)
    assert again.joints == ("j0", "j3")
    assert again == some


@pytest.mark.parametrize("most", [1, 2, 3, 8])
def test_no_more_influences_than_allowed(most: int) -> None:
    bound = bind(BARE, RIG, influences=most)
    assert bound.influences.shape[1] <= most
    np.testing.assert_allclose(bound.weights.sum(axis=1), 1.0, rtol=0, atol=1e-6)


def test_a_body_with_two_arms_is_not_lopsided() -> None:
    joints = [Joint("chest", -1), *(Joint(n, 0, Transform((x, 0.0, 0.0))) for n, x in (("left", 0.3), ("right", -0.3)))]
    channels = tuple(c for joint in joints for c in joint_channels(joint, "rx ry rz"))
    tips = (Point("left", (0.7, 0.0, 0.0), "palm_l"), Point("right", (-0.7, 0.0, 0.0), "palm_r"))
    rig = Rig(tuple(joints), channels, tips)
    vertices, triangles = tube(along=80)
    weights = dense(bind(bare(vertices, triangles, rig), rig), ["left", "chest", "right"])
    order, mirrored = (np.lexsort(np.round(vertices * [side, 1.0, 1.0], 9).T) for side in (1.0, -1.0))
    np.testing.assert_allclose(weights[order], weights[mirrored][:, ::-1], rtol=0, atol=1e-6)
    assert weights[np.abs(vertices[:, 0]) < 0.15, 1].min() > 0.95


def test_no_influences_at_all() -> None:
    with pytest.raises(InvalidRig, match="at least one"):
        bind(BARE, RIG, influences=0)


@given(arrays(np.float64, (6,), elements=st.floats(0.0, 1.0)), st.integers(1, 5), st.integers(0, 5))
def test_influences_fade_before_they_go(weights: np.ndarray, count: int, which: int) -> None:
    if weights.sum() < 0.5:
        return
    weights = weights / weights.sum()
    nudged = weights.copy()
    nudged[which] += 1e-6
    found = []
    for row in (weights, nudged):
        slots, kept = strongest(row[None], count)
        full = np.zeros(6)
        np.add.at(full, slots[0], kept[0])
        found.append(full)
    np.testing.assert_allclose(found[0].sum(), 1.0, rtol=0, atol=1e-12)
    # With one influence there is nothing to fade into.
    if count > 1:
        assert np.abs(found[0] - found[1]).max() < 1e-3


def test_faint_weights_go() -> None:
    slots, kept = strongest(np.array([[0.996, 0.004], [0.6, 0.4]]), 2)
    assert kept[0].tolist() == [1.0, 0.0]
    assert kept[1, 0] == pytest.approx((0.6 - FAINT) / (1.0 - 2 * FAINT))
    assert slots.tolist() == [[0, 1], [0, 1]]


def test_everything_else_stays() -> None:
    bound = bind(BARE, RIG)
    assert bound.name == BARE.name
    np.testing.assert_array_equal(bound.vertices, BARE.vertices)
    np.testing.assert_array_equal(bound.triangles, BARE.triangles)
    assert bound.material == BARE.material
