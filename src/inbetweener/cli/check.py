"""`inbetweener check`: is a file sound?"""

import typer

from inbetweener.cli.console import prepare_kernels, print_json, printed_warnings
from inbetweener.cli.source import Json, Source, open_source
from inbetweener.document import Document


def check(source: Source, json: Json = False) -> None:
    """Look for contradictions in a document and for keys and curves outside their limits; exit 1 if there are any."""
    from inbetweener.document import problems

    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
    found = [*problems(document), *outside_limits(document)]
    if json:
        print_json({"source": source, "problems": found, "repaired": notes})
    else:
        for problem in found:
            typer.echo(problem)
        typer.echo(f"{source}: {len(found) or 'no'} problem{'' if len(found) == 1 else 's'}")
    if found:
        raise typer.Exit(1)


def outside_limits(document: Document) -> list[str]:
    """One line for every key, or stretch between keys, of a clip's base curves that lies outside its limits."""
    from inbetweener.curves import breaches

    lines = []
    for clip in document.clips:
        for name, curve in clip.curves.items():
            channel = document.rig.channel(name)
            lines += [f"clip {clip.name}: {name}: {each}" for each in breaches(curve, channel.lower, channel.upper)]
    return lines
