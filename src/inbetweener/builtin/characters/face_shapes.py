"""What a face can do: its blend shapes, as smooth fields around mouth, eyes and brows.

The skin is sculpted with the mouth open and no eye sockets. From there one field closes the lips and another sinks the
sockets: that is the face at rest, and the way back is the shape "open", or a lid that covers its eye. All places are
metres in the frame of the head joint.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats

MOUTH = (0.0, 0.0)
MOUTH_HALF = (0.036, 0.019)
"""The open mouth: middle (x, y), half width and half height."""
EYE = (0.047, 0.098, 0.08)
EYE_RADIUS = 0.036
EYE_HALF = (0.034, 0.029)
"""Half width and half height of the opening between the lids."""
SOCKET, RIM = 0.93, 1.08
"""Where the skin starts to rise from the socket and where it is out, as shares of that opening."""
LID = 0.07
"""How far a closed lid stands off the eyeball, in radii."""

SHAPES = ("open", "ooh", "wide", "smile", "frown", "brow_up", "brow_down", "blink_l", "blink_r")


@dataclass(frozen=True, slots=True)
class Expressions:
    """The skin at rest (V, 3), the offsets (V, 3) of each shape, and how far (V,) each vertex follows the jaw."""

    rest: Floats
    offsets: dict[str, Floats]
    jaw: Floats


def expressions(skin: Floats) -> Expressions:
    """The face at rest and its shapes, from the skin (V, 3) as sculpted."""
    opened = _mouth_opened(skin)
    closed = _lips_closed(opened, skin)
    x, y, z = skin.T
    front = _rise(z, 0.0, 0.06)
    mouth = _mouth_shapes(skin, _lower(opened - closed, skin), closed, front)
    # A hint of a smile is friendlier at rest than a straight line.
    rest = _sockets(closed) + 0.3 * mouth["smile"]
    offsets = {
        **mouth,
        "brow_up": _move(_brows(skin) * front, 0.0, 0.016, 0.001),
        "brow_down": _move(_brows(skin) * front, -np.sign(x) * 0.006, -0.015 * _bump(x, 0.11), 0.004),
        "blink_l": _lid(skin, rest, 1.0),
        "blink_r": _lid(skin, rest, -1.0),
    }
    below = _rise(MOUTH[1] - y, -0.006, 0.008) * _rise(z, -0.02, 0.05)
    return Expressions(rest, {name: offsets[name] for name in SHAPES}, below)


def _mouth_shapes(skin: Floats, apart: Floats, closed: Floats, front: Floats) -> dict[str, Floats]:
    x, y, _ = skin.T
    side = np.sign(x)
    corners = _bump(np.abs(x) - MOUTH_HALF[0], 0.026) * _bump(y - MOUTH[1], 0.03) * front
    cheeks = _bump(np.abs(x) - 0.058, 0.03) * _bump(y - 0.035, 0.03) * front
    lips = _bump(x, 0.05) * _bump(y - MOUTH[1], 0.032) * front
    chin = _bump(x, 0.04) * _bump(y + 0.04, 0.03) * front
    narrow = -0.5 * (closed[:, 0] - MOUTH[0])
    return {
        "open": apart,
        "ooh": 0.45 * apart + _move(lips, narrow, 0.0, 0.016),
        "wide": 0.22 * apart + _move(corners, 0.013 * side, 0.002, -0.006) + _move(cheeks, 0.003 * side, 0.002, 0.0),
        "smile": _move(corners, 0.013 * side, 0.017, -0.007)
        + _move(cheeks, 0.004 * side, 0.008, 0.006)
        + _move(lips * _bump(x, 0.02), 0.0, -0.003, -0.001),
        "frown": _move(corners, 0.003 * side, -0.016, -0.003) + _move(chin, 0.0, 0.006, 0.003),
    }


def _mouth_opened(skin: Floats) -> Floats:
    """The sculpted skin with a hollow behind the lips, and lips that swell around it."""
    reach = _from_mouth(skin)
    front = skin[:, 2] > 0.05
    hollow = np.where(front, -0.042 * _rise(1.0 - reach, 0.0, 0.3), 0.0)
    swell = np.where(front, 0.005 * _bump(reach - 1.3, 0.5) * _bump(skin[:, 0], 1.1 * MOUTH_HALF[0]), 0.0)
    return skin + _move(1.0, 0.0, 0.0, hollow + swell)


def _lips_closed(opened: Floats, skin: Floats) -> Floats:
    """The mouth pressed flat to a line; the squeeze fades out around the lips."""
    reach = _from_mouth(skin)
    squeeze = np.where(skin[:, 2] > 0.05, 0.93 * (1.0 - _rise(reach, 1.0, 2.1)), 0.0)
    return opened - _move(1.0, 0.0, (opened[:, 1] - MOUTH[1]) * squeeze, 0.0)


def _lower(offsets: Floats, skin: Floats) -> Floats:
    """An opening mouth, moved down as a whole together with the chin: the jaw does it, not the upper lip."""
    x, y, z = skin.T
    fall = _bump(x, 0.065) * _rise(-y, -0.03, 0.0) * _rise(z, 0.0, 0.05) * _rise(y, -0.13, -0.06)
    return offsets + _move(fall, 0.0, -0.011, -0.002)


def _sockets(skin: Floats) -> Floats:
    """Where an eyeball looks out, the skin lies behind it: shallow at the upper lid, deep at the lower."""
    result = skin.copy()
    for sign in (1.0, -1.0):
        away, reach = _from_eye(skin, sign)
        distance = np.linalg.norm(away, axis=1)
        # The deeper the skin, the later a blink brings it out: so it closes from above, like a lid, and evenly.
        emerges = 0.25 + 0.63 * np.clip(0.5 - away[:, 1] / (2 * EYE_HALF[1]), 0.0, 1.0)
        sunk = EYE_RADIUS * (1.0 - LID * emerges / (1.0 - emerges))
        share = 1.0 - _rise(reach, SOCKET, RIM)
        result += away * ((sunk / distance - 1.0) * share)[:, None]
    return result


def _lid(skin: Floats, rest: Floats, sign: float) -> Floats:
    """Offsets that bring the skin of a socket out, just over the eyeball."""
    away, reach = _from_eye(skin, sign)
    distance = np.linalg.norm(away, axis=1)
    over = skin + away * ((1.0 + LID) * EYE_RADIUS / distance - 1.0)[:, None]
    return (over - rest) * (1.0 - _rise(reach, SOCKET, 1.15))[:, None]


def _brows(skin: Floats) -> Floats:
    x, y, _ = skin.T
    return _bump(np.abs(x) - 0.045, 0.05) * _bump(y - 0.15, 0.034)


def _from_mouth(skin: Floats) -> Floats:
    """How far from the middle of the mouth, 1 at its border."""
    return np.hypot((skin[:, 0] - MOUTH[0]) / MOUTH_HALF[0], (skin[:, 1] - MOUTH[1]) / MOUTH_HALF[1])


def _from_eye(skin: Floats, sign: float) -> tuple[Floats, Floats]:
    """Vectors (V, 3) from the middle of the left (+1) or right (−1) eye, and how far along the face, 1 at the lids."""
    away = skin - np.array([sign * EYE[0], EYE[1], EYE[2]])
    reach = np.hypot(away[:, 0] / EYE_HALF[0], away[:, 1] / EYE_HALF[1])
    return away, np.where(skin[:, 2] > 0.04, reach, np.inf)


def _rise(value: Floats, low: float, high: float) -> Floats:
    """From 0 at `low` to 1 at `high`, smooth at both ends."""
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _bump(value: Floats, width: float) -> Floats:
    """1 at zero, falling smoothly to 0 at ±`width`."""
    t = np.clip(1.0 - (value / width) ** 2, 0.0, 1.0)
    return t * t


def _move(share: Floats | float, x: Floats | float, y: Floats | float, z: Floats | float) -> Floats:
    """Offsets (V, 3): a share (V,) of a displacement."""
    return np.stack(np.broadcast_arrays(share * np.asarray(x), share * np.asarray(y), share * np.asarray(z)), axis=-1)
