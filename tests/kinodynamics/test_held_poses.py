"""A pose that is held stays as it was posed, however loose: whoever keyed it has held the body up already."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.curves import Curve
from inbetweener.kinodynamics import PRESETS, LooseMotion, Loosened, Looseness, as_a_whole, preset
from inbetweener.motion import Curves


def holding(name: str, gravity: float | None = None) -> LooseMotion:
    """The guard of the boxer, held, with a preset for his whole body."""
    boxer = example("boxer")
    rig, clip = boxer.rig, boxer.clip()
    guard = {channel: Curve.constant(float(curve.values[0])) for channel, curve in clip.curves.items()}
    springs = as_a_whole(rig, preset(name))
    looseness = Looseness(springs, window=1.0) if gravity is None else Looseness(springs, window=1.0, gravity=gravity)
    return LooseMotion(Loosened(rig, looseness, clip.rate), replace(clip, curves=Curves(guard)))


@pytest.mark.parametrize("name", PRESETS)
def test_nothing_sags_unless_gravity_is_asked_for(name: str) -> None:
    motion = holding(name)
    assert np.abs(motion.channels([1.0, 2.0]) - motion.tight.channels([1.0, 2.0])).max() < 1e-12


def test_with_gravity_the_guard_drops_by_more_the_looser_it_is() -> None:
    drops = []
    for name in ("firm", "relaxed", "loose"):
        motion = holding(name, gravity=1.0)
        palm = motion.rig.point("palm_l")
        drops.append(float((motion.tight.states([2.0], palm)[0] - motion.states([2.0], palm)[0])[0, 1]))
    assert 0.0 < drops[0] < drops[1] < drops[2]
