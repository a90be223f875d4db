"""Edits in one stroke that the page asks for: constraints, keys, what rigs and clips are like."""

from typing import Annotated, Literal

from msgspec import Meta

from inbetweener.anatomy import Role
from inbetweener.document.edits.prepare import Limits
from inbetweener.motion.fit_samples import Align
from inbetweener.rig.mirror import Side
from inbetweener.studio.protocol.gestures import Keys
from inbetweener.studio.protocol.guidance import Kernels
from inbetweener.studio.protocol.parts import Blending, Interpolation, Name, Place, Preset, Request, Wanted

Channels = Annotated[list[Name], Meta(min_length=1, max_length=100_000)]


class AddPin(Request, tag="add-pin"):
    """Keep a point's motion curve as it is: over the whole clip, between two times, or (start = end) at one time."""

    place: Place
    wanted: Wanted = "position"
    start: float | None = None
    end: float | None = None


class AddContact(Request, tag="add-contact"):
    """Keep a point still between two times; its whole state, unless told otherwise or where key poses turn it."""

    place: Place
    start: float
    end: float
    wanted: Wanted | None = None


class AddConstraint(Request, tag="add-constraint"):
    """Hold a point between two times by a constraint of any kind; `to` names the joint or prop in whose space."""

    kind: Name
    place: Place
    start: float
    end: float
    wanted: Wanted = "position"
    to: Name | None = None


class SwitchConstraint(Request, tag="switch-constraint"):
    """Switch a pin or contact on or off."""

    name: Name
    on: bool


class SetConstraintState(Request, tag="set-constraint-state"):
    """Hold the position of a constraint's point, its orientation or both."""

    name: Name
    wanted: Wanted


class RemoveConstraint(Request, tag="remove-constraint"):
    """Take a pin or contact away."""

    name: Name


class SuggestContacts(Request, tag="suggest-contacts"):
    """Find where feet stand and add the contacts found."""


class HoldContacts(Request, tag="hold-contacts"):
    """Hold all contacts that are on between the keys, by tangents alone."""


class RemoveSlide(Request, tag="remove-slide"):
    """Make the key poses of all contacts that are on agree, and hold them: values of keys change too."""


class AgreePoses(Request, tag="agree-poses"):
    """Move key poses until a contact's point, or that of every contact that is on, stands in one place in all."""

    constraint: Name | None = None


class CleanCapture(Request, tag="clean-capture"):
    """Mend flips, spikes, gaps and jitter of the shown clip, which is captured; `mend` false: only tell of them."""

    mend: bool = True


class BringClip(Request, tag="bring-clip"):
    """Bring in a clip of another character, of a built-in example or a file of the project folder by its name."""

    source: Name
    clip: Name | None = None
    travels: bool = True


class AddCharacter(Request, tag="add-character"):
    """Add the character or prop of a built-in example or a file of the project folder, in metres and radians.

    Its first clip joins the shown one.
    """

    source: Name
    name: Name | None = None
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    heading: float = 0.0


class RemoveCharacter(Request, tag="remove-character"):
    """Take a character that was added away again."""

    name: Name


class FitKeys(Request, tag="fit-keys"):
    """Replace the dense samples of the shown clip by a few Bezier keys; no joint moves further than `tolerance`.

    Or by about so many `poses`, at which all channels are keyed. `align` says which channels share their key times.
    Without `keep` it is only told how many keys that would be.
    """

    tolerance: Annotated[float, Meta(gt=0.0)] = 0.005
    poses: Annotated[int, Meta(ge=2, le=10_000)] | None = None
    align: Align | None = None
    keep: bool = True


class BindSkin(Request, tag="bind-skin"):
    """Find the weights of all meshes anew, by heat along the bones; rigid parts are left alone: a job."""


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


class SetFree(Request, tag="set-free"):
    """Let drags and poses change some channels, such as the length of a bone, or hold them."""

    channels: Channels
    free: bool


class StiffenAs(Request, tag="stiffen-as"):
    """Give all joints the stiffness of a preset: person, upright or supple."""

    preset: Name


