"""What the server tells. On connecting: Welcome, Scene, Clip, Staging, Curves, Constraints, Looseness, History, Files,
poses.

After a change only what differs is told, in the order Changed, (Scene), (Clip), (Staging), (Constraints),
(SoftVertices), (Looseness), curves, (Skins), poses, motion curves, (LooseState), (History).
Infinite limits and range ends are null.
"""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from inbetweener import document, motion, rig
from inbetweener.anatomy.part import Kind, Role
from inbetweener.choices import Up
from inbetweener.rig.mirror import Side
from inbetweener.studio.protocol import guidance, loose
from inbetweener.studio.protocol.derived import Told, tells
from inbetweener.studio.protocol.parts import Blending, Message, Place, Vector, Wanted, declared


@tells(rig.Joint, without=["weight", "follows"])
class JointInfo(Told):
    """A joint; parent is an index or −1. What hangs on it alone weighs `mass` kg, around `centre` in its own frame.

    `role`, `side`, `number` and `digit` are what it is taken for; `bare` joints only help, and carry nothing.
    """

    rest: Vector
    mass: float
    centre: Vector
    role: Role = "helper"
    side: Side | None = None
    number: int = 0
    digit: int = 0
    bare: bool = False


@tells(rig.Channel, without=["drives"])
class ChannelInfo(Told, kw_only=True):
    """A channel, with the joints that it moves, and the IK handle that it belongs to.

    One of a translation is that many `metres`, which is less where what is above is scaled down.
    """

    joints: list[str]
    handle: str | None = None
    metres: float = 1.0


@tells(rig.Point)
class PointInfo(Told):
    """A named point of the rig."""


class LookInfo(Struct):
    """What a material has beyond colour and picture: numbers, and the addresses of maps by name."""

    metal: float | None
    rough: float | None
    emission: tuple[float, float, float]
    bumps: float
    shade: float
    maps: dict[str, str]


class MeshInfo(Struct):
    """A mesh; its arrays are fetched from `url`, as `studio.protocol.binary` lays them out."""

    name: str
    url: str
    joints: list[str]
    colour: tuple[float, float, float, float]
    double_sided: bool
    texture: str | None
    shapes: list[str]
    look: LookInfo | None = None


@tells(document.Prop, spread=["transform"])
class PropInfo(Told):
    """A solid of the scene, in the world or in a joint's frame. `sizes`: radius; half extents; radius, half length."""

    solid: Literal["sphere", "box", "capsule"]
    sizes: list[float]


@tells(document.View)
class ViewInfo(Told):
    """The document's camera."""


class Scene(Message, tag="scene"):
    """Everything that seldom changes. `height` is the character's size in metres, `kind` what sort of body it is."""

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
    kind: Kind = "object"


@tells(motion.Layer, without=["curves", "weights"])
class LayerInfo(Told):
    """A layer of a clip; where its weight is keyed, the times of these keys and the weight on every frame."""

    weight_keys: list[float]
    weight_frames: list[float]


@tells(motion.Clip, without=["curves"])
class Clip(Told, Message, tag="clip"):
    """The clip that this page shows; `frames` counts its whole frames, the first at `start`.

    `dense` is true where there are keys on every frame: drags go to a layer then, and reach so far.
    """

    frames: int
    dense: bool
    kernels: list[guidance.KernelInfo]


@tells(document.Sound, without=["data"])
class SoundInfo(Told):
    """A sound; its file's bytes are fetched from `url`, which is another one for other bytes."""

    url: str


@tells(document.Reference, without=["data"])
class PictureInfo(Told):
    """A picture or video that stands behind the clip; its file's bytes are fetched from `url`."""

    url: str
    video: bool


class SceneCamera(Struct):
    """The camera that the clip is seen by: times of its keys, and seven numbers a frame: eye, target, angle."""

    keys: list[float]
    frames: list[float]


class Staging(Message, tag="staging"):
    """What the shown clip is heard with and seen by."""

    sound: SoundInfo | None
    camera: SceneCamera | None
    picture: PictureInfo | None


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


# --- answers --------------------------------------------------------------------------------------------------------


