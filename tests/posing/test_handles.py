"""A pose that mixes turned joints and a handle is pulled like any other."""

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.posing import Pin, PoseRequest, Pull, State, build, solve


@pytest.mark.parametrize(("pulled", "pinned"), [("hand_l", "hand_r"), ("chest", "hand_l"), ("forearm_l", "hand_r")])
def test_the_conductor_is_pulled_and_pins_hold(pulled: str, pinned: str) -> None:
    document = example("conductor")
    rig, channels = document.rig, document.motion().channels([0.5])[0]
    pull, pin = rig.joint_index(pulled), rig.joint_index(pinned)
    before = rig.world_from_joint(channels[None])[0, :, :, 3]
    target = before[pull] + (0.03, 0.04, 0.02)
    problem = build(rig, channels, PoseRequest((Pull(rig.point(pulled)),), (Pin(rig.point(pinned)),)))
    solution = solve(problem, State(target))
    after = rig.world_from_joint(solution.channels[None])[0, :, :, 3]
    np.testing.assert_allclose(after[pull], target, rtol=0, atol=1e-3)
    np.testing.assert_allclose(after[pin], before[pin], rtol=0, atol=2e-4)
    moved = np.abs(solution.channels - channels)
    assert moved[[rig.channel_index(name) for name in rig.handles[0].channels]].max() > 1e-4 or pulled == "chest"
