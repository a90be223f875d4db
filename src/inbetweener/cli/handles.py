"""`inbetweener handles` and `switch`: limbs on IK handles, given, taken away and switched; the motion stays."""

from typing import Annotated, Literal

import typer
from typer import Option

from inbetweener.cli.console import edit
from inbetweener.cli.source import Json, Output, Source, Texts


def handles(
    source: Source,
    output: Output,
    limb: Annotated[Texts, Option("--limb", help="As left_foot or right_hand; repeat. All by default.")] = None,
    take: Annotated[bool, Option("--take", help="Take them away again: joints turn as they did with them.")] = False,
    body: Annotated[bool, Option(help="A control for the hips, too.")] = True,
    tolerance: Annotated[float, Option(help="Millimetres by which joints may be elsewhere on frames.")] = 0.1,
    json: Json = False,
) -> None:
    """Hang legs and arms of SOURCE on IK handles; the motion stays as it is. Only .tween files remember them."""
    from inbetweener.document import edits

    if take:
        edit(source, output, lambda d: edits.take_handles(d, limb or None, tolerance=tolerance / 1e3), json=json)
    else:
        edit(
            source,
            output,
            lambda d: edits.give_handles(d, limb or None, body=body, tolerance=tolerance / 1e3),
            json=json,
        )


def switch(
    source: Source,
    limb: Annotated[str, typer.Argument(help="Its handle, as left_foot.")],
    to: Annotated[Literal["ik", "fk"], typer.Argument(help="Hang on its handle, or turn by its joints.")],
    output: Output,
    frames: Annotated[
        str | None, Option(metavar="FIRST:LAST", help="Counted from the clip's first; the whole clip by default.")
    ] = None,
    clip: Annotated[str | None, Option(help="The clip; needed where SOURCE has several.")] = None,
    json: Json = False,
) -> None:
    """Let a limb of SOURCE hang on its handle, or turn by its joints, without a pop."""
    from inbetweener.document import edits

    stretch = None if frames is None else _stretch(frames)
    edit(source, output, lambda document: edits.switch_limb(document, limb, to, frames=stretch, clip=clip), json=json)


def _stretch(text: str) -> tuple[float, float]:
    first, colon, last = text.partition(":")
    try:
        return float(first), float(last if colon else "")
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no stretch of frames; write 10:30", param_hint="--frames") from None
