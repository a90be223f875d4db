"""Rigs that cannot be are refused with one line that names the element."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from inbetweener.errors import InvalidRig, UnknownName
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Channel, Drive, Joint, Point, Rig, control, joint_channels

ARM = Joint("arm")
NAN = math.nan

BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "parent after child": (lambda: Rig((Joint("a", 1), Joint("b"))), r"joint 'a' \(number 0\) has parent 1"),
    "its own parent": (lambda: Rig((Joint("a"), Joint("b", 1))), r"joint 'b' \(number 1\) has parent 1"),
    "two in a circle": (lambda: Rig((Joint("a"), Joint("b", 2), Joint("c", 1))), r"joint 'b' .* has parent 2"),
    "parent below root": (lambda: Rig((Joint("a", -2),)), r"joint 'a' .* has parent -2"),
    "joint twice": (lambda: Rig((ARM, ARM)), r"two joints are called 'arm'"),
    "channel twice": (lambda: Rig((ARM,), joint_channels(ARM) * 2), r"two channels are called 'arm.rx'"),
    "no joint name": (lambda: Rig((Joint(""),)), r"a joint has no name"),
    "drive of an unknown joint": (lambda: Rig((ARM,), (control("c", {"leg.rx": 1.0}),)), r"channel 'c' .*'leg.rx'"),
    "drive of an unknown dof": (lambda: Rig((ARM,), (control("c", {"arm.rw": 1.0}),)), r"channel 'c' .*'arm.rw'"),
    "drive without a dof": (lambda: Rig((ARM,), (control("c", {"arm": 1.0}),)), r"channel 'c' drives 'arm'"),
    "drive weight": (lambda: Rig((ARM,), (Channel("c", "control", (Drive("arm.rx", NAN),)),)), r"'c'.* weight"),
    "point on nothing": (lambda: Rig((ARM,), (), (Point("leg", name="tip"),)), r"point 'tip' sits on 'leg'"),
    "rest translation": (lambda: Joint("a", rest=Transform((NAN, 0.0, 0.0))), r"joint 'a': .*not a finite number"),
    "rest scale": (lambda: Joint("a", rest=Transform(scale=(1.0, math.inf, 1.0))), r"joint 'a': .*not a finite"),
    "rest rotation not finite": (lambda: Joint("a", rest=Transform(rotation=(NAN, 0, 0, 1))), r"joint 'a': .*finite"),
    "rest rotation zero": (lambda: Joint("a", rest=Transform(rotation=(0, 0, 0, 0))), r"joint 'a': .*length 0"),
    "rest rotation not unit": (lambda: Joint("a", rest=Transform(rotation=(1, 0, 0, 1))), r"length 1.41421; normalise"),
    "order": (lambda: Joint("a", order="ZYZ"), r"joint 'a': unknown rotation order 'ZYZ'"),  # type: ignore[arg-type]
    "limits": (lambda: Channel("c", "rotation", lower=2.0, upper=1.0), r"channel 'c': lower limit 2 is above"),
    "limit not a number": (lambda: Channel("c", "rotation", lower=NAN), r"channel 'c': lower limit"),
    "stiffness": (lambda: Channel("c", "rotation", stiffness=0.0), r"channel 'c': stiffness 0"),
    "default": (lambda: Channel("c", "rotation", default=NAN), r"channel 'c': default"),
}


@pytest.mark.parametrize(("make", "says"), BAD.values(), ids=BAD.keys())
def test_says_which_element_is_wrong(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(InvalidRig, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_unknown_names_suggest_near_ones() -> None:
    rig = Rig((Joint("left_arm"), Joint("right_arm", 0)))
    with pytest.raises(UnknownName, match="did you mean left_arm"):
        rig.joint_index("left_arn")
    with pytest.raises(UnknownName, match="no channel called"):
        rig.channel("left_arm.rx")
    with pytest.raises(UnknownName, match="degree of freedom"):
        joint_channels(ARM, "rx rw")


def test_rest_rotations_of_seven_digits_are_made_exact() -> None:
    rough = Joint("a", rest=Transform(rotation=(0.70710678, 0.70710678 + 2e-7, 0.0, 0.0)))
    rotation = Rig((rough,)).skeleton.rest[0]
    assert abs(rotation @ rotation.T - [[1, 0, 0], [0, 1, 0], [0, 0, 1]]).max() < 1e-15
