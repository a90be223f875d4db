"""`inbetweener retarget`: bring a clip from one character to another."""

import math
from typing import Annotated

import typer
from typer import Option

from inbetweener.cli.console import prepare_kernels, print_json, printed_warnings, progress, say, understood
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source, vector


def retarget(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="The character that gets the clip: a file or example.")
    ],
    source: Source,
    output: Output,
    clip: ClipName = None,
    name: Annotated[str | None, Option(help="What the clip is called; as in SOURCE by default.")] = None,
    in_place: Annotated[bool, Option("--in-place", help="Stay where it starts; by default it travels.")] = False,
    heading: Annotated[
        float | None, Option(help="Degrees from +z towards +x that it faces on the first frame; as SOURCE by default.")
    ] = None,
    start: Annotated[
        str | None, Option(metavar="X,Z", help="Where its hips begin, in metres on the ground; as SOURCE by default.")
    ] = None,
    fit: Annotated[
        float | None, Option(min=1e-6, metavar="MM", help="Fit dense motion with few keys, so near in millimetres.")
    ] = None,
    character: Annotated[str, Option(help="Which of several characters of TARGET gets it; the first by default.")] = "",
    giver: Annotated[str, Option(help="Which of several characters of SOURCE gives it.")] = "",
    into: Annotated[str | None, Option(help="The clip of TARGET that it becomes part of; else one of its own.")] = None,
    json: Json = False,
) -> None:
    """Bring a clip of SOURCE to TARGET, whatever its proportions, rest pose and numbers of bones, and write that.

    Joints are matched by what they are, see `recognise`. Feet that stand on SOURCE stand on TARGET; a keyed clip keeps
    the times of its keys. Less than was asked, such as a foot that slides, ends with status 1.
    """
    from inbetweener.document import edits
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes, understood(), progress("Retargeting") as report:
        begin = None if start is None else vector(start, "--start", 2)
        result = edits.retarget(
            open_source(target),
            open_source(source),
            clip,
            name=name,
            travels=not in_place,
            heading=None if heading is None else math.radians(heading),
            start=None if begin is None else (float(begin[0]), float(begin[1])),
            tolerance=None if fit is None else fit / 1000,
            character=character,
            giver=giver,
            into=into,
            progress=report,
        )
        save(result.document, output)
    if json:
        print_json({"output": str(output), **result.facts, "notes": notes})
    else:
        say(f"{result}\nWrote {output}")
    if result.problem:
        raise typer.Exit(1)
