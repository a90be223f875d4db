"""`inbetweener time`: the motion around a time faster or slower, or a frame's tick along its path."""

from typing import Annotated, Any

import typer

from inbetweener.cli.console import answer, prepare_kernels, printed_warnings, understood
from inbetweener.cli.source import (
    Attachments,
    By,
    ClipName,
    Contacts,
    Frame,
    Json,
    Layer,
    Output,
    Own,
    PointName,
    Source,
    Time,
    To,
    open_source,
    wish,
)


def time(
    source: Source,
    output: Output,
    point: PointName,
    at: Time = None,
    frame: Frame = None,
    faster: Annotated[
        float | None, typer.Option(metavar="AMOUNT", help="Make it faster around that time, below zero slower.")
    ] = None,
    to: To = None,
    by: By = None,
    contact: Contacts = None,
    attach: Attachments = None,
    clip: ClipName = None,
    layer: Layer = None,
    own: Own = True,
    json: Json = False,
) -> None:
    """Change when POINT of SOURCE is where, by the widths of tangents: its path stays, no key moves.

    With --faster by an amount, about 0.1 to 0.5; with --to or --by the point comes, at that time, to where its path is
    nearest to that place. Where the widths allow less, that is written, and the exit code is 1.
    """
    if (faster is None) == (to is None and by is None):
        raise typer.BadParameter("say how: with --faster, or with --to or --by", param_hint="--faster")
    from inbetweener.document import edits
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes, understood():
        document, place = open_source(source), wish(to, by)
        shared: dict[str, Any] = {
            "frame": frame,
            "time": at,
            "contacts": contact or (),
            "attachments": attach or (),
            "clip": clip,
            "layer": layer,
            "own": own,
        }
        if faster is not None:
            result = edits.scale_timing(document, point, faster, **shared)
        else:
            result = edits.move_tick(document, point, to=place["to"], by=place["by"], **shared)
        save(result.document, output)
    answer(result, output, notes, json=json)
