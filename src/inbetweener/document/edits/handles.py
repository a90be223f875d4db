"""Legs and arms on IK handles, on demand: given, taken away, and switched, without a change of the motion."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from inbetweener.anatomy.limbs import Limb, limbs
from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.document.document import Document
from inbetweener.document.edits.body_control import BODY, body_channels, new_controls, with_body, without_body
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.limb import QUARTERS, OnHandle, Watch, by_joints, quartered, stepped, unlayered
from inbetweener.document.edits.result import Result
from inbetweener.document.edits.words import frame_read, the_clip
from inbetweener.errors import InvalidDocument, InvalidEdit, InvalidRig, UnknownName
from inbetweener.motion import Curves, Motion
from inbetweener.rig import Handle, Point, Rig, characters
from inbetweener.rig.handles.matching import bend_axis, bent_back, matched

TOLERANCE = 1e-4
"""Metres by which no joint may be elsewhere on any frame or quarter of one."""
GIVEN_SOFT = 2e-3
"""Of its reach: so little that the target of a straight leg is millimetres from its ankle."""
BACK, MOST_GIVEN_BACK = 0.035, 0.35
"""Radians by which a limb may bend back farther than it ever does, and the most of what it does that counts."""


@dataclass(frozen=True, slots=True, repr=False)
class HandlesResult(Result):
    """A document whose limbs hang on handles, or hang on some no more, and how near its motion stays.

    handles   by name, those that were given or taken
    left      by limb, why it has none
    joints    by handle, and clip, on how many frames its joints turn by themselves: where no handle makes the pose
    keys      how many were added where the old ones could not tell the motion
    moved     metres by which any joint is elsewhere on a frame, and between frames
    """

    verb: str
    handles: tuple[str, ...]
    left: Mapping[str, str]
    joints: Mapping[str, int]
    keys: int
    moved: tuple[float, float]

    @property
    def lines(self) -> tuple[str, ...]:
        """What there is now, and what it cost."""
        if not self.handles:
            return ("nothing to do",)
        some = ", ".join(self.handles[:6]) + (" …" if len(self.handles) > 6 else "")
        near = f"joints moved by {_mm(self.moved[0])} on frames, {_mm(self.moved[1])} between; "
        near += f"{self.keys} keys added" if self.keys else "no key added"
        if self.joints:
            count, names = (
                sum(self.joints.values()),
                ", ".join(dict.fromkeys(n.partition(" in ")[0] for n in self.joints)),
            )
            near += f"; on {count} frames {names} turn by joints, as no handle makes those poses"
        return f"{self.verb} {some}", near

    @property
    def problem(self) -> str:
        """What has none."""
        return "; ".join(f"{name}: {why}" for name, why in self.left.items())

    @property
    def facts(self) -> dict[str, Any]:
        """The same, in full."""
        return {
            "handles": list(self.handles),
            "left": dict(self.left),
            "frames_by_joints": dict(self.joints),
            "keys_added": self.keys,
            "moved_mm": 1e3 * self.moved[0],
            "moved_between_mm": 1e3 * self.moved[1],
        }


def _mm(metres: float) -> str:
    return f"{1e3 * metres:.2g} mm"


def give_handles(
    document: Document, names: Iterable[str] | None = None, *, body: bool = True, tolerance: float = TOLERANCE
) -> HandlesResult:
    """Hang legs and arms that are recognised on IK handles, and the hips on a control; the motion stays as it is.

    Of all limbs, or of those named as "left_foot". Each gets a target at its foot or hand, a pole to where knee or
    elbow points now, and a blend, which is 1: the handle. Keys are where those of the limb are, and as few more as keep
    every joint within `tolerance` metres at every quarter of a frame. Joints keep their own curves, to which a blend
    of 0 leads back.
    """
    known = {limb.name: limb for limb in limbs(document.rig, document.anatomy())}
    chosen = list(known) if names is None else list(dict.fromkeys(names))
    for name in chosen:
        if name not in known:
            raise UnknownName("limb", name, known)
    if not known:
        raise InvalidDocument(
            f"no leg or arm of two bones was recognised in {document.name!r}; "
            "say what its joints are (inbetweener recognise --set)"
        )
    rig, made, left = document.rig, list[Handle](), dict[str, str]()
    owners = {joint: handle.name for handle in rig.handles for joint in handle.joints}
    poses = _poses(document)
    for name in chosen:
        limb = known[name]
        holder = next((owners[joint] for joint in limb.joints if joint in owners), None)
        if holder is not None:
            left[name] = f"it hangs on handle {holder} already"
            continue
        try:
            handle = _handle(document.rig, limb, poses)
            rig = rig.with_handle(handle)
        except InvalidRig as problem:
            left[name] = str(problem)
        else:
            made.append(handle)
    if body:
        rig = with_body(rig, document)
    if made:
        rig = _at_rest(rig, made, tolerance)
    changed = replace(document, rig=rig)
    joints, keys = dict[str, int](), 0
    for clip in document.clips:
        before = Motion(document.rig, clip)
        for handle in made:
            limb_keys = before.key_times(Point(handle.tip.joint))
            on = OnHandle(rig, handle, clip, before, limb_keys, tolerance)
            curves, added = on.traced(clip.start, clip.end)
            keys += added
            if on.refused.any():
                joints[f"{handle.name} in {clip.name}"] = int(on.refused.sum())
            changed = set_curves(changed, clip.name, curves)
    moved = _moved(document, changed)
    given = (*(handle.name for handle in made), *(new_controls(document.rig, rig)))
    return HandlesResult(changed, "gave", given, left, joints, keys, moved)


def take_handles(
    document: Document, names: Iterable[str] | None = None, *, tolerance: float = TOLERANCE
) -> HandlesResult:
    """Let limbs hang on no handle: their joints turn as they did with it, and its channels are gone.

    Joints whose own curves make the motion keep them as they are; others get keys where handle and limb had some, and
    as few more as keep every joint within `tolerance` metres at every quarter of a frame. All handles and the body's
    control, or those that are named.
    """
    rig = document.rig
    controls = [name for name in (each.prefix + BODY for each in characters(rig)) if body_channels(rig, name)]
    known = [*(handle.name for handle in rig.handles), *controls]
    chosen = known if names is None else list(dict.fromkeys(names))
    for name in chosen:
        if name not in known:
            raise UnknownName("handle", name, known)
    changed, keys = document, 0
    for clip in document.clips:
        for handle in (each for each in rig.handles if each.name in chosen):
            changed, added = by_joints(changed, clip.name, handle, clip.start, clip.end, tolerance)
            keys += added
        for name in (each for each in controls if each in chosen):
            changed = without_body(changed, clip.name, name)
    gone = {name for handle in rig.handles if handle.name in chosen for name in handle.channels}
    gone |= {each.name for name in controls if name in chosen for each in body_channels(rig, name)}
    kept = tuple(handle for handle in rig.handles if handle.name not in chosen)
    changed = _without(replace(changed, rig=replace(rig, handles=kept)), gone)
    return HandlesResult(changed, "took away", tuple(chosen), {}, {}, keys, _moved(document, changed))


@dataclass(frozen=True, slots=True, repr=False)
class SwitchResult(Result):
    """A limb that turns by its joints or by its handle, from when to when, and by how much anything moved."""

    limb: str
    to: str
    frames: tuple[str, str]
    joints: int
    keys: int
    moved: tuple[float, float]

    @property
    def lines(self) -> tuple[str, ...]:
        """Since when, and at what price."""
        how = "hangs on its handle" if self.to == "ik" else "turns by its joints"
        near = f"joints moved by {_mm(self.moved[0])} on frames, {_mm(self.moved[1])} between; "
        near += f"{self.keys} keys added" if self.keys else "no key added"
        if self.joints:
            near += f"; on {self.joints} frames it turns by its joints, as no handle makes those poses"
        return f"{self.limb} {how} from frame {self.frames[0]} to {self.frames[1]}", near

    @property
    def facts(self) -> dict[str, Any]:
        """The same."""
        return {
            "limb": self.limb,
            "to": self.to,
            "frames": list(self.frames),
            "frames_by_joints": self.joints,
            "keys_added": self.keys,
            "moved_mm": 1e3 * self.moved[0],
            "moved_between_mm": 1e3 * self.moved[1],
        }


def switch_limb(
    document: Document,
    limb: str,
    to: Literal["ik", "fk"],
    *,
    frames: tuple[float, float] | None = None,
    clip: str | None = None,
    tolerance: float = TOLERANCE,
) -> SwitchResult:
    """Let a limb hang on its handle ("ik"), or turn by its joints ("fk"), within some frames, without a pop.

    What it switches to gets keys there that make the motion as it is, and on both sides; beyond a frame from the ends
    all stays as it was. Frames count from the clip's first; without any, the whole clip is baked that way.
    """
    rig, shown = document.rig, the_clip(document, clip)
    handle = next((each for each in rig.handles if each.name == limb), None)
    if handle is None:
        raise UnknownName("handle", limb, [each.name for each in rig.handles])
    if to not in ("ik", "fk"):
        raise UnknownName("way", to, ("ik", "fk"))
    start, end = shown.start, shown.end
    if frames is not None:
        start, end = (shown.start + frame / shown.rate for frame in frames)
        if not (np.isfinite([start, end]).all() and shown.start - 1e-9 <= start < end <= shown.end + 1e-9):
            last = round((shown.end - shown.start) * shown.rate)
            raise InvalidEdit(
                f"frames {frames[0]:g} to {frames[1]:g} are no stretch of clip {shown.name!r}, "
                f"which runs from 0 to {last}",
                "frames",
            )
    # The joints' own curves come first: what a handle adds to them is found on top.
    changed, keys = by_joints(document, shown.name, handle, start, end, tolerance)
    refused = 0
    now = changed.clip(shown.name)
    blend = handle.channels[6]
    off = np.zeros(len(now.frame_times), np.bool_)
    if to == "ik":
        own = replace(now, curves=now.curves.replaced({blend: Curve.constant(0.0, now.start)}))
        before = Motion(rig, unlayered(own, blend))
        on = OnHandle(rig, handle, now, before, before.key_times(Point(handle.tip.joint)), tolerance)
        curves, added = on.traced(start, end)
        changed, keys, off = set_curves(changed, shown.name, curves), keys + added, on.refused
        refused = int((off & (now.frame_times >= start - 1e-9) & (now.frame_times <= end + 1e-9)).sum())
    value = 1.0 if to == "ik" else 0.0
    told = stepped(changed.rig.channel(blend), changed.clip(shown.name), start, end, value, off)
    changed = set_curves(changed, shown.name, {blend: told})
    moved = _moved(document, changed)
    said = (frame_read(shown, start), frame_read(shown, end))
    return SwitchResult(changed, limb, to, said, refused, keys, moved)


def _poses(document: Document) -> Floats:
    """Degrees of freedom (T, 9J) at rest and on all frames of all clips."""
    rig, found = document.rig, [document.rig.rest_dofs[None]]
    found += [rig.dof_map.dofs(document.motion(clip.name).channels(clip.frame_times)) for clip in document.clips]
    return np.concatenate(found)


def _handle(rig: Rig, limb: Limb, poses: Floats) -> Handle:
    """A handle for a limb that bends as it does in these poses or, where it stays straight, as people's do."""
    axis = bend_axis(rig, limb.joints, limb.end.joint, poses)
    if axis is None:
        world, turned = rig.skeleton.forward(rig.rest_dofs[None])
        first, second, end = (rig.joint_index(name) for name in (*limb.joints[:2], limb.end.joint))
        line = world[0, end, :, 3] - world[0, first, :, 3]
        axis = turned[0, second].T @ np.cross(np.array(limb.flexes), line)
    if not np.linalg.norm(axis) > 0:
        raise InvalidRig(f"{limb.name} is straight, and points to where it would bend")
    x, y, z = (float(value) for value in axis / np.linalg.norm(axis))
    handle = Handle(limb.name, limb.joints, limb.end, (x, y, z), GIVEN_SOFT)
    return replace(handle, back=_back(rig, handle, poses)) if len(limb.joints) == 2 else handle


