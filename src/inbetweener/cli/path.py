"""`inbetweener bend-path`, `inbetweener travel`: the way of a clip over the ground."""

from typing import Annotated

import typer
from typer import Option

from inbetweener.cli.console import edit
from inbetweener.cli.source import ClipName, Json, Output, Source, vector

Hold = Annotated[bool, Option("--hold/--no-hold", help="Hold feet where they stand.")]
Who = Annotated[str, Option(help="Which of several characters; the first by default.")]


def bend_path(
    source: Source,
    points: Annotated[list[str], typer.Argument(metavar="X,Z …", help="Points of the line, in metres on the ground.")],
    output: Output,
    clip: ClipName = None,
    character: Who = "",
    hold: Hold = True,
    json: Json = False,
) -> None:
    """Let a clip of SOURCE that goes somewhere go along a line instead, its feet held; two points turn the whole way.

    Steps stay as long as they are. Write -- before points that begin with a minus.
    """
    from inbetweener.document import edits

    line = [(float(x), float(z)) for x, z in (vector(each, "POINTS", 2) for each in points)]
    edit(
        source,
        output,
        lambda document: edits.bend_path(document, line, clip=clip, character=character, hold=hold),
        json=json,
    )


def travel(
    source: Source,
    output: Output,
    in_place: Annotated[bool, Option("--in-place", help="The other way: take its way over the ground out.")] = False,
    clip: ClipName = None,
    character: Who = "",
    hold: Hold = True,
    json: Json = False,
) -> None:
    """Let a clip of SOURCE that walks in place go on over the ground, as fast as its soles go by below it."""
    from inbetweener.document import edits

    edit(
        source,
        output,
        lambda document: edits.travel(document, in_place=in_place, clip=clip, character=character, hold=hold),
        json=json,
    )
