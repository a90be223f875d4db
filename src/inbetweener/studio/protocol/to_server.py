"""What the page asks for. Every request is answered by `Done` or `Refused` with its id; moves are binary instead."""

from typing import Annotated

from msgspec import Meta, Struct

from inbetweener.studio.protocol.gestures import AnyGesture, Keys
from inbetweener.studio.protocol.guidance import GuidanceSettings
from inbetweener.studio.protocol.loose_requests import (
    AddTarget,
    BakeLoose,
    ContactToTargets,
    Loosen,
    LoosenAs,
    MeasureWindows,
    RemoveTarget,
    RenameTarget,
    ReplaceTarget,
    SetSprings,
    ShowKeyed,
    SolveTargets,
    SwitchLooseness,
    SwitchTarget,
    Tighten,
)
from inbetweener.studio.protocol.parts import (
    Blending,
    Interpolation,
    Name,
    Number,
    Place,
    Preset,
    Selecting,
    ViewPlane,
    Wanted,
)
from inbetweener.studio.protocol.request import Request

Channels = Annotated[list[Name], Meta(min_length=1, max_length=100_000)]


# --- what the page wants to see -------------------------------------------------------------------------------------


class ArcWish(Struct, forbid_unknown_fields=True):
    """A motion curve to be shown, under a number of the page's own; `turns` asks for orientations along it.

    `keyed` asks for the curve of the keyed motion also where the motion that is shown is loose.
    """

    arc: Number
    place: Place
    turns: bool = False
    keyed: bool = False


class ShowClip(Request, tag="show-clip"):
    """Show another clip on this page."""

    clip: Name


class ShowArcs(Request, tag="show-arcs"):
    """From now on send these motion curves, now and whenever they change; replaces the list before."""

    arcs: Annotated[list[ArcWish], Meta(max_length=64)]


class FetchPoses(Request, tag="fetch-poses"):
    """Send the poses of some frames, counted from the clip's first; where motion is loose, as they come.

    Frames nearest to `looked`, which is on the screen, come first.
    """

    first: Annotated[int, Meta(ge=0)]
    count: Annotated[int, Meta(ge=1, le=4096)]
    looked: Number | None = None


class FetchBones(Request, tag="fetch-bones"):
    """Send the shapes of all bones at a time."""

    time: float


class ChooseBones(Request, tag="choose-bones"):
    """Send which bones a stroke means: x and y of each of its points."""

    points: Annotated[list[float], Meta(min_length=2, max_length=4000)]
    view: ViewPlane
    time: float
    selecting: Selecting = "chain"


# --- gestures -------------------------------------------------------------------------------------------------------


class Begin(Request, tag="begin"):
    """Take hold of something; `gesture` is a number of the page's own that its moves carry."""

    gesture: Annotated[int, Meta(ge=1, lt=1 << 32)]
    what: AnyGesture


class Commit(Request, tag="commit"):
    """Let go: the last move that arrived is worked through, and the gesture becomes a step of the history."""

    gesture: int


class Cancel(Request, tag="cancel"):
    """Escape: everything is as it was before the gesture."""

    gesture: int


class SuggestKey(Request, tag="suggest-key"):
    """Ask for the single key that would help a blocked drag most; answered by `Done.text`, nothing is inserted."""

    gesture: int


class SteerGuidance(Request, tag="steer-guidance"):
    """Go on guiding with other settings, from the iterate that is shown."""

    gesture: int
    settings: GuidanceSettings


class StopGuidance(Request, tag="stop-guidance"):
    """Rest where the run is; the gesture stays, to go back along its way, to be steered, kept or cancelled."""

    gesture: int


# --- history --------------------------------------------------------------------------------------------------------


class Undo(Request, tag="undo"):
    """Take back the last step."""


class Redo(Request, tag="redo"):
    """Do the last undone step again."""


class JumpTo(Request, tag="jump-to"):
    """Go to a step of the history by undoing or redoing all between."""

    step: Annotated[int, Meta(ge=0)]


# --- edits in one stroke --------------------------------------------------------------------------------------------


class AddPin(Request, tag="add-pin"):
    """Keep a point's motion curve as it is: over the whole clip, between two times, or (start = end) at one time."""

    place: Place
    wanted: Wanted = "position"
    start: float | None = None
    end: float | None = None


class AddContact(Request, tag="add-contact"):
    """Keep a point still between two times."""

    place: Place
    start: float
    end: float
    wanted: Wanted = "position"


class SwitchConstraint(Request, tag="switch-constraint"):
    """Switch a pin or contact on or off."""

    name: Name
    on: bool


class RemoveConstraint(Request, tag="remove-constraint"):
    """Take a pin or contact away."""

    name: Name


class SuggestContacts(Request, tag="suggest-contacts"):
    """Find where feet stand and add the contacts found."""


