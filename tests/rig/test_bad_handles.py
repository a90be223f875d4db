"""Handles that cannot be are refused in one line that names them."""

from dataclasses import replace

import pytest

from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.rig import Handle, Point, joint_channels
from tests.rig.limbs import armed_person
from tests.rig.specimens import person

ARM = ("upper_arm_l", "forearm_l")
DOWN = (0.0, -1.0, 0.0)


@pytest.mark.parametrize(
    ("handle", "problem"),
    [
        (Handle("arm", ("upper_arm_l",), Point("forearm_l"), DOWN), "turns 1 joints; it needs two or more"),
        (Handle("arm", ("upper_arm_l", "hand_l"), Point("hand_l", (0.1, 0, 0)), DOWN), "'hand_l' does not hang on"),
        (Handle("arm", ARM, Point("upper_arm_l"), DOWN), "put it on 'forearm_l' or a child of that"),
        (Handle("arm", ARM, Point("hand_l")), "straight at rest; give the hinge, an axis in the frame of 'forearm_l'"),
        (Handle("arm", ARM, Point("hand_l"), (0.0, 0.0, 0.0)), "is no axis"),
        (Handle("arm", ARM, Point("hand_l"), (1.0, 0.0, 0.0)), "points along the chain"),
        (Handle("arm", ARM, Point("forearm_l", (0.001, 0.0, 0.0)), DOWN), "none may be shorter than a fiftieth"),
        (Handle("", ARM, Point("hand_l"), DOWN), "a handle has no name"),
    ],
)
def test_one_clear_line(handle: Handle, problem: str) -> None:
    with pytest.raises(InvalidRig, match=problem) as caught:
        person().with_handle(handle)
    assert "\n" not in str(caught.value)


def test_unknown_joints_are_named() -> None:
    with pytest.raises(UnknownName, match="no joint called 'forarm_l'; did you mean forearm_l"):
        person().with_handle(Handle("arm", ("upper_arm_l", "forarm_l"), Point("hand_l"), DOWN))


def test_a_joint_has_one_handle() -> None:
    again = Handle("again", ("forearm_l", "hand_l"), Point("hand_l", (0.1, 0.0, 0.0)), DOWN)
    with pytest.raises(InvalidRig, match="'forearm_l', which handle 'arm_l' turns already"):
        armed_person().with_handle(again)


def test_no_two_of_one_name() -> None:
    rig = armed_person()
    with pytest.raises(InvalidRig, match=r"two channels are called 'arm_l\.x'"):
        rig.with_handle(replace(rig.handles[0]))


def test_its_channels_must_be_there() -> None:
    rig = armed_person()
    with pytest.raises(InvalidRig, match=r"handle 'arm_l' has no channel 'arm_l\.pole\.y'"):
        replace(rig, channels=tuple(c for c in rig.channels if c.name != "arm_l.pole.y"))


def test_inner_joints_must_not_be_scaled() -> None:
    rig = armed_person()
    scale = joint_channels(rig.joint("upper_arm_l"), "sx")
    with pytest.raises(InvalidRig, match="'upper_arm_l' is scaled"):
        replace(rig, channels=(*rig.channels, *scale))


def test_a_tip_must_not_turn_with_what_another_handle_turns() -> None:
    first = Handle("upper", ("clavicle_l", "upper_arm_l"), Point("forearm_l", (0.1, 0.0, 0.0)), DOWN)
    second = Handle("lower", ("forearm_l", "hand_l"), Point("hand_l", (0.1, 0.0, 0.0)), DOWN)
    with pytest.raises(InvalidRig, match="its tip turns with 'forearm_l', which handle 'lower' turns"):
        person().with_handle(first).with_handle(second)
