"""`inbetweener info`: what is in a file."""

from typing import Any

from inbetweener.cli.console import print_json, told_warnings
from inbetweener.cli.source import Json, open_source
from inbetweener.cli.source import Source as SourceName
from inbetweener.document import Document, Source
from inbetweener.motion import Clip


def info(source: SourceName, json: Json = False) -> None:
    """Say what a file or example holds: joints, channels, meshes, props, clips."""
    with told_warnings() as notes:
        document = open_source(source)
    facts = describe(document)
    if json:
        print_json({**facts, "notes": notes})
    else:
        _print(facts)


def describe(document: Document) -> dict[str, Any]:
    """The facts about a document that a person or a pipeline asks for first."""
    rig = document.rig
    return {
        "name": document.name,
        "joints": len(rig.joints),
        "channels": len(rig.channels),
        "source": _source(document.source),
        "meshes": [
            {
                "name": mesh.name,
                "vertices": len(mesh.vertices),
                "triangles": len(mesh.triangles),
                "joints": len(mesh.joints),
                "influences": mesh.influences.shape[1],
                "shapes": len(mesh.shapes),
            }
            for mesh in document.meshes
        ],
        "props": [{"name": prop.name, "role": prop.role} for prop in document.props],
        "clips": [_clip(clip) for clip in document.clips],
    }


def _source(source: Source | None) -> dict[str, Any] | None:
    return None if source is None else {"format": source.format, "unit_m": source.unit, "up": source.up}


def _clip(clip: Clip) -> dict[str, Any]:
    return {
        "name": clip.name,
        "seconds": clip.end - clip.start,
        "frames": len(clip.frame_times),
        "rate": clip.rate,
        "curves": len(clip.curves),
        "keys": sum(len(curve) for curve in clip.curves.values()),
        "layers": len(clip.layers),
        "loops": clip.loops,
    }


def _print(facts: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(
        f"[bold]{facts['name']}[/bold]: {facts['joints']} joints, {facts['channels']} channels", highlight=False
    )
    if facts["source"]:
        source = facts["source"]
        console.print(
            f"read from {source['format']}: 1 unit = {source['unit_m']:g} m, {source['up']} up", highlight=False
        )
    for title, rows in (("Meshes", facts["meshes"]), ("Props", facts["props"]), ("Clips", facts["clips"])):
        if not rows:
            continue
        table = Table(title=title, title_justify="left", box=None, header_style="dim")
        for column in rows[0]:
            table.add_column(column, justify="left" if isinstance(rows[0][column], str) else "right")
        for row in rows:
            table.add_row(*(_text(value) for value in row.values()))
        console.print(table)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
