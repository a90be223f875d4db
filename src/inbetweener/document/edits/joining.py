"""Two documents as one, the names of which are apart: which clips join which, and what has to give way."""

from dataclasses import replace

from inbetweener.document.document import Document, Loosening
from inbetweener.motion import Clip
from inbetweener.rig import ROOT, Rig


def with_clip_only(document: Document, clip: str) -> Document:
    """A document without its other clips, and what they hold."""
    return replace(
        document,
        clips=(document.clip(clip),),
        constraints=tuple(each for each in document.constraints if each.clip == clip),
        loosenings=tuple(each for each in document.loosenings if each.clip == clip),
    )


def clip_targets(document: Document, came: Document, into: str | None) -> dict[str, str]:
    """By the clip that comes, the clip that it joins."""
    if into is not None:
        return {came.clips[0].name: document.clip(into).name}
    if len(document.clips) == len(came.clips) == 1:
        return {came.clips[0].name: document.clips[0].name}
    here = {each.name for each in document.clips}
    return {each.name: each.name for each in came.clips if each.name in here}


def joined(document: Document, came: Document, targets: dict[str, str], said: list[str]) -> Document:
    """Both documents as one, the names of which are apart."""
    rig, new, first = document.rig, came.rig, len(document.rig.joints)
    joints = tuple(replace(each, parent=each.parent + first) if each.parent != ROOT else each for each in new.joints)
    clips = {each.name: each for each in document.clips}
    loosenings = {each.clip: each for each in document.loosenings}
    for clip in came.clips:
        there = targets.get(clip.name)
        clips[there or clip.name] = _joined_clip(clips[there], clip, said) if there else clip
    for loosening in came.loosenings:
        there = targets.get(loosening.clip, loosening.clip)
        loosenings[there] = _joined_loosening(loosenings.get(there), replace(loosening, clip=there), said)
    if came.blending != document.blending and came.meshes:
        said.append(f"skins blend as {document.blending} here, as {came.blending} where it came from")
    orders = came.source.orders if came.source is not None else ()
    return replace(
        document,
        rig=Rig(
            (*rig.joints, *joints),
            (*rig.channels, *new.channels),
            (*rig.points, *new.points),
            (*rig.handles, *new.handles),
            (*rig.bends, *new.bends),
        ),
        meshes=(*document.meshes, *came.meshes),
        props=(*document.props, *came.props),
        clips=tuple(clips.values()),
        constraints=(
            *document.constraints,
            *(replace(each, clip=targets.get(each.clip, each.clip)) for each in came.constraints),
        ),
        loosenings=tuple(loosenings.values()),
        roles=(*document.roles, *came.roles),
        source=document.source and replace(document.source, orders=(*document.source.orders, *orders)),
    )


def _joined_clip(here: Clip, came: Clip, said: list[str]) -> Clip:
    if came.rate != here.rate:
        said.append(
            f"{came.name!r} has {came.rate:g} frames a second, {here.name!r} {here.rate:g}: "
            "it moves as it did, some of its keys are between frames"
        )
    end = here.end if here.loops else max(here.end, came.end)
    if end > here.end:
        said.append(f"{here.name!r} lasts until {end:.3g} s now")
    elif came.end > here.end:
        said.append(f"{here.name!r} loops: what comes after {here.end:.3g} s is not seen")
    if came.kernels:
        said.append(f"{len(came.kernels)} bells of guidance in {came.name!r} stay behind")
    return replace(here, end=end, curves=here.curves.replaced(came.curves), layers=(*here.layers, *came.layers))


def _joined_loosening(here: Loosening | None, came: Loosening, said: list[str]) -> Loosening:
    """Springs, soft parts and targets of both; how the world pulls is as the document has it, where it says so."""
    if here is None:
        # It weighs what its joints say now; how the others are weighed is none of its business.
        return replace(came, looseness=replace(came.looseness, masses="boxes", total=None))
    mine, theirs = here.looseness, came.looseness
    if (mine.gravity, mine.drag, mine.window, mine.collide, mine.light) != (
        theirs.gravity, theirs.drag, theirs.window, theirs.collide, theirs.light,
    ):  # fmt: skip
        said.append("gravity, drag, windows and collisions of looseness are as they were here")
    loose = replace(mine, springs={**mine.springs, **theirs.springs}, soft=(*mine.soft, *theirs.soft))
    return replace(here, looseness=loose, on=here.on or came.on, aims=(*here.aims, *came.aims))
