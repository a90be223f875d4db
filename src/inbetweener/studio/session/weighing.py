"""What a page is told that joints weigh: the same body that guidance moves."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.rig import Rig
from inbetweener.rig.masses import MassModel, boxes
from inbetweener.studio.session.changes import moves_alike

_last: tuple[Rig, MassModel] | None = None


def weighed(rig: Rig) -> tuple[Floats, Floats]:
    """Masses (J,) in kg, and centres (J, 3) in the joints' own frames."""
    global _last
    if not rig.joints:
        return np.empty(0), np.empty((0, 3))
    # A slider of stiffness makes a new rig at every move, and not one of them weighs anything else.
    if _last is None or not moves_alike(_last[0], rig):
        _last = rig, boxes(rig)
    return _last[1].masses, _last[1].centres
