"""Looseness and targets, as messages have them and as the library knows them."""

import math

from inbetweener import kinodynamics as kd
from inbetweener.rig import Place, Rig
from inbetweener.studio.places import FARTHEST, from_place, to_place
from inbetweener.studio.protocol import loose
from inbetweener.studio.protocol.binary import MalformedMessage


def to_looseness(settings: loose.LoosenessSettings) -> kd.Looseness:
    """The looseness that a message describes."""
    if settings.collide and settings.window == "adaptive":
        # Each frame would be simulated from the start of the clip, one contact solver at a time: minutes, not a moment.
        raise kd.InvalidLooseness("windows cannot adapt where things collide; give them a length, or let one be found")
    return kd.Looseness(
        springs={each.name: kd.Spring(each.frequency, each.damping) for each in settings.springs},
        window=settings.window,
        error=settings.error,
        gravity=settings.gravity,
        drag=settings.drag,
        masses=settings.masses,
        collide=settings.collide,
        soft=tuple(map(_to_soft, settings.soft)),
    )


def from_looseness(looseness: kd.Looseness) -> loose.LoosenessSettings:
    """A looseness as messages have it."""
    return loose.LoosenessSettings(
        springs=[loose.SpringInfo(name, each.frequency, each.damping) for name, each in looseness.springs.items()],
        window=looseness.window,
        error=looseness.error,
        gravity=looseness.gravity,
        drag=looseness.drag,
        masses=looseness.masses,
        collide=looseness.collide,
        soft=list(map(_from_soft, looseness.soft)),
    )


def to_target(rig: Rig, target: loose.AnyTarget) -> kd.Target:
    """The target that a message describes."""
    bell = kd.Bell(target.bell.before, target.bell.after, target.bell.shape, tuple(target.bell.drawn))
    _require_sane(target.time)
    if isinstance(target, loose.PoseTarget):
        pose = target.pose if isinstance(target.pose, str) else {each.channel: each.value for each in target.pose}
        return kd.PoseTarget(target.time, pose, target.velocity, target.weight, bell)
    for wanted in (target.position, target.velocity):
        if isinstance(wanted, tuple):
            _require_sane(*wanted)
    return kd.PointTarget(
        target.time,
        _place(rig, target),
        target.position,
        unit(target.orientation) if isinstance(target.orientation, tuple) else target.orientation,
        target.velocity,
        target.weight,
        bell,
        None if target.channels is None else frozenset(target.channels),
    )


def from_target(target: kd.Target) -> loose.AnyTarget:
    """A target as messages have it."""
    own = target.bell
    bell = loose.BellInfo(own.before, own.after, own.shape, list(own.drawn))
    if isinstance(target, kd.PoseTarget):
        pose = target.pose
        values = pose if isinstance(pose, str) else [loose.ChannelValue(name, value) for name, value in pose.items()]
        return loose.PoseTarget(target.time, values, target.velocity, target.weight, bell)
    return loose.PointTarget(
        time=target.time,
        place=None if isinstance(target.point, kd.SoftPoint) else from_place(target.point),
        vertex=loose.VertexPlace(target.point.mesh, target.point.vertex)
        if isinstance(target.point, kd.SoftPoint)
        else None,
        position=target.position,
        orientation=target.orientation,
        velocity=target.velocity,
        weight=target.weight,
        bell=bell,
        channels=None if target.channels is None else sorted(target.channels),
    )


def unit(turn: loose.Turn) -> loose.Turn:
    """A quaternion of length 1; refuses one of none."""
    length = math.hypot(*turn)
    if not 1e-6 < length <= FARTHEST:
        raise MalformedMessage("an orientation of length nought is none")
    w, x, y, z = (each / length for each in turn)
    return w, x, y, z


def _to_soft(part: loose.ElasticPart | loose.SpringyPart) -> kd.SoftPart:
    spring = kd.Spring(part.frequency, part.damping)
    if isinstance(part, loose.SpringyPart):
        return kd.SpringyPart(part.mesh, part.joint, spring, part.frame)
    return kd.ElasticPart(part.mesh, part.joint, spring, part.held, part.cells, part.modes, part.poisson)


def _from_soft(part: kd.SoftPart) -> loose.ElasticPart | loose.SpringyPart:
    frequency, damping = part.spring.frequency, part.spring.damping
    if isinstance(part, kd.SpringyPart):
        return loose.SpringyPart(part.mesh, part.joint, frequency, damping, part.frame)
    return loose.ElasticPart(part.mesh, part.joint, frequency, damping, part.held, part.cells, part.modes, part.poisson)


def _place(rig: Rig, target: loose.PointTarget) -> Place | kd.SoftPoint:
    if target.place is not None and target.vertex is None:
        return to_place(rig, target.place)
    if target.vertex is not None and target.place is None:
        return kd.SoftPoint(target.vertex.mesh, target.vertex.vertex)
    raise MalformedMessage("a target is on a place of the body, or on a vertex of a soft mesh")


def _require_sane(*numbers: float) -> None:
    if not all(abs(number) <= FARTHEST for number in numbers):
        raise MalformedMessage(f"a target's time, position and velocity are numbers up to {FARTHEST:g}")
