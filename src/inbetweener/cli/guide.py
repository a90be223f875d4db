"""`inbetweener guide`: lead tangents to a motion that takes less effort, under an animator's control."""

import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Option

from inbetweener.choices import TERMS
from inbetweener.cli.console import verb
from inbetweener.cli.source import ClipName, Own, OwnTerms, Texts, kept, moment, open_source

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result
    from inbetweener.guidance import Kernel
    from inbetweener.motion import Clip, Motion

_changes, _costs, _stays = (
    partial(Option, rich_help_panel=panel) for panel in ("What may change", "What costs", "What stays")
)


@verb
def guide(
    document: "Document",
    clip: ClipName = None,
    channels: Annotated[
        Texts, _changes(metavar="PATTERN", help="Channels that may change, as arm_l.*; all by default; repeat.")
    ] = None,
    since: Annotated[str | None, _changes("--from", metavar="TIME", help="First key that may change.")] = None,
    until: Annotated[str | None, _changes("--to", metavar="TIME", help="Last key that may change.")] = None,
    freeze: Annotated[
        Texts,
        _changes(
            metavar="PATTERN[@TIME]", help="Channels whose tangents stay, or only those of the key at a time; repeat."
        ),
    ] = None,
    layer: Annotated[str | None, _changes(help="The layer whose tangents change; the base by default.")] = None,
    term: Annotated[
        Texts,
        _costs(
            metavar="NAME=WEIGHT",
            help=f"What costs, and how much: {', '.join(TERMS)}; torque=1 by default; repeat. Balance and slide "
            "look at contacts, obstacles at those of the scene.",
        ),
    ] = None,
    terms: OwnTerms = None,
    style: Annotated[
        str | None,
        _costs(
            metavar="SOURCE",
            help="Whose style to keep near: a clip of this file, another file or an example; adds style=1.",
        ),
    ] = None,
    kernel: Annotated[
        Texts,
        _costs(
            metavar="TIME:WIDTH[:DEPTH]",
            help="When costs count less: a bell around a time, as wide as so many seconds; repeat. The clip "
            "keeps them; without, those that it has count.",
        ),
    ] = None,
    gravity: Annotated[
        bool, _costs("--gravity/--weightless", help="Torques hold the body up too, or only move it.")
    ] = False,
    held_root: Annotated[bool, _costs("--held-root", help="Something drives the root: its torques count too.")] = False,
    masses: Annotated[
        Literal["boxes", "human", "mesh"] | None,
        _costs(
            help="What weighs: boxes of water, a person's segments, the mesh's volume; by default as loosening chose, "
            "or boxes."
        ),
    ] = None,
    mass: Annotated[Texts, _costs(metavar="JOINT=KG", help="What a joint's part weighs instead; repeat.")] = None,
    regularise: Annotated[
        float, _stays(min=0.0, help="How much to stay with the motion as it is: 0 not at all, 1 and more much.")
    ] = 0.3,
    joint: Annotated[
        Texts, _stays(metavar="NAME=FACTOR", help="How much more a joint's tangents stay; inf: they do; repeat.")
    ] = None,
    pin: Annotated[Texts, _stays(metavar="POINT[+turn][@FROM:TO]", help="Whose motion stays; repeat.")] = None,
    contact: Annotated[Texts, _stays(metavar="POINT[+turn]@FROM:TO", help="What stands still; repeat.")] = None,
    attach: Annotated[
        Texts,
        _stays(metavar="POINT[+turn]=JOINT|PROP@FROM:TO", help="What stays in the space of a joint or prop; repeat."),
    ] = None,
    clear: Annotated[
        bool, _stays("--clear", help="The body stays out of obstacles, carried ones too, of the ground and of itself.")
    ] = False,
    own: Own = True,
    seamless: Annotated[
        bool, _stays("--seamless", help="A clip that loops flows on from its end as it does now.")
    ] = False,
    report: Annotated[
        Path | None, Option(metavar="FILE.html", help="Also write a page with plots of what changed.")
    ] = None,
) -> "Result":
    """Change tangents of SOURCE so that the motion takes less effort, and write it; no key is added or moved.

    Times are seconds, as 1.2, or frames, as 29f.
    Exits with 1 when a pin or contact cannot hold; the nearest motion is written all the same.
    """
    from inbetweener.document import edits
    from inbetweener.document.edits.words import the_clip

    for file in terms or []:
        edits.add_terms(file)
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
        **kept(contact, attach, pins=pin),
        clear=clear,
        frozen=_frozen(document, played, layer, freeze or []),
        seamless=seamless,
        layer=layer,
        clip=played.name,
        own=own,
    )
    if report is not None:
        from inbetweener.cli.page import write_guide_page

        write_guide_page(document, played, result.run, result.report, report)
    return result


def _numbers(texts: Texts, option: str, example: str) -> dict[str, float]:
    """Names with numbers, from "elbow_l=5"; infinity is a number, and spelt inf."""
    found = {}
    for text in texts or []:
        name, _, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            found[name] = math.nan
        if not name or math.isnan(found[name]):
            raise typer.BadParameter(f"{text!r} cannot be read; write it like {example}", param_hint=option)
    return found


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