def _back(rig: Rig, handle: Handle, poses: Floats) -> float:
    """Radians by which a limb of these poses has to bend back, and a little more, so that it never comes to a stop."""
    bent = bent_back(rig, handle, poses)
    most = float(bent[bent < MOST_GIVEN_BACK].max(initial=-np.pi))
    return max(most + BACK, 0.0)


def _at_rest(rig: Rig, handles: Sequence[Handle], tolerance: float) -> Rig:
    """The rig with new handles whose channels stand so that it rests as it did; those that cannot are off at rest."""
    rest, defaults = rig.rest_dofs[None], dict[str, float]()
    for handle in handles:
        defaults |= dict(zip(handle.channels, matched(rig, handle, rest)[0].tolist(), strict=False))
    made = _with_defaults(rig, defaults)
    for handle in handles:
        watch = Watch(made, handle)
        values = np.tile(made.defaults, (2, 1))
        values[1, made.channel_index(handle.channels[6])] = 0.0
        places = watch.places(values)
        if np.linalg.norm(places[0] - places[1], axis=1).max() > tolerance:
            defaults[handle.channels[6]] = 0.0
    return _with_defaults(rig, defaults)


def _with_defaults(rig: Rig, defaults: Mapping[str, float]) -> Rig:
    channels = (replace(each, default=defaults.get(each.name, each.default)) for each in rig.channels)
    return replace(rig, channels=tuple(channels))


