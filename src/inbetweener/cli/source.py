"""What a verb works on: a file, or a built-in example by name."""

from pathlib import Path
from typing import Annotated, Any

import typer

from inbetweener.document import Document
from inbetweener.errors import FormatError

Source = Annotated[
    str, typer.Argument(metavar="SOURCE", help="A file (.tween .bvh .gltf .glb) or the name of an example.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Where to write; the suffix chooses the format.")]
ClipName = Annotated[str | None, typer.Option("--clip", help="The clip to use, where there are several.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
OwnTerms = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE.py", help="Costs of your own: a Python file with TERMS by name, which is run; repeat."),
]
Own = Annotated[bool, typer.Option("--own/--no-own", help="Whether pins and contacts that the document keeps count.")]
PointName = Annotated[str, typer.Option("--point", help="The joint or named point that is meant.")]
Time = Annotated[str | None, typer.Option("--time", help="When, in seconds, or in frames as 29f; also between frames.")]
Frame = Annotated[float | None, typer.Option("--frame", help="When, in frames; the same as --time 29f.")]
To = Annotated[str | None, typer.Option("--to", metavar="X,Y,Z", help="Where to, in metres in the world.")]
By = Annotated[str | None, typer.Option("--by", metavar="X,Y,Z", help="How far from where it is, in metres.")]
Turn = Annotated[
    str | None,
    typer.Option("--turn", metavar="RX,RY,RZ", help="Turn it from how it is, in degrees: Rz·Ry·Rx in the world."),
]
TurnTo = Annotated[
    str | None, typer.Option("--turn-to", metavar="W,X,Y,Z", help="How it shall be turned: a quaternion in the world.")
]
Pins = Annotated[
    list[str] | None,
    typer.Option(
        "--pin", metavar="POINT[+turn][@FROM:TO]", help="Whose motion stays; with +turn its orientation too; repeat."
    ),
]
Contacts = Annotated[
    list[str] | None,
    typer.Option(
        "--contact", metavar="POINT[+turn]@FROM:TO", help="What stands still from one time to another; repeat."
    ),
]
Attachments = Annotated[
    list[str] | None,
    typer.Option(
        "--attach",
        metavar="POINT[+turn]=JOINT|PROP@FROM:TO",
        help="What stays in the space of a joint or prop; repeat.",
    ),
]
Layer = Annotated[
    str | None, typer.Option("--layer", help="The layer whose tangents change; the base curves by default.")
]


def open_source(source: str, **options: Any) -> Document:
    """Load the file, or build the example, that `source` names; options go to the file's reader."""
    from inbetweener.builtin import example, examples
    from inbetweener.formats import load

    if Path(source).suffix or Path(source).exists():
        return load(source, **options)
    names = [each.name for each in examples()]
    if source in names:
        return example(source)
    raise FormatError(source, "", "neither a file nor an example", f"examples: {', '.join(names)}")


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Those options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def wish(to: str | None, by: str | None, turn: str | None = None, turn_to: str | None = None) -> dict[str, Any]:
    """Where something shall go and how it shall be turned, as verbs take it."""
    from math import radians

    from inbetweener.cli.moments import vector

    return {
        "to": vector(to, "--to") if to else None,
        "by": vector(by, "--by") if by else None,
        "turn": [radians(each) for each in vector(turn, "--turn")] if turn else None,
        "turn_to": vector(turn_to, "--turn-to", 4) if turn_to else None,
    }
