"""What a page wishes of guidance, as the library takes it."""

import math

from inbetweener.document import Document
from inbetweener.document.edits import guide_request
from inbetweener.document.native.structs import from_struct
from inbetweener.guidance import GuideRequest, Kernel
from inbetweener.motion import Clip
from inbetweener.studio.gestures.values import require_sane
from inbetweener.studio.protocol.guidance import GuidanceSettings


def request_of(document: Document, clip: str, settings: GuidanceSettings, layer: str | None) -> GuideRequest:
    """The same request as `edits.guide` makes of the same words; frozen keys of other layers wait for theirs."""
    require_sound(document, settings)
    terms: dict[str, float] = {each.name: each.weight for each in settings.terms}
    return guide_request(
        document,
        channels=settings.channels,
        start=settings.start,
        end=settings.end,
        terms=terms,
        style=settings.style if "style" in terms else None,
        gravity=settings.gravity,
        held_root=settings.held_root,
        masses=settings.masses,
        regularise=settings.regularise,
        joints=joint_factors(settings),
        kernels=kernels_of(settings, document.clip(clip)),
        frozen=[(each.channel, each.key) for each in settings.frozen if each.layer == layer],
        seamless=settings.seamless,
        clear=settings.clear,
        layer=layer,
        clip=clip,
        own=settings.own,
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
    require_sane("a kernel's centre", *(each.centre for each in settings.kernels or ()))
    require_sane("an end of the stretch", *(end for end in (settings.start, settings.end) if end is not None))


def joint_factors(settings: GuidanceSettings) -> dict[str, float]:
    """Factors by joint; infinite where tangents stay."""
    return {each.joint: math.inf if each.factor is None else each.factor for each in settings.joints}


def kernels_of(settings: GuidanceSettings, clip: Clip) -> tuple[Kernel, ...]:
    """The bells, which are the clip's where the page names none."""
    return clip.kernels if settings.kernels is None else tuple(map(from_struct, settings.kernels))


def tangents_of(settings: GuidanceSettings) -> tuple[object, ...]:
    """Which tangents may change, and what must hold: with others, a run begins anew."""
    return (
        settings.channels,
        settings.start,
        settings.end,
        settings.frozen,
        settings.seamless,
        settings.clear,
        settings.own,
    )


def terms_of(settings: GuidanceSettings) -> tuple[object, ...]:
    """What counts, however much: with other terms, the problem must be built again, and the run goes on."""
    body = settings.gravity, settings.held_root, settings.masses
    return sorted(each.name for each in settings.terms), body, settings.style
