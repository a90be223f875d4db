"""Names with numbers, as people type them; what cannot be read is a usage error."""

import math

import typer


def named_number(text: str, option: str, example: str) -> tuple[str, float]:
    """A name and its number from "elbow_l=5"; infinity is a number, and spelt inf."""
    name, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name or math.isnan(value):
        raise typer.BadParameter(f"{text!r} cannot be read; write it like {example}", param_hint=option)
    return name, value
