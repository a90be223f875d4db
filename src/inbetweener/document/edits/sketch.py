"""Sketches as edits: a bend of the rig, and keys on the channel that dials it in."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from inbetweener.curves import Curve, Key, edit, tangent_presets
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.loosenings import loosenings_without_channel
from inbetweener.document.edits.renaming import renamed
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.skin import skin
from inbetweener.document.edits.words import moment, the_clip
from inbetweener.errors import InvalidDocument, InvalidEdit, UnknownName
from inbetweener.motion import Clip
from inbetweener.posing import sketch as posing
from inbetweener.posing.sketch import Mode, NamedView, NotAChain, Sketch, ViewPlane
from inbetweener.posing.sketch.outline import Outline
from inbetweener.posing.sketch.sketch import Support
from inbetweener.posing.strokes import StrokeCurve, fit_stroke
from inbetweener.rig import Bend, Drive, Rig, bend_channel
from inbetweener.rig.naming import Renaming, free_name
from inbetweener.skinning import Skin

SAME_TIME = 1e-6
"""Seconds within which a key is the key of that moment."""

DrawingMode = Mode | Literal["auto", "outline"]
"""A chain on the stroke, any bones along its line, or the first where they are a chain; or the edge of a chain's skin
on the stroke."""

MOST_NAMES = 6
"""Bones that are named one by one; of more, it is told how many."""


@dataclass(frozen=True, slots=True, repr=False)
class SketchResult(Result):
    """A clip that shows a drawn pose, as the bend called `bend`; how far a stroke is missed, and whether the skin
    is blended otherwise from now on.
    """

    clip: str
    time: float
    bend: str
    drawn: Sketch
    is_twist: bool
    reblended: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """How well the bones lie, what was keyed, and what became of the skin."""
        bones, drawn = self.drawn.bones, self.drawn
        shown = ", ".join(bones) if len(bones) <= MOST_NAMES else f"{len(bones)} bones"
        off, ratio = 100 * drawn.stroke_error, 100 * drawn.length_ratio
        lies = "twisted" if self.is_twist else f"{off:.1f} cm from the stroke at most, {ratio:.0f} % of their length"
        return f"{shown}: {lies}", f"Keyed {self.bend!r} at {self.time:g} s", *self.remarks

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else has changed."""
        said = "the skin is blended by differentials from now on: linear blending tears bends"
        return (said,) if self.reblended else ()

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        drawn = self.drawn
        stroke = {"stroke_error_m": drawn.stroke_error, "length_ratio": drawn.length_ratio}
        where = {"clip": self.clip, "time": self.time, "bones": list(drawn.bones)}
        return {**where, **({} if self.is_twist else stroke), "bend": self.bend}


def sketch(
    document: Document,
    stroke: StrokeCurve | npt.ArrayLike,
    bones: str | Iterable[str] | None = None,
    *,
    select: npt.ArrayLike | None = None,
    frame: float | None = None,
    time: float | str | None = None,
    view: NamedView | Literal["document"] | ViewPlane = "front",
    mode: DrawingMode = "auto",
    stretch: bool = False,
    carry: bool = True,
    support: Support = "rest",
    name: str | None = None,
    clip: str | None = None,
) -> SketchResult:
    """Bend bones to a stroke and key that pose: 1 at this moment, 0 at the key times around; a drawn one is refined.

    stroke   points (n, 2) in metres in the view plane, or a curve in it
    bones    by their joints' names, or "all"; or those of the chain that a first stroke `select` lies on
    view     "front", "side", "top" or "back", with the world's own metres; "document", through the target of its camera
    mode     "direct" lays a chain on the stroke, "line-of-action" any bones along its line, "outline" the edge of a
             chain's skin on the stroke, on the side where that begins; "auto" tries the first two
    stretch  whether bones become as long as the stroke; carry, whether children that are not chosen go along
    support  what a line of action starts from: "rest", as in the paper, or the "pose" at hand
    name     what a new bend is called

    A character that blends linearly blends differentials from now on, which is what bends are made for.
    """
    played = the_clip(document, clip)
    drawing = Drawing(document, played.name, moment(played, frame, time), name)
    plane = the_view(document, view)
    if (bones is None) == (select is None):
        raise InvalidEdit("say which bones the stroke bends: their names, all, or the stroke that selects them")
    if bones is None:
        chosen = posing.select(np.asarray(select, np.float64), document.rig, drawing.pose, plane)
    elif isinstance(bones, str):
        chosen = tuple(joint.name for joint in document.rig.joints) if bones == "all" else (bones,)
    else:
        chosen = tuple(bones)
    return drawing.stroke(stroke, chosen, plane, mode=mode, stretch=stretch, carry=carry, support=support)


