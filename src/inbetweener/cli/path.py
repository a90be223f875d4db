"""`inbetweener bend-path`, `inbetweener travel`: the way of a clip over the ground."""

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from inbetweener.cli.console import verb
from inbetweener.cli.source import ClipName, vector

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


Hold = Annotated[bool, Option("--hold/--no-hold", help="Hold feet where they stand.")]
Who = Annotated[str, Option(help="Which of several characters; the first by default.")]


@verb
def bend_path(
    document: "Document",
    points: Annotated[list[str], typer.Argument(metavar="X,Z …", help="Points of the line, in metres on the ground.")],
    clip: ClipName = None,
    character: Who = "",
    hold: Hold = True,
) -> "Result":
    """Let a clip of SOURCE that goes somewhere go along a line instead, its feet held; two points turn the whole way.

    Steps stay as long as they are. Write -- before points that begin with a minus.
    """
    from inbetweener.document import edits

    line = [(float(x), float(z)) for x, z in (vector(each, "POINTS", 2) for each in points)]
    return edits.bend_path(document, line, clip=clip, character=character, hold=hold)


@verb
def travel(
    document: "Document",
    in_place: Annotated[bool, Option("--in-place", help="The other way: take its way over the ground out.")] = False,
    clip: ClipName = None,
    character: Who = "",
    hold: Hold = True,
) -> "Result":
    """Let a clip of SOURCE that walks in place go on over the ground, as fast as its soles go by below it."""
    from inbetweener.document import edits

    return edits.travel(document, in_place=in_place, clip=clip, character=character, hold=hold)
