"""What the page asks of loose motion, all of it about the clip that it shows."""

from typing import Annotated

from msgspec import Meta

from inbetweener.kinodynamics.bake import TOLERANCE
from inbetweener.studio.protocol.loose import AnyTarget, LoosenessSettings, SpringChange
from inbetweener.studio.protocol.parts import Name, Request


class ShowKeyed(Request, tag="show-keyed"):
    """From now on send poses of the keyed motion beside the loose ones, marked as such, or do not."""

    on: bool


class Loosen(Request, tag="loosen"):
    """Make the clip as loose as this, all of it; targets stay."""

    settings: LoosenessSettings


class SetSprings(Request, tag="set-springs"):
    """Put some springs in, or take them out."""

    changes: Annotated[list[SpringChange], Meta(min_length=1, max_length=100_000)]


class LoosenAs(Request, tag="loosen-as"):
    """Give joints the spring of a preset; no joints: all but the roots. With `tip` each begins a chain.

    A chain is a joint and all below it; at its far end it has `tip` times the stiffness.
    """

    preset: Name
    joints: Annotated[list[Name], Meta(min_length=1, max_length=10_000)] | None = None
    tip: float | None = None


class Tighten(Request, tag="tighten"):
    """Take the springs of joints and of their channels out; no joints: all springs."""

    joints: Annotated[list[Name], Meta(min_length=1, max_length=10_000)] | None = None


class SwitchLooseness(Request, tag="switch-looseness"):
    """Let the springs act, or move as keyed."""

    on: bool


class AddTarget(Request, tag="add-target"):
    """One more target; without a name it is called after its place. The name is in `Done.text`."""

    target: AnyTarget
    name: Name | None = None


class ReplaceTarget(Request, tag="replace-target"):
    """Another target under the same name."""

    name: Name
    target: AnyTarget


class TakePose(Request, tag="take-pose"):
    """Let a pose target want a pose of its own: one that the project keeps or, without, the clip's at a time.

    As keyed there or, `seen`, as it swings there.
    """

    name: Name
    time: float = 0.0
    seen: bool = False
    pose: Name | None = None


class SwitchTarget(Request, tag="switch-target"):
    """Solve for a target, or not."""

    name: Name
    on: bool


class RenameTarget(Request, tag="rename-target"):
    """Call a target, and the layer of its correction, otherwise."""

    name: Name
    new: Name


class RemoveTarget(Request, tag="remove-target"):
    """Take a target away, and its correction with it."""

    name: Name


class ContactToTargets(Request, tag="contact-to-targets"):
    """Let targets hold what a contact plants, on the loose motion."""

    constraint: Name


class SolveTargets(Request, tag="solve-targets"):
    """Find the corrections with which all targets that are on are hit: a job; `Done.text` sums it up."""


class BakeLoose(Request, tag="bake-loose"):
    """Put what swings into a layer of keys, within `tolerance` of the loose motion, and switch looseness off: a job.

    `dense` keys every frame instead, and is exact there.
    """

    tolerance: Annotated[float, Meta(gt=0.0)] = TOLERANCE
    dense: bool = False


class MeasureWindows(Request, tag="measure-windows"):
    """Compare the windows with a simulation of the whole clip: a job; `Windows` tells."""
