"""`inbetweener info`, `check` and `examples`: what is in a file, whether it is sound, and which examples there are."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from inbetweener.cli.console import prepare_kernels, print_json, print_table, printed_warnings, say
from inbetweener.cli.source import Json, open_source
from inbetweener.cli.source import Source as SourceName

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.motion import Clip


def info(source: SourceName, json: Json = False) -> None:
    """Say what a file or example holds: joints, channels, what it weighs, meshes, props, clips."""
    with printed_warnings() as notes:
        document = open_source(source)
    facts = describe(document)
    if json:
        print_json({**facts, "notes": notes})
    else:
        _print(facts)


def describe(document: "Document") -> dict[str, Any]:
    """The facts about a document that a person or a pipeline asks for first."""
    rig = document.rig
    return {
        "name": document.name,
        "joints": len(rig.joints),
        "channels": len(rig.channels),
        "source": (
            None
            if document.source is None
            else {"format": document.source.format, "unit_m": document.source.unit, "up": document.source.up}
        ),
        "licence": _licence(document),
        "masses": weights(document) if rig.joints else [],
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
        "clips": [_clip(document, clip) for clip in document.clips],
    }


def _licence(document: "Document") -> dict[str, str] | None:
    """What a VRM file says of its title, authors and licence."""
    from inbetweener.formats.gltf.beside import licence

    kept = None if document.source is None or document.source.format != "gltf" else document.source.kept
    return None if kept is None else licence(kept)


def weights(document: "Document") -> list[dict[str, Any]]:
    """What the body weighs in kg, by each way to find out, and where its centre of mass is at rest, in metres.

    Boxes come first: unless told otherwise, guidance and springs move those. A way that does not fit says why.
    """
    from inbetweener.dynamics import Body
    from inbetweener.errors import InvalidRig

    rig, anatomy = document.rig, document.anatomy()
    ways: dict[str, Callable[[], Body]] = {
        "boxes": lambda: Body.of(rig, anatomy=anatomy),
        "human table": lambda: Body.of(rig, "human", anatomy=anatomy),
    }
    if document.meshes:
        ways["mesh volume"] = lambda: Body.from_meshes(rig, document.meshes)
    found: list[dict[str, Any]] = []
    for name, weigh in ways.items():
        try:
            body = weigh()
            if body.masses.unmatched:
                raise InvalidRig(f"it knows no {', '.join(body.masses.unmatched[:3])}")
        except InvalidRig as error:
            found.append({"from": name, "kg": None, "centre_m": None, "why_not": str(error)})
        else:
            centre = body.centre_of_mass(rig.defaults[None])[0]
            found.append({"from": body.source, "kg": body.total, "centre_m": centre.tolist(), "why_not": None})
    return found


def _clip(document: "Document", clip: "Clip") -> dict[str, Any]:
    loosening = document.loosening(clip.name)
    loose = loosening.looseness
    return {
        "name": clip.name,
        "seconds": clip.end - clip.start,
        "frames": len(clip.frame_times),
        "rate": clip.rate,
        "curves": len(clip.curves),
        "keys": sum(len(curve) for curve in clip.curves.values()),
        "layers": len(clip.layers),
        "loops": clip.loops,
        "springs": len(loose.springs) + len(loose.soft) if loosening.on else 0,
        "targets": len(loosening.aims),
    }


def _print(facts: dict[str, Any]) -> None:
    say(f"{facts['name']}: {facts['joints']} joints, {facts['channels']} channels", bold=True)
    if facts["source"]:
        source = facts["source"]
        say(f"read from {source['format']}: 1 unit = {source['unit_m']:g} m, {source['up']} up")
    if facts["licence"]:
        say("; ".join(f"{name}: {told}" for name, told in facts["licence"].items()))
    weighed = [each for each in facts["masses"] if each["kg"] is not None]
    if weighed:
        said = ", ".join(f"{each['kg']:.4g} kg by {each['from']}" for each in weighed)
        x, y, z = weighed[0]["centre_m"]
        say(f"weighs {said}")
        say(f"centre of mass at rest: {x:.2f}, {y:.2f}, {z:.2f} m")
    for title, rows in (("Meshes", facts["meshes"]), ("Props", facts["props"]), ("Clips", facts["clips"])):
        if rows:
            left = [column for column, value in rows[0].items() if isinstance(value, str)]
            print_table(tuple(rows[0]), ([_text(value) for value in row.values()] for row in rows), left, title)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def check(source: SourceName, json: Json = False) -> None:
    """Look for contradictions in a document and for keys and curves outside their limits; exit 1 if there are any."""
    from inbetweener.document import problems
    from inbetweener.document.validation import outside_limits

    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
    found = [*problems(document), *outside_limits(document)]
    if json:
        print_json({"source": source, "problems": found, "repaired": notes})
    else:
        for problem in found:
            say(problem)
        say(f"{source}: {len(found) or 'no'} problem{'' if len(found) == 1 else 's'}")
    if found:
        raise typer.Exit(1)


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
