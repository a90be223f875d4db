"""What the server tells of the document: the scene, the clip that is shown and its constraints."""

from typing import Literal

from msgspec import Struct

from inbetweener.studio.protocol.message import Message
from inbetweener.studio.protocol.parts import Blending, ChannelKind, Place, Vector, Wanted

Colour = tuple[float, float, float, float]


class JointInfo(Struct):
    """A joint; parent is an index or −1. What hangs on it alone weighs `mass` kg, around `centre` in its own frame."""

    name: str
    parent: int
    order: str
    rest: Vector
    mass: float
    centre: Vector


class ChannelInfo(Struct):
    """A channel, with the joints that it moves, and the IK handle that it belongs to."""

    name: str
    kind: ChannelKind
    joints: list[str]
    default: float
    lower: float | None
    upper: float | None
    stiffness: float
    handle: str | None = None


class PointInfo(Struct):
    """A named point of the rig."""

    name: str
    joint: str
    offset: Vector


class MeshInfo(Struct):
    """A mesh; its arrays are fetched from `url`, as `studio.protocol.arrays` lays them out."""

    name: str
    url: str
    joints: list[str]
    colour: Colour
    double_sided: bool
    texture: str | None
    shapes: list[str]


class PropInfo(Struct):
    """A solid of the scene, in the world or in a joint's frame. `sizes`: radius; half extents; radius, half length."""

    name: str
    solid: Literal["sphere", "box", "capsule"]
    sizes: list[float]
    translation: Vector
    rotation: Colour
    scale: Vector
    role: Literal["prop", "obstacle"]
    joint: str | None
    colour: Vector


class ViewInfo(Struct):
    """The document's camera."""

    eye: Vector
    target: Vector
    fov: float


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


class LayerInfo(Struct):
    """A layer of a clip."""

    name: str
    weight: float
    muted: bool


class Clip(Message, tag="clip"):
    """The clip that this page shows; `frames` counts its whole frames, the first at `start`."""

    name: str
    start: float
    end: float
    rate: float
    frames: int
    loops: bool
    layers: list[LayerInfo]


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
