"""A row of spring bones as programs that show VRM play it, frame by frame, in plain numpy: VRMC_springBone's update.

Written from the specification alone, without anything of ours; rest orientations are none, as in `made.person`.
"""

import numpy as np

Array = np.ndarray


def played(
    heads: Array, offsets: Array, stiffness: float, drag: float, gravity: float = 0.0, rate: float = 60.0
) -> Array:
    """Tails (F, B, 3) of B bones in a row, given 4 × 4 transforms (F, 4, 4) of what they hang on at `rate`.

    offsets (B + 1, 3): where the first bone begins in that, and where each ends in the one before. All is at rest at
    the first frame.
    """
    dt, lengths = 1.0 / rate, np.linalg.norm(offsets[1:], axis=1)
    turn, place = heads[0, :3, :3], heads[0, :3, :3] @ offsets[0] + heads[0, :3, 3]
    now = np.array([place := place + turn @ offset for offset in offsets[1:]])
    before, found = now.copy(), [now.copy()]
    for head in heads[1:]:
        turn, place = head[:3, :3], head[:3, :3] @ offsets[0] + head[:3, 3]
        for b, length in enumerate(lengths):
            rest = turn @ (offsets[b + 1] / length)
            moved = now[b] + (now[b] - before[b]) * (1.0 - drag) + stiffness * dt * rest
            moved = moved + gravity * dt * np.array([0.0, -1.0, 0.0])
            way = (moved - place) / np.linalg.norm(moved - place)
            before[b], now[b] = now[b], place + length * way
            place, turn = now[b], between(rest, way) @ turn
        found.append(now.copy())
    return np.array(found)


def between(one: Array, other: Array) -> Array:
    """The shortest turn of one direction into another (Rodrigues)."""
    axis, cosine = np.cross(one, other), float(one @ other)
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + skew + skew @ skew / (1.0 + cosine)
