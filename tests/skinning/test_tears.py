"""[DB] Fig. 16: bars straightened, twisted and bent by more than a turn tear, unless blended by differentials."""

import numpy as np
import pytest

from benchmarks.bars import CASES, RADIUS, RINGS, SIDES, Case, Tear


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]()


def test_differential_blending_stays_smooth(case: Case) -> None:
    torn = Tear.of(case.mesh, case.posed("differential"))
    assert torn.stretch < 2.0
    assert torn.crease < 20.0


@pytest.mark.parametrize("blending", ["dual-quaternion", "screw"])
def test_shortest_paths_tear(case: Case, blending: str) -> None:
    smooth, torn = (Tear.of(case.mesh, case.posed(way)) for way in ("differential", blending))
    assert torn.stretch > 2.5 * smooth.stretch
    assert torn.crease > 80.0


def test_linear_blending_loses_thickness_where_differential_keeps_it(case: Case) -> None:
    def thinnest(posed: np.ndarray) -> float:
        rings = posed.reshape(RINGS, SIDES, 3)
        spread = np.linalg.norm(rings - rings.mean(axis=1, keepdims=True), axis=-1)
        return float(spread.min() / RADIUS)

    assert thinnest(case.posed("linear")) < 0.75
    assert thinnest(case.posed("differential")) > 0.99


def test_the_metric_sees_nothing_in_a_rigid_motion_and_something_in_a_cut() -> None:
    mesh = CASES["twist"]().mesh
    moved = mesh.vertices.astype(np.float64) @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]).T + 3.0
    same = Tear.of(mesh, moved)
    assert (same.stretch, same.crease) == (pytest.approx(1.0, abs=1e-6), pytest.approx(0.0, abs=1e-2))
    moved[: len(moved) // 2] += [0.0, 0.0, 0.1]
    assert Tear.of(mesh, moved).stretch > 4.0
