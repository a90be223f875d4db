"""Times, stretches of time, places and vectors, as people type them; what cannot be read is a usage error."""

import math

import numpy as np
import typer

from inbetweener.arrays import Floats
from inbetweener.motion import Clip
from inbetweener.rig import Point, Rig
from inbetweener.rig.freedom import Wanted


def moment(clip: Clip, text: str, option: str) -> float:
    """Seconds from "1.2", or from frames counted from the clip's start as "29f"."""
    number = _number(text.removesuffix("f"))
    if number is None:
        raise typer.BadParameter(f"{text!r} is no time; write seconds as 1.2 or frames as 29f", param_hint=option)
    return clip.start + number / clip.rate if text.endswith("f") else number


def vector(text: str, option: str) -> Floats:
    """Three numbers (3,) from "0.1,1.2,-0.3"."""
    numbers = [_number(part) for part in text.split(",")]
    if len(numbers) != 3 or None in numbers:
        raise typer.BadParameter(f"{text!r} is not three numbers; write them like 0.1,1.2,-0.3", param_hint=option)
    return np.array(numbers, np.float64)


def place_during(rig: Rig, clip: Clip, text: str, option: str) -> tuple[Point, Wanted, float, float]:
    """A point, which half of its state is meant, and from when to when: "hips", "hips+turn", "hips@0.5:1.5".

    Without times: always.
    """
    name, at, stretch = text.partition("@")
    wanted: Wanted = "both" if name.endswith("+turn") else "position"
    place = rig.point(name.removesuffix("+turn"))
    if not at:
        return place, wanted, -math.inf, math.inf
    first, colon, last = stretch.partition(":")
    if not (first and colon and last):
        raise typer.BadParameter(f"{text!r} needs two times, as in {name}@0.5:1.5", param_hint=option)
    start, end = moment(clip, first, option), moment(clip, last, option)
    if start > end:
        raise typer.BadParameter(f"{text!r} ends before it starts", param_hint=option)
    return place, wanted, start, end


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
