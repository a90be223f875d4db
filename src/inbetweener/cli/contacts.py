"""`inbetweener contacts`: where points stand still, and how far they slide; on request they come to stand."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings
from inbetweener.cli.source import ClipName, Json, Source, open_source

if TYPE_CHECKING:
    from inbetweener.contacts import Agreed, SlideReport, Suggestion
    from inbetweener.document import Document
    from inbetweener.motion import Clip, Constraint
    from inbetweener.rig import Rig


def contacts(
    source: Source,
    clip: ClipName = None,
    point: Annotated[
        list[str] | None, typer.Option(help="A point or joint to look at, may be repeated; hands and feet by default.")
    ] = None,
    contact: Annotated[
        list[str] | None,
        typer.Option(help="A contact of your own, as foot_l@0:1.5 or foot_l+turn@0:36f, may be repeated."),
    ] = None,
    clean: Annotated[bool, typer.Option("--clean", help="Remove the slide and write OUTPUT.")] = False,
    agree: Annotated[
        bool, typer.Option("--agree", help="Make the key poses agree, no more, and write OUTPUT.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where the result goes; the suffix chooses the format.")
    ] = None,
    json: Json = False,
) -> None:
    """List where hands, feet and toes are nearly still, and how far they slide meanwhile.

    With --clean they are held still: keys change their values and tangents, none is added or moved. Captured motion
    with a key on every frame is fitted first. With --agree only the values of keys change, so that all key poses of a
    contact have its point in one place; then tangents can hold it. Both are done for the contacts that --contact gives,
    or else those that the document keeps, or else those found; of these, any below a confidence of 0.55, such as
    hands that rest in the air, are left alone unless their points are named.
    """
    if (clean or agree) != (output is not None) or (clean and agree):
        raise typer.BadParameter("--output belongs together with either --clean or --agree", param_hint="--output")
    from inbetweener.contacts import suggest_contacts
    from inbetweener.formats import save
    from inbetweener.motion import Motion

    prepare_kernels()
    report: SlideReport | Agreed | None = None
    with printed_warnings() as notes:
        document = open_source(source)
        wanted = document.clip(clip)
        points = [document.rig.point(name) for name in point] if point else None
        found = suggest_contacts(Motion(document.rig, wanted), points)
        if output is not None:
            chosen = _chosen(document, wanted, contact or [], found, trusted=points is None)
            if clean:
                changed, report = _cleaned(document.rig, wanted, chosen)
            else:
                report = _agreed(document, wanted, chosen)
                changed = report.clip
            clips = tuple(changed if each is wanted else each for each in document.clips)
            save(replace(document, clips=clips), output)
    rows = [_row(each, wanted) for each in found]
    if json:
        facts = _facts(report, output)
        done = {"cleaned": facts if clean else None, "agreed": facts if agree else None}
        print_json({"clip": wanted.name, "contacts": rows, **done, "notes": notes})
    else:
        _print(rows)
        if report is not None:
            typer.echo(f"{report}\nWrote {output}")


def _chosen(
    document: "Document", clip: "Clip", given: list[str], found: "tuple[Suggestion, ...]", *, trusted: bool
) -> "list[Constraint]":
    """The contacts to work on: given, else kept by the document, else found; found ones of named points come first."""
    from inbetweener.cli.held import constraints_said
    from inbetweener.contacts.slide import TRUSTED

    rules = constraints_said(document, clip, contact=given) if given else document.rules(clip.name)
    contacts = [rule for rule in rules if rule.is_planted] if given or trusted else []
    return contacts or [each.contact for each in found if each.confidence >= TRUSTED or not trusted]


def _agreed(document: "Document", clip: "Clip", contacts: "list[Constraint]") -> "Agreed":
    from inbetweener.contacts import snap_poses

    pins = [rule for rule in document.rules(clip.name) if not rule.stands]
    return snap_poses(document.rig, clip, contacts, pins, onto="mean")


def _cleaned(rig: "Rig", clip: "Clip", contacts: "list[Constraint]") -> "tuple[Clip, SlideReport]":
    from inbetweener.contacts import remove_slide
    from inbetweener.curves import LINEAR
    from inbetweener.motion import fit_clip

    if any(len(curve) > 2 and (curve.interpolations[:-1] == LINEAR).all() for curve in clip.curves.values()):
        note("Fitting sparse keys first: this clip has one on every frame")
        clip, _ = fit_clip(rig, clip)
    return remove_slide(rig, clip, contacts)


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


def _facts(report: "SlideReport | Agreed | None", output: Path | None) -> dict[str, Any] | None:
    from inbetweener.contacts import Agreed

    if report is None:
        return None
    if isinstance(report, Agreed):
        return {
            "output": str(output),
            "apart_cm": [
                {
                    "point": str(each.contact.point),
                    "before": each.before.distance * 100,
                    "after": each.after.distance * 100,
                }
                for each in report.report
            ],
            "most_change_cm": report.most_change * 100,
        }
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
