"""What a verb works on: a file, or a built-in example by name."""

import inspect
import math
import warnings
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer import Option

from inbetweener.choices import Up
from inbetweener.errors import FormatError, InvalidEdit, RepairWarning

if TYPE_CHECKING:
    from inbetweener.arrays import Floats
    from inbetweener.document import Document
    from inbetweener.motion import Clip

Texts = list[str] | None
Source = Annotated[
    str,
    typer.Argument(metavar="SOURCE", help="A file (.tween .bvh .gltf .glb .vrm .fbx .usdz) or the name of an example."),
]
Output = Annotated[Path, Option("--output", "-o", help="Where to write; the suffix chooses the format.")]
ClipName = Annotated[str | None, Option("--clip", help="The clip to use, where there are several.")]
NamedClip = Annotated[str | None, Option("--clip", help="The clip; needed where SOURCE has several.")]
Json = Annotated[bool, Option("--json", help="Print the result as one JSON object.")]
OwnTerms = Annotated[
    list[Path] | None,
    Option(metavar="FILE.py", help="Costs of your own: a Python file with TERMS by name, which is run; repeat."),
]
Own = Annotated[bool, Option("--own/--no-own", help="Whether pins and contacts that the document keeps count.")]
PointName = Annotated[str, Option("--point", help="The joint or named point that is meant.")]
Time = Annotated[str | None, Option("--time", help="When, in seconds, or in frames as 29f; also between frames.")]
Frame = Annotated[float | None, Option("--frame", help="When, in frames; the same as --time 29f.")]
To = Annotated[str | None, Option("--to", metavar="X,Y,Z", help="Where to, in metres in the world.")]
By = Annotated[str | None, Option("--by", metavar="X,Y,Z", help="How far from where it is, in metres.")]
Turn = Annotated[
    str | None,
    Option("--turn", metavar="RX,RY,RZ", help="Turn it from how it is, in degrees: Rz·Ry·Rx in the world."),
]
TurnTo = Annotated[
    str | None, Option("--turn-to", metavar="W,X,Y,Z", help="How it shall be turned: a quaternion in the world.")
]
Pins = Annotated[
    Texts,
    Option(
        "--pin", metavar="POINT[+turn][@FROM:TO]", help="Whose motion stays; with +turn its orientation too; repeat."
    ),
]
Contacts = Annotated[
    Texts,
    Option("--contact", metavar="POINT[+turn]@FROM:TO", help="What stands still from one time to another; repeat."),
]
Attachments = Annotated[
    Texts,
    Option(
        "--attach",
        metavar="POINT[+turn]=JOINT|PROP@FROM:TO",
        help="What stays in the space of a joint or prop; repeat.",
    ),
]
Layer = Annotated[str | None, Option("--layer", help="The layer whose tangents change; the base curves by default.")]


Unit = Annotated[
    str | None,
    Option("--unit", metavar="m|dm|cm|mm|in|ft|METRES", help="What one unit of a BVH file is; guessed by default."),
]
UpAxis = Annotated[Up | None, Option("--up", help="The up axis of a BVH file; guessed by default.")]

_trusting = False
_telling_all = False
_said: dict[str, Any] = {}


def reads_files(verb: Callable[..., None]) -> Callable[..., None]:
    """A verb with options that say what its file does not: every one that opens a file has the same."""
    said = {"unit": Unit, "up": UpAxis}

    @wraps(verb)
    def command(*, unit: str | None, up: Up | None, **options: Any) -> None:
        _said.clear()
        _said.update(given({"unit": unit, "up": up}))
        verb(**options)

    own = inspect.signature(verb, eval_str=True)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=said[name]) for name in said
    ]
    command.__signature__ = own.replace(parameters=[*own.parameters.values(), *added])  # type: ignore[attr-defined]
    command.__annotations__ = {**get_type_hints(verb, include_extras=True), **said}
    return command


def trust_files(trust: bool) -> None:
    """Whether files may unfold to whatever they like."""
    global _trusting
    _trusting = trust


def tell_all(verbose: bool) -> None:
    """Whether every place is told of which there is something to say, or the first of those alike."""
    global _telling_all
    _telling_all = verbose


def files_are_trusted() -> bool:
    """Whether the command was told to trust them."""
    return _trusting


def open_source(source: str, **options: Any) -> "Document":
    """Load the file, or build the example, that `source` names; options go to the file's reader."""
    from inbetweener.builtin import example, examples
    from inbetweener.formats import load, read

    if _said and Path(source).suffix.lower() != ".bvh":
        raise typer.BadParameter("only BVH files have to be told", param_hint=[f"--{name}" for name in _said])
    if Path(source).suffix or Path(source).exists():
        options |= {**_said, **({"trust": True} if _trusting else {})}
        if not _telling_all:
            return load(source, **options)
        reading = read(source, **options)
        for line in reading.each or reading.notes:
            warnings.warn(f"{source}: {line}", RepairWarning, stacklevel=2)
        return reading.document
    names = [each.name for each in examples()]
    if source in names:
        return example(source)
    raise FormatError(source, "", "neither a file nor an example", f"examples: {', '.join(names)}")


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Those options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def wish(to: str | None, by: str | None, *turns: str | None) -> dict[str, Any]:
    """Where something shall go and, with `turn` and `turn_to`, how it shall be turned, as verbs take it."""
    place: dict[str, Any] = {"to": vector(to, "--to") if to else None, "by": vector(by, "--by") if by else None}
    if turns:
        turn, turn_to = turns
        place["turn"] = [math.radians(each) for each in vector(turn, "--turn")] if turn else None
        place["turn_to"] = vector(turn_to, "--turn-to", 4) if turn_to else None
    return place


def kept(contact: list[str] | None, attach: list[str] | None, **pins: list[str] | None) -> dict[str, Any]:
    """What stays meanwhile, as verbs take it; `pins` too, for those that do."""
    return {name: each or () for name, each in {"contacts": contact, "attachments": attach, **pins}.items()}


def when(frame: float | None, time: str | None, clip: str | None) -> dict[str, Any]:
    """The moment that is meant, as verbs take it."""
    return {"frame": frame, "time": time, "clip": clip}


_COUNTS = {2: "two", 3: "three", 4: "four"}


def moment(clip: "Clip", text: str, option: str) -> float:
    """Seconds from "1.2", or from frames counted from the clip's start as "29f"."""
    from inbetweener.document.edits import words

    try:
        return words.seconds(clip, text)
    except InvalidEdit as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def vector(text: str, option: str, count: int = 3) -> "Floats":
    """Numbers (count,) from "0.1,1.2,-0.3"."""
    import numpy as np

    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        example = ",".join(["0.1", "1.2", "-0.3", "0.4"][:count])
        raise typer.BadParameter(
            f"{text!r} is not {_COUNTS[count]} numbers; write them like {example}", param_hint=option
        )
    return np.array(numbers, np.float64)
