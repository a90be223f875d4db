"""What a page wishes of guidance, as the library takes it."""

import math

from inbetweener.document import Document
from inbetweener.guidance import InvalidRequest, Kernel, Limits, Obstacles, Request, Smoothness, Term, Torque, Weighted
from inbetweener.rig import Point
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol.guidance import GuidanceSettings, TermName


def request_of(document: Document, clip: str, settings: GuidanceSettings, layer: str | None) -> Request:
    """Pins and contacts that are on must hold."""
    require_sound(document, settings)
    return Request(
        channels=None if settings.channels is None else frozenset(settings.channels),
        start=-math.inf if settings.start is None else settings.start,
        end=math.inf if settings.end is None else settings.end,
        terms=tuple(Weighted(_term(document, each.name), each.weight) for each in settings.terms),
        regularise=settings.regularise,
        joints=joint_factors(settings),
        kernels=kernels_of(settings),
        constraints=document.rules(clip),
        layer=layer,
    )


def require_sound(document: Document, settings: GuidanceSettings) -> None:
    """Refuse names and numbers that cannot be, before a run has to deal with them."""
    for each in settings.joints:
        document.rig.joint_index(each.joint)
    for name in settings.channels or ():
        document.rig.channel_index(name)
    require_sane("a kernel's centre", *(each.centre for each in settings.kernels))
    require_sane("an end of the stretch", *(end for end in (settings.start, settings.end) if end is not None))


def joint_factors(settings: GuidanceSettings) -> dict[str, float]:
    """Factors by joint; infinite where tangents stay."""
    return {each.joint: math.inf if each.factor is None else each.factor for each in settings.joints}


def kernels_of(settings: GuidanceSettings) -> tuple[Kernel, ...]:
    """The bells."""
    return tuple(Kernel(each.centre, each.width) for each in settings.kernels)


def needs_new_problem(before: GuidanceSettings, after: GuidanceSettings) -> bool:
    """Whether other tangents or terms are wanted, and not only other weights."""
    return _frame(before) != _frame(after)


def _frame(settings: GuidanceSettings) -> tuple[object, ...]:
    return [each.name for each in settings.terms], settings.channels, settings.start, settings.end


def _term(document: Document, name: TermName) -> Term:
    if name == "torque":
        return Torque.of(document.rig)
    if name == "jerk":
        return Smoothness("jerk")
    if name == "limits":
        return Limits()
    solids = tuple((p.solid, p.transform) for p in document.props if p.role == "obstacle" and p.joint is None)
    if not solids:
        raise InvalidRequest("there is no obstacle that stands in the world; take the term away")
    return Obstacles(solids, tuple(Point(joint.name) for joint in document.rig.joints))
