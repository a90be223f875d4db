"""What the server tells. On connecting: Welcome, Scene, Clip, Curves, Constraints, Looseness, History, Files, poses.

After a change only what differs is told, in the order Changed, (Scene), (Clip), (Constraints), (SoftVertices),
(Looseness), curves, (Skins), poses, motion curves, (LooseState), (History). Infinite limits and range ends are null.
"""

from typing import Literal

from msgspec import Struct, field

from inbetweener.studio.protocol.guidance import GuidanceSettings
from inbetweener.studio.protocol.loose_messages import Looseness, LooseState, SoftVertices, Windows
from inbetweener.studio.protocol.message import Message
from inbetweener.studio.protocol.parts import Blending, ChannelKind, Place, Vector, Wanted

Colour = tuple[float, float, float, float]


# --- answers --------------------------------------------------------------------------------------------------------


class Done(Message, tag="done"):
    """A request was carried out; `text` where it has something to say."""

    id: int
    text: str | None = None


class Refused(Message, tag="refused"):
    """A request was not carried out, and nothing has changed: what, and what would help.

    `code` "unsaved", "unkept" or "exists" asks the animator how to go on; the page then asks again: with discard, when
    guidance has been kept or discarded, or with replace.
    """

    id: int
    text: str
    code: Literal["unsaved", "unkept", "exists", "busy", ""] = ""


class Welcome(Message, tag="welcome"):
    """First message; `server` differs after a restart, `page` counts the pages of one server."""

    version: str
    server: str
    page: int


class Notice(Message, tag="notice"):
    """Something worth reading that is nobody's answer: a recovery, a repair, a loss, a fault.

    `more` is read by whoever wants to know exactly.
    """

    level: Literal["info", "warning", "error"]
    text: str
    more: list[str] = field(default_factory=list)


class Warming(Message, tag="warming"):
    """Kernels are being compiled in the background: how many of how many are ready."""

    ready: int
    total: int


class Job(Message, tag="job"):
    """A long piece of work: its progress from 0 to 1 where known; `path` is what it wrote, `url` where to fetch it."""

    job: int
    label: str
    state: Literal["running", "done", "failed", "cancelled"]
    progress: float | None = None
    text: str = ""
    path: str | None = None
    url: str | None = None


# --- the document ---------------------------------------------------------------------------------------------------


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
    """A pin, contact or lock of the shown clip; an end of null is the clip's.

    `apart` is how far the key poses of a contact put its point apart, in metres, and `turned_apart` in radians; zero
    where there is nothing worth a word.
    """

    name: str
    kind: Literal["pin", "contact", "lock"]
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


class History(Message, tag="history"):
    """Labels of all steps, where we stand, and which step is on the disk (null: none)."""

    labels: list[str]
    at: int
    saved: int | None


class ExampleInfo(Struct):
    """A built-in example; its picture is at `url`."""

    name: str
    line: str
    url: str


class FileInfo(Struct):
    """A file of the project folder, by its path within it; `modified` in seconds since 1970."""

    path: str
    size: int
    modified: float


class Files(Message, tag="files"):
    """Where things are: the folder, the open file (null: never saved), what may be opened."""

    folder: str
    path: str | None
    recent: list[str]
    files: list[FileInfo]
    examples: list[ExampleInfo]


# --- while it moves -------------------------------------------------------------------------------------------------


class SkinInfo(Struct):
    """How a mesh, by its number in the scene, is blended: by a plan, fetched from `url` as plan_arrays lays it out."""

    mesh: int
    plan: int
    url: str


class Skins(Message, tag="skins"):
    """The meshes that take more than the matrices of their joints; all others are blended linearly by those."""

    items: list[SkinInfo]


class BoneShape(Struct):
    """A bone, named by its joint: points along it in the world, x, y and z each, evenly from its start to its end.

    `end` is where it ends in its joint's own frame, at rest; `bent` whether any bend shapes it at that time.
    """

    joint: str
    points: list[float]
    end: Vector
    bent: bool


class Bones(Message, tag="bones"):
    """The shapes of all bones at a time, and the bend that a sketch at that time would refine, if there is one."""

    time: float
    items: list[BoneShape]
    refines: str | None


class ChosenBones(Message, tag="chosen-bones"):
    """The bones, named by their joints, that a stroke means."""

    joints: list[str]


class Changed(Message, tag="changed"):
    """The document shown is another one: frames `first` to `last` (−1: none) must be drawn anew.

    Poses of this revision follow for at least the frames around the hand; others are fetched when they are needed.
    """

    revision: int
    kind: Literal["open", "preview", "commit", "cancel", "undo", "redo"]
    label: str
    first: int
    last: int


class BlockerInfo(Struct):
    """What holds a drag back, and its share of the resistance."""

    name: str
    share: float


class Answer(Message, tag="answer"):
    """What became of a move: whether the wish was reached and, if not, how short it fell and what blocks.

    `position` is where the point is, `wish` where it should be; `held` the worst constraint's error in metres;
    `solve_ms` the solver alone, `server_ms` from the move's arrival until this answer was ready.
    """

    gesture: int
    sequence: int
    reached: bool
    solve_ms: float
    blockers: list[BlockerInfo] = field(default_factory=list)
    position: Vector | None = None
    wish: Vector | None = None
    distance: float = 0.0
    turn: float = 0.0
    held: float = 0.0
    server_ms: float = 0.0
    text: str = ""


class TermCost(Struct):
    """What a term, or a regulariser, costs."""

    name: str
    cost: float


class Guidance(Message, tag="guidance"):
    """How far a run is: the iterate shown, how many there are, their costs. At rest `text` sums up what changed.

    With `before`, the motion is shown as it was; the run is still at that iterate.
    `state` "over": the gesture was kept or cancelled, by whomever; "failed": nothing was changed, and `text` says why.
    """

    gesture: int
    state: Literal["running", "resting", "failed", "over"]
    iterate: int = 0
    before: bool = False
    costs: list[float] = field(default_factory=list)
    terms: list[TermCost] = field(default_factory=list)
    text: str = ""


class HeatRow(Struct):
    """What a term costs at each moment because of a joint or channel."""

    term: str
    label: str
    values: list[float]


class GuidanceHeat(Message, tag="guidance-heat"):
    """Cost over time at the iterate shown, once a run rests."""

    gesture: int
    times: list[float]
    rows: list[HeatRow]


class CurveBefore(Struct):
    """A curve as it was before a run: eight numbers a key, as curves come in arrays; layer 0 is the base."""

    channel: int
    layer: int
    rows: list[float]


class GuidanceOffer(Message, tag="guidance-offer"):
    """A run that its page has left is this page's from now on; `Guidance` follows. `layer` null is the base."""

    gesture: int
    settings: GuidanceSettings
    layer: str | None
    before: list[CurveBefore]


class ObstacleInfo(Struct):
    """An obstacle: the least clearance in metres over the clip (negative: hit) and the frames on which it is hit."""

    name: str
    clearance: float
    frames: list[int]


class Obstacles(Message, tag="obstacles"):
    """How the shown motion passes the obstacles; `exact` false while a few vertices stand for the skin."""

    items: list[ObstacleInfo]
    exact: bool


AnyMessage = (
    Done
    | Refused
    | Welcome
    | Notice
    | Warming
    | Job
    | Scene
    | Clip
    | Constraints
    | History
    | Files
    | Skins
    | Bones
    | ChosenBones
    | Changed
    | Answer
    | Guidance
    | GuidanceHeat
    | GuidanceOffer
    | Obstacles
    | SoftVertices
    | Looseness
    | LooseState
    | Windows
)