class Prepare(Request, tag="prepare"):
    """Give the character what bodies have, by what its joints are; `total` is its mass in kg."""

    limits: Limits = "soft"
    stiffness: bool = True
    masses: bool = True
    points: bool = True
    total: float | None = None


class FollowTwists(Request, tag="follow-twists"):
    """Let twist bones follow the joints that they belong to, or stand by themselves again."""

    follow: bool = True


class MirrorClip(Request, tag="mirror-clip"):
    """Exchange left and right of the shown clip."""


class SetSpeed(Request, tag="set-speed"):
    """Let the shown clip run so many times as fast."""

    speed: float


class TrimClip(Request, tag="trim-clip"):
    """Cut the shown clip to a range in seconds; captured motion loses its frames outside."""

    start: float
    end: float


class ResampleClip(Request, tag="resample-clip"):
    """Give the shown clip another frame rate; captured motion gets its frames there."""

    rate: float


class BendPath(Request, tag="bend-path"):
    """Let the shown clip go along a line of points x and z on the ground, one after the other, its feet held."""

    points: Annotated[list[float], Meta(min_length=4, max_length=20_000)]


class Travel(Request, tag="travel"):
    """Let the shown clip go on over the ground as fast as its soles go by; or `in_place`, the other way."""

    in_place: bool = False


class GiveHandles(Request, tag="give-handles"):
    """Hang legs and arms on IK handles, all of them or those that are named; `body`: a control for the hips, too."""

    limbs: Annotated[list[Name], Meta(max_length=1_000)] | None = None
    body: bool = True


class TakeHandles(Request, tag="take-handles"):
    """Take handles away again, all of them or those that are named; joints turn as they did with them."""

    limbs: Annotated[list[Name], Meta(max_length=1_000)] | None = None


class SwitchLimb(Request, tag="switch-limb"):
    """Let a limb hang on its handle, or turn by its joints, from one time to another or over the whole clip."""

    limb: Name
    to: Literal["ik", "fk"]
    start: float | None = None
    end: float | None = None


class SetRole(Request, tag="set-role"):
    """Say what a joint is, and its partner on the other side; no role: as it is recognised."""

    joint: Name
    role: Role | None
    side: Side | None = None
    number: int = 0
    digit: int = 0


class SetBlending(Request, tag="set-blending"):
    """How the skin follows the joints."""

    blending: Blending


class RemoveBend(Request, tag="remove-bend"):
    """Take a sketched bend away, with its channel and all its keys."""

    bend: Name


class RenameDocument(Request, tag="rename-document"):
    """Give the document another name."""

    name: Name


class NewClip(Request, tag="new-clip"):
    """One more clip, of the character at rest or in the pose that it has at `time`; answered by its name."""

    time: float | None = None
    rate: Annotated[float, Meta(gt=0.0, le=1000.0)] | None = None


class DuplicateClip(Request, tag="duplicate-clip"):
    """A copy of the shown clip behind it; answered by its name."""


class RenameClip(Request, tag="rename-clip"):
    """Give the shown clip another name."""

    name: Name


class RemoveClip(Request, tag="remove-clip"):
    """Take the shown clip away."""


class SetClipRate(Request, tag="set-clip-rate"):
    """At how many frames a second the shown clip is seen; its keys stay where they are."""

    rate: Annotated[float, Meta(gt=0.0, le=1000.0)]


class ShiftClip(Request, tag="shift-clip"):
    """Move the shown clip with all that is in it, by seconds."""

    by: float


class ReverseClip(Request, tag="reverse-clip"):
    """Run the shown clip backward."""


class MakeLoop(Request, tag="make-loop"):
    """Cut a round out of the shown clip, as a clip of its own; its name is the answer. From one time to another, or
    where poses are most alike."""

    start: float | None = None
    end: float | None = None
    in_place: bool = False


class BlockClip(Request, tag="block-clip"):
    """Hold every pose of the shown clip until the next one or, not `stepped`, let them flow."""

    stepped: bool


class FilterAngles(Request, tag="filter-angles"):
    """Take jumps out of the Euler angles of the shown clip."""


