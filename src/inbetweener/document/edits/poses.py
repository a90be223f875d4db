"""Keying a pose, as an edit: what pulling points of a body or a table of values came to, put on the curves."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.curves import move_key
from inbetweener.document.document import Document
from inbetweener.document.edits.curves import set_curves
from inbetweener.document.edits.keying import keyed, level
from inbetweener.errors import InvalidDocument

SAME_TIME = 1e-6
"""Seconds within which a key is the key of that moment."""


def key_pose(
    document: Document, clip: str, time: float, pose: npt.ArrayLike, *, channels: Iterable[str] | None = None
) -> Document:
    """A clip that is in a pose, all channel values (C,), at `time`.

    Keys that are there take the values, with their tangents; where there is none, one is put in. By default only
    channels that the pose changes are keyed, and those that have stood still so far get keys wherever the clip has
    some: with one key only, a single new pose would change all others. Layers stay as they are: base curves make up for
    what they add.
    """
    rig, shown = document.rig, document.clip(clip)
    wished = np.asarray(pose, np.float64)
    if wished.shape != (len(rig.channels),) or not np.isfinite(wished).all():
        raise InvalidDocument(f"a pose needs {len(rig.channels)} finite numbers, one for every channel of the rig")
    by = wished - document.motion(clip).channels([time])[0]
    chosen = np.flatnonzero(by) if channels is None else [rig.channel_index(name) for name in channels]
    poses = [curve.times for curve in shown.curves.values() if len(curve) > 1] if channels is None else []
    times = _apart(np.unique(np.concatenate([[time], *poses])))
    curves = {}
    for c in chosen:
        channel = rig.channels[c]
        curve = shown.curves.get(channel.name)
        if curve is None or (len(curve) == 1 and channels is None):
            curve = level(times, channel.default if curve is None else float(curve.values[0]))
        curve, key = keyed(curve, time, SAME_TIME)
        curves[channel.name] = move_key(curve, key, value=float(curve.values[key] + by[c])).curve
    return set_curves(document, clip, curves) if curves else document


def _apart(times: Floats) -> Floats:
    """Times in order without those that mean the moment of the one before."""
    return times[np.diff(times, prepend=-np.inf) > SAME_TIME]
