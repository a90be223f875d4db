"""`inbetweener render`: pictures, movies and plots of curves."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Option

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings, progress, say
from inbetweener.cli.info import describe
from inbetweener.cli.skin import CHOICES, blending_of
from inbetweener.cli.source import ClipName, Json, Output, Source, Texts, open_source

if TYPE_CHECKING:
    from inbetweener.document import Document


def render(
    source: Source,
    output: Output,
    clip: ClipName = None,
    frame: Annotated[int | None, Option(help="The frame of a picture; the first by default.")] = None,
    size: Annotated[str, Option(help="Width and height in pixels.")] = "960x540",
    style: Annotated[Literal["shaded", "skeleton", "x-ray"], Option(help="How the character is drawn.")] = "shaded",
    camera: Annotated[
        Literal["view", "scene", "front", "side", "three-quarter", "top", "back"], Option(help="Where to look from.")
    ] = "view",
    point: Annotated[Texts, Option(help="Draw the motion curve of this joint or point; repeat.")] = None,
    onion: Annotated[int, Option(help="How many pale ghosts to spread over the clip.")] = 0,
    blending: Annotated[
        str | None, Option(metavar=f"[{CHOICES}]", help="Blend the skin in this way instead of its own.")
    ] = None,
    curves: Annotated[
        Texts, Option(help="Plot the curves of these channels (patterns such as 'arm_l.*') instead.")
    ] = None,
    json: Json = False,
) -> None:
    """Render SOURCE: a picture (.png), a movie (.mp4, .gif), or a plot of its curves (.svg, .png with --curves)."""
    from inbetweener.document import edits

    wanted = None if blending is None else blending_of(blending, "--blending")
    prepare_kernels()
    started = time.perf_counter()
    with printed_warnings() as notes:
        document = open_source(source)
        if wanted is not None:
            document = edits.skin(document, wanted).document
        if curves:
            _plot(document, output, curves, clip)
        else:
            look = {"clip": clip, "size": _size(size), "style": style, "camera": camera, "points": tuple(point or ())}
            _draw(document, output, frame, {**look, "onion": onion})
    facts = {"output": str(output), "bytes": output.stat().st_size, "seconds": round(time.perf_counter() - started, 2)}
    if json:
        print_json({**facts, "document": describe(document), "notes": notes})
    else:
        _summarise(document, clip)
        say(f"{output.resolve()} ({output.stat().st_size / 1024:.0f} KiB in {facts['seconds']} s)")


def _draw(document: "Document", output: Path, frame: int | None, look: dict[str, Any]) -> None:
    from inbetweener.render import render_frame, render_movie, save_png

    output.parent.mkdir(parents=True, exist_ok=True)
    if output.suffix == ".png":
        start, rate = _start_and_rate(document, look["clip"])
        save_png(render_frame(document, start + (frame or 0) / rate, **look), output)
        return
    if frame is not None:
        note("Note: --frame is for pictures; a movie shows them all")
    with progress("Rendering") as report:
        render_movie(document, output, **look, progress=report)


def _plot(document: "Document", output: Path, patterns: list[str], clip: str | None) -> None:
    from inbetweener.render import plot_curves

    output.parent.mkdir(parents=True, exist_ok=True)
    plot_curves(document, output, channels=patterns, clip=clip)


def _start_and_rate(document: "Document", clip: str | None) -> tuple[float, float]:
    if not document.clips:
        return 0.0, 24.0
    wanted = document.clip(clip)
    return wanted.start, wanted.rate


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    if not (cross and width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise typer.BadParameter(f"{text!r} is not a size; write it like 960x540", param_hint="--size")
    return int(width), int(height)


def _summarise(document: "Document", clip: str | None) -> None:
    rig = document.rig
    line = f"{document.name}: {len(rig.joints)} joints, {len(rig.channels)} channels"
    if document.clips:
        wanted = document.clip(clip)
        times = {float(t) for curve in wanted.curves.values() for t in curve.times}
        line += f"; clip {wanted.name}: {wanted.end - wanted.start:g} s, {len(wanted.frame_times)} frames"
        line += f", keys at {len(times)} times"
    say(line)
