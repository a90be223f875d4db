"""Times and vectors, as people type them; what cannot be read is a usage error."""

import math

import numpy as np
import typer

from inbetweener.arrays import Floats
from inbetweener.document.edits import words
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Clip

_COUNTS = {3: "three", 4: "four"}


def moment(clip: Clip, text: str, option: str) -> float:
    """Seconds from "1.2", or from frames counted from the clip's start as "29f"."""
    try:
        return words.seconds(clip, text)
    except InvalidEdit as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def vector(text: str, option: str, count: int = 3) -> Floats:
    """Numbers (count,) from "0.1,1.2,-0.3"."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        example = ",".join(["0.1", "1.2", "-0.3", "0.4"][:count])
        raise typer.BadParameter(
            f"{text!r} is not {_COUNTS[count]} numbers; write them like {example}", param_hint=option
        )
    return np.array(numbers, np.float64)
