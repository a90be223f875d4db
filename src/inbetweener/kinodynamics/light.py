"""Rows whose parts swing each by itself: what hangs on one weighs next to nothing to it, as in VRM and games."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from inbetweener.dynamics.body import Body
from inbetweener.rig import ROOT
from inbetweener.rig.masses import MassModel

SHARE = 0.03
"""How much of what it hangs on a part weighs."""
DEEPEST = 10
"""Parts in a row after which they weigh alike again, so that sums keep their digits."""
THICK = 0.1
"""Of a part's length: how far its mass is spread about the tip."""


def lightened(body: Body, loose: Collection[int]) -> Body:
    """The body with what is loose, and what hangs on that, weighing at the tips of its bones, a share of what is above.

    Frequencies are about inertias, so a part swings as often as before; what changes is only who pulls at whom.
    """
    rig, held = body.rig, body.masses
    masses, centres, inertias = held.masses.copy(), held.centres.copy(), held.inertias.copy()
    depths: dict[int, int] = {}
    tops: dict[int, int] = {}
    for j, joint in enumerate(rig.joints):
        above = joint.parent
        if above != ROOT and above in depths:
            depths[j], tops[j] = depths[above] + 1, tops[above]
        elif j in loose:
            depths[j], tops[j] = 0, j
        else:
            continue
        end = rig.bones.ends[j]
        length = float(np.linalg.norm(end))
        masses[j] = body.carried[tops[j]] * SHARE ** min(depths[j], DEEPEST)
        if length > 0:
            centres[j] = end
            inertias[j] = masses[j] * (THICK * length) ** 2 * np.eye(3)
        elif held.masses[j] > 0:
            inertias[j] *= masses[j] / held.masses[j]
    return replace(body, masses=MassModel(rig, masses, centres, inertias, held.unmatched))