def twist(
    document: Document,
    bones: str | Iterable[str],
    degrees: float,
    *,
    place: float = 1.0,
    frame: float | None = None,
    time: float | str | None = None,
    name: str | None = None,
    clip: str | None = None,
) -> SketchResult:
    """Twist a bone, or a chain of them, about itself by any number of turns, and key that pose as `sketch` does.

    The twist grows evenly up to `place`, 0 to 1 on the last bone; what comes after it goes along.
    """
    played = the_clip(document, clip)
    drawing = Drawing(document, played.name, moment(played, frame, time), name)
    return drawing.twist((bones,) if isinstance(bones, str) else tuple(bones), math.radians(degrees), place)


class Drawing:
    """A pose about to be drawn: what strokes and twists of a clip at `time` seconds start from, kept for a hand."""

    def __init__(self, document: Document, clip: str, time: float, name: str | None = None) -> None:
        self.document, self.clip, self.time = document, clip, time
        self.pose = document.motion(clip).channels([time])[0]
        self._refined = sketched_at(document, clip, time)
        self._name = None if self._refined else name
        self._outlines: dict[tuple[str, ...], tuple[ViewPlane, Outline]] = {}

    def stroke(
        self,
        stroke: StrokeCurve | npt.ArrayLike,
        bones: tuple[str, ...],
        view: ViewPlane,
        *,
        mode: DrawingMode = "auto",
        stretch: bool = False,
        carry: bool = True,
        support: Support = "rest",
    ) -> SketchResult:
        """The document with bones that follow a stroke."""
        curve = stroke if isinstance(stroke, StrokeCurve) else fit_stroke(stroke)

        def drawn(mode: Mode) -> Sketch:
            return posing.sketch(
                self.document.rig, self.pose, bones, curve, view,
                mode=mode, stretch=stretch, carry=carry, support=support, onto=self._refined,
            )  # fmt: skip

        if mode == "outline":
            curve = self._outline(bones, view).middle(curve)
            return self._keyed(drawn("direct"), is_twist=False)
        if mode != "auto":
            return self._keyed(drawn(mode), is_twist=False)
        try:
            made = drawn("direct")
        except NotAChain:
            made = drawn("line-of-action")
        return self._keyed(made, is_twist=False)

    def twist(self, bones: tuple[str, ...], angle: float, place: float = 1.0) -> SketchResult:
        """The document with a chain of bones twisted by an angle in radians, up to a place on the last of them."""
        made = posing.twist(self.document.rig, self.pose, bones, angle, place, onto=self._refined)
        return self._keyed(made, is_twist=True)

    def _outline(self, bones: tuple[str, ...], view: ViewPlane) -> Outline:
        """How thick the skin of some bones is, as it is now; found once for a hand."""
        if (known := self._outlines.get(bones)) is not None and known[0] is view:
            return known[1]
        rig, chosen = self.document.rig, []
        for mesh in self.document.meshes:
            heaviest = mesh.influences[np.arange(len(mesh.vertices)), mesh.weights.argmax(axis=1)]
            mine = np.isin(heaviest, [n for n, joint in enumerate(mesh.joints) if joint in bones])
            skin = Skin(mesh, rig, self.document.blending, poses=self.pose)
            chosen.append(skin.vertices(self.pose)[mine].astype(np.float64))
        vertices = np.concatenate([np.zeros((0, 3)), *chosen])
        made = Outline.of(rig, self.pose, sorted(map(rig.joint_index, bones)), vertices, view)
        self._outlines[bones] = view, made
        return made

    def _keyed(self, made: Sketch, *, is_twist: bool) -> SketchResult:
        document = sketch_pose(self.document, self.clip, self.time, made, name=self._name)
        tears = document.blending == "linear" and bool(document.meshes)
        if tears:
            document = skin(document, "differential").document
        bend = sketched_at(document, self.clip, self.time)
        assert bend is not None
        return SketchResult(document, self.clip, self.time, bend, made, is_twist, tears)


def the_view(document: Document, view: NamedView | Literal["document"] | ViewPlane) -> ViewPlane:
    """The plane that strokes are drawn in, by name, or one that is one already."""
    if not isinstance(view, str):
        return view
    if view != "document":
        return ViewPlane.named(view)
    if document.view is None:
        raise InvalidDocument(f"{document.name!r} remembers no camera; choose the view front, side, top or back")
    return ViewPlane.looking(document.view.eye, document.view.target)


def sketched_at(document: Document, clip: str, time: float) -> str | None:
    """The bend that a sketch at `time` refines: the last one with a key there that is not zero."""
    curves = document.clip(clip).curves
    for bend in reversed(document.rig.bends):
        curve = curves.get(bend.channel)
        if curve is not None and any(curve.values[np.abs(curve.times - time) < SAME_TIME]):
            return bend.name
    return None


