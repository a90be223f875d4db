"""Loose bodies for tests of targets, and a look at them that owes nothing to the solver."""

from functools import lru_cache

import numpy as np

from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, PointTarget, Spring, everywhere, preset
from inbetweener.kinodynamics.solution import Solution

SMALL = ("thumb", "index", "middle", "ring", "pinky", "eye")
JAB = 14 / 24
"""The left fist is on the bag."""


@lru_cache
def scene(name: str) -> Document:
    return example(name)


def loose(name: str, spring: str | Spring, *, small: bool = True, **world: float) -> LooseMotion:
    """A built-in scene, a spring on every joint but the root; fingers and eyes are tight where `small` is False."""
    document = scene(name)
    rig, clip = document.rig, document.clip()
    tight = [] if small else [joint.name for joint in rig.joints if joint.name.startswith(SMALL)]
    springs = everywhere(rig, preset(spring) if isinstance(spring, str) else spring, without=tight)
    world.setdefault("window", 0.5)
    return LooseMotion(Loosened(rig, Looseness(springs, **world), clip.rate), clip)  # type: ignore[arg-type]


def watched(motion: LooseMotion, solution: Solution) -> LooseMotion:
    """The motion that an animator sees: made anew, from a clip with the solution's layers."""
    return LooseMotion(motion.loosened, solution.applied(motion.clip))


def off(motion: LooseMotion, target: PointTarget, keyed: LooseMotion) -> float:
    """Metres between a target's place and where it is wanted."""
    wanted = keyed.tight.states([target.time], target.point)[0][0] if target.position == "keyed" else target.position
    return float(np.linalg.norm(motion.states([target.time], target.point)[0][0] - wanted))
