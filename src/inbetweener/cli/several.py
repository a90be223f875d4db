"""`inbetweener add` and `remove`: more than one character in a file."""

import math
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from inbetweener.cli.console import verb
from inbetweener.cli.source import open_source, vector

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


@verb
def add(
    document: "Document",
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The character or prop to add: a file or example.")],
    name: Annotated[str | None, Option(help="What it is called; as its file by default.")] = None,
    position: Annotated[str, Option(metavar="X,Y,Z", help="Where it stands, in metres.")] = "0,0,0",
    heading: Annotated[float, Option(help="Degrees by which it is turned from +z towards +x.")] = 0.0,
    clip: Annotated[str | None, Option(help="The clip of OTHER that comes; all by default.")] = None,
    into: Annotated[str | None, Option(help="The clip of SOURCE that it joins; that of its name by default.")] = None,
    at: Annotated[float | None, Option(help="Seconds at which it begins there; where that begins by default.")] = None,
) -> "Result":
    """Add a second character or an animated prop, under names of its own, to SOURCE."""
    from inbetweener.document import edits

    x, y, z = (float(each) for each in vector(position, "--position", 3))
    return edits.add(
        document,
        open_source(other),
        name=name,
        position=(x, y, z),
        heading=math.radians(heading),
        clip=clip,
        into=into,
        at=at,
    )


@verb
def remove(
    document: "Document",
    name: Annotated[str, typer.Argument(help="The character that goes.")],
) -> "Result":
    """Take a character that was added out of SOURCE again, with all that held on to it."""
    from inbetweener.document import edits

    return edits.remove(document, name)