class Stagger(Request, tag="stagger"):
    """Let joints of the shown clip follow each other by so many frames: `edits.stagger`."""

    joints: Annotated[list[Name], Meta(min_length=1, max_length=10_000)]
    by: float
    start: float | None = None
    end: float | None = None
    layer: Name | None = None


class Chart(Request, tag="chart"):
    """Key in-betweens of the shown clip as a timing chart has them: `edits.chart`."""

    shares: Annotated[str, Meta(max_length=1000)]
    time: float
    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None
    layer: Name | None = None


class SnapKeys(Request, tag="snap-keys"):
    """Bring keys of the shown clip, of some channels or of all, onto whole frames: `edits.snap_keys`."""

    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None
    layer: Name | None = None


class PastePose(Request, tag="paste-pose"):
    """Key values of channels at a time; `mirrored`, left is right. With `channels` only those are keyed."""

    time: float
    values: Annotated[dict[Name, float], Meta(min_length=1, max_length=100_000)]
    mirrored: bool = False
    channels: Channels | None = None
    layer: Name | None = None


class ApplyPose(Request, tag="apply-pose"):
    """Bring the character into a pose that the project keeps, or so much of the way there: `edits.apply_pose`."""

    pose: Name
    time: float
    amount: float = 1.0
    mirrored: bool = False
    channels: Channels | None = None
    layer: Name | None = None
    key: bool = True


class CopyKeys(Request, tag="copy-keys"):
    """Keys as text for the clipboard, which is the answer; `cut`, they are taken away as well."""

    keys: Keys
    cut: bool = False


class PasteKeys(Request, tag="paste-keys"):
    """Put copied keys in from a time on: `edits.paste_keys`."""

    text: Annotated[str, Meta(max_length=16_000_000)]
    time: float
    mirrored: bool = False
    joints: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None
    layer: Name | None = None


class MirrorPose(Request, tag="mirror-pose"):
    """Exchange left and right of the pose at a time."""

    time: float
    layer: Name | None = None


class ResetPose(Request, tag="reset-pose"):
    """Bring channels, or all, back to rest at a time."""

    time: float
    channels: Channels | None = None
    layer: Name | None = None


class SetClipRange(Request, tag="set-clip-range"):
    """Where the shown clip starts and ends."""

    start: float
    end: float


class SetClipLoops(Request, tag="set-clip-loops"):
    """Whether the end of the shown clip flows into its start."""

    loops: bool


class SetKernels(Request, tag="set-kernels"):
    """When guidance lets effort be in the shown clip."""

    kernels: Kernels


class SmoothSeam(Request, tag="smooth-seam"):
    """Let the end of the shown clip flow into its start."""


class ChangeLayer(Request, tag="change-layer"):
    """Make a layer of the shown clip, on top, or change it: `edits.layer`. A weight with a time is a key of it.

    Without a name, it is a new one.
    """

    layer: Name | None = None
    weight: float | None = None
    time: float | None = None
    override: bool | None = None
    muted: bool | None = None
    solo: bool | None = None
    joints: Annotated[list[Name], Meta(max_length=100_000)] | None = None
    place: int | None = None
    rename: Name | None = None
    remove: bool = False


class ChangeSound(Request, tag="change-sound"):
    """Give the shown clip the sound of a file of the project folder, or change the one it has: `edits.sound`."""

    path: Name | None = None
    start: float | None = None
    muted: bool | None = None
    remove: bool = False


class KeyCamera(Request, tag="key-camera"):
    """Key the scene's camera at a time of the shown clip, move a key or take keys away: `edits.camera`."""

    time: float | None = None
    eye: tuple[float, float, float] | None = None
    target: tuple[float, float, float] | None = None
    fov: float | None = None
    to: float | None = None
    remove: bool = False


class ChangePicture(Request, tag="change-picture"):
    """Stand a picture or video of the project folder behind the shown clip, or change it: `edits.picture`."""

    path: Name | None = None
    position: tuple[float, float, float] | None = None
    height: float | None = None
    turn: float | None = None
    opacity: float | None = None
    start: float | None = None
    remove: bool = False


class MergeLayer(Request, tag="merge-layer"):
    """Work a layer of the shown clip into the base or, `down`, into the layer below: `edits.merge`."""

    layer: Name
    down: bool = False
