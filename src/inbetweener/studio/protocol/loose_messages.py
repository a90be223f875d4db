"""What the page is told of loose motion: what is set, when that changes; how things stand, whenever they move."""

from msgspec import Struct

from inbetweener.studio.protocol.loose import AnyTarget, LoosenessSettings, SpringInfo
from inbetweener.studio.protocol.message import Message
from inbetweener.studio.protocol.parts import Vector


class AimInfo(Struct):
    """A target under its name; once solved, a layer of the same name holds its correction."""

    name: str
    on: bool
    solved: bool
    target: AnyTarget


class SoftInfo(Struct):
    """A mesh with soft vertices, by its number in the scene: how far these are off comes in arrays, in this order."""

    mesh: int
    vertices: list[int]


class Looseness(Message, tag="looseness"):
    """How loose the shown clip is. `loose`: what is shown swings; if not though it is on, `problem` says why.

    Channels that swing do so with the body's masses, those that follow by themselves. `unbumped` says why nothing can
    bump into things here; empty when it can. `presets` are for single joints, `whole` for all joints of a body that as
    a whole swings so.
    """

    on: bool
    loose: bool
    problem: str
    unbumped: str
    settings: LoosenessSettings
    presets: list[SpringInfo]
    whole: list[SpringInfo]
    swinging: list[str]
    following: list[str]
    soft: list[SoftInfo]
    targets: list[AimInfo]


class TargetState(Struct):
    """Where the shown motion is at a target, and what the target wants; null: no such thing is asked for.

    `distance` in metres, `turn` in radians, `speed` in metres a second are what is missing; `pose` is the farthest
    channel of a pose target from its value.
    """

    name: str
    position: Vector | None
    wish: Vector | None
    distance: float | None
    turn: float | None
    speed: float | None
    pose: float | None


class LooseState(Message, tag="loose-state"):
    """How far the shown motion is from its targets, and how long its windows are, shortest and longest."""

    targets: list[TargetState]
    shortest: float
    longest: float


class Windows(Message, tag="windows"):
    """Of every frame: how long its window is, and how far that leaves any joint from a simulation of the whole clip."""

    lengths: list[float]
    errors: list[float]
