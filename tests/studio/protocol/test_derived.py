"""Messages have the fields of the library's own classes, without being told of them one by one."""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec
import pytest

from inbetweener import kinodynamics as kd
from inbetweener.document import Aim, Prop, View
from inbetweener.document.native.structs import from_struct, init_fields, to_struct
from inbetweener.errors import InbetweenerError
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Layer
from inbetweener.rig import BlendedPoint, Channel, Drive, Joint, Point
from inbetweener.studio.looseness import to_looseness, to_target
from inbetweener.studio.protocol import loose, to_page
from inbetweener.studio.protocol.derived import MOST, Told, tells
from inbetweener.studio.protocol.typescript import interface
from tests.studio.documents import arm
from tests.unlike import unlike_default

S = TypeVar("S", bound=msgspec.Struct)
SPRING = unlike_default(kd.Spring)
SOFT = (
    unlike_default(kd.ElasticPart, mesh="hat", joint="hand"),
    unlike_default(kd.SpringyPart, mesh="face", joint="hips"),
)
LOOSE = unlike_default(kd.Looseness, springs={"hand": SPRING, "elbow": kd.Spring(4.0)}, soft=SOFT, collide=True)
PALM = Point("hand", (0.1, 0.0, 0.0), "palm")
SKIN = BlendedPoint(((Point("hand"), 0.75), (Point("elbow"), 0.25)), "skin")
ABOUT = {"position": (1.0, 2.0, 3.0), "orientation": (0.0, 1.0, 0.0, 0.0), "velocity": (0.0, 0.0, 0.0)}
BELL = unlike_default(kd.Bell, drawn=((-1.0, 0.0), (0.0, 1.0), (1.0, 0.0)))
TARGETS = [
    unlike_default(
        kd.PointTarget, point=point, channels=frozenset({"hand.rz", "elbow.rz"}), bell=BELL, until=1.5, **ABOUT
    )
    for point in (PALM, SKIN)
]
TARGETS += [
    replace(TARGETS[0], velocity="keyed", until=None),
    replace(TARGETS[0], point=kd.SoftPoint("hat", 3), until=None),
]
POSES = [kd.PoseTarget(0.5), unlike_default(kd.PoseTarget, pose={"hand.rz": 0.5}, velocity="still", bell=BELL)]


def sent(struct: S) -> S:
    """The same after a way over the wire."""
    return msgspec.json.decode(msgspec.json.encode(struct), type=type(struct))


def test_every_field_of_a_looseness_goes_there_and_back() -> None:
    """Also one that is added tomorrow."""
    assert to_looseness(sent(to_struct(LOOSE, loose.LoosenessSettings))) == LOOSE
    assert from_struct(sent(to_struct(SPRING, loose.SpringChange, name="hand"))) == SPRING


@pytest.mark.parametrize("target", [*TARGETS, *POSES])
def test_every_field_of_a_target_goes_there_and_back(target: kd.Target) -> None:
    aim = to_struct(Aim("mark", target, on=False), loose.AimInfo, solved=True, gives=["hand.rz"], could=["hand.rz"])
    assert from_struct(sent(aim)) == Aim("mark", target, on=False)
    assert to_target(arm().rig, sent(aim).target) == target


@pytest.mark.parametrize(
    ("struct", "cls", "left_out"),
    [
        (to_page.JointInfo, Joint, {"weight", "follows"}),
        (to_page.ChannelInfo, Channel, {"drives"}),
        (to_page.PointInfo, Point, set()),
        (to_page.ViewInfo, View, set()),
        (to_page.LayerInfo, Layer, {"curves", "weights"}),
        (to_page.Clip, Clip, {"curves"}),
        (loose.SpringInfo, kd.Spring, set()),
        (loose.ChainInfo, kd.Spring, set()),
    ],
)
def test_the_scene_tells_what_its_classes_have(struct: Any, cls: type, left_out: set[str]) -> None:
    assert {field.name for field in init_fields(cls)} - left_out <= set(struct.__struct_fields__)


