"""Screws: small rigid motions (..., 6), a rotation vector and then the shift of the origin, batched."""

import numpy as np

from inbetweener.arrays import Floats

_TERMS = 60
"""More than any screw of a few turns needs."""


def bracket(a: Floats, b: Floats) -> Floats:
    """How the screw b changes while the frame moves along a: ad_a b."""
    turn, move = a[..., :3], a[..., 3:]
    return np.concatenate(
        [np.cross(turn, b[..., :3]), np.cross(turn, b[..., 3:]) + np.cross(move, b[..., :3])], axis=-1
    )


def carried(transform: Floats, screws: Floats) -> Floats:
    """Screws (..., 6) of a frame as seen from outside it, where it stands at rigid transforms (..., 3, 4)."""
    turns = np.einsum("...rc,...c->...r", transform[..., :3], screws[..., :3])
    moves = np.einsum("...rc,...c->...r", transform[..., :3], screws[..., 3:])
    return np.concatenate([turns, moves + np.cross(transform[..., 3], turns)], axis=-1)


def exponential_by(screws: Floats, by: Floats) -> Floats:
    """The screw (..., 6) along which exp(screws) moves, seen from outside, while screws change by `by`.

    d exp(s) = (Σ adⁿ / (n + 1)! ds) · exp(s), summed until nothing is added.
    """
    total = term = np.array(np.broadcast_to(by, np.broadcast_shapes(screws.shape, by.shape)), np.float64)
    least = 1e-18 * float(np.abs(term).max(initial=0.0))
    for n in range(2, _TERMS):
        term = bracket(screws, term) / n
        total = total + term
        if float(np.abs(term).max(initial=0.0)) <= least:
            break
    return total
