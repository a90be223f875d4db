"""What people say of a document, made exact: which clip, which point, when, what is held meanwhile.

Every verb that a person can do takes the same words: points by name, a frame or seconds, a clip only where there are
several. The constraints that are on in the document always count; `own=False` leaves them out.
"""

import math
from collections.abc import Iterable

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document.document import Document, Rule
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Attach, Clip, Contact, Pin
from inbetweener.rig import Place, Point, Rig
from inbetweener.rig.freedom import Wanted
from inbetweener.skinning import Mesh, vertex_place

SLIGHTLY = 1e-9
"""Seconds by which a moment may lie outside a clip, as frames divided by rates do."""
NEAR = 0.1
"""Frames. A time this near to a key is the key's, and keys are not brought nearer to each other than this."""


def the_clip(document: Document, clip: str | None = None) -> Clip:
    """The clip that is meant: by name, or the only one there is."""
    if clip is None and len(document.clips) > 1:
        names = ", ".join(each.name for each in document.clips)
        raise InvalidEdit(f"{document.name!r} has several clips; say which one: {names}", "clip")
    return document.clip(clip)


def moment(clip: Clip, frame: float | None = None, time: float | str | None = None) -> float:
    """Seconds, from seconds or from frames counted from the clip's first; between frames too, within the clip."""
    if (frame is None) == (time is None):
        raise InvalidEdit("say when: with a frame or with a time in seconds, one of them", "time", "frame")
    word, found = ("frame", clip.start + frame / clip.rate) if frame is not None else ("time", seconds(clip, time or 0))
    if not (math.isfinite(found) and clip.start - SLIGHTLY <= found <= clip.end + SLIGHTLY):
        raise InvalidEdit(
            f"{found:g} s lies outside clip {clip.name!r}, which runs from {clip.start:g} to {clip.end:g} s", word
        )
    return min(max(found, clip.start), clip.end)


def seconds(clip: Clip, said: float | str) -> float:
    """Seconds from 1.2 or "1.2", or from frames counted from the clip's first as "29f"."""
    if not isinstance(said, str):
        return float(said)
    try:
        number = float(said.removesuffix("f"))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InvalidEdit(f"{said!r} is no time; write seconds as 1.2 or frames as 29f", "time")
    return clip.start + number / clip.rate if said.endswith("f") else number


def frame_of(clip: Clip, time: float) -> str:
    """A time as people say it: "17", or "17.5" between frames."""
    return f"{round((time - clip.start) * clip.rate, 2):.10g}"


def frame_read(clip: Clip, time: float) -> str:
    """A time as rulers show it: frames counted from nought seconds, as in files, wherever the clip begins."""
    first = round(clip.start * clip.rate)
    return f"{round(first + (time - clip.start) * clip.rate, 2):.10g}"


def near(clip: Clip) -> float:
    """Seconds within which a time is that of a key."""
    return NEAR / clip.rate


def key_near(times: Floats, time: float, clip: Clip) -> int | None:
    """Which of the times (n,), in order, a moment means; None where none is near."""
    if len(times) == 0:
        return None
    at = int(np.argmin(np.abs(times - time)))
    return at if abs(float(times[at]) - time) <= near(clip) else None


def the_place(document: Document, point: str | Place) -> Place:
    """A named point or joint, "face vertex 3525" of a mesh, or a place that is one already."""
    if not isinstance(point, str):
        return point
    vertex = the_vertex(document, point)
    return document.rig.point(point) if vertex is None else vertex_place(*vertex)


def the_vertex(document: Document, said: str) -> tuple[Mesh, int] | None:
    """The vertex that is meant by its mesh and number, as in "face vertex 3525"; None where it is some other place."""
    name, word, number = said.rpartition(" vertex ")
    meshes = {mesh.name: mesh for mesh in document.meshes}
    return (meshes[name], int(number)) if word and name in meshes and number.isdecimal() else None


def place_during(rig: Rig, clip: Clip, said: str, word: str) -> tuple[Point, Wanted, float, float]:
    """A point, which half of its state is meant, and from when to when: "hips", "hips+turn", "hips@0.5:1.5".

    Without times: always.
    """
    name, at, stretch = said.partition("@")
    wanted: Wanted = "both" if name.endswith("+turn") else "position"
    place = rig.point(name.removesuffix("+turn"))
    if not at:
        return place, wanted, -math.inf, math.inf
    first, colon, last = stretch.partition(":")
    if not (first and colon and last):
        raise InvalidEdit(f"{said!r} needs two times, as in {name}@0.5:1.5", word)
    start, end = seconds(clip, first), seconds(clip, last)
    if start > end:
        raise InvalidEdit(f"{said!r} ends before it starts", word)
    return place, wanted, start, end


def the_rule(document: Document, clip: Clip, said: str | Place | Rule, kind: str) -> Rule:
    """A constraint of a kind, from a text as `place_during` reads it; only pins may leave out their times.

    What holds in the space of a joint or prop is said with it: "hand_r=guitar@0:36f". What stands may also be named as
    the document calls it, and a pin may be a mere point.
    """
    if not isinstance(said, str):
        return said if isinstance(said, Rule) else Pin(said)
    made = Rule.KINDS[kind]
    for each in document.constraints:
        if made.stands and each.name == said and each.clip == clip.name and each.rule.stands:
            return each.rule
    typed, at, stretch = said.partition("@")
    point, to, carrier = typed.partition("=")
    place, wanted, start, end = place_during(document.rig, clip, f"{point}{at}{stretch}", kind)
    if made.stands and not (math.isfinite(start) and math.isfinite(end)):
        raise InvalidEdit(f"{said!r} needs its times, as in {said}@0.5:1.5", kind)
    rule = made.made(place, wanted, start, end, *(document.carrier(carrier) if to else (None, None)))
    joints, props = ({each.name for each in listed} for listed in (document.rig.joints, document.props))
    for problem in rule.problems(joints, props):
        raise InvalidEdit(f"{said!r} {problem}", kind)
    return rule


def held(
    document: Document,
    clip: str,
    pins: Iterable[str | Place | Pin] = (),
    contacts: Iterable[str | Contact] = (),
    attachments: Iterable[str | Attach] = (),
    *,
    own: bool = True,
) -> tuple[Rule, ...]:
    """What must hold: the document's own constraints that are on, unless left out, and further ones."""
    shown = document.clip(clip)
    said: dict[str, Iterable[str | Place | Rule]] = {"pin": pins, "contact": contacts, "attach": attachments}
    further = (the_rule(document, shown, each, kind) for kind, listed in said.items() for each in listed)
    return (*(document.rules(clip) if own else ()), *further)
