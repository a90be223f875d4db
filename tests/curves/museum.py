"""Named curves that broke someone once."""

import numpy as np

from inbetweener.curves import Curve, Key, Tangent


def full_width() -> Curve:
    """Both handles as wide as the segment, [TSO] Eq. 7 at its corner: time stands still half-way."""
    return Curve.from_keys([Key(0, 0, out_tangent=Tangent(1, 0)), Key(1, 1, in_tangent=Tangent(1, 0))])


def widest() -> Curve:
    """The widest handle there is, 4/3 of the segment, with the one partner that allows it."""
    return Curve.from_keys([Key(0, 0, out_tangent=Tangent(4 / 3, 1)), Key(1, 1, in_tangent=Tangent(1 / 3, 0))])


def zero_width() -> Curve:
    """Handles pulled into their keys: the straight line, at a speed that is not constant in u."""
    return Curve.from_keys([Key(0, 0), Key(1, 1)])


def one_sided() -> Curve:
    """A wide handle against none."""
    return Curve.from_keys([Key(0, 0, out_tangent=Tangent(0.9, 2)), Key(1, 1)])


def single() -> Curve:
    return Curve.constant(0.7, 2.0)


def huge() -> Curve:
    third = Tangent(1e5, 1e14)
    return Curve.from_keys([Key(0, -1e15, out_tangent=third), Key(3e5, 1e15, in_tangent=third)])


def tiny() -> Curve:
    third = Tangent(1e-7, 1e-15)
    return Curve.from_keys([Key(0, 0, out_tangent=third), Key(3e-7, 1e-14, in_tangent=third)])


def late() -> Curve:
    """Ten days into the timeline, where single precision has lost the frames."""
    third = Tangent(1 / 72, 0.5)
    start = 864000.0
    return Curve.from_keys([Key(start, 0, out_tangent=third), Key(start + 1 / 24, 1, in_tangent=third)])


def cliff() -> Curve:
    """A long hold, then a jump within a thousandth of a second."""
    return Curve.from_keys(
        [
            Key(0, 0, out_tangent=Tangent(33, 0)),
            Key(99.999, 0, Tangent(33, 0), Tangent(0.0003, 0)),
            Key(100, 50, Tangent(0.0003, 0), Tangent(30, 0)),
            Key(200, 50, Tangent(30, 0)),
        ]
    )


def beyond_limit() -> Curve:
    """A key above the limit 1 and a segment that swings below the limit 0 between good keys."""
    return Curve.from_keys(
        [
            Key(0, 0.2, out_tangent=Tangent(1 / 3, -2)),
            Key(1, 0.3, Tangent(1 / 3, 1), Tangent(1 / 3, 0)),
            Key(2, 1.5, Tangent(1 / 3, 0), Tangent(1 / 3, 0)),
            Key(3, 0.5, Tangent(1 / 3, 0)),
        ]
    )


def mixed() -> Curve:
    """Every kind of segment, unequal lengths."""
    return Curve.from_keys(
        [
            Key(0, 1, interpolation="constant"),
            Key(0.5, 2, interpolation="linear"),
            Key(0.75, -1, Tangent(0.1, 0.3), Tangent(0.2, 0.6)),
            Key(2, 0, Tangent(0.9, -1), Tangent(0.1, 4), tied=False),
            Key(2.25, 0.5, Tangent(0.05, 0)),
        ]
    )


def staggered() -> list[Curve]:
    """Curves that share hardly a key time."""
    return [mixed(), full_width(), single(), late(), Curve.sampled(np.arange(5) / 24, [0, 1, 0, -1, 0])]


EXHIBITS = {
    made.__name__: made
    for made in (full_width, widest, zero_width, one_sided, single, huge, tiny, late, cliff, beyond_limit, mixed)
}
