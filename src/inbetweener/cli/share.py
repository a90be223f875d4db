"""`inbetweener share`: one file with a character that plays."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from inbetweener.cli.console import prepare_kernels, print_json, printed_warnings, say, understood
from inbetweener.cli.source import ClipName, Json, Source, Texts, open_source


def share(
    source: Source,
    output: Annotated[Path, Option("--output", "-o", help="The page to write (.html).")],
    clip: ClipName = None,
    point: Annotated[
        Texts, Option(help="A joint or point whose motion curve is shown; repeat. Hands and feet by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Write a page that plays SOURCE in any browser, with motion curves: one file, no server, nothing to install."""
    from inbetweener.studio import sharing

    if output.suffix.lower() not in (".html", ".htm"):
        raise typer.BadParameter(f"{output.name} is no page; call it {output.stem}.html", param_hint="--output")
    prepare_kernels()
    with printed_warnings() as notes, understood():
        page = sharing.share(open_source(source), clip=clip, points=point)
        page.save(output)
    size = output.stat().st_size
    if json:
        print_json({"output": str(output), "bytes": size, "notes": notes})
    else:
        say(f"Wrote {output} ({size / 1e6:.1f} MB); it opens in any browser")
