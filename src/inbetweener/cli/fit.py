"""`inbetweener fit`: sparse keys for dense motion."""

from typing import Annotated, Literal

import typer

from inbetweener.cli.console import answer, prepare_kernels, printed_warnings, progress
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source


def fit(
    source: Source,
    output: Output,
    clip: ClipName = None,
    tolerance: Annotated[float, typer.Option(help="Aim for the largest joint error, in millimetres.")] = 5.0,
    align: Annotated[
        Literal["channel", "joint", "body"], typer.Option(help="Which channels share their key times.")
    ] = "channel",
    json: Json = False,
) -> None:
    """Replace dense samples by a few Bezier keys, so that captured motion can be edited."""
    from inbetweener.document import edits
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes:
        with progress("Fitting") as report:
            result = edits.fit(open_source(source), tolerance=tolerance / 1000, align=align, clip=clip, progress=report)
        save(result.document, output)
    answer(result, output, notes, json=json)
