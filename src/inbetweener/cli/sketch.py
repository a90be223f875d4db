"""`inbetweener sketch`: bend bones by a stroke and key the pose."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings
from inbetweener.cli.moments import moment
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source
from inbetweener.document import Document
from inbetweener.errors import FormatError, InvalidDocument, UnknownName
from inbetweener.motion import Clip

if TYPE_CHECKING:
    from inbetweener.arrays import Floats
    from inbetweener.posing.sketch import Sketch, ViewPlane


def sketch(
    source: Source,
    output: Output,
    bones: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME,…|all|selected", help="Which bones, by their joints; or those a first stroke selects."
        ),
    ] = None,
    stroke: Annotated[
        Path | None,
        typer.Option(metavar="POINTS.json", help="A list of [x, y] points in the view plane, in metres; or - ."),
    ] = None,
    mode: Annotated[
        Literal["direct", "line-of-action"], typer.Option(help="A chain on the stroke, or any bones along its line.")
    ] = "direct",
    frame: Annotated[float | None, typer.Option(help="When, in frames; the same as --time 29f.")] = None,
    time: Annotated[str | None, typer.Option(help="When, in seconds, or in frames as 29f.")] = None,
    view: Annotated[
        Literal["front", "side", "top", "back", "document"],
        typer.Option(
            help="From where: along an axis with the world's own metres, or as the document's camera sees it."
        ),
    ] = "front",
    stretch: Annotated[bool, typer.Option("--stretch", help="Let bones become as long as the stroke.")] = False,
    carry: Annotated[
        bool, typer.Option("--carry/--level", help="Children that are not chosen go along, or keep their orientation.")
    ] = True,
    twist: Annotated[
        list[str] | None,
        typer.Option(metavar="BONE:PLACE:DEGREES", help="Twist a bone up to a place 0 to 1 on it; repeat."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the new bend.")] = None,
    select: Annotated[
        Path | None,
        typer.Option(metavar="POINTS.json", help="With --bones selected: the stroke that selects a chain of bones."),
    ] = None,
    clip: ClipName = None,
    json: Json = False,
) -> None:
    """Draw a stroke over bones of SOURCE, bend them to it and key that pose; write the result.

    The pose is a bend with a channel of its own: 1 at this frame, 0 at the keys around. Where the frame has one
    already, it is refined. In the document's view, points are metres in the plane through the camera's target.
    """
    from inbetweener.document.edits import sketch_pose, sketched_at
    from inbetweener.formats import save

    if stroke is None and not twist:
        raise typer.BadParameter("give a stroke, a twist or both", param_hint="--stroke")
    if stroke is not None and bones is None:
        raise typer.BadParameter("say which bones the stroke bends: names, all, or selected", param_hint="--bones")
    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
        try:
            played = document.clip(clip)
        except UnknownName as error:
            raise typer.BadParameter(str(error), param_hint="--clip") from error
        when = _when(played, time, frame)
        plane = _plane(document, view)
        facts: dict[str, Any] = {"clip": played.name, "time": when}
        if stroke is not None:
            drawn = _drawn(document, played, when, plane, _points(stroke), bones or "", select, mode, stretch, carry)
            facts |= {
                "bones": list(drawn.bones),
                "stroke_error_m": drawn.stroke_error,
                "length_ratio": drawn.length_ratio,
            }
            document = sketch_pose(document, played.name, when, drawn, name=None if drawn.onto else name)
        for each in twist or []:
            document = _twisted(document, played.name, when, each, name)
        facts["bend"] = sketched_at(document, played.name, when)
        document = _blended(document)
        save(document, output)
    if json:
        print_json({"output": str(output), **facts, "notes": notes})
        return
    if "bones" in facts:
        off, ratio = 100 * facts["stroke_error_m"], 100 * facts["length_ratio"]
        names = facts["bones"]
        shown = ", ".join(names) if len(names) <= 6 else f"{len(names)} bones"
        typer.echo(f"{shown}: {off:.1f} cm from the stroke at most, {ratio:.0f} % of their length")
    typer.echo(f"Keyed {facts['bend']!r} at {when:g} s. Wrote {output}")


def _drawn(
    document: Document,
    clip: Clip,
    time: float,
    plane: "ViewPlane",
    points: "Floats",
    bones: str,
    selecting: Path | None,
    mode: Literal["direct", "line-of-action"],
    stretch: bool,
    carry: bool,
) -> "Sketch":
    from inbetweener.document.edits import sketched_at
    from inbetweener.posing.sketch import select as selected
    from inbetweener.posing.sketch import sketch as sketched
    from inbetweener.posing.strokes import fit_stroke

    rig, pose = document.rig, document.motion(clip.name).channels([time])[0]
    if bones == "all":
        chosen = tuple(joint.name for joint in rig.joints)
    elif bones == "selected":
        if selecting is None:
            raise typer.BadParameter("--bones selected needs the stroke that selects them", param_hint="--select")
        chosen = selected(_points(selecting), rig, pose, plane)
    else:
        chosen = tuple(part.strip() for part in bones.split(",") if part.strip())
    onto = sketched_at(document, clip.name, time)
    return sketched(rig, pose, chosen, fit_stroke(points), plane, mode=mode, stretch=stretch, carry=carry, onto=onto)


def _twisted(document: Document, clip: str, time: float, text: str, name: str | None) -> Document:
    from inbetweener.document.edits import sketch_pose, sketched_at
    from inbetweener.posing.sketch import twist

    bone, _, rest = text.partition(":")
    place, _, degrees = rest.partition(":")
    try:
        up_to, angle = float(place), math.radians(float(degrees))
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is no twist; write BONE:0.5:360", param_hint="--twist") from error
    pose = document.motion(clip).channels([time])[0]
    onto = sketched_at(document, clip, time)
    made = twist(document.rig, pose, [bone], angle, up_to, onto=onto)
    return sketch_pose(document, clip, time, made, name=None if onto else name)


def _plane(document: Document, view: str) -> "ViewPlane":
    from inbetweener.posing.sketch import ViewPlane

    if view != "document":
        return ViewPlane.named(view)
    if document.view is None:
        raise InvalidDocument(f"{document.name!r} remembers no camera; choose --view front, side, top or back")
    return ViewPlane.looking(document.view.eye, document.view.target)


def _points(path: Path) -> "Floats":
    """Points (n, 2) from a JSON list of pairs; "-" reads standard input."""
    import msgspec
    import numpy as np

    try:
        data = typer.get_binary_stream("stdin").read() if str(path) == "-" else path.read_bytes()
        points = msgspec.json.decode(data, type=list[tuple[float, float]])
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise FormatError(path, "", f"holds no stroke: {error}", "write [[x, y], [x, y], …] in metres") from error
    return np.array(points, np.float64).reshape(-1, 2)


def _blended(document: Document) -> Document:
    """A character that blended linearly blends differentials from now on, which is what bends are made for."""
    from inbetweener.document.edits import set_blending

    if document.blending != "linear" or not document.meshes:
        return document
    note("Note: the character is now blended by differentials; linear blending tears bends.")
    return set_blending(document, "differential")


def _when(clip: Clip, time: str | None, frame: float | None) -> float:
    if (time is None) == (frame is None):
        raise typer.BadParameter("give either --frame or --time", param_hint="--frame")
    found = moment(clip, time, "--time") if time is not None else clip.start + (frame or 0.0) / clip.rate
    if not clip.start - 1e-9 <= found <= clip.end + 1e-9:
        raise typer.BadParameter(
            f"{found:g} s lies outside the clip, which runs from {clip.start:g} to {clip.end:g} s", param_hint="--frame"
        )
    return found
