"""`inbetweener stagger`, `chart` and `snap-keys`: when keys come."""

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from inbetweener.cli.console import verb
from inbetweener.cli.source import ClipName, Frame, Layer, Texts, Time

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result

Channels = Annotated[Texts, Option("--channel", help="A channel that is meant, and no other; repeat.")]


@verb
def stagger(
    document: "Document",
    by: Annotated[float, Option(help="Frames by which every joint comes later than the one above it.")],
    joints: Annotated[Texts, Option("--joint", help="A joint of a chain; one alone means all below it too.")] = None,
    start: Annotated[str | None, Option("--from", help="Only keys from here on: seconds, or frames as 29f.")] = None,
    end: Annotated[str | None, Option("--until", help="Only keys up to here.")] = None,
    layer: Layer = None,
    clip: ClipName = None,
) -> "Result":
    """Let the joints of a chain of SOURCE follow each other, so that they overlap."""
    from inbetweener.document import edits

    return edits.stagger(document, joints or (), by, start=start, end=end, clip=clip, layer=layer)


@verb
def chart(
    document: "Document",
    shares: Annotated[str, Argument(help='Shares such as "1/2 3/4 7/8", or half, halves-out, halves-in, thirds.')],
    frame: Frame = None,
    time: Time = None,
    channels: Channels = None,
    layer: Layer = None,
    clip: ClipName = None,
) -> "Result":
    """Key in-betweens of SOURCE as a timing chart has them, between the keys around a time."""
    from inbetweener.document import edits

    return edits.chart(document, shares, frame=frame, time=time, channels=channels, clip=clip, layer=layer)


@verb
def snap_keys(
    document: "Document",
    channels: Channels = None,
    layer: Layer = None,
    clip: ClipName = None,
) -> "Result":
    """Bring the keys of SOURCE onto whole frames."""
    from inbetweener.document import edits

    return edits.snap_keys(document, channels, clip=clip, layer=layer)
