"""`inbetweener free`: which bones may change their lengths."""

from typing import Annotated

import typer
from typer import Option

from inbetweener.cli.console import edit
from inbetweener.cli.source import Json, Output, Source


def free(
    source: Source,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Joints, for their lengths, or channels.")],
    output: Output,
    hold: Annotated[bool, Option("--hold", help="Hold them instead.")] = False,
    json: Json = False,
) -> None:
    """Let drags, poses and guidance change the length of bones of SOURCE; only .tween files remember it."""
    from inbetweener.document import edits

    edit(source, output, lambda document: edits.free(document, names, free=not hold), json=json)
