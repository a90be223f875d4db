"""Our mark in a BVH file: its unit and up axis, in blanks after the first word.

The format has no place for either and no comments. Blanks at the end of a line every reader passes over, as it does the
carriage returns of other systems; ours reads them: eight blanks a letter, tabs for ones and spaces for zeros.
"""

import math
import re
from typing import cast

from inbetweener.choices import Up
from inbetweener.formats.bvh.hierarchy import UPS

_MARK = re.compile(r"ib (\S{1,24}) (-?[xyz])")
_FIRST = re.compile(rb"(?:\xef\xbb\xbf)?HIERARCHY([ \t]+)\r?\n")


def marked(unit: float, up: Up) -> str:
    """The blanks that say them."""
    bits = "".join(f"{letter:08b}" for letter in f"ib {unit!r} {up}".encode())
    return bits.translate({ord("0"): " ", ord("1"): "\t"})


def mark_of(data: bytes) -> tuple[float, Up] | None:
    """Metres in a unit and the up axis, where a file of ours says them."""
    found = _FIRST.match(data[:1024])
    if found is None or len(found[1]) % 8:
        return None
    bits = found[1].translate(bytes.maketrans(b" \t", b"01"))
    letters = bytes(int(bits[n : n + 8], 2) for n in range(0, len(bits), 8))
    said = _MARK.fullmatch(letters.decode("latin-1"))
    if said is None or said[2] not in UPS:
        return None
    try:
        unit = float(said[1])
    except ValueError:
        return None
    return (unit, cast(Up, said[2])) if math.isfinite(unit) and unit > 0 else None
