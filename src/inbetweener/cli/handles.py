"""`inbetweener handles` and `switch`: limbs on IK handles, given, taken away and switched; the motion stays."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Option

from inbetweener.cli.console import verb
from inbetweener.cli.source import NamedClip, Texts

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


@verb
def handles(
    document: "Document",
    limb: Annotated[Texts, Option("--limb", help="As left_foot or right_hand; repeat. All by default.")] = None,
    take: Annotated[bool, Option("--take", help="Take them away again: joints turn as they did with them.")] = False,
    body: Annotated[bool, Option(help="A control for the hips, too.")] = True,
    tolerance: Annotated[float, Option(help="Millimetres by which joints may be elsewhere on frames.")] = 0.1,
) -> "Result":
    """Hang legs and arms of SOURCE on IK handles; the motion stays as it is. Only .tween files remember them."""
    from inbetweener.document import edits

    if take:
        return edits.take_handles(document, limb or None, tolerance=tolerance / 1e3)
    return edits.give_handles(document, limb or None, body=body, tolerance=tolerance / 1e3)


@verb
def switch(
    document: "Document",
    limb: Annotated[str, typer.Argument(help="Its handle, as left_foot.")],
    to: Annotated[Literal["ik", "fk"], typer.Argument(help="Hang on its handle, or turn by its joints.")],
    frames: Annotated[
        str | None, Option(metavar="FIRST:LAST", help="Counted from the clip's first; the whole clip by default.")
    ] = None,
    clip: NamedClip = None,
) -> "Result":
    """Let a limb of SOURCE hang on its handle, or turn by its joints, without a pop."""
    from inbetweener.document import edits

    stretch = None if frames is None else _stretch(frames)
    return edits.switch_limb(document, limb, to, frames=stretch, clip=clip)


def _stretch(text: str) -> tuple[float, float]:
    first, colon, last = text.partition(":")
    try:
        return float(first), float(last if colon else "")
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no stretch of frames; write 10:30", param_hint="--frames") from None
