"""`inbetweener guide`: lead tangents to a motion that takes less effort, under an animator's control."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inbetweener.cli.console import note, prepare_kernels, print_json, printed_warnings
from inbetweener.cli.guide_terms import TERMS, Costs, Masses
from inbetweener.cli.guide_wishes import (
    channels_matching,
    frozen_keys,
    joint_factors,
    kernel_of,
    standing,
)
from inbetweener.cli.held import constraints_said
from inbetweener.cli.moments import moment
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source
from inbetweener.errors import UnknownName

if TYPE_CHECKING:
    from inbetweener.guidance import Report

CHANGES, COSTS, STAYS = "What may change", "What costs", "What stays"


def guide(
    source: Source,
    output: Output,
    clip: ClipName = None,
    channels: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            rich_help_panel=CHANGES,
            help="Channels that may change, as arm_l.*; all by default; repeat.",
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--from", metavar="TIME", rich_help_panel=CHANGES, help="First key that may change.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", rich_help_panel=CHANGES, help="Last key that may change.")
    ] = None,
    freeze: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN[@TIME]",
            rich_help_panel=CHANGES,
            help="Channels whose tangents stay, or only those of the key at a time; repeat.",
        ),
    ] = None,
    layer: Annotated[
        str | None,
        typer.Option(rich_help_panel=CHANGES, help="The layer whose tangents change; the base by default."),
    ] = None,
    term: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=WEIGHT",
            rich_help_panel=COSTS,
            help=f"What costs, and how much: {', '.join(TERMS)}; torque=1 by default; repeat. Balance and slide "
            "look at contacts, obstacles at those of the scene.",
        ),
    ] = None,
    style: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            rich_help_panel=COSTS,
            help="Whose style to keep near: a clip of this file, another file or an example; adds style=1.",
        ),
    ] = None,
    kernel: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TIME:WIDTH[:DEPTH]",
            rich_help_panel=COSTS,
            help="When costs count less: a bell around a time, as wide as so many seconds; repeat.",
        ),
    ] = None,
    gravity: Annotated[
        bool,
        typer.Option(
            "--gravity/--weightless",
            rich_help_panel=COSTS,
            help="Torques hold the body up too, or only move it.",
        ),
    ] = False,
    held_root: Annotated[
        bool,
        typer.Option("--held-root", rich_help_panel=COSTS, help="Something drives the root: its torques count too."),
    ] = False,
    masses: Annotated[
        Masses,
        typer.Option(
            rich_help_panel=COSTS, help="What weighs: boxes of water, a person's segments, the mesh's volume."
        ),
    ] = "boxes",
    mass: Annotated[
        list[str] | None,
        typer.Option(metavar="JOINT=KG", rich_help_panel=COSTS, help="What a joint's part weighs instead; repeat."),
    ] = None,
    regularise: Annotated[
        float,
        typer.Option(
            min=0.0,
            rich_help_panel=STAYS,
            help="How much to stay with the motion as it is: 0 not at all, 1 and more much.",
        ),
    ] = 0.3,
    joint: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FACTOR",
            rich_help_panel=STAYS,
            help="How much more a joint's tangents stay; inf: they do; repeat.",
        ),
    ] = None,
    pin: Annotated[
        list[str] | None,
        typer.Option(metavar="POINT[+turn][@FROM:TO]", rich_help_panel=STAYS, help="Whose motion stays; repeat."),
    ] = None,
    contact: Annotated[
        list[str] | None,
        typer.Option(metavar="POINT[+turn]@FROM:TO", rich_help_panel=STAYS, help="What stands still; repeat."),
    ] = None,
    attach: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POINT[+turn]=JOINT|PROP@FROM:TO", help="What stays in the space of a joint or prop; repeat."
        ),
    ] = None,
    contacts: Annotated[
        bool,
        typer.Option(
            "--contacts", rich_help_panel=STAYS, help="Hold the pins and contacts that the document keeps, too."
        ),
    ] = False,
    seamless: Annotated[
        bool,
        typer.Option(
            "--seamless", rich_help_panel=STAYS, help="A clip that loops flows on from its end as it does now."
        ),
    ] = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Also write a page with plots of what changed.")
    ] = None,
    json: Json = False,
) -> None:
    """Change tangents of SOURCE so that the motion takes less effort, and write it; no key is added or moved.

    Times are seconds, as 1.2, or frames, as 29f.
    Exits with 1 when a pin or contact cannot hold; the nearest motion is written all the same.
    """
    from inbetweener.document.edits import guided
    from inbetweener.formats import save
    from inbetweener.guidance import Guide, GuideRequest, build
    from inbetweener.guidance import report as reported

    prepare_kernels()
    with printed_warnings() as notes:
        document = open_source(source)
        try:
            played = document.clip(clip)
            kept = document.rules(played.name) if contacts else ()
            held = (*kept, *constraints_said(document, played, pin=pin, contact=contact, attach=attach))
            costs = Costs(
                document, played, standing(document, played, held), masses, mass or [], gravity, held_root, style
            )
            request = GuideRequest(
                channels=channels_matching(document, channels),
                start=moment(played, since, "--from") if since else -math.inf,
                end=moment(played, until, "--to") if until else math.inf,
                terms=costs.terms(term or []),
                regularise=regularise,
                joints=joint_factors(document, joint or []),
                kernels=tuple(kernel_of(played, text) for text in kernel or []),
                constraints=held,
                layer=layer,
                frozen=frozen_keys(document, played, layer, freeze or []),
                seamless=seamless,
            )
        except UnknownName as error:
            raise typer.BadParameter(str(error)) from error
        run = Guide(build(document.motion(played.name), request))
        run.finish()
        save(guided(document, played.name, run), output)
        found = reported(run.path)
        if report is not None:
            from inbetweener.cli.guide_page import write_page

            write_page(document, played, run, found, report)
    if json:
        print_json({"output": str(output), **_facts(found), "notes": notes})
    else:
        typer.echo(found.summary)
        typer.echo(f"{found.parameters} parameters, {len(found.costs) - 1} steps. Wrote {output}")
    broken = [each.name for each in found.held if not each.holds]
    if broken:
        note(f"{', '.join(broken)} cannot hold. The nearest motion was written.")
        raise typer.Exit(1)


def _facts(found: "Report") -> dict[str, Any]:
    joint, distance, when = found.furthest
    return {
        "summary": found.summary,
        "parameters": found.parameters,
        "costs": found.costs.tolist(),
        "terms": [{"term": c.term, "before": c.before, "after": c.after} for c in found.terms],
        "joints": [{"term": c.term, "joint": c.label, "before": c.before, "after": c.after} for c in found.joints],
        "furthest": {"joint": joint, "metres": distance, "time": when},
        "constraints": [{"name": h.name, "before": h.before, "after": h.after, "holds": h.holds} for h in found.held],
    }
