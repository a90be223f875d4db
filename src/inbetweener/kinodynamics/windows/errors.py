"""What windows miss: distances on the body from a simulation of the whole shot."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.kinodynamics.windows.modes import probes

if TYPE_CHECKING:
    from inbetweener.kinodynamics.loose_motion import LooseMotion


def window_error(motion: "LooseMotion", times: npt.ArrayLike) -> Floats:
    """(T,) metres: how far any joint, where it ends, or a soft vertex is from where a simulated shot has it."""
    moments = np.asarray(times, np.float64).ravel()
    joints = apart(motion, motion.channels(moments), motion.simulated(moments))
    return np.maximum(joints, motion.loosened.softened.missed(motion, motion.tight, moments))


def error_map(motion: "LooseMotion", times: npt.ArrayLike, windows: npt.ArrayLike) -> Floats:
    """(W, T) metres: the same for windows of each of these lengths in seconds ([IKD] Fig. 10)."""
    moments, lengths = np.asarray(times, np.float64).ravel(), np.asarray(windows, np.float64).ravel()
    truth, step = motion.simulated(moments), motion.loosened.step
    counts = np.maximum(np.ceil(lengths / step - 1e-9), 1).astype(np.int64)
    softened = motion.loosened.softened
    rows = []
    for n in counts:
        joints = apart(motion, motion.states_after(moments, np.full(len(moments), n)), truth)
        rows.append(np.maximum(joints, softened.missed(motion, motion.tight, moments, float(n * step))))
    return np.array(rows).reshape(len(counts), len(moments))


def apart(motion: "LooseMotion", one: Floats, other: Floats) -> Floats:
    """(T,) metres between two poses (T, C), where they differ most; shapes that move no joint count as in `modes`."""
    distances = np.linalg.norm(probes(motion.loosened, one) - probes(motion.loosened, other), axis=2)
    return np.asarray(distances.max(axis=1, initial=0.0))
