"""`inbetweener sound`: what a clip is heard with."""

from pathlib import Path
from typing import Annotated

from typer import Option

from inbetweener.cli.console import edit
from inbetweener.cli.source import ClipName, Json, Output, Source


def sound(
    source: Source,
    output: Output,
    file: Annotated[Path | None, Option(help="A WAV, MP3 or Ogg file, in place of the sound that is there.")] = None,
    start: Annotated[
        str | None, Option("--at", help="When it begins: seconds, or frames as 29f; may be below 0.")
    ] = None,
    muted: Annotated[bool | None, Option("--mute/--hear", help="Leave it out of movies and playback, or not.")] = None,
    remove: Annotated[bool, Option("--remove", help="Take it away.")] = False,
    clip: ClipName = None,
    json: Json = False,
) -> None:
    """Give a clip of SOURCE a sound, or move, mute or remove it; .tween files keep it, and MP4 movies have it."""
    from inbetweener.document import edits
    from inbetweener.formats.files import file_bytes

    data = None if file is None else file_bytes(file)
    name = None if file is None else file.name
    edit(
        source,
        output,
        lambda document: edits.sound(document, data, name=name, start=start, muted=muted, remove=remove, clip=clip),
        json=json,
    )
