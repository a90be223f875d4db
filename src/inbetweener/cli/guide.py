"""`inbetweener guide`: lead tangents to a motion that takes less effort, under an animator's control."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inbetweener.cli.console import note, prepare_kernels, print_json, told_warnings
from inbetweener.cli.moments import moment, place_during
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source
from inbetweener.errors import UnknownName

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.guidance import Kernel, Report, Weighted
    from inbetweener.motion import Clip
    from inbetweener.tangents import Contact, Pin

TERMS = ("torque", "jerk", "acceleration", "limits")


def guide(
    source: Source,
    output: Output,
    regularise: Annotated[
        float, typer.Option(min=0.0, help="How much to stay with the motion as it is: 0 not at all, 1 and more much.")
    ] = 0.3,
    joint: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FACTOR", help="How much more a joint's tangents stay; inf: they do; repeat."),
    ] = None,
    kernel: Annotated[
        list[str] | None,
        typer.Option(metavar="TIME:WIDTH", help="When costs count less: a bell around a time, in seconds; repeat."),
    ] = None,
    channels: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Channels that may change, as arm_l.*; repeat.")
    ] = None,
    since: Annotated[str | None, typer.Option("--from", metavar="TIME", help="First key that may change.")] = None,
    until: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Last key that may change.")] = None,
    term: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=WEIGHT", help=f"What costs: {', '.join(TERMS)}; torque by default; repeat."),
    ] = None,
    gravity: Annotated[
        bool, typer.Option("--gravity", help="Torques hold the body up too; without, they only move it.")
    ] = False,
    pin: Annotated[
        list[str] | None, typer.Option(metavar="POINT[+turn][@FROM:TO]", help="Whose motion stays; repeat.")
    ] = None,
    contact: Annotated[
        list[str] | None, typer.Option(metavar="POINT[+turn]@FROM:TO", help="What stands still; repeat.")
    ] = None,
    contacts: Annotated[
        bool, typer.Option("--contacts", help="Hold the pins and contacts that the document keeps, too.")
    ] = False,
    clip: ClipName = None,
    layer: Annotated[str | None, typer.Option(help="The layer whose tangents change; the base by default.")] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Also write a page with plots of what changed.")
    ] = None,
    json: Json = False,
) -> None:
    """Change tangents of SOURCE so that the motion takes less effort, and write it; no key is added or moved.

    Exits with 1 when a pin or contact cannot hold; the nearest motion is written all the same.
    """
    from inbetweener.document.edits import guided
    from inbetweener.formats import save
    from inbetweener.guidance import Guide, Request, build
    from inbetweener.guidance import report as reported

    prepare_kernels()
    with told_warnings() as notes:
        document = open_source(source)
        try:
            played = document.clip(clip)
            kept = document.rules(played.name) if contacts else ()
            request = Request(
                channels=_matching(document, channels),
                start=moment(played, since, "--from") if since else -math.inf,
                end=moment(played, until, "--to") if until else math.inf,
                terms=_terms(document, term or ["torque=1"], gravity),
                regularise=regularise,
                joints=_joints(document, joint or []),
                kernels=tuple(_kernel(played, text) for text in kernel or []),
                constraints=(*kept, *_constraints(document, played, pin or [], contact or [])),
                layer=layer,
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


def _matching(document: "Document", patterns: list[str] | None) -> frozenset[str] | None:
    from fnmatch import fnmatchcase

    if not patterns:
        return None
    names = [channel.name for channel in document.rig.channels]
    found: set[str] = set()
    for pattern in patterns:
        matching = [name for name in names if fnmatchcase(name, pattern)]
        if not matching:
            raise UnknownName("channel", pattern, names)
        found.update(matching)
    return frozenset(found)


def _pair(text: str, option: str, separator: str, example: str) -> tuple[str, float]:
    name, _, number = text.rpartition(separator)
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name or math.isnan(value):
        raise typer.BadParameter(f"{text!r} cannot be read; write it like {example}", param_hint=option)
    return name, value


def _joints(document: "Document", texts: list[str]) -> dict[str, float]:
    found = dict(_pair(text, "--joint", "=", "elbow_l=5") for text in texts)
    for name in found:
        document.rig.joint_index(name)
    return found


def _kernel(clip: "Clip", text: str) -> "Kernel":
    from inbetweener.guidance import Kernel

    centre, width = _pair(text, "--kernel", ":", "1.2:0.1")
    if not width > 0.0:
        raise typer.BadParameter(f"{text!r}: the width must be positive, as in 1.2:0.1", param_hint="--kernel")
    return Kernel(moment(clip, centre, "--kernel"), width)


def _terms(document: "Document", texts: list[str], gravity: bool) -> "tuple[Weighted, ...]":
    from inbetweener.dynamics import EARTH, WEIGHTLESS
    from inbetweener.guidance import Limits, Smoothness, Term, Torque, Weighted

    made: list[Weighted] = []
    for text in texts:
        name, weight = _pair(text, "--term", "=", "jerk=0.1")
        if name not in TERMS:
            raise UnknownName("term", name, TERMS)
        one: Term
        if name == "torque":
            one = Torque.of(document.rig, gravity=EARTH if gravity else WEIGHTLESS)
        elif name == "limits":
            one = Limits()
        else:
            one = Smoothness("jerk" if name == "jerk" else "acceleration")
        made.append(Weighted(one, weight))
    return tuple(made)


def _constraints(
    document: "Document", clip: "Clip", pins: list[str], contacts: list[str]
) -> "tuple[Pin | Contact, ...]":
    from inbetweener.tangents import Contact, Pin

    found: list[Pin | Contact] = []
    for text in pins:
        place, half, start, end = place_during(document.rig, clip, text, "--pin")
        found.append(Pin(place, half, start, end))
    for text in contacts:
        place, half, start, end = place_during(document.rig, clip, text, "--contact")
        if not (math.isfinite(start) and math.isfinite(end)):
            raise typer.BadParameter(f"{text!r} needs its times, as in {text}@0.5:1.5", param_hint="--contact")
        found.append(Contact(place, start, end, half))
    return tuple(found)


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
