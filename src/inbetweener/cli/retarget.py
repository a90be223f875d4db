"""`inbetweener retarget`: bring a clip from one character to another."""

import math
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from inbetweener.cli.console import edit, progress
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source, vector

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


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

    begin = None if start is None else vector(start, "--start", 2)

    def retargeted(document: "Document") -> "Result":
        with progress("Retargeting") as report:
            return edits.retarget(
                document,
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

    edit(target, output, retargeted, json=json)
