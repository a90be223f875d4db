"""Rigs that mix turned joints and handles are dragged like any other: the conductor, whose left arm hangs on one."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.motion import Motion
from inbetweener.rig import chains
from inbetweener.tangents import Drag, DragRequest, Pin, build
from inbetweener.tangents.workspace import Workspace

TIME = 18 / 24


@pytest.fixture(scope="module")
def motion() -> Motion:
    return example("conductor").motion()


def dragged(motion: Motion, point: str, by: tuple[float, float, float], pins: list[str]) -> Drag:
    rig = motion.rig
    constraints = tuple(Pin(rig.point(name)) for name in pins)
    drag = Drag(motion, DragRequest(rig.point(point), TIME, constraints=constraints))
    for share in (0.25, 0.5, 0.75, 1.0):
        drag.to(drag.start_position + share * np.array(by))
    return drag


@pytest.mark.parametrize(
    ("point", "by", "pins"),
    [
        ("hand_l", (0.04, 0.06, 0.02), []),
        ("palm_l", (0.02, 0.05, -0.03), ["hand_r", "foot_l"]),
        ("chest", (0.02, 0.01, 0.03), ["hand_l"]),
        ("chest", (0.02, 0.01, 0.03), ["hand_l", "hand_r"]),
        ("hand_r", (0.02, 0.04, 0.03), ["hand_l"]),
    ],
)
def test_the_point_arrives_and_pins_hold(
    motion: Motion, point: str, by: tuple[float, float, float], pins: list[str]
) -> None:
    drag = dragged(motion, point, by, pins)
    certificate = drag.certificate()
    height = chains.height(motion.rig)
    assert drag.solution.reached
    assert certificate.target_distance < 1e-3 * height
    assert all(held.distance < 5e-4 * height for held in certificate.constraints)
    assert certificate.keys_kept
    assert certificate.limits == ()


def test_the_hand_is_dragged_by_the_curves_of_its_target(motion: Motion) -> None:
    drag = dragged(motion, "hand_l", (0.04, 0.06, 0.02), [])
    names = drag.problem.names
    changed = {name for name in names if drag.commit()[name] != motion.clip.curves[name]}
    assert {"arm_l.x", "arm_l.y", "arm_l.z"} <= changed


def test_where_a_pinned_hand_holds_the_palm_back_keys_are_looked_for_among_the_handle_s_channels_too(
    motion: Motion,
) -> None:
    rig = motion.rig
    drag = Drag(motion, DragRequest(rig.point("palm_l"), 6 / 24, constraints=(Pin(rig.point("hand_l")),)))
    owned = {name for name in drag.problem.names if not rig.channel(name).drives}
    assert owned, "channels of a handle drive no joint by themselves"
    drag.to(drag.start_position + np.array([0.1, 0.12, 0.0]))
    assert not drag.solution.reached
    suggestion = drag.suggest()
    assert suggestion is None or suggestion.error < drag.solution.target_error * chains.height(rig)


def test_a_chest_that_moves_bends_the_arm_and_leaves_the_hand(motion: Motion) -> None:
    drag = dragged(motion, "chest", (0.02, 0.01, 0.03), ["hand_l"])
    rig, frames = motion.rig, np.linspace(12, 24, 49) / 24
    after = Motion(rig, replace(motion.clip, curves=drag.commit())).joint_positions(frames)
    before = motion.joint_positions(frames)
    moved = np.linalg.norm(after - before, axis=-1).max(axis=0)
    assert moved[rig.joint_index("hand_l")] < 1e-6
    assert moved[rig.joint_index("forearm_l")] > 2e-3
    assert moved[rig.joint_index("chest")] > 0.02


def test_derivatives_of_a_drag_see_the_handle(motion: Motion) -> None:
    """The workspace's derivatives against central differences at two steps."""
    rig = motion.rig
    request = DragRequest(rig.point("forearm_l"), TIME, constraints=(Pin(rig.point("hand_l")),))
    work = Workspace(build(motion, request))
    z = np.zeros(len(work.problem.variables))
    work.evaluate(z)
    exact = work.derivatives.copy()
    assert np.abs(exact).max() > 1e-3
    errors = []
    for step in (1e-3, 1e-4):
        coarse = np.empty_like(exact)
        for v in range(len(z)):
            sides = []
            for sign in (1.0, -1.0):
                moved = z.copy()
                moved[v] += sign * step
                work.evaluate(moved)
                sides.append(work.errors.copy())
            coarse[:, v] = (sides[1] - sides[0]) / (2 * step)
        assert not np.array_equal(coarse, exact)
        errors.append(np.abs(coarse - exact).max())
    assert errors[1] < 1e-6
    assert errors[1] < 0.05 * errors[0]
