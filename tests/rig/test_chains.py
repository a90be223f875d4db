import math
from itertools import pairwise

import numpy as np
import pytest

from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Point, Rig, chains
from tests.rig.specimens import PERSON, person, random_rig


def test_path_goes_from_the_root_down() -> None:
    assert chains.path_from_root(person(), "hand_l") == (
        "hips", "spine", "chest", "clavicle_l", "upper_arm_l", "forearm_l", "hand_l",
    )  # fmt: skip
    assert chains.path_from_root(person(), "hips") == ("hips",)


def test_chain_passes_the_common_ancestor_once() -> None:
    rig = person()
    assert chains.chain(rig, "hand_l", "upper_arm_r") == (
        "hand_l", "forearm_l", "upper_arm_l", "clavicle_l", "chest", "clavicle_r", "upper_arm_r",
    )  # fmt: skip
    assert chains.chain(rig, "thigh_l", "foot_l") == ("thigh_l", "shank_l", "foot_l")
    assert chains.chain(rig, "foot_l", "thigh_l") == ("foot_l", "shank_l", "thigh_l")
    assert chains.chain(rig, "head", "head") == ("head",)


@pytest.mark.parametrize("seed", range(5))
def test_every_step_of_a_chain_is_one_bone(seed: int) -> None:
    rig = random_rig(seed, 15)
    names = [joint.name for joint in rig.joints]
    for start in names:
        for end in names:
            found = chains.chain(rig, start, end)
            assert found[0] == start
            assert found[-1] == end
            assert len(set(found)) == len(found)
            assert found == tuple(reversed(chains.chain(rig, end, start)))
            for a, b in pairwise(found):
                assert a in chains.children(rig, b) or b in chains.children(rig, a)


def test_no_chain_between_two_trees() -> None:
    with pytest.raises(InvalidRig, match=r"'a' to 'b'.*different roots"):
        chains.chain(Rig((Joint("a"), Joint("b"))), "a", "b")


def test_unknown_joints_are_named() -> None:
    with pytest.raises(UnknownName, match="did you mean"):
        chains.chain(person(), "hand_l", "hand_rr")


def test_children_descendants_and_leaves() -> None:
    rig = person()
    assert chains.children(rig, "chest") == ("neck", "clavicle_l", "clavicle_r")
    assert chains.descendants(rig, "thigh_l") == ("shank_l", "foot_l", "toe_l")
    assert len(chains.descendants(rig, "hips")) == len(PERSON) - 1
    assert chains.leaves(rig) == ("head", "hand_l", "hand_r", "toe_l", "toe_r")
    assert chains.leaves(rig, "chest") == ("head", "hand_l", "hand_r")
    assert chains.leaves(rig, "head") == ("head",)


@pytest.mark.parametrize("axes", [None, 7])
def test_lengths_do_not_depend_on_local_axes(axes: int | None) -> None:
    rig = person(axes)
    assert chains.reach(rig, "head") == pytest.approx(0.17, abs=1e-12)  # to the point on the crown
    assert chains.reach(rig, "hand_l") == 0.0
    assert chains.reach(rig, "upper_arm_l") == pytest.approx(0.54, abs=1e-12)
    assert chains.reach(rig, "thigh_r") == pytest.approx(0.43 + math.hypot(0.42, 0.01) + math.hypot(0.05, 0.14))
    assert chains.height(rig) == pytest.approx(0.95 + 0.65 + 0.17 - 0.01, abs=1e-12)


def test_tip_is_the_middle_of_the_ends() -> None:
    np.testing.assert_allclose(chains.tip(person(), "chest"), [0, (0.2 + 0.15 + 0.15) / 3, 0], atol=1e-15)


def test_lengths_are_metres_under_a_scaled_root() -> None:
    # A file in centimetres under a root scaled by 0.01, as game exporters write them.
    joints = (
        Joint("armature", rest=Transform(scale=(0.01, 0.01, 0.01))),
        Joint("leg", 0, Transform((0.0, 90.0, 0.0))),
        Joint("foot", 1, Transform((0.0, -80.0, 0.0))),
    )
    rig = Rig(joints, (), (Point("foot", (0.0, 0.0, 20.0), "toes"),))
    assert chains.reach(rig, "leg") == pytest.approx(1.0)
    assert chains.height(rig) == pytest.approx(0.9)


def test_a_long_chain_is_no_trouble() -> None:
    links = tuple(Joint(f"{i}", i - 1, Transform((0.01, 0.0, 0.0) if i else (0.0, 0.0, 0.0))) for i in range(1500))
    rig = Rig(links)
    assert chains.reach(rig, "0") == pytest.approx(14.99)
    assert len(chains.chain(rig, "0", "1499")) == 1500
    assert chains.leaves(rig) == ("1499",)


def test_size_is_the_height_unless_a_rig_lies_flat() -> None:
    assert chains.size(person()) == chains.height(person())
    lying = Rig((Joint("a"), Joint("b", 0, Transform((2.0, 0.0, 0.0)))), (), (Point("b", (2.0, 0.0, 0.0), "end"),))
    assert chains.height(lying) == 0.0
    assert chains.size(lying) == pytest.approx(2.0)
    assert chains.size(Rig((Joint("alone"),))) == 1.0
