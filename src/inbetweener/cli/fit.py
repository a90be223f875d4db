"""`inbetweener fit`: sparse keys for dense motion."""

from dataclasses import asdict, replace
from typing import Annotated, Literal

import typer

from inbetweener.cli.console import prepare_kernels, print_json, printed_warnings, progress
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
    from inbetweener.formats import save
    from inbetweener.motion import fit_clip

    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
        wanted = document.clip(clip)
        with progress("Fitting") as report:
            fitted, result = fit_clip(document.rig, wanted, tolerance_m=tolerance / 1000, align=align, progress=report)
        clips = tuple(fitted if each is wanted else each for each in document.clips)
        save(replace(document, clips=clips), output)
    if json:
        print_json({"output": str(output), **asdict(result), "notes": notes})
    else:
        typer.echo(f"{result}\nWrote {output}")