def sketch_pose(document: Document, clip: str, time: float, sketch: Sketch, *, name: str | None = None) -> Document:
    """A clip that shows a sketch at `time`: its channel is 1 there and 0 at the key times of the clip around.

    Where the sketch was drawn onto a bend, it takes that bend's place and only the key at `time` is set. Otherwise it
    becomes a new bend under `name`, or under the first free one.
    """
    rig = document.rig
    old = None if sketch.onto is None else _bend(rig, sketch.onto)
    drives = tuple(Drive(dof, amount) for dof, amount in sketch.turns.items() if amount != 0.0)
    if old is not None:
        changed = replace(rig.channel(old.channel), drives=drives)
        rig = replace(
            rig,
            channels=tuple(changed if each.name == old.channel else each for each in rig.channels),
            bends=tuple(replace(old, screws=sketch.screws) if each is old else each for each in rig.bends),
        )
        channel = old.channel
    else:
        taken = {*(each.name for each in rig.bends), *(each.name for each in rig.channels)}
        if name is not None and name in taken:
            raise InvalidDocument(f"there is already a bend or channel called {name!r}; choose another name")
        channel = name if name is not None else free_name("sketch", taken)
        _require_name(channel)
        rig = replace(
            rig,
            channels=(*rig.channels, replace(bend_channel(channel), drives=drives)),
            bends=(*rig.bends, Bend(channel, channel, sketch.screws)),
        )
    shown = document.clip(clip)
    curve = _dialled(shown, channel, time)
    return set_curves(replace(document, rig=rig), clip, {channel: curve})


def remove_bend(document: Document, bend: str) -> Document:
    """The document without a bend, its channel and the keys of that channel, in all clips."""
    rig = document.rig
    gone = _bend(rig, bend)
    bends = tuple(each for each in rig.bends if each is not gone)
    if any(each.channel == gone.channel for each in bends):
        return replace(document, rig=replace(rig, bends=bends))
    channels = tuple(each for each in rig.channels if each.name != gone.channel)
    clips = tuple(_with_curves(clip, {gone.channel: None}) for clip in document.clips)
    loosenings = loosenings_without_channel(document, gone.channel)
    return replace(document, rig=replace(rig, bends=bends, channels=channels), clips=clips, loosenings=loosenings)


def rename_bend(document: Document, bend: str, name: str) -> Document:
    """A bend under another name, and its channel with it where that has the same."""
    rig = document.rig
    old = _bend(rig, bend)
    _require_name(name)
    if name == bend:
        return document
    if name in {*(each.name for each in rig.bends), *(each.name for each in rig.channels)}:
        raise InvalidDocument(f"there is already a bend or channel called {name!r}; choose another name")
    called = {bend: name}
    with_channel = called if old.channel == bend else {}
    return renamed(
        document, Renaming(bend=lambda each: called.get(each, each), channel=lambda each: with_channel.get(each, each))
    )


def _dialled(clip: Clip, channel: str, time: float) -> Curve:
    """The curve of a bend's channel that is 1 at `time`: the one there is, or a new one between its neighbours."""
    start, end = (abs(time - each) < SAME_TIME for each in (clip.start, clip.end))
    ones = {clip.start, clip.end} if clip.loops and (start or end) else {time}
    curve = clip.curves.get(channel)
    if curve is None:
        others = [each.times for name, each in clip.curves.items() if name != channel]
        times = np.unique(np.concatenate([[clip.start, clip.end], *others]))
        keys = dict.fromkeys(ones, 1.0)
        for one in ones:
            before, after = times[times < one - SAME_TIME], times[times > one + SAME_TIME]
            for near in (*before[-1:], *after[:1]):
                keys.setdefault(float(near), 0.0)
        return tangent_presets.smooth(Curve.from_keys([Key(at, keys[at]) for at in sorted(keys)]))
    for one in sorted(ones):
        found = np.flatnonzero(np.abs(curve.times - one) < SAME_TIME)
        if not len(found):
            curve = edit.insert_key(curve, one).curve
            found = np.flatnonzero(np.abs(curve.times - one) < SAME_TIME)
        if curve.values[found[0]] != 1.0:
            curve = edit.move_key(curve, int(found[0]), value=1.0).curve
            curve = tangent_presets.smooth(curve, [int(found[0])])
    return curve


def _bend(rig: Rig, name: str) -> Bend:
    for bend in rig.bends:
        if bend.name == name:
            return bend
    raise UnknownName("bend", name, [bend.name for bend in rig.bends])


def _require_name(name: str) -> None:
    if not name.strip():
        raise InvalidDocument("a bend needs a name")


def _with_curves(clip: Clip, changes: Mapping[str, Curve | None]) -> Clip:
    layers = tuple(replace(layer, curves=layer.curves.replaced(changes)) for layer in clip.layers)
    return replace(clip, curves=clip.curves.replaced(changes), layers=layers)
