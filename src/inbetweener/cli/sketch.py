"""`inbetweener sketch`: bend bones by a stroke and key the pose."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Option

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings, say, understood
from inbetweener.cli.source import ClipName, Json, Output, Source, Texts, open_source
from inbetweener.errors import FormatError

if TYPE_CHECKING:
    from inbetweener.arrays import Floats
    from inbetweener.document.edits.sketch import SketchResult


def sketch(
    source: Source,
    output: Output,
    bones: Annotated[
        str | None,
        Option(
            metavar="NAME,NAME,…|all|selected", help="Which bones, by their joints; or those a first stroke selects."
        ),
    ] = None,
    stroke: Annotated[
        Path | None,
        Option(metavar="POINTS.json", help="A list of [x, y] points in the view plane, in metres; or - ."),
    ] = None,
    mode: Annotated[
        Literal["auto", "direct", "line-of-action", "outline"],
        Option(
            help="A chain on the stroke, any bones along its line, or the first where they are a chain; "
            "or the edge of its skin on the stroke."
        ),
    ] = "auto",
    frame: Annotated[float | None, Option(help="When, in frames; the same as --time 29f.")] = None,
    time: Annotated[str | None, Option(help="When, in seconds, or in frames as 29f.")] = None,
    view: Annotated[
        Literal["front", "side", "top", "back", "document"],
        Option(help="From where: along an axis with the world's own metres, or as the document's camera sees it."),
    ] = "front",
    stretch: Annotated[bool, Option("--stretch", help="Let bones become as long as the stroke.")] = False,
    carry: Annotated[
        bool, Option("--carry/--level", help="Children that are not chosen go along, or keep their orientation.")
    ] = True,
    support: Annotated[
        Literal["rest", "pose"], Option(help="What a line of action starts from: the rest pose, or the pose at hand.")
    ] = "rest",
    twist: Annotated[
        Texts,
        Option(metavar="BONE:PLACE:DEGREES", help="Twist a bone up to a place 0 to 1 on it; repeat."),
    ] = None,
    name: Annotated[str | None, Option(help="What to call the new bend.")] = None,
    select: Annotated[
        Path | None,
        Option(metavar="POINTS.json", help="With --bones selected: the stroke that selects a chain of bones."),
    ] = None,
    clip: ClipName = None,
    json: Json = False,
) -> None:
    """Draw a stroke over bones of SOURCE, bend them to it and key that pose; write the result.

    The pose is a bend with a channel of its own: 1 at this frame, 0 at the keys around. Where the frame has one
    already, it is refined. In the document's view, points are metres in the plane through the camera's target.
    """
    from inbetweener.document import edits
    from inbetweener.document.edits import words
    from inbetweener.formats import save

    if stroke is None and not twist:
        raise typer.BadParameter("give a stroke, a twist or both", param_hint="--stroke")
    if stroke is not None and bones is None:
        raise typer.BadParameter("say which bones the stroke bends: names, all, or selected", param_hint="--bones")
    if bones == "selected" and select is None:
        raise typer.BadParameter("--bones selected needs the stroke that selects them", param_hint="--select")
    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
        with understood():
            when = words.moment(words.the_clip(document, clip), frame, time)
        made: list[SketchResult] = []
        if stroke is not None:
            chosen = None if bones == "selected" else "all" if bones == "all" else _names(bones or "")
            made.append(
                edits.sketch(
                    document,
                    _points(stroke),
                    chosen,
                    select=_points(select) if chosen is None and select is not None else None,
                    time=when,
                    view=view,
                    mode=mode,
                    stretch=stretch,
                    carry=carry,
                    support=support,
                    name=name,
                    clip=clip,
                )
            )
        for text in twist or []:
            bone, place, degrees = _twist(text)
            last = made[-1].document if made else document
            made.append(edits.twist(last, bone, degrees, place=place, time=when, name=name, clip=clip))
        save(made[-1].document, output)
    for remark in made[0].remarks:
        note(f"Note: {remark}")
    if json:
        print_json({"output": str(output), **made[-1].facts, **made[0].facts, "notes": notes})
        return
    for each in made:
        say(each.lines[0])
    say(f"{made[-1].lines[1]}. Wrote {output}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _twist(text: str) -> tuple[str, float, float]:
    """A bone, the place on it and the angle, from "forearm_r:1:540"."""
    bone, _, rest = text.partition(":")
    place, _, degrees = rest.partition(":")
    try:
        return bone, float(place), float(degrees)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is no twist; write BONE:0.5:360", param_hint="--twist") from error


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
