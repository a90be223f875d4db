"""Two people shake hands: one palm is held in the space of the other's hand, by tangents of both bodies."""

import numpy as np

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from inbetweener.builtin import example
from inbetweener.document import Document, edits

PALM, HAND = "palm_r", "guest:hand_r"
LOOKS = 8
"""Looks a frame."""


def worked() -> Worked:
    """As keyed, and with the palm held."""
    before = example("handshake")
    after = edits.hold(before).document
    keys = [sum(len(curve) for curve in each.clip().curves.values()) for each in (before, after)]
    figures = [
        Figure("palm leaves the other's hand, as keyed", 1e3 * left(before), "mm"),
        Figure("palm leaves the other's hand, held", 1e3 * left(after), "mm", at_most=0.2),
        Figure("keys added", keys[1] - keys[0], "", at_most=0),
    ]
    return Worked({"before": before, "after": after}, figures, (PALM,))


def left(document: Document) -> float:
    """How far the palm is from where it took the other's hand, in that hand's own space, in metres at most."""
    (held,) = (each.rule for each in document.constraints if each.rule.base == HAND)
    motion, clip = document.motion(), document.clip()
    times = np.arange(held.start, held.end, 1.0 / (LOOKS * clip.rate))
    palm = motion.states(times, document.rig.point(PALM))[0]
    world = motion.world_from_joint(times)[:, document.rig.joint_index(HAND)]
    inside = np.linalg.solve(world[:, :, :3], (palm - world[:, :, 3])[:, :, None])[:, :, 0]
    return float(np.linalg.norm(inside - inside[0], axis=1).max())
