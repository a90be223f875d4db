"""What a page wishes of guidance, as the library takes it."""

import math

from inbetweener.document import Document
from inbetweener.document.edits.curves import curves_of
from inbetweener.dynamics import EARTH, WEIGHTLESS
from inbetweener.guidance import (
    Balance,
    GuideRequest,
    InvalidRequest,
    Kernel,
    Limits,
    Obstacles,
    Slide,
    Smoothness,
    Style,
    Term,
    Torque,
    Weighted,
)
from inbetweener.motion import Constraint
from inbetweener.rig import Point
from inbetweener.rig.masses import boxes
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol.guidance import GuidanceSettings, TermName


def request_of(document: Document, clip: str, settings: GuidanceSettings, layer: str | None) -> GuideRequest:
    """Pins and contacts that are on must hold."""
    require_sound(document, settings)
    frozen = frozenset((each.channel, each.key) for each in settings.frozen if each.layer == layer)
    curves = curves_of(document, clip, layer)
    for channel, key in sorted(frozen):
        if channel not in curves or not 0 <= key < len(curves[channel]):
            raise InvalidRequest(f"{channel} has no key {key} to freeze; let go of it")
    return GuideRequest(
        channels=None if settings.channels is None else frozenset(settings.channels),
        start=-math.inf if settings.start is None else settings.start,
        end=math.inf if settings.end is None else settings.end,
        terms=tuple(Weighted(_term(document, clip, each.name, settings), each.weight) for each in settings.terms),
        regularise=settings.regularise,
        joints=joint_factors(settings),
        kernels=kernels_of(settings),
        constraints=document.rules(clip),
        layer=layer,
        frozen=frozen,
        seamless=settings.seamless,
    )


def require_sound(document: Document, settings: GuidanceSettings) -> None:
    """Refuse names and numbers that cannot be, before a run has to deal with them."""
    for each in settings.joints:
        document.rig.joint_index(each.joint)
    for name in settings.channels or ():
        document.rig.channel_index(name)
    for key in settings.frozen:
        document.rig.channel_index(key.channel)
    if settings.style is not None:
        document.clip(settings.style)
    require_sane("a kernel's centre", *(each.centre for each in settings.kernels))
    require_sane("an end of the stretch", *(end for end in (settings.start, settings.end) if end is not None))


def joint_factors(settings: GuidanceSettings) -> dict[str, float]:
    """Factors by joint; infinite where tangents stay."""
    return {each.joint: math.inf if each.factor is None else each.factor for each in settings.joints}


def kernels_of(settings: GuidanceSettings) -> tuple[Kernel, ...]:
    """The bells."""
    return tuple(Kernel(each.centre, each.width, each.depth) for each in settings.kernels)


def tangents_of(settings: GuidanceSettings) -> tuple[object, ...]:
    """Which tangents may change: with others, a run begins anew."""
    return settings.channels, settings.start, settings.end, settings.frozen, settings.seamless


def terms_of(settings: GuidanceSettings) -> tuple[object, ...]:
    """What counts, however much: with other terms, the problem must be built again, and the run goes on."""
    return sorted(each.name for each in settings.terms), settings.gravity, settings.style


def _term(document: Document, clip: str, name: TermName, settings: GuidanceSettings) -> Term:
    match name:
        case "torque":
            return Torque.of(document.rig, gravity=EARTH if settings.gravity else WEIGHTLESS)
        case "jerk":
            return Smoothness("jerk")
        case "limits":
            return Limits()
        case "balance":
            return Balance(boxes(document.rig), _contacts(document, clip, name))
        case "slide":
            return Slide.of(document.motion(clip), _contacts(document, clip, name))
        case "style":
            return Style(document.motion(clip if settings.style is None else settings.style))
        case "obstacles":
            return _obstacles(document)


def _contacts(document: Document, clip: str, name: TermName) -> tuple[Constraint, ...]:
    """All contacts of the clip: those that are off do not hold, but still say where the body should stand."""
    rules = (each.rule for each in document.constraints if each.clip == clip)
    found = tuple(rule for rule in rules if rule.is_planted)
    if not found:
        raise InvalidRequest(f"there is no contact in this clip that {name} could count; add one, or leave it out")
    return found


def _obstacles(document: Document) -> Obstacles:
    solids = tuple((p.solid, p.transform) for p in document.props if p.role == "obstacle" and p.joint is None)
    if not solids:
        raise InvalidRequest("there is no obstacle that stands in the world; take the term away")
    return Obstacles(solids, tuple(Point(joint.name) for joint in document.rig.joints))
