"""[TSO] Eq. 2: derivatives of every watched state by every tangent, against central differences at two step sizes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.motion import Curves, Layer, Motion
from inbetweener.rig import BlendedPoint, Point
from inbetweener.tangents import Contact, DragRequest, Lock, Pin, build
from inbetweener.tangents.workspace import Workspace
from tests.rig.specimens import random_rig
from tests.tangents.figures import staggered, staggered_curve

TIP = Point("joint 5", (0.1, -0.2, 0.3))
SKIN = BlendedPoint(((Point("joint 4", (0.1, 0.0, 0.2)), 0.6), (Point("joint 3", (0.0, 0.3, 0.0)), 0.4)))


def differences(work: Workspace, z: np.ndarray, step: float) -> np.ndarray:
    """(R, 4F) by central differences of the states; the rotation between the two sides as a vector."""
    items, columns = work.problem.items, []
    for v in range(len(z)):
        sides = []
        for sign in (1.0, -1.0):
            moved = z.copy()
            moved[v] += sign * step
            work.evaluate(moved)
            sides.append((work.positions.copy(), work.turns.copy()))
        shifts = sides[0][0] - sides[1][0]
        turns = Rotation.from_matrix(sides[0][1] @ np.swapaxes(sides[1][1], -1, -2)).as_rotvec()
        column = np.empty(items.row_count)
        for i, row in enumerate(items.rows):
            halves = [half for half, wanted in zip((shifts[i], turns[i]), items.wants[i], strict=True) if wanted]
            column[row : row + 3 * len(halves)] = np.concatenate(halves)
        columns.append(column * work.problem.row_scale / (2.0 * step))
    return np.stack(columns, axis=-1)


def layered(seed: int) -> Motion:
    motion = staggered(random_rig(seed, 6), seed)
    rng = np.random.default_rng(seed)
    names = [c.name for c in motion.rig.channels[::2]]
    layer = Layer("over", Curves({name: staggered_curve(rng, 0.0, 0.2) for name in names}), weight=0.7)
    return Motion(motion.rig, replace(motion.clip, layers=(layer,)))


REQUESTS = {
    "position": DragRequest(TIP, 1.05),
    "orientation": DragRequest(TIP, 1.05, "orientation"),
    "both, with pins, a contact and a lock": DragRequest(
        TIP,
        1.05,
        "both",
        (Pin(SKIN), Pin(Point("joint 2", (0.2, 0.0, 0.1)), "orientation"), Contact(SKIN, 0.7, 1.4, "both"), Lock(0.9)),
    ),
    "a place on a skin": DragRequest(SKIN, 0.83),
    "a layer": DragRequest(TIP, 1.05, "both", (Pin(SKIN),), layer="over"),
    "a few channels": DragRequest(TIP, 1.05, channels=frozenset(["curl", "stretch"])),
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
@pytest.mark.parametrize("seed", [0, 1])
def test_agree_with_central_differences(seed: int, request_: DragRequest) -> None:
    problem = build(layered(seed), request_)
    work = Workspace(problem)
    variables = problem.variables
    z = np.clip(0.02 * np.random.default_rng(seed).normal(size=len(variables)), variables.lower, variables.upper)
    z = np.where(variables.lower == variables.upper, 0.0, z)
    work.evaluate(z)
    exact = work.derivatives.copy()
    errors = []
    for step in (1e-3, 1e-4):
        coarse = differences(work, z, step)
        live = variables.upper > variables.lower
        assert not np.array_equal(coarse, exact)
        errors.append(np.abs(coarse - exact)[:, live].max())
    assert np.abs(exact[:, 0::4]).max() > 1e-5
    assert np.abs(exact[:, 1::2]).max() > 1e-3
    assert errors[0] < 2e-2 * np.abs(exact).max()
    # The error is the differences' own: it falls with the square of the step.
    assert errors[1] < 2e-2 * errors[0] + 1e-9


def test_tied_tangents_reach_into_the_neighbouring_segments() -> None:
    problem = build(staggered(random_rig(2, 6), 2), DragRequest(TIP, 1.05, constraints=(Pin(TIP),)))
    work = Workspace(problem)
    variables = problem.variables
    ends = variables.window.times[variables.segments + 1]
    beyond = problem.items.moments[:, None] > ends
    reach = (np.abs(work.partials[..., 2:]).max(axis=-1) > 1e-9) & beyond
    assert (reach.any(axis=0) == variables.ties[:, 1]).all()
    assert variables.ties[:, 1].any()
    assert not variables.ties[:, 1].all()


def test_controls_of_several_joints_take_part() -> None:
    problem = build(staggered(random_rig(3, 6), 3), DragRequest(TIP, 1.05))
    work = Workspace(problem)
    column = 4 * problem.names.index("curl")
    assert np.abs(work.derivatives[:, column : column + 4]).max() > 1e-3


def test_derivatives_by_a_push_on_the_channels() -> None:
    problem = build(staggered(random_rig(1, 6), 1), DragRequest(TIP, 1.05, "both", (Pin(SKIN),)))
    work = Workspace(problem)
    push = np.random.default_rng(0).normal(size=problem.offsets.shape)
    exact = work.derivatives_by(push)
    step = 1e-5
    for i in range(0, len(problem.names), 7):
        sides = []
        for sign in (1.0, -1.0):
            work.offsets[:] = problem.offsets
            work.offsets[:, i] += sign * step * push[:, i]
            work.evaluate(work.z)
            sides.append(work.errors.copy())
        np.testing.assert_allclose((sides[1] - sides[0]) / (2 * step), exact[:, i], atol=1e-7 * np.abs(exact).max())
