"""`inbetweener contacts`: where points stand still, and how far they slide; removes the slide on request."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inbetweener.cli.console import note, prepare_kernels, print_json, told_warnings
from inbetweener.cli.source import ClipName, Json, Source, open_source

if TYPE_CHECKING:
    from inbetweener.contacts import SlideReport, Suggestion
    from inbetweener.motion import Clip
    from inbetweener.rig import Rig


def contacts(
    source: Source,
    clip: ClipName = None,
    point: Annotated[
        list[str] | None, typer.Option(help="A point or joint to look at, may be repeated; hands and feet by default.")
    ] = None,
    clean: Annotated[bool, typer.Option("--clean", help="Remove the slide and write OUTPUT.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where --clean writes; the suffix chooses the format.")
    ] = None,
    json: Json = False,
) -> None:
    """List where hands, feet and toes are nearly still, and how far they slide meanwhile.

    With --clean they are held still: keys change their values and tangents, none is added or moved. Captured motion
    with a key on every frame is fitted first. Contacts below a confidence of 0.55, such as hands that rest in the
    air, are listed but left alone unless their points are named.
    """
    if clean != (output is not None):
        raise typer.BadParameter("--clean and --output belong together", param_hint="--clean")
    from inbetweener.contacts import suggest_contacts
    from inbetweener.formats import save
    from inbetweener.motion import Motion

    prepare_kernels()
    report = None
    with told_warnings() as notes:
        document = open_source(source)
        wanted = document.clip(clip)
        points = [document.rig.point(name) for name in point] if point else None
        found = suggest_contacts(Motion(document.rig, wanted), points)
        if output is not None:
            cleaned, report = _cleaned(document.rig, wanted, found, trusted=points is None)
            clips = tuple(cleaned if each is wanted else each for each in document.clips)
            save(replace(document, clips=clips), output)
    rows = [_row(each, wanted) for each in found]
    if json:
        print_json({"clip": wanted.name, "contacts": rows, "cleaned": _facts(report, output), "notes": notes})
    else:
        _print(rows)
        if report is not None:
            typer.echo(f"{report}\nWrote {output}")


def _cleaned(rig: "Rig", clip: "Clip", found: "tuple[Suggestion, ...]", trusted: bool) -> "tuple[Clip, SlideReport]":
    from inbetweener.contacts.slide import TRUSTED, remove_slide
    from inbetweener.curves import LINEAR
    from inbetweener.motion import fit_clip

    if any(len(curve) > 2 and (curve.interpolations[:-1] == LINEAR).all() for curve in clip.curves.values()):
        note("Fitting sparse keys first: this clip has one on every frame")
        clip, _ = fit_clip(rig, clip)
    return remove_slide(rig, clip, [each.contact for each in found if each.confidence >= TRUSTED or not trusted])


def _row(each: "Suggestion", clip: "Clip") -> dict[str, Any]:
    return {
        "point": str(each.point),
        "first_frame": round((each.start - clip.start) * clip.rate),
        "last_frame": round((each.end - clip.start) * clip.rate),
        "start_s": round(each.start, 4),
        "end_s": round(each.end, 4),
        "slide_cm": round(each.slide * 100, 3),
        "confidence": round(each.confidence, 3),
    }


def _facts(report: "SlideReport | None", output: Path | None) -> dict[str, Any] | None:
    if report is None:
        return None
    return {
        "output": str(output),
        "slide_cm": [
            {"point": str(each.contact.point), "before": each.before * 100, "after": each.after * 100}
            for each in report.slides
        ],
        "mean_change_cm": report.mean_change * 100,
        "most_change_cm": report.most_change * 100,
    }


def _print(rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    if not rows:
        typer.echo("No point is nearly still for long enough.")
        return
    table = Table(box=None, header_style="dim")
    for column in ("point", "frames", "seconds", "slide (cm)", "confidence"):
        table.add_column(column, justify="left" if column == "point" else "right")
    for row in rows:
        table.add_row(
            row["point"],
            f"{row['first_frame']}–{row['last_frame']}",
            f"{row['start_s']:.2f}–{row['end_s']:.2f}",
            f"{row['slide_cm']:.2f}",
            f"{row['confidence']:.2f}",
        )
    Console().print(table)