def test_what_a_page_may_leave_out_is_as_the_library_has_it() -> None:
    told = msgspec.json.decode(b'{"kind":"elastic","mesh":"hat","joint":"hand"}', type=loose.ElasticPart)
    assert from_struct(told) == kd.ElasticPart("hat", "hand")
    told = msgspec.json.decode(b'{"kind":"point","time":1,"vertex":{"mesh":"hat","vertex":1}}', type=loose.PointTarget)
    assert from_struct(told) == kd.PointTarget(1.0, kd.SoftPoint("hat", 1))


def test_an_object_within_is_told_by_its_own_fields() -> None:
    prop = Prop("ball", Sphere(0.5), Transform((1.0, 2.0, 3.0)), joint="hand")
    told = msgspec.to_builtins(to_struct(prop, to_page.PropInfo, solid="sphere", sizes=[0.5]))
    assert told["translation"] == (1.0, 2.0, 3.0)
    assert "transform" not in told


def test_limits_that_are_none_are_null() -> None:
    channel = Channel("hand.rx", "rotation", (Drive("hand.rx"),), upper=1.0)
    told = to_struct(channel, to_page.ChannelInfo, joints=["hand"])
    assert (told.lower, told.upper) == (None, 1.0)


@dataclass(frozen=True)
class Bouncy(kd.Spring):
    """A spring with a field that nobody has heard of."""

    rest: float = 0.25


def test_a_new_field_is_in_messages_and_in_the_pages_types() -> None:
    @tells(Bouncy)
    class BouncyInfo(Told, forbid_unknown_fields=True):
        name: str

    told = sent(to_struct(Bouncy(2.0, rest=0.75), BouncyInfo, name="hand"))
    assert from_struct(told) == Bouncy(2.0, rest=0.75)
    assert from_struct(msgspec.json.decode(b'{"name":"hand","frequency":2}', type=BouncyInfo)) == Bouncy(2.0)
    assert "  rest?: number;\n" in interface(msgspec.inspect.type_info(BouncyInfo))


@pytest.mark.parametrize(
    ("struct", "text", "why"),
    [
        (loose.SpringInfo, '{"name":"hand","frequency":2,"rset":1}', "unknown field `rset`"),
        (loose.SpringInfo, f'{{"name":"{"x" * 401}","frequency":2}}', "length <= 400"),
        (loose.ElasticPart, f'{{"kind":"elastic","mesh":"{"x" * 401}","joint":"hand"}}', "length <= 400"),
        (loose.BellInfo, f'{{"drawn":[{",".join(["[0,1]"] * (MOST + 1))}]}}', f"length <= {MOST}"),
        (loose.PoseTarget, '{"kind":"pose","time":1,"pose":{}}', "length >= 1"),
        (loose.PointTarget, '{"kind":"point","time":1,"channels":[]}', "length >= 1"),
        (loose.VertexPlace, '{"mesh":"hat","vertex":-1}', ">= 0"),
    ],
)
def test_what_no_page_should_send_is_refused(struct: Any, text: str, why: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=why):
        msgspec.json.decode(text, type=struct)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"time": 1e7}, "numbers up to 1e"),
        ({"position": (0.0, 0.0, -1e7)}, "numbers up to 1e"),
        ({"velocity": (1e300, 0.0, 0.0)}, "numbers up to 1e"),
        ({"orientation": (0.0, 0.0, 0.0, 0.0)}, "length nought"),
        ({"place": None}, "on a place of the body, or on a vertex"),
        ({"weight": 0.0}, "must be positive"),
        ({"position": None}, "asks for nothing"),
    ],
)
def test_targets_that_cannot_be_are_refused_in_a_line(changes: dict[str, Any], why: str) -> None:
    told = msgspec.structs.replace(to_struct(kd.PointTarget(0.5, PALM), loose.PointTarget), **changes)
    with pytest.raises(InbetweenerError, match=why) as refused:
        to_target(arm().rig, told)
    assert "\n" not in str(refused.value)


def test_orientations_are_made_of_length_one() -> None:
    told = to_struct(replace(kd.PointTarget(0.5, PALM), orientation=(0.0, 3.0, 0.0, 4.0)), loose.PointTarget)
    assert to_target(arm().rig, told).orientation == (0.0, 0.6, 0.0, 0.8)
