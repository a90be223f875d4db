"""[TSO] §3.3, corrected: which channels a drag may change."""

from itertools import permutations

from inbetweener.rig import Point
from inbetweener.rig.freedom import channels_moving, free_channels
from tests.rig.specimens import person, random_rig

A, B, C, D = (frozenset(each) for each in ({1, 2}, {2, 3}, {3, 4}, {8, 9}))


def test_constraints_that_share_channels_are_found_whatever_their_order() -> None:
    # A drags, B hangs on A, C only on B, D on nothing.
    for order in permutations([B, C, D]):
        free, watched = free_channels(A, order, [False] * 3)
        assert free == {1, 2, 3, 4}
        assert {order[i] for i in watched} == {B, C}


def test_a_settled_ancestor_takes_its_channels_out() -> None:
    free, watched = free_channels(frozenset({1, 2, 3}), [frozenset({1, 2})], [True])
    assert free == {3}
    assert watched == ()


def test_an_unsettled_ancestor_is_kept_and_watched() -> None:
    free, watched = free_channels(frozenset({1, 2, 3}), [frozenset({1, 2})], [False])
    assert free == {1, 2, 3}
    assert watched == (0,)


def test_a_settled_constraint_beside_the_drag_is_no_ancestor() -> None:
    free, watched = free_channels(A, [B], [True])
    assert free == {1, 2, 3}
    assert watched == (0,)


def test_channels_moving_a_point_are_those_with_a_nonzero_jacobian() -> None:
    for seed in range(3):
        rig = random_rig(seed)
        pose = rig.defaults + 0.3
        for point in (Point("joint 7", (0.1, 0.2, 0.3)), Point("joint 5")):
            jacobian = rig.jacobians(pose[None], [point])[0, 0]
            for rows, wanted in ((slice(0, 3), "position"), (slice(3, 6), "orientation"), (slice(0, 6), "both")):
                moving = {i for i in range(len(pose)) if abs(jacobian[rows, i]).max() > 1e-12}
                assert moving <= channels_moving(rig, point, wanted)  # type: ignore[arg-type]


def test_a_joint_at_its_own_origin_is_not_moved_by_its_turns() -> None:
    rig = person()
    names = {rig.channels[c].name for c in channels_moving(rig, Point("hand_l"), "position")}
    assert not {name for name in names if name.startswith("hand_l")}
    assert {name for name in names if name.startswith("forearm_l")}
