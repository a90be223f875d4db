"""`inbetweener examples`: the built-in scenes."""

from dataclasses import asdict

import typer

from inbetweener.cli.console import print_json
from inbetweener.cli.source import Json


def examples(json: Json = False) -> None:
    """List the built-in examples, one line each."""
    from inbetweener.builtin import examples as listed

    if json:
        print_json({"examples": [asdict(each) for each in listed()]})
        return
    scenes = listed()
    width = max(len(each.name) for each in scenes)
    for each in scenes:
        typer.echo(f"{typer.style(f'{each.name:<{width}}', bold=True)}  {each.line}")
