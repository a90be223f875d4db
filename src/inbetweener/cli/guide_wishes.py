"""What `inbetweener guide` may change and must keep, from the words on its command line."""

import math
from typing import TYPE_CHECKING

import typer

from inbetweener.cli.moments import moment
from inbetweener.cli.numbers import named_number
from inbetweener.errors import UnknownName

if TYPE_CHECKING:
    from inbetweener.document import Document
    from inbetweener.guidance import Kernel
    from inbetweener.motion import Clip, Constraint


def channels_matching(document: "Document", patterns: list[str] | None) -> frozenset[str] | None:
    """The channels that patterns such as "arm_l.*" name; None: all."""
    if not patterns:
        return None
    names = [channel.name for channel in document.rig.channels]
    return frozenset(name for pattern in patterns for name in _like(names, pattern))


def _like(names: list[str], pattern: str) -> list[str]:
    from fnmatch import fnmatchcase

    found = [name for name in names if fnmatchcase(name, pattern)]
    if not found:
        raise UnknownName("channel", pattern, names)
    return found


def frozen_keys(document: "Document", clip: "Clip", layer: str | None, texts: list[str]) -> frozenset[tuple[str, int]]:
    """Keys whose tangents stay, from "arm_l.*" or "arm_l.*@1.2", as (channel, number of the key)."""
    from inbetweener.document.edits.curves import curves_of

    curves = curves_of(document, clip.name, layer)
    found: set[tuple[str, int]] = set()
    for text in texts:
        pattern, at, when = text.partition("@")
        time = moment(clip, when, "--freeze") if at else None
        near = 0.5 / clip.rate
        keys = {
            (name, k)
            for name in _like(list(curves), pattern)
            for k, key in enumerate(curves[name].times)
            if time is None or abs(key - time) < near
        }
        if not keys:
            raise typer.BadParameter(f"{text!r}: no such channel has a key at {when}", param_hint="--freeze")
        found |= keys
    return frozenset(found)


def joint_factors(document: "Document", texts: list[str]) -> dict[str, float]:
    """How much more the tangents of joints stay, from "elbow_l=5"."""
    found = dict(named_number(text, "--joint", "elbow_l=5") for text in texts)
    for name in found:
        document.rig.joint_index(name)
    return found


def kernel_of(clip: "Clip", text: str) -> "Kernel":
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


def standing(document: "Document", clip: "Clip", held: "tuple[Constraint, ...]") -> "tuple[Constraint, ...]":
    """Contacts that terms may count: the document's, on or off, and those that were named."""
    rules = [each.rule for each in document.constraints if each.clip == clip.name]
    every = [*rules, *(each for each in held if each not in rules)]
    return tuple(each for each in every if each.is_planted)
