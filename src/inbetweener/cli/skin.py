"""`inbetweener skin`: how the vertices of a character follow its joints."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Option

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings, say
from inbetweener.cli.source import ClipName, Json, Source, open_source

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.skinning import Blending

LETTERS: "dict[str, Blending]" = {
    "lbs": "linear",
    "dqs": "dual-quaternion",
    "sb": "screw",
    "db": "differential",
}
CHOICES = "db|dqs|sb|lbs"


def blending_of(text: str, option: str) -> "Blending":
    """The way of blending that "db" or "differential" means."""
    wanted = text.lower()
    for letters, name in LETTERS.items():
        if wanted in (letters, name):
            return name
    known = ", ".join(f"{letters} ({name})" for letters, name in LETTERS.items())
    raise typer.BadParameter(f"{text!r} is no way of blending; there are {known}", param_hint=option)


COMPARED = ("lbs", "dqs", "sb", "db")


def skin(
    source: Source,
    output: Annotated[
        Path | None, Option("--output", "-o", help="Where to write; .tween keeps the way of blending.")
    ] = None,
    method: Annotated[
        str | None,
        Option(metavar=f"[{CHOICES}]", help="Differential, dual quaternions, screws, or linear; as it is by default."),
    ] = None,
    weights: Annotated[
        Literal["keep", "auto"], Option(help="Keep the weights, or find new ones by heat along the bones.")
    ] = "keep",
    compare: Annotated[
        Path | None, Option(help="Also write a picture (.png) of one frame, all methods side by side.")
    ] = None,
    frame: Annotated[int, Option(help="The frame of that picture.")] = 0,
    clip: ClipName = None,
    camera: Annotated[
        Literal["view", "front", "side", "three-quarter", "top", "back"], Option(help="Where it looks from.")
    ] = "view",
    json: Json = False,
) -> None:
    """Choose how the skin of SOURCE is blended, bind it anew, or compare the ways."""
    from inbetweener.document import edits
    from inbetweener.formats import save

    if output is None and compare is None:
        raise typer.BadParameter("say where to write: -o FILE, --compare PICTURE.png, or both", param_hint="-o")
    wanted = None if method is None else blending_of(method, "--method")
    prepare_kernels()
    with printed_warnings() as notes:
        result = edits.skin(open_source(source), wanted, weights=weights)
        for remark in result.remarks:
            note(f"Note: {remark}")
        notes += result.remarks
        if output is not None:
            save(result.document, output)
        if compare is not None:
            _compare(result.document, compare, frame, clip, camera)
    written = [str(path) for path in (output, compare) if path is not None]
    if json:
        print_json({"written": written, **result.facts, "notes": notes})
    else:
        say(f"{result.lines[0]}\nWrote {', '.join(written)}")


def _compare(document: "Document", picture: Path, frame: int, clip: str | None, camera: str) -> None:
    from inbetweener.render import render_comparison, save_png

    wanted = document.clip(clip) if document.clips or clip is not None else None
    time = wanted.start + frame / wanted.rate if wanted else 0.0
    ways = {letters.upper(): LETTERS[letters] for letters in COMPARED}
    picture.parent.mkdir(parents=True, exist_ok=True)
    save_png(render_comparison(document, time, ways, clip=clip, camera=camera), picture)
