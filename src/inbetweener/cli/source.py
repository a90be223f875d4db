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
Own = Annotated[bool, typer.Option("--own/--no-own", help="Whether pins and contacts that the document keeps count.")]


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
