"""`inbetweener sound`, `camera` and `picture`: what a clip is heard with, seen by and compared to."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from inbetweener.cli.console import verb
from inbetweener.cli.source import ClipName, Frame, Time, vector

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


@verb
def sound(
    document: "Document",
    file: Annotated[Path | None, Option(help="A WAV, MP3 or Ogg file, in place of the sound that is there.")] = None,
    start: Annotated[
        str | None, Option("--at", help="When it begins: seconds, or frames as 29f; may be below 0.")
    ] = None,
    muted: Annotated[bool | None, Option("--mute/--hear", help="Leave it out of movies and playback, or not.")] = None,
    remove: Annotated[bool, Option("--remove", help="Take it away.")] = False,
    clip: ClipName = None,
) -> "Result":
    """Give a clip of SOURCE a sound, or move, mute or remove it; .tween files keep it, and MP4 movies have it."""
    from inbetweener.document import edits
    from inbetweener.formats.files import file_bytes

    data = None if file is None else file_bytes(file)
    name = None if file is None else file.name
    return edits.sound(document, data, name=name, start=start, muted=muted, remove=remove, clip=clip)


@verb
def camera(
    document: "Document",
    eye: Annotated[str | None, Option(metavar="X,Y,Z", help="Where it looks from, in metres.")] = None,
    target: Annotated[str | None, Option(metavar="X,Y,Z", help="Where it looks to, in metres.")] = None,
    fov: Annotated[float | None, Option(help="Its vertical angle, in degrees.")] = None,
    time: Time = None,
    frame: Frame = None,
    to: Annotated[
        str | None, Option("--to", help="Move the key at that time there: seconds, or frames as 29f.")
    ] = None,
    remove: Annotated[bool, Option("--remove", help="Take the key at that time away or, without one, all.")] = False,
    clip: ClipName = None,
) -> "Result":
    """Key the camera by which a clip of SOURCE is seen; `render --camera scene` looks through it."""
    import math

    from inbetweener.document import edits

    places = {"eye": eye, "target": target}
    said = {name: tuple(vector(text, f"--{name}").tolist()) for name, text in places.items() if text is not None}
    angle = None if fov is None else math.radians(fov)
    return edits.camera(document, **said, fov=angle, time=time, frame=frame, to=to, remove=remove, clip=clip)


@verb
def picture(
    document: "Document",
    file: Annotated[Path | None, Option(help="A PNG, JPEG, WebP, MP4 or WebM file, in place of what is there.")] = None,
    position: Annotated[str | None, Option(metavar="X,Y,Z", help="The middle of its lower edge, in metres.")] = None,
    height: Annotated[float | None, Option(help="In metres.")] = None,
    turn: Annotated[float | None, Option(help="Where it faces, in degrees from +z towards +x.")] = None,
    opacity: Annotated[float | None, Option(help="From 0 to 1.")] = None,
    start: Annotated[str | None, Option("--at", help="When a video begins: seconds, or frames as 29f.")] = None,
    remove: Annotated[bool, Option("--remove", help="Take it away.")] = False,
    clip: ClipName = None,
) -> "Result":
    """Stand a picture or video behind a clip of SOURCE, to look at in the Studio while working."""
    import math

    from inbetweener.document import edits
    from inbetweener.formats.files import file_bytes

    data, name = (None, None) if file is None else (file_bytes(file), file.name)
    said = {} if position is None else {"position": tuple(vector(position, "--position").tolist())}
    angle = None if turn is None else math.radians(turn)
    return edits.picture(
        document,
        data,
        name=name,
        **said,
        height=height,
        turn=angle,
        opacity=opacity,
        start=start,
        remove=remove,
        clip=clip,
    )
