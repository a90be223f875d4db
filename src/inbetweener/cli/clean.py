"""`inbetweener clean`: what is wrong with captured motion, joint by joint, and the same motion without it."""

import math
from pathlib import Path
from typing import Annotated

from typer import Option

from inbetweener.cli.console import prepare_kernels, print_json, print_table, printed_warnings, say, understood
from inbetweener.cli.source import ClipName, Json, Source, Texts, open_source


def clean(
    source: Source,
    clip: ClipName = None,
    kind: Annotated[
        Texts,
        Option(metavar="flip|spike|gap|jitter", help="What to look for, may be repeated; everything by default."),
    ] = None,
    noise: Annotated[float, Option(min=1e-6, help="Jitter that may stay in a joint's turns, in degrees.")] = 1.0,
    shake: Annotated[float, Option(min=1e-6, help="Jitter that may stay in a joint's place, in millimetres.")] = 3.0,
    output: Annotated[
        Path | None,
        Option("--output", "--out", "-o", help="Where the mended motion goes; without it, it is only told."),
    ] = None,
    json: Json = False,
) -> None:
    """List flips, spikes, gaps and jitter of captured motion, and mend them where OUTPUT is given.

    A flip is a turn of a few frames and back at once, a spike the same of a place, a gap a stretch that stands still
    while the motion goes on. These are drawn anew from the sound frames about them; jitter is smoothed until it is less
    than what may stay. All other frames stay as they are, and contacts of the document slide no further.
    """
    from inbetweener.cleaning import KINDS
    from inbetweener.document import edits
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes, understood():
        limits = {"noise": math.radians(noise), "shake": shake / 1000}
        result = edits.clean(open_source(source), kinds=kind or KINDS, clip=clip, **limits)
        if output is not None:
            save(result.document, output)
    if json:
        print_json({"output": str(output) if output else None, **result.facts, "notes": notes})
        return
    if result.faults:
        rows = [
            (each.joint, each.frames, each.size_text, f"{each.kind}, left alone" if each in result.left else each.kind)
            for each in result.faults
        ]
        print_table(("joint", "frames", "size", "kind"), rows, left=("joint", "kind"))
    say("\n".join((*result.lines, *((f"Wrote {output}",) if output else ()))))
