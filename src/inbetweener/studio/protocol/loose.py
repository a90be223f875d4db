"""Words of looseness in both directions: springs, windows, bells, targets. What is allowed is the library's to say."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from inbetweener.studio.protocol.parts import Name, Number, Place, Vector

Turn = tuple[float, float, float, float]
Keyed = Literal["keyed"]
"""As the keyed motion has it, before any correction."""
Window = float | Literal["auto", "adaptive"]
"""Seconds, one length that is found, or one for every moment."""
Masses = Literal["boxes", "human", "mesh"]
"""How parts are weighed: as boxes around them, as people's are, or by what meshes enclose."""


class SpringInfo(Struct, forbid_unknown_fields=True):
    """How a joint's turns, or a channel, swing: so many times a second; at damping 1 they come to rest soonest."""

    name: Name
    frequency: float
    damping: float = 0.5


class SpringChange(Struct, forbid_unknown_fields=True):
    """Another spring for a joint or channel; no frequency: it is tight."""

    name: Name
    frequency: float | None
    damping: float = 0.5


class SoftPartSettings(Struct, tag_field="kind", forbid_unknown_fields=True):
    """Base of all soft parts: what a joint and those below it carry of a mesh, by the mesh's name."""


class ElasticPart(SoftPartSettings, tag="elastic"):
    """An elastic solid on its joint, such as a hat; `held` is the share of its reach that does not give."""

    mesh: Name
    joint: Name
    frequency: float = 2.4
    damping: float = 0.22
    held: float = 0.25
    cells: Annotated[int, Meta(ge=2, le=40)] = 14
    modes: Annotated[int, Meta(ge=1, le=200)] = 30
    poisson: float = 0.25


class SpringyPart(SoftPartSettings, tag="springy"):
    """Vertices on a spring each, such as a face, as seen from their joint or from the world."""

    mesh: Name
    joint: Name
    frequency: float = 5.0
    damping: float = 0.35
    frame: Literal["joint", "world"] = "joint"


class LoosenessSettings(Struct, forbid_unknown_fields=True):
    """Which parts are loose, and the world they swing in; `gravity` is a share of the earth's, `error` in metres.

    With `collide` the ground and props stop what is loose.
    """

    springs: Annotated[list[SpringInfo], Meta(max_length=100_000)]
    window: Window = "auto"
    error: float = 0.001
    gravity: float = 0.0
    drag: float = 1.0
    masses: Masses = "boxes"
    collide: bool = False
    soft: Annotated[list[ElasticPart | SpringyPart], Meta(max_length=1000)] = []


class BellInfo(Struct, forbid_unknown_fields=True):
    """How a correction comes over `before` seconds and goes over `after`; `drawn` is a shape of one's own.

    A drawn bell runs from (−1, 0) over (0, 1) to (1, 0).
    """

    before: float = 0.5
    after: float = 0.5
    shape: Literal["gaussian", "polynomial"] = "gaussian"
    drawn: Annotated[list[tuple[float, float]], Meta(max_length=1000)] = []


class VertexPlace(Struct, forbid_unknown_fields=True):
    """A vertex of a soft mesh, by the mesh's name, wherever the mesh has swung to."""

    mesh: Name
    vertex: Number


class ChannelValue(Struct, forbid_unknown_fields=True):
    """A channel at a value."""

    channel: Name
    value: float


class TargetSettings(Struct, tag_field="kind", forbid_unknown_fields=True):
    """Base of all targets: what loose motion must be at a time."""


class PointTarget(TargetSettings, tag="point"):
    """A place on the body, or a vertex of a soft mesh: where it is, how it is turned, how fast it goes; null is free.

    `channels` may give way; null: all that move the place, but for those of the root.
    """

    time: float
    place: Place | None = None
    vertex: VertexPlace | None = None
    position: Vector | Keyed | None = "keyed"
    orientation: Turn | Keyed | None = None
    velocity: Vector | Keyed | None = None
    weight: float = 1.0
    bell: BellInfo = field(default_factory=BellInfo)
    channels: Annotated[list[Name], Meta(min_length=1, max_length=100_000)] | None = None


class PoseTarget(TargetSettings, tag="pose"):
    """The whole pose, as keyed or by channel; with `velocity` loose channels also go as fast as keyed, or stand."""

    time: float
    pose: Annotated[list[ChannelValue], Meta(min_length=1, max_length=100_000)] | Keyed = "keyed"
    velocity: Literal["keyed", "still"] | None = None
    weight: float = 1.0
    bell: BellInfo = field(default_factory=BellInfo)


AnyTarget = PointTarget | PoseTarget
