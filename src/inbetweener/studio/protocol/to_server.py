"""What the page asks for. Every request is answered by `Done` or `Refused` with its id; moves are binary instead."""

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from inbetweener.choices import Up
from inbetweener.studio.protocol import edit_requests, loose_requests
from inbetweener.studio.protocol.gestures import AnyGesture
from inbetweener.studio.protocol.guidance import GuidanceSettings
from inbetweener.studio.protocol.parts import Name, Number, Place, Request, Selecting, ViewPlane, declared

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


class Selected(Request, tag="selected"):
    """Tell what this page has selected, by name, the active one last; code that looks on may ask for it."""

    names: Annotated[list[Name], Meta(max_length=256)]


class FetchPoses(Request, tag="fetch-poses"):
    """Send the poses of some frames, counted from the clip's first; where motion is loose, as they come.

    Frames nearest to `looked`, which is on the screen, come first. With `step` those of that step of the history.
    """

    first: Annotated[int, Meta(ge=0)]
    count: Annotated[int, Meta(ge=1, le=4096)]
    looked: Number | None = None
    step: Number | None = None


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
    """Let go: what the last move that arrived asks for is worked out, and the gesture becomes a step of the history.

    Of guidance, the iterate that is named is kept: what the page shows, however far the run has come meanwhile.
    """

    gesture: int
    iterate: Number | None = None


class Cancel(Request, tag="cancel"):
    """Escape: everything is as it was before the gesture."""

    gesture: int


class SuggestKey(Request, tag="suggest-key"):
    """Ask for the single key that would help a blocked drag most; answered by `Done.text`, nothing is inserted."""

    gesture: int


class SteerGuidance(Request, tag="steer-guidance"):
    """Go on guiding with other settings, from an iterate: what the page shows."""

    gesture: int
    settings: GuidanceSettings
    iterate: Number | None = None


class ShowCosts(Request, tag="show-costs"):
    """Tell what the shown motion costs by the first of these terms, now and after every change; null: no more."""

    settings: GuidanceSettings | None


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


# --- files ----------------------------------------------------------------------------------------------------------


class OpenExample(Request, tag="open-example"):
    """Open a built-in example; `discard` gives unsaved changes up, without it they are an objection."""

    name: Name
    discard: bool = False


class OpenFile(Request, tag="open-file"):
    """Open a file of the project folder."""

    path: Name
    discard: bool = False


class LogOut(Request, tag="log-out"):
    """Let no browser in any more that was let in before, this one included; the terminal shows a new address."""


class OpenLeft(Request, tag="open-left"):
    """Open work that was left behind in the project folder, by the name of its journal."""

    name: Name
    discard: bool = False


class ReadAgain(Request, tag="read-again"):
    """Read the open BVH file with another unit (metres) or up axis than was guessed: a step that can be undone."""

    unit: Annotated[float, Meta(gt=0.0)] | None = None
    up: Up | None = None


class Save(Request, tag="save"):
    """Save to a file of the project folder; without a path, to where it was saved last or under its own name."""

    path: Name | None = None
    replace: bool = False


class Export(Request, tag="export"):
    """Write a file to the project folder, by its suffix: one of formats, tables, movies, pages and pictures.

    A picture is that of the frame at `time`. glTF, FBX and what moves nodes of USD get a straight key on every frame
    where `sampled`: what tools that drop slopes, such as Blender, need.
    Pictures and movies look through the scene's camera where told so.
    """

    path: Name
    time: float = 0.0
    sampled: bool = False
    scene_camera: bool = False
    width: Annotated[int, Meta(ge=16, le=4096)] = 960
    height: Annotated[int, Meta(ge=16, le=4096)] = 540


class ShowBatch(Request, tag="show-batch"):
    """Tell all clips of a batch, by its folder within the project's; "" is that itself."""

    folder: Name


class MarkClip(Request, tag="mark-clip"):
    """Mark a clip of a batch as done, or not any more; where it is open, its hand edits are kept."""

    folder: Name
    name: Name
    done: bool = True


class ShowPoses(Request, tag="show-poses"):
    """Tell all poses that the project keeps."""


class SavePose(Request, tag="save-pose"):
    """Keep the pose at a time under a name, in some channels or in all; without `replace` a name is taken once."""

    name: Name
    time: float
    channels: edit_requests.Channels | None = None
    replace: bool = False


class RenamePose(Request, tag="rename-pose"):
    """Give a kept pose another name."""

    name: Name
    to: Name


class DeletePose(Request, tag="delete-pose"):
    """Delete the file of a kept pose, and its picture."""

    name: Name


class CancelJob(Request, tag="cancel-job"):
    """Stop a long piece of work."""

    job: int


if TYPE_CHECKING:
    AnyRequest = Request
else:
    AnyRequest = declared(Request, __name__, edit_requests.__name__, loose_requests.__name__)