class Done(Message, tag="done"):
    """A request was carried out; `text` where it has something to say."""

    id: int
    text: str | None = None


class Refused(Message, tag="refused"):
    """A request was not carried out, and nothing has changed: what, and what would help.

    `code` "unsaved", "unkept", "exists" or "changed" asks the animator how to go on; the page then asks again: with
    discard, when guidance has been kept or discarded, or with replace.
    """

    id: int
    text: str
    code: Literal["unsaved", "unkept", "exists", "changed", "busy", ""] = ""


class OwnTerm(Struct):
    """A term of guidance that whoever started the Studio has brought along."""

    name: str
    help: str


class Welcome(Message, tag="welcome"):
    """First message; `server` differs after a restart, `page` counts the pages of one server."""

    version: str
    server: str
    page: int
    terms: list[OwnTerm] = field(default_factory=list)


class Reread(Struct):
    """A way to read the open file that may be the right one: what it is called, metres in a unit, the up axis."""

    label: str
    unit: float | None = None
    up: Up | None = None


class Notice(Message, tag="notice"):
    """Something worth reading that is nobody's answer: a recovery, a repair, a loss, a fault.

    `more` is read by whoever wants to know exactly. `left` is a journal that can be opened, `url` where to fetch what
    is told of. With `choices` it is a question, which stays until it is answered or closed.
    """

    level: Literal["info", "warning", "error"]
    text: str
    more: list[str] = field(default_factory=list)
    left: str | None = None
    url: str | None = None
    choices: list[Reread] = field(default_factory=list)


class Warming(Message, tag="warming"):
    """Kernels are being compiled in the background: how many of how many are ready."""

    ready: int
    total: int


class Job(Message, tag="job"):
    """A long piece of work: its progress from 0 to 1 where known; `path` is what it wrote, `url` where to fetch it.

    `short` where it is done, and less came of it than was wished for.
    """

    job: int
    label: str
    state: Literal["running", "done", "failed", "cancelled"]
    progress: float | None = None
    text: str = ""
    short: bool = False
    path: str | None = None
    url: str | None = None


# --- files and history ----------------------------------------------------------------------------------------------


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


class BatchPlace(Struct):
    """A clip of a batch: the batch's folder within the project's, the clip's name, whether somebody marked it."""

    folder: str
    name: str
    done: bool


class Files(Message, tag="files"):
    """Where things are: the folder, the open file (null: never saved), what may be opened.

    `batches` are folders that a batch wrote, "" being the project's own; `clip` says which clip of one is open.
    """

    folder: str
    path: str | None
    recent: list[str]
    files: list[FileInfo]
    examples: list[ExampleInfo]
    batches: list[str]
    clip: BatchPlace | None


class PoseInfo(Struct):
    """A pose that the project keeps, and where its picture is; null: not drawn yet."""

    name: str
    picture: str | None


class KeptPoses(Message, tag="kept-poses"):
    """All poses that the project keeps."""

    items: list[PoseInfo]


class BatchClip(Struct):
    """A clip of a batch: what failed or fell short, figures by name, which file is opened, and a picture.

    `moments` are how many pictures of equal width stand side by side in it; `edited` says that hand edits are kept.
    """

    name: str
    clip: str
    failed: bool
    problem: str
    done: bool
    edited: bool
    figures: dict[str, float]
    path: str | None
    picture: str | None
    moments: int


class Batch(Message, tag="batch"):
    """All clips of a batch; `worst` names the figure by which they are bad."""

    folder: str
    recipe: str
    about: str
    steps: str
    worst: str
    clips: list[BatchClip]


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


class ObstacleInfo(Struct):
    """An obstacle: the least clearance in metres over the clip (negative: hit) and the frames on which it is hit."""

    name: str
    clearance: float
    frames: list[int]


class Obstacles(Message, tag="obstacles"):
    """How the shown motion passes the obstacles; `exact` false while a few vertices stand for the skin."""

    items: list[ObstacleInfo]
    exact: bool


if TYPE_CHECKING:
    AnyMessage = Message
else:
    AnyMessage = declared(Message, __name__, guidance.__name__, loose.__name__)
