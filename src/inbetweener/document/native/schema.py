"""The native file, version 1, exactly as it stands in JSON.

These structures are the file's own: the domain classes may change, these may not, or old files would no longer open. A
new version of the format gets a new module beside this one. Every field is always written, so that the meaning of a
file never depends on a default; a default is for files from before there was the field. What stands for a domain class
is written and read field by field.

Metres, radians, seconds; quaternions wxyz. A limit that does not exist is null. Arrays are named and lie apart.
"""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from inbetweener import anatomy, kinodynamics, motion, rig, skinning
from inbetweener.document import document, staging
from inbetweener.document.native.structs import from_struct, stands_for, to_struct
from inbetweener.maths import solids

FORMAT = "inbetweener"
VERSION = 1

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Colour = tuple[float, float, float, float]
Order = Literal["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
Wanted = Literal["position", "orientation", "both"]
Blending = Literal["linear", "dual-quaternion", "screw", "differential", "differential-world"]
"""The last is only read: files of earlier days may have it."""
ArrayType = Literal["f4", "f8", "i4", "u1"]
ArrayName = str
"""A name in the file's table of arrays."""


class Part(Struct, forbid_unknown_fields=True):
    """Base of everything in the file; a field that we do not know is an error, not a silent loss."""


class Header(Struct):
    """What every version of the file begins with."""

    format: str
    version: int
    blending: str = ""


@stands_for(rig.Follows)
class Follows(Part):
    """What of another joint's turn goes to one of a joint's own angles."""

    joint: str
    share: float
    axis: Vector
    about: Literal["x", "y", "z"]


@stands_for(rig.Weight)
class Weight(Part):
    """What a joint's body part weighs: kg, centre, inertia xx yy zz xy xz yz about it."""

    mass: float
    centre: Vector
    inertia: tuple[float, float, float, float, float, float]


@stands_for(rig.Joint)
class Joint(Part):
    """`parent` is a name, so that a joint put in between moves no numbers."""

    name: str
    parent: str | None
    translation: Vector
    rotation: Quaternion
    scale: Vector
    order: Order
    weight: Weight | None = None
    follows: Follows | None = None


@stands_for(rig.Channel)
class Channel(Part):
    """`drives` gives the weight of every degree of freedom that the channel moves."""

    name: str
    kind: Literal["translation", "rotation", "scale", "shape", "control", "bend"]
    drives: dict[str, float]
    default: float
    lower: float | None
    upper: float | None
    stiffness: float
    free: bool = True


@stands_for(rig.Point)
class Point(Part):
    """A place on the body."""

    name: str
    joint: str
    offset: Vector
    shapes: list[tuple[str, Vector]] = []


@stands_for(rig.Bend)
class Bend(Part):
    """A sketched shape of bones: by joint, the steps along its bone."""

    name: str
    channel: str
    screws: dict[str, ArrayName]


@stands_for(rig.Handle)
class Handle(Part):
    """An IK handle: its chain, its tip and, where it is not that of the rest pose, its hinge.

    How soft its ends are, and how far it bends back.
    """

    name: str
    joints: list[str]
    tip: Point
    hinge: Vector | None
    soft: float = 0.01
    back: float = 0.0


@stands_for(solids.Sphere)
class Sphere(Part, tag="sphere"):
    """A ball."""

    radius: float


@stands_for(solids.Box)
class Box(Part, tag="box"):
    """A box by its half extents."""

    half: Vector


@stands_for(solids.Capsule)
class Capsule(Part, tag="capsule"):
    """A segment along y of half length `half`."""

    radius: float
    half: float


@stands_for(document.Prop)
class Prop(Part):
    """A solid in the world or in a joint's frame."""

    name: str
    solid: Sphere | Box | Capsule
    translation: Vector
    rotation: Quaternion
    scale: Vector
    role: Literal["prop", "obstacle"]
    joint: str | None
    colour: Vector


@stands_for(skinning.Material)
class Material(Part):
    """How a mesh looks."""

    name: str
    colour: Colour
    texture: ArrayName | None
    double_sided: bool
    look: int | None = None


SHAPE_ARRAYS: dict[str, ArrayType] = {"normal_offsets": "f4", "offsets": "f4"}
MESH_ARRAYS: dict[str, ArrayType] = {
    "vertices": "f4",
    "triangles": "i4",
    "joint_from_mesh": "f8",
    "influences": "i4",
    "weights": "f4",
    "normals": "f4",
    "uvs": "f4",
    "colours": "f4",
}
TABLE_ARRAYS: dict[str, ArrayType] = {"times": "f8", "values": "f8"}
SHAPED_ARRAYS: dict[str, ArrayType] = {"ins": "f8", "outs": "f8", "kinds": "u1", "tied": "u1"}
"""The numbers that the arrays of a blend shape, a mesh and long curves hold, in the order in which they are stored."""


@stands_for(skinning.BlendShape)
class Shape(Part):
    """A blend shape."""

    name: str
    channel: str
    offsets: ArrayName
    normal_offsets: ArrayName | None


@stands_for(skinning.Mesh)
class Mesh(Part):
    """A mesh; its arrays by name."""

    name: str
    joints: list[str]
    vertices: ArrayName
    triangles: ArrayName
    joint_from_mesh: ArrayName
    influences: ArrayName
    weights: ArrayName
    normals: ArrayName | None
    uvs: ArrayName | None
    colours: ArrayName | None
    material: Material
    shapes: list[Shape]


class Key(Struct, array_like=True, forbid_unknown_fields=True):
    """One row of a curve; whatever stands at the end of the row and equals these defaults is left out."""

    time: float
    value: float
    interpolation: Literal["constant", "linear", "bezier"] = "linear"
    in_x: float = 0.0
    in_y: float = 0.0
    out_x: float = 0.0
    out_y: float = 0.0
    tied: bool = True


Curves = dict[str, Raw]
"""Rows of keys (list[Key]) by channel; kept raw, so that a bad row can be told with the name of its curve."""


class Shaped(Part):
    """What keys have beyond times and values: `ins` and `outs` (curves, keys, 2), `kinds` as numbered in Curve and
    `tied` as 0 or 1 (curves, keys)."""

    ins: ArrayName
    outs: ArrayName
    kinds: ArrayName
    tied: ArrayName


class Table(Part):
    """Long curves with keys at the same times, a row of `values` (curves, keys) each; without shape all are linear."""

    channels: list[str]
    times: ArrayName
    values: ArrayName
    shaped: Shaped | None


@stands_for(motion.Layer)
class Layer(Part):
    """Curves upon those below. The first files of this version knew only what is added, weighed and muted."""

    name: str
    weight: float
    muted: bool
    curves: Curves
    override: bool = False
    solo: bool = False
    joints: list[str] = []
    weights: Raw = Raw(b"null")
    """Rows of keys; null where the weight is not keyed."""
    tables: list[Table] = []


@stands_for(motion.Kernel)
class Kernel(Part):
    """When guidance lets effort be."""

    centre: float
    width: float
    depth: float


@stands_for(motion.Clip)
class Clip(Part):
    """Base curves and layers."""

    name: str
    start: float
    end: float
    rate: float
    loops: bool
    curves: Curves
    layers: list[Layer]
    kernels: list[Kernel] = []
    tables: list[Table] = []


@stands_for(rig.Point)
class Plain(Part, tag="point"):
    """A place on one joint."""

    name: str
    joint: str
    offset: Vector
    shapes: list[tuple[str, Vector]] = []


@stands_for(rig.Point)
class Share(Part):
    """What one joint contributes to a blended place."""

    name: str
    joint: str
    offset: Vector
    weight: float
    shapes: list[tuple[str, Vector]] = []


@stands_for(rig.BlendedPoint)
class Blended(Part, tag="blended"):
    """A place that several joints carry."""

    name: str
    parts: list[Share]

    @classmethod
    def tell(cls, place: rig.BlendedPoint) -> dict[str, object]:
        """Each point with its weight."""
        return {"parts": [to_struct(point, Share, weight=float(weight)) for point, weight in place.parts]}

    def mean(self) -> dict[str, object]:
        """Pairs of both."""
        return {"parts": tuple((from_struct(each), each.weight) for each in self.parts)}


@stands_for(motion.Pin)
class Pin(Part, tag="pin"):
    """An end of null has none: it holds from or to wherever the clip goes; a tolerance of null is the usual one."""

    point: Plain | Blended
    wanted: Wanted
    start: float | None
    end: float | None
    tolerance: float | None = None


@stands_for(motion.Contact)
class Contact(Part, tag="contact"):
    """A point that stays where it is at `start`."""

    point: Plain | Blended
    wanted: Wanted
    start: float
    end: float
    tolerance: float | None = None


@stands_for(motion.Attach)
class Attach(Part, tag="attach"):
    """A point that stays where it is at `start` in the frame of a joint, which may carry the prop of that name.

    A joint of null is the world, where such a prop stands.
    """

    point: Plain | Blended
    joint: str | None
    wanted: Wanted
    start: float
    end: float
    prop: str | None = None
    tolerance: float | None = None


Rule = Pin | Contact | Attach
"""Constraints of every kind."""


@stands_for(document.Constraint)
class Constraint(Part):
    """A rule that holds in the clip of that name while it is on."""

    name: str
    clip: str
    on: bool
    rule: Rule


@stands_for(kinodynamics.Spring)
class Spring(Part):
    """Swings a second, damping as a share of the critical one, and the air it is in."""

    frequency: float
    damping: float
    air: float = 0.0


@stands_for(kinodynamics.ElasticPart)
class Elastic(Part, tag="elastic"):
    """What a joint and those below it carry of a mesh, as an elastic solid."""

    mesh: str
    joint: str
    spring: Spring
    held: float
    cells: int
    modes: int
    poisson: float
    beta_share: float = 0.5


@stands_for(kinodynamics.SpringyPart)
class Springy(Part, tag="springy"):
    """What a joint and those below it carry of a mesh, each vertex on a spring."""

    mesh: str
    joint: str
    spring: Spring
    frame: Literal["joint", "world"]


@stands_for(kinodynamics.Looseness)
class Looseness(Part):
    """Springs by joint or channel, and the world they swing in; a window in seconds, or how it is found."""

    springs: dict[str, Spring]
    window: float | Literal["auto", "adaptive"]
    error: float
    gravity: float
    drag: float
    masses: Literal["boxes", "human", "mesh"]
    collide: bool
    soft: list[Elastic | Springy]
    total: float | None = None
    light: bool = False


@stands_for(kinodynamics.Bell)
class Bell(Part):
    """Seconds before and after its target; the heights of a drawn one."""

    before: float
    after: float
    shape: Literal["gaussian", "polynomial"]
    drawn: list[tuple[float, float]]


@stands_for(kinodynamics.SoftPoint)
class SoftPoint(Part, tag="soft"):
    """A vertex of a soft mesh."""

    mesh: str
    vertex: int


@stands_for(kinodynamics.PointTarget)
class PointTarget(Part, tag="point"):
    """A place at a time, or until later; what is null is free, "keyed" as the keyed motion has it. Channels of null
    are all.
    """

    time: float
    point: Plain | Blended | SoftPoint
    position: Vector | Literal["keyed"] | None
    orientation: Quaternion | Literal["keyed"] | None
    velocity: Vector | Literal["keyed"] | None
    weight: float
    bell: Bell
    channels: list[str] | None
    until: float | None = None


@stands_for(kinodynamics.PoseTarget)
class PoseTarget(Part, tag="pose"):
    """A pose at a time, by channel."""

    time: float
    pose: dict[str, float] | Literal["keyed"]
    velocity: Literal["keyed", "still"] | None
    weight: float
    bell: Bell


@stands_for(document.Aim)
class Aim(Part):
    """A target under its name."""

    name: str
    on: bool
    target: PointTarget | PoseTarget


@stands_for(document.Loosening)
class Loosening(Part):
    """How loose the clip of that name is, and the targets to hit in it."""

    clip: str
    on: bool
    looseness: Looseness
    aims: list[Aim]


@stands_for(staging.View)
class View(Part):
    """A camera."""

    eye: Vector
    target: Vector
    fov: float


class Kept(Part):
    """What of the file is not edited; its blocks are of bytes or of single precision."""

    text: ArrayName
    blocks: list[tuple[Literal["u1", "f4"], ArrayName]]
    joints: list[str]
    clips: list[str]


@stands_for(document.Source)
class Source(Part):
    """Where the document came from."""

    format: str
    unit: float
    up: Literal["x", "-x", "y", "-y", "z", "-z"]
    orders: list[tuple[str, Order]] = []
    kept: Kept | None = None


@stands_for(anatomy.Part)
class Role(Part):
    """What a joint is."""

    joint: str
    role: anatomy.Role
    side: Literal["left", "right"] | None = None
    number: int = 0
    digit: int = 0
    confidence: float = 1.0


@stands_for(staging.Sound)
class Sound(Part):
    """A sound, its file's bytes among the arrays."""

    name: str
    data: ArrayName
    start: float
    muted: bool


@stands_for(staging.CameraKey)
class CameraKey(Part):
    """Where the scene's camera is at a time."""

    time: float
    eye: Vector
    target: Vector
    fov: float


@stands_for(staging.Reference)
class Reference(Part):
    """A picture or video, its file's bytes among the arrays."""

    name: str
    data: ArrayName
    position: Vector
    height: float
    turn: float
    opacity: float
    start: float = 0.0


@stands_for(staging.Staging)
class Staging(Part):
    """What the clip of that name is heard with and seen by."""

    clip: str
    sound: Sound | None = None
    camera: list[CameraKey] = []
    picture: Reference | None = None


class Array(Part):
    """Little-endian numbers, compressed by zlib, in base64."""

    type: ArrayType
    shape: list[Annotated[int, Meta(ge=0, lt=1 << 31)]]
    zlib: bytes


class File(Part, kw_only=True):
    """The whole file. The first files of this version knew no handles, bends, constraints, ways of blending and
    looseness; they open without any."""

    format: str
    version: int
    name: str
    source: Source | None
    view: View | None
    joints: list[Joint]
    channels: list[Channel]
    points: list[Point]
    handles: list[Handle] = []
    bends: list[Bend] = []
    blending: Blending = "linear"
    props: list[Prop]
    meshes: list[Mesh]
    clips: list[Clip]
    constraints: list[Constraint] = []
    loosenings: list[Loosening] = []
    roles: list[Role] = []
    stagings: list[Staging] = []
    arrays: dict[ArrayName, Array]
