"""Keying a pose, as an edit: what pulling points of a body or a table of values came to, put on the curves."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from inbetweener.curves import LINEAR, Curve, Key, edit
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import set_curves
from inbetweener.errors import InvalidDocument

SAME_TIME = 1e-6
"""Seconds within which a key is the key of that moment."""


def key_pose(
    document: Document, clip: str, time: float, pose: npt.ArrayLike, *, channels: Iterable[str] | None = None
) -> Document:
    """A clip that is in a pose, all channel values (C,), at `time`.

    Keys that are there take the values, with their tangents; where there is none, one is put in. By default only
    channels that the pose changes are keyed. Layers stay as they are: base curves make up for what they add.
    """
    rig, shown = document.rig, document.clip(clip)
    wished = np.asarray(pose, np.float64)
    if wished.shape != (len(rig.channels),) or not np.isfinite(wished).all():
        raise InvalidDocument(f"a pose needs {len(rig.channels)} finite numbers, one for every channel of the rig")
    by = wished - document.motion(clip).channels([time])[0]
    chosen = np.flatnonzero(by) if channels is None else [rig.channel_index(name) for name in channels]
    curves = {}
    for c in chosen:
        channel = rig.channels[c]
        curves[channel.name] = _raised(shown.curves.get(channel.name), time, channel.default, float(by[c]))
    return set_curves(document, clip, curves) if curves else document


def _raised(curve: Curve | None, time: float, default: float, by: float) -> Curve:
    """A curve with a key at `time`, raised."""
    if curve is None:
        return Curve.from_keys([Key(time, default + by)])
    key = int(np.abs(curve.times - time).argmin())
    if abs(curve.times[key] - time) > SAME_TIME:
        key, count = int(np.searchsorted(curve.times, time)), len(curve)
        curve = edit.insert_key(curve, time).curve
        segment = min(key, count - 1)
        # Beyond its ends a curve is level; the segment there is made one that can be shaped like any other.
        if key in (0, count) and curve.interpolations[segment] == LINEAR:
            curve = edit.straight_as_bezier(curve, [segment])
    return edit.move_key(curve, key, value=float(curve.values[key]) + by).curve
