"""Compiled sines and cosines of many angles at once: no calls and no branches, so that processors do several together.

An angle is brought within an eighth of a turn of a quarter, exactly, and Taylor's series do the rest: all is within a
unit or two of the last digit of 1, up to 10⁶ radians.
"""

import math

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.kernels import inlined

HIGH, MIDDLE, LOW = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
"""A quarter of a turn in parts of 33 bits, so that whole multiples of the first two are exact."""

S3, S5, S7, S9 = -1 / 6, 1 / 120, -1 / 5040, 1 / 362880
S11, S13, S15, S17 = -1 / 39916800, 1 / 6227020800, -1 / 1307674368000, 1 / 355687428096000
C4, C6, C8, C10 = 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800
C12, C14, C16 = 1 / 479001600, -1 / 87178291200, 1 / 20922789888000


@inlined
def waves(angles: Floats, result: Floats) -> None:
    """result (2, L): cosines and sines of angles (L,)."""
    cosines, sines = result[0], result[1]
    for n in range(len(angles)):
        x = angles[n]
        k = np.rint(x * (2 / math.pi))
        x = ((x - k * HIGH) - k * MIDDLE) - k * LOW
        y = x * x
        sine = y * (S3 + y * (S5 + y * (S7 + y * (S9 + y * (S11 + y * (S13 + y * (S15 + y * S17)))))))
        cosine = y * y * (C4 + y * (C6 + y * (C8 + y * (C10 + y * (C12 + y * (C14 + y * C16))))))
        sine, cosine = x + x * sine, 1.0 - (0.5 * y - cosine)
        # Which quarter: k mod 4 without leaving floating point.
        quarter = k - 4.0 * np.floor(0.25 * k)
        crossed = quarter == 1.0 or quarter == 3.0
        c, s = (sine, cosine) if crossed else (cosine, sine)
        cosines[n] = -c if quarter == 1.0 or quarter == 2.0 else c
        sines[n] = -s if quarter >= 2.0 else s
