"""What the server tells of the document: the scene, the clip that is shown and its constraints."""

from typing import Literal

from msgspec import Struct

from inbetweener import document, motion, rig
from inbetweener.studio.protocol.derived import Told, tells
from inbetweener.studio.protocol.guidance import KernelInfo
from inbetweener.studio.protocol.parts import Blending, Message, Place, Vector, Wanted


@tells(rig.Joint)
class JointInfo(Told):
    """A joint; parent is an index or −1. What hangs on it alone weighs `mass` kg, around `centre` in its own frame."""

    rest: Vector
    mass: float
    centre: Vector


@tells(rig.Channel, without=["drives"])
class ChannelInfo(Told, kw_only=True):
    """A channel, with the joints that it moves, and the IK handle that it belongs to."""

    joints: list[str]
    handle: str | None = None


@tells(rig.Point)
class PointInfo(Told):
    """A named point of the rig."""


class MeshInfo(Struct):
    """A mesh; its arrays are fetched from `url`, as `studio.protocol.arrays` lays them out."""

    name: str
    url: str
    joints: list[str]
    colour: tuple[float, float, float, float]
    double_sided: bool
    texture: str | None
    shapes: list[str]


@tells(document.Prop, spread=["transform"])
class PropInfo(Told):
    """A solid of the scene, in the world or in a joint's frame. `sizes`: radius; half extents; radius, half length."""

    solid: Literal["sphere", "box", "capsule"]
    sizes: list[float]


@tells(document.View)
class ViewInfo(Told):
    """The document's camera."""


class Scene(Message, tag="scene"):
    """Everything that seldom changes. `height` is the character's size in metres."""

    name: str
    height: float
    joints: list[JointInfo]
    channels: list[ChannelInfo]
    points: list[PointInfo]
    meshes: list[MeshInfo]
    props: list[PropInfo]
    clips: list[str]
    view: ViewInfo | None
    stiffness_presets: list[str]
    blending: Blending


@tells(motion.Layer, without=["curves"])
class LayerInfo(Told):
    """A layer of a clip."""


@tells(motion.Clip, without=["curves"])
class Clip(Told, Message, tag="clip"):
    """The clip that this page shows; `frames` counts its whole frames, the first at `start`."""

    frames: int
    kernels: list[KernelInfo]


class ConstraintInfo(Struct):
    """A constraint of the shown clip; an end of null is the clip's.

    `kind` is what people call it, `colour` in which of the page's colours it is drawn. `stands` is true where its
    point keeps one place, in the world (`planted`) or seen from `to`, a joint or prop; `momentary` where it holds at a
    single time. `apart` is how far its key poses put its point apart, in metres, and `turned_apart` in radians; zero
    where there is nothing worth a word.
    """

    name: str
    kind: str
    colour: str
    stands: bool
    planted: bool
    momentary: bool
    to: str
    place: Place
    wanted: Wanted
    start: float | None
    end: float | None
    on: bool
    apart: float = 0.0
    turned_apart: float = 0.0


class Constraints(Message, tag="constraints"):
    """All constraints of the shown clip."""

    items: list[ConstraintInfo]
