"""Edits in one stroke that the page asks for: constraints, keys, what rigs and clips are like."""

from typing import Annotated

from msgspec import Meta

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


class FitKeys(Request, tag="fit-keys"):
    """Replace the dense samples of the shown clip by a few Bezier keys; no joint moves further than `tolerance`.

    Or by about so many `poses`, at which all channels are keyed.
    """

    tolerance: Annotated[float, Meta(gt=0.0)] = 0.005
    poses: Annotated[int, Meta(ge=2, le=10_000)] | None = None


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


class SetKernels(Request, tag="set-kernels"):
    """When guidance lets effort be in the shown clip."""

    kernels: Kernels


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