def _without(document: Document, gone: AbstractSet[str]) -> Document:
    """A document without some channels, all their curves and springs."""
    rig = replace(document.rig, channels=tuple(each for each in document.rig.channels if each.name not in gone))
    clips = tuple(
        replace(
            clip,
            curves=_kept(clip.curves, gone),
            layers=tuple(replace(layer, curves=_kept(layer.curves, gone)) for layer in clip.layers),
        )
        for clip in document.clips
    )
    loosenings = tuple(
        replace(each, looseness=each.looseness.with_springs(dict.fromkeys(gone & each.looseness.springs.keys())))
        if gone & each.looseness.springs.keys()
        else each
        for each in document.loosenings
    )
    return replace(document, rig=rig, clips=clips, loosenings=loosenings)


def _kept(curves: Curves, gone: AbstractSet[str]) -> Curves:
    return curves.replaced({name: None for name in curves if name in gone})


def _moved(before: Document, after: Document) -> tuple[float, float]:
    """Metres by which any joint of any clip is elsewhere, on frames and between them."""
    on, between = 0.0, 0.0
    for clip in before.clips:
        every = quartered(clip.frame_times)
        was, now = (Motion(each.rig, each.clip(clip.name)).joint_positions(every) for each in (before, after))
        gaps = np.linalg.norm(now - was, axis=2).max(axis=1, initial=0.0)
        on = max(on, float(gaps[::QUARTERS].max(initial=0.0)))
        between = max(between, float(gaps.max(initial=0.0)))
    return on, between
