"""`inbetweener add` and `remove`: more than one character in a file."""

import math
from typing import Annotated

import typer
from typer import Option

from inbetweener.cli.console import edit
from inbetweener.cli.source import Json, Output, Source, open_source, vector


def add(
    source: Source,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The character or prop to add: a file or example.")],
    output: Output,
    name: Annotated[str | None, Option(help="What it is called; as its file by default.")] = None,
    position: Annotated[str, Option(metavar="X,Y,Z", help="Where it stands, in metres.")] = "0,0,0",
    heading: Annotated[float, Option(help="Degrees by which it is turned from +z towards +x.")] = 0.0,
    clip: Annotated[str | None, Option(help="The clip of OTHER that comes; all by default.")] = None,
    into: Annotated[str | None, Option(help="The clip of SOURCE that it joins; that of its name by default.")] = None,
    at: Annotated[float | None, Option(help="Seconds at which it begins there; where that begins by default.")] = None,
    json: Json = False,
) -> None:
    """Add a second character or an animated prop, under names of its own, to SOURCE."""
    from inbetweener.document import edits

    x, y, z = (float(each) for each in vector(position, "--position", 3))
    edit(
        source,
        output,
        lambda document: edits.add(
            document,
            open_source(other),
            name=name,
            position=(x, y, z),
            heading=math.radians(heading),
            clip=clip,
            into=into,
            at=at,
        ),
        json=json,
    )


def remove(
    source: Source,
    name: Annotated[str, typer.Argument(help="The character that goes.")],
    output: Output,
    json: Json = False,
) -> None:
    """Take a character that was added out of SOURCE again, with all that held on to it."""
    from inbetweener.document import edits

    edit(source, output, lambda document: edits.remove(document, name), json=json)