class HoldContacts(Request, tag="hold-contacts"):
    """Remove the slide of all contacts that are on, by tangents alone."""


class AgreePoses(Request, tag="agree-poses"):
    """Move key poses until a contact's point, or that of every contact that is on, stands in one place in all."""

    constraint: Name | None = None


class FitKeys(Request, tag="fit-keys"):
    """Replace the dense samples of the shown clip by a few Bezier keys; no joint moves further than `tolerance`."""

    tolerance: Annotated[float, Meta(gt=0.0)] = 0.005


class InsertKeys(Request, tag="insert-keys"):
    """Key channels at a time without changing their curves; a channel without a curve gets its value keyed."""

    channels: Channels
    time: float
    layer: Name | None = None


class DeleteKeys(Request, tag="delete-keys"):
    """Take keys away."""

    keys: Keys


class PresetTangents(Request, tag="preset-tangents"):
    """Make the tangents of keys smooth, flat, linear or stepped."""

    keys: Keys
    preset: Preset


class TieTangents(Request, tag="tie-tangents"):
    """Tie the two slopes of keys, or break them."""

    keys: Keys
    tied: bool


class SetInterpolation(Request, tag="set-interpolation"):
    """How the segments after keys run."""

    keys: Keys
    kind: Interpolation


class SetLimits(Request, tag="set-limits"):
    """The values a channel may take; none is no limit."""

    channel: Name
    lower: float | None
    upper: float | None


class StiffenAs(Request, tag="stiffen-as"):
    """Give all joints the stiffness of a preset: person, upright or supple."""

    preset: Name


class SetBlending(Request, tag="set-blending"):
    """How the skin follows the joints."""

    blending: Blending


class RemoveBend(Request, tag="remove-bend"):
    """Take a sketched bend away, with its channel and all its keys."""

    bend: Name


class RenameDocument(Request, tag="rename-document"):
    """Give the document another name."""

    name: Name


class SetClipRange(Request, tag="set-clip-range"):
    """Where the shown clip starts and ends."""

    start: float
    end: float


class SetClipLoops(Request, tag="set-clip-loops"):
    """Whether the end of the shown clip flows into its start."""

    loops: bool


class SmoothSeam(Request, tag="smooth-seam"):
    """Let the end of the shown clip flow into its start."""


class MuteLayer(Request, tag="mute-layer"):
    """Leave a layer of the shown clip out, or not."""

    layer: Name
    muted: bool


class WeighLayer(Request, tag="weigh-layer"):
    """How much a layer of the shown clip counts."""

    layer: Name
    weight: float


# --- files ----------------------------------------------------------------------------------------------------------


class OpenExample(Request, tag="open-example"):
    """Open a built-in example; `discard` gives unsaved changes up, without it they are an objection."""

    name: Name
    discard: bool = False


class OpenFile(Request, tag="open-file"):
    """Open a file of the project folder."""

    path: Name
    discard: bool = False


class Save(Request, tag="save"):
    """Save to a file of the project folder; without a path, to where it was saved last or under its own name."""

    path: Name | None = None
    replace: bool = False


class Export(Request, tag="export"):
    """Write a file to the project folder: .glb .gltf .bvh .mp4 .gif .png (the frame at `time`), by its suffix.

    glTF gets a straight key on every frame where `sampled`: what tools that drop slopes, such as Blender, need.
    """

    path: Name
    time: float = 0.0
    sampled: bool = False
    width: Annotated[int, Meta(ge=16, le=4096)] = 960
    height: Annotated[int, Meta(ge=16, le=4096)] = 540


class CancelJob(Request, tag="cancel-job"):
    """Stop a long piece of work."""

    job: int


AnyRequest = (
    ShowClip
    | ShowArcs
    | FetchPoses
    | FetchBones
    | ChooseBones
    | Begin
    | Commit
    | Cancel
    | SuggestKey
    | SteerGuidance
    | StopGuidance
    | Undo
    | Redo
    | JumpTo
    | AddPin
    | AddContact
    | SwitchConstraint
    | RemoveConstraint
    | SuggestContacts
    | HoldContacts
    | AgreePoses
    | FitKeys
    | InsertKeys
    | DeleteKeys
    | PresetTangents
    | TieTangents
    | SetInterpolation
    | SetLimits
    | StiffenAs
    | SetBlending
    | RemoveBend
    | RenameDocument
    | SetClipRange
    | SetClipLoops
    | SmoothSeam
    | MuteLayer
    | WeighLayer
    | ShowKeyed
    | Loosen
    | SetSprings
    | LoosenAs
    | Tighten
    | SwitchLooseness
    | AddTarget
    | ReplaceTarget
    | SwitchTarget
    | RenameTarget
    | RemoveTarget
    | ContactToTargets
    | SolveTargets
    | BakeLoose
    | MeasureWindows
    | OpenExample
    | OpenFile
    | Save
    | Export
    | CancelJob
)
