"""`inbetweener guide`: lead tangents to a motion that takes less effort, under an animator's control."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from inbetweener.cli.console import answer, prepare_kernels, printed_warnings, understood
from inbetweener.cli.moments import moment
from inbetweener.cli.numbers import named_number
from inbetweener.cli.source import ClipName, Json, Output, Own, OwnTerms, Source, open_source

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.guidance import Kernel
    from inbetweener.motion import Clip, Motion

TERMS = ("torque", "follow-through", "jerk", "acceleration", "limits", "balance", "slide", "obstacles", "style")
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
    terms: OwnTerms = None,
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
            help="When costs count less: a bell around a time, as wide as so many seconds; repeat. The clip "
            "keeps them; without, those that it has count.",
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
        Literal["boxes", "human", "mesh"] | None,
        typer.Option(
            rich_help_panel=COSTS,
            help="What weighs: boxes of water, a person's segments, the mesh's volume; by default as loosening chose, "
            "or boxes.",
        ),
    ] = None,
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
            metavar="POINT[+turn]=JOINT|PROP@FROM:TO",
            rich_help_panel=STAYS,
            help="What stays in the space of a joint or prop; repeat.",
        ),
    ] = None,
    clear: Annotated[
        bool,
        typer.Option(
            "--clear",
            rich_help_panel=STAYS,
            help="The skin stays out of obstacles, carried ones too, and of the ground.",
        ),
    ] = False,
    own: Own = True,
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
    from inbetweener.document import edits
    from inbetweener.document.edits.words import the_clip
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes, understood():
        for file in terms or []:
            edits.add_terms(file)
        document = open_source(source)
        played = the_clip(document, clip)
        result = edits.guide(
            document,
            channels=channels or None,
            start=since,
            end=until,
            terms=_numbers(term, "--term", "jerk=0.1") or "torque",
            style=None if style is None else _reference(document, style),
            gravity=gravity,
            held_root=held_root,
            masses=masses,
            overrides=_numbers(mass, "--mass", "hand_r=1.5"),
            regularise=regularise,
            joints=_numbers(joint, "--joint", "elbow_l=5"),
            kernels=None if kernel is None else [_kernel(played, text) for text in kernel],
            pins=pin or (),
            contacts=contact or (),
            attachments=attach or (),
            clear=clear,
            frozen=_frozen(document, played, layer, freeze or []),
            seamless=seamless,
            layer=layer,
            clip=played.name,
            own=own,
        )
        save(result.document, output)
        if report is not None:
            from inbetweener.cli.guide_page import write_page

            write_page(document, played, result.run, result.report, report)
    answer(result, output, notes, json=json)


def _numbers(texts: list[str] | None, option: str, example: str) -> dict[str, float]:
    """Names with numbers, from "elbow_l=5"."""
    return dict(named_number(text, option, example) for text in texts or [])


def _frozen(document: "Document", clip: "Clip", layer: str | None, texts: list[str]) -> list[str | tuple[str, int]]:
    """What stays, from "arm_l.*" or, at a time, "arm_l.*@1.2"."""
    from inbetweener.document.edits.curves import curves_of
    from inbetweener.document.edits.guide import named_like

    curves, near = curves_of(document, clip.name, layer), 0.5 / clip.rate
    found: list[str | tuple[str, int]] = []
    for text in texts:
        pattern, at, when = text.partition("@")
        if not at:
            found.append(pattern)
            continue
        time = moment(clip, when, "--freeze")
        names = named_like(curves, pattern)
        keys = [(name, k) for name in names for k, key in enumerate(curves[name].times) if abs(key - time) < near]
        if not keys:
            raise typer.BadParameter(f"{text!r}: no such channel has a key at {when}", param_hint="--freeze")
        found += keys
    return found


def _kernel(clip: "Clip", text: str) -> "Kernel":
    """A bell from "1.2:0.1" or "29f:0.1:0.5": when, how wide, how deep."""
    from inbetweener.guidance import Kernel

    when, *rest = text.split(":")
    try:
        numbers = [float(each) for each in rest]
    except ValueError:
        numbers = []
    if not (1 <= len(numbers) <= 2 and all(math.isfinite(each) for each in numbers)):
        raise typer.BadParameter(f"{text!r} cannot be read; write it like 1.2:0.1", param_hint="--kernel")
    if not numbers[0] > 0.0:
        raise typer.BadParameter(f"{text!r}: the width must be positive, as in 1.2:0.1", param_hint="--kernel")
    return Kernel(moment(clip, when, "--kernel"), *numbers)


def _reference(document: "Document", style: str) -> "Motion | str":
    """The clip of that name, or the first clip of that file or example."""
    if style in [clip.name for clip in document.clips] and not Path(style).exists():
        return style
    return open_source(style).motion()
