"""Targets as people type them: "hand_r@0.8=0.3,1.2,0.4", "hand_r@19f=keyed"."""

import typer

from inbetweener.cli.moments import moment, vector
from inbetweener.kinodynamics import Bell, PointTarget, PoseTarget, Target
from inbetweener.motion import Clip
from inbetweener.rig import Point, Rig

STANDING = (0.0, 0.0, 0.0)


def targets_of(
    rig: Rig, clip: Clip, targets: list[str], still: list[str], poses: list[str], bell: Bell
) -> list[Target]:
    """All targets that were asked for; standing still goes with where the same point is to be at the same time."""
    points: dict[tuple[Point, float], PointTarget] = {}
    for text in targets:
        where, given, wish = text.rpartition("=")
        if not given:
            raise typer.BadParameter(f"{text!r} needs a place, as in {text}=0.3,1.2,0.4 or {text}=keyed")
        point, time = _at(rig, clip, where, "--target")
        if (point, time) in points:
            raise typer.BadParameter(f"{text!r}: {where} already has a target", param_hint="--target")
        if wish == "keyed":
            points[point, time] = PointTarget(time, point, bell=bell)
        else:
            x, y, z = vector(wish, "--target").tolist()
            points[point, time] = PointTarget(time, point, (x, y, z), bell=bell)
    for text in still:
        point, time = _at(rig, clip, text, "--still")
        position = points[point, time].position if (point, time) in points else "keyed"
        points[point, time] = PointTarget(time, point, position, velocity=STANDING, bell=bell)
    whole = [PoseTarget(moment(clip, text, "--pose"), bell=bell) for text in poses]
    return [*points.values(), *whole]


def bell_of(text: str | None) -> Bell:
    """The bell of "0.4", "0.4,0.2" (before and after) or either with ",polynomial"."""
    if text is None:
        return Bell()
    widths, comma, _ = text.partition(",polynomial")
    try:
        before, *after = [float(part) for part in widths.split(",")]
    except ValueError:
        before, after = 0.0, [0.0, 0.0]
    if len(after) > 1:
        raise typer.BadParameter(
            f"{text!r} is no bell; write seconds as 0.4, or before and after as 0.4,0.2", param_hint="--bell"
        )
    return Bell(before, after[0] if after else before, "polynomial" if comma else "gaussian")


def _at(rig: Rig, clip: Clip, text: str, option: str) -> tuple[Point, float]:
    name, at, when = text.rpartition("@")
    if not at:
        raise typer.BadParameter(f"{text!r} needs a time, as in {text}@0.8", param_hint=option)
    return rig.point(name), moment(clip, when, option)
