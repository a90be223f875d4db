"""`inbetweener layer` and `merge`: layers made by hand, and worked into what lies below."""

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from inbetweener.cli.console import verb
from inbetweener.cli.source import ClipName, Texts

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


Name = Annotated[str, typer.Argument(metavar="LAYER", help="The layer's name.")]


@verb
def layer(
    document: "Document",
    name: Name,
    weight: Annotated[float | None, Option(help="How much it counts: 1 is all of it.")] = None,
    time: Annotated[str | None, Option("--at", help="Key the weight then: seconds, or frames as 29f.")] = None,
    override: Annotated[bool | None, Option("--override/--add", help="Replace what lies below, or add to it.")] = None,
    muted: Annotated[bool | None, Option("--mute/--hear", help="Leave it out, or not.")] = None,
    solo: Annotated[bool | None, Option("--solo/--no-solo", help="Leave out all that are not solo, or not.")] = None,
    joints: Annotated[Texts, Option("--joint", help="A joint that it moves, and no other; repeat. '' for all.")] = None,
    place: Annotated[int | None, Option(help="Its place among the layers; 0 is the lowest.")] = None,
    rename: Annotated[str | None, Option(help="Another name for it.")] = None,
    remove: Annotated[bool, Option("--remove", help="Take it away.")] = False,
    clip: ClipName = None,
) -> "Result":
    """Make a layer in SOURCE, on top of others, or change the one of that name; only .tween files keep layers apart."""
    from inbetweener.document import edits

    masked = None if joints is None else [each for each in joints if each]
    return edits.layer(
            document, name, weight=weight, time=time, override=override, muted=muted, solo=solo,
            joints=masked, place=place, rename=rename, remove=remove, clip=clip,
        )  # fmt: skip


@verb
def merge(
    document: "Document",
    name: Name,
    down: Annotated[bool, Option("--down", help="Into the layer below, not into the base.")] = False,
    clip: ClipName = None,
) -> "Result":
    """Work a layer of SOURCE into the base, or into the layer below; the motion stays."""
    from inbetweener.document import edits

    return edits.merge(document, name, down=down, clip=clip)
