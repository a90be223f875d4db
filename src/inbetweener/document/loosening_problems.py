"""What is wrong with a clip's looseness and its targets: one line each, naming the element."""

import math
from collections.abc import Collection, Iterator

from inbetweener.document.loosening import Aim, Loosening
from inbetweener.kinodynamics import PointTarget
from inbetweener.kinodynamics.soft import SoftPoint
from inbetweener.motion import Clip
from inbetweener.rig import Place, Rig
from inbetweener.skinning import Mesh
from inbetweener.skinning.weights import WEIGHT_TOLERANCE

SLACK = 1e-6
"""Seconds that a target may lie beyond its clip's ends: times that come from frames are rounded."""


def loosening_problems(
    loosening: Loosening, clips: Collection[Clip], rig: Rig, meshes: Collection[Mesh]
) -> Iterator[str]:
    """Everything that a document cannot keep of a looseness, in the order of its parts."""
    clip = next((each for each in clips if each.name == loosening.clip), None)
    element = f"looseness of clip {loosening.clip!r}"
    if clip is None:
        yield f"{element}: there is no such clip"
        return
    joints, channels = {joint.name for joint in rig.joints}, {channel.name for channel in rig.channels}
    for name in loosening.looseness.springs:
        if name not in joints and name not in channels:
            yield f"{element}: has a spring on {name!r}, which is neither joint nor channel"
    vertices = {mesh.name: len(mesh.vertices) for mesh in meshes}
    for part in loosening.looseness.soft:
        if part.mesh not in vertices:
            yield f"{element}: softens unknown mesh {part.mesh!r}"
        if part.joint not in joints:
            yield f"{element}: softens what unknown joint {part.joint!r} carries"
    window, length = loosening.looseness.window, clip.end - clip.start
    if not isinstance(window, str) and window > length:
        yield (
            f"{element}: its window, {window:g} s, is longer than the clip, {length:g} s; "
            "shorten it, or let it be found automatically"
        )
    names = [aim.name for aim in loosening.aims]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield f"target {name!r} of clip {clip.name!r}: the name is used {names.count(name)} times; names must differ"
    for aim in loosening.aims:
        yield from _aim_problems(aim, clip, joints, channels)
        place = aim.target.point if isinstance(aim.target, PointTarget) else None
        if isinstance(place, SoftPoint) and not 0 <= place.vertex < vertices.get(place.mesh, 0):
            yield f"target {aim.name!r} of clip {clip.name!r}: mesh {place.mesh!r} has no vertex {place.vertex}"


def _aim_problems(aim: Aim, clip: Clip, joints: set[str], channels: set[str]) -> Iterator[str]:
    element, target = f"target {aim.name!r} of clip {clip.name!r}", aim.target
    if type(aim.name) is not str or not aim.name.strip():
        yield f"{element}: has no name"
    elif any("\ud800" <= letter <= "\udfff" for letter in aim.name):
        yield f"{element}: its name is not valid text and could not be saved"
    if not clip.start - SLACK <= target.time <= clip.end + SLACK:
        yield f"{element}: at {target.time:g} s it lies outside the clip, from {clip.start:g} to {clip.end:g} s"
    named: Collection[str] = ()
    if isinstance(target, PointTarget):
        if not isinstance(target.point, SoftPoint):
            yield from _place_problems(element, target.point, joints)
        named = sorted(target.channels or ())
        if isinstance(target.orientation, tuple) and abs(math.hypot(*target.orientation) - 1) > 1e-3:
            length = math.hypot(*target.orientation)
            yield f"{element}: its orientation is a quaternion of length {length:g} instead of 1"
    elif not isinstance(target.pose, str):
        named = target.pose
    for name in named:
        if name not in channels:
            yield f"{element}: names unknown channel {name!r}"


def _place_problems(element: str, place: Place, joints: set[str]) -> Iterator[str]:
    if not place.parts:
        yield f"{element}: its point is made of no parts"
        return
    for point, _ in place.parts:
        if point.joint not in joints:
            yield f"{element}: its point sits on unknown joint {point.joint!r}"
        if not all(map(math.isfinite, point.offset)):
            yield f"{element}: offset of its point is not a finite number"
    total = sum(weight for _, weight in place.parts)
    if not abs(total - 1) <= WEIGHT_TOLERANCE:
        yield f"{element}: weights of its point sum to {total:g} instead of 1"
