"""What must hold, as people type it: "hips", "hips+turn", "hips@0.5:1.5"."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from inbetweener.cli.moments import place_during
from inbetweener.motion import Clip, Constraint

if TYPE_CHECKING:
    from inbetweener.document import Document


def constraints_said(
    document: "Document", clip: Clip, *, endless: Sequence[str] = ("pin",), **said: Sequence[str] | None
) -> tuple[Constraint, ...]:
    """What options such as --pin and --contact say, each the name of a kind; only pins may leave out their times.

    A kind that holds in the space of a joint or prop is typed with it: "hand_r=guitar@0:36f".
    """
    found: list[Constraint] = []
    for kind, texts in said.items():
        option = f"--{kind}"
        for text in texts or ():
            typed, at, stretch = text.partition("@")
            point, to, other = typed.partition("=")
            place, wanted, start, end = place_during(document.rig, clip, f"{point}{at}{stretch}", option)
            if kind not in endless and not (math.isfinite(start) and math.isfinite(end)):
                raise typer.BadParameter(f"{text!r} needs its times, as in {text}@0.5:1.5", param_hint=option)
            carrier = document.carrier(other) if to else (None, None)
            found.append(Constraint.KINDS[kind].made(place, wanted, start, end, *carrier))
    return tuple(found)
