"""Compiled reading of a table of decimal numbers."""

import numpy as np

from inbetweener.arrays import Bytes, Floats, Ints
from inbetweener.kernels import kernel

_POWERS = np.array([float(f"1e{n}") for n in range(23)])
_EXACT = 2**53


@kernel("UniTuple(i8, 4)(const(u1[::1]), f8[::1], i8[::1], i8[:,::1])")
def scan(text: Bytes, values: Floats, lengths: Ints, hard: Ints) -> tuple[int, int, int, int]:
    """Read numbers separated by blanks; returns how many values, rows that are not blank, and hard words there are.

    lengths[r] counts the words of row r. A number whose mantissa is below 2⁵³ and whose power of ten is within ±22 is
    one rounding of two exact numbers, so its value is the nearest float. All other numbers are hard: their value is
    left zero and hard[h] = (index of the value, first byte, byte after the last). The fourth result is −1, or the
    index of the first word that is no number at all, where reading stops.
    """
    n, rows, hards = 0, 0, 0
    words = 0
    i, end = 0, len(text)
    while i < end:
        c = text[i]
        if c == 10 or c == 13:
            if words > 0:
                lengths[rows] = words
                rows += 1
            words = 0
            i += 1
            continue
        if c == 32 or c == 9 or c == 11 or c == 12:
            i += 1
            continue
        start = i
        negative = c == 45
        if c == 45 or c == 43:
            i += 1
        mantissa, digits, shift, exponent = 0, 0, 0, 0
        easy, sound = True, True
        # Digits, of which those after the point lower the power of ten.
        pointed = False
        while i < end:
            c = text[i]
            if 48 <= c <= 57:
                digits += 1
                if mantissa < _EXACT:
                    mantissa = 10 * mantissa + (c - 48)
                else:
                    easy = False
                if pointed:
                    shift -= 1
            elif c == 46 and not pointed:
                pointed = True
            else:
                break
            i += 1
        if digits == 0:
            sound = False
        # An exponent, if one follows.
        if i < end and (text[i] == 101 or text[i] == 69):
            i += 1
            falling = i < end and text[i] == 45
            if i < end and (text[i] == 45 or text[i] == 43):
                i += 1
            first = i
            while i < end and 48 <= text[i] <= 57:
                exponent = min(10 * exponent + (text[i] - 48), 9999)
                i += 1
            if i == first:
                sound = False
            shift += -exponent if falling else exponent
        # The word must end here.
        if not sound or (i < end and text[i] != 32 and not 9 <= text[i] <= 13):
            return n, rows, hards, n
        value = 0.0
        if easy and mantissa <= _EXACT and -22 <= shift <= 22:
            value = mantissa * _POWERS[shift] if shift >= 0 else mantissa / _POWERS[-shift]
            if negative:
                value = -value
        elif not (easy and mantissa == 0):
            hard[hards, 0], hard[hards, 1], hard[hards, 2] = n, start, i
            hards += 1
        values[n] = value
        n += 1
        words += 1
    if words > 0:
        lengths[rows] = words
        rows += 1
    return n, rows, hards, -1
