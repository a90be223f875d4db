"""`inbetweener convert`, `fit` and `smooth-seam`: a whole file as another file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Option

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings, progress, verb
from inbetweener.cli.source import ClipName, Json, NamedClip, Source, given, open_source

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result


def convert(
    source: Source,
    output: Annotated[Path, typer.Argument(help="Where to write; the suffix chooses the format.")],
    clip: ClipName = None,
    source_rate: Annotated[
        float | None, Option(help="Frames a second of a BVH file or table that does not say.")
    ] = None,
    rate: Annotated[float | None, Option(help="Frames a second to write; the clip's own by default.")] = None,
    tolerance: Annotated[
        float | None, Option(help="Largest error in metres where curves must be fitted (glTF, FBX, USD).")
    ] = None,
    sampled: Annotated[
        bool, Option("--sampled", help="A straight key on every frame (glTF, FBX, USD), for Blender.")
    ] = False,
    only: Annotated[
        str | None, Option(metavar="CHARACTER", help="One of several characters alone, under its own names.")
    ] = None,
    onto: Annotated[
        Path | None, Option(metavar="FILE", help="The document whose channels a table (.csv) holds.")
    ] = None,
    positions: Annotated[bool, Option("--positions", help="Places of joints in a table (.csv) too.")] = False,
    json: Json = False,
) -> None:
    """Read SOURCE and write it in the format of OUTPUT."""
    from inbetweener.document import edits
    from inbetweener.formats import save

    prepare_kernels()
    came, goes = Path(source).suffix.lower(), output.suffix.lower()
    reading: dict[str, dict[str, Any]] = {
        ".bvh": {"rate": source_rate},
        ".csv": {"rate": source_rate, "onto": onto},
        ".fbx": {},
        ".npz": {},
    }
    sampling = {"clip": clip, "rate": rate}
    writing: dict[str, dict[str, Any]] = {
        ".bvh": sampling,
        ".csv": {**sampling, "positions": positions or None},
        ".npz": sampling,
        ".vrma": sampling,
    }
    with printed_warnings() as notes:
        document = open_source(source, **given(reading.get(came, {"tolerance": tolerance})))
        told = given(writing.get(goes, {"tolerance": tolerance, "sampled": sampled or None}))
        save(document if only is None else edits.only(document, only), output, **told)
    if json:
        print_json({"output": str(output), "bytes": output.stat().st_size, "notes": notes})
    else:
        note(f"Wrote {output} ({output.stat().st_size / 1024:.0f} KiB)")


@verb
def fit(
    document: "Document",
    clip: ClipName = None,
    tolerance: Annotated[float, Option(help="Aim for the largest joint error, in millimetres.")] = 5.0,
    poses: Annotated[
        int | None, Option(min=2, help="About so many keys a channel, as near as they lead; instead of a tolerance.")
    ] = None,
    align: Annotated[
        Literal["channel", "joint", "body"] | None,
        Option(help="Which channels share their key times: channel, or body with --poses, unless told."),
    ] = None,
) -> "Result":
    """Replace dense samples by a few Bezier keys, so that captured motion can be edited."""
    from inbetweener.document import edits

    with progress("Fitting") as report:
        return edits.fit(document, tolerance=tolerance / 1000, poses=poses, align=align, clip=clip, progress=report)


@verb
def loop(
    document: "Document",
    clip: ClipName = None,
    start: Annotated[float | None, Option("--from", help="Where the round begins, in seconds; else found.")] = None,
    end: Annotated[float | None, Option("--to", help="Where it ends, in seconds.")] = None,
    in_place: Annotated[bool, Option("--in-place", help="Take its way over the ground out.")] = False,
) -> "Result":
    """Cut a round out of a motion, where it comes back to a pose, as one more clip that flows on for ever."""
    from inbetweener.document import edits

    return edits.loop(document, start=start, end=end, in_place=in_place, clip=clip)


@verb
def smooth_seam(document: "Document", clip: ClipName = None) -> "Result":
    """Give curves of SOURCE that end at another slope than they start with their mean; no key moves."""
    from inbetweener.document import edits

    return edits.smooth_seam(document, clip=clip)


@verb
def mirror(
    document: "Document",
    clip: NamedClip = None,
) -> "Result":
    """Exchange left and right of a clip of SOURCE: keys, tangents and what is held."""
    from inbetweener.document import edits

    return edits.mirror_clip(document, clip=clip)


@verb
def speed(
    document: "Document",
    times: Annotated[float, typer.Argument(help="How many times as fast: 2 is twice, 0.5 half as fast.")],
    clip: NamedClip = None,
) -> "Result":
    """Let a clip of SOURCE run faster or slower; every pose stays, and feet that stand go on standing."""
    from inbetweener.document import edits

    return edits.set_speed(document, times, clip=clip)


@verb
def trim(
    document: "Document",
    start: Annotated[str | None, Option(metavar="TIME", help="From when on, in seconds or frames (12f).")] = None,
    end: Annotated[str | None, Option(metavar="TIME", help="Until when.")] = None,
    set_pose: Annotated[bool, Option("--set-pose", help="Drop a pose that was set in front of the motion.")] = False,
    clip: NamedClip = None,
) -> "Result":
    """Cut a clip of SOURCE to some of its frames; keys by hand outside of them stay, those of captured motion go."""
    from inbetweener.document import edits

    return edits.trim(document, start=start, end=end, set_pose=set_pose, clip=clip)


@verb
def resample(
    document: "Document",
    rate: Annotated[float, typer.Argument(help="Frames a second.")],
    clip: NamedClip = None,
) -> "Result":
    """Give a clip of SOURCE another frame rate; captured motion gets its frames there, keys by hand stay."""
    from inbetweener.document import edits

    return edits.resample(document, rate, clip=clip)
