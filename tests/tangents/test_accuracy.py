"""Reachable targets over the grid of [TSO] Table 3: reached, with pins and contacts held on the evaluated motion.

One seed here, none that anything was tuned on; `benchmarks/tangents.py` runs more.
"""

import numpy as np

from inbetweener.tangents import Drag
from tests.tangents import grid

SEED = 7001


def test_reachable_targets_are_reached_and_constraints_hold() -> None:
    verdicts, worse = [], []
    for cell in grid.cells():
        case = grid.case(cell, SEED)
        if case is None:
            continue
        drag = Drag(case.motion, case.request)
        assert 4 * len(drag.problem.names) == cell.dof
        verdict = grid.judge(case, drag.to(case.target))
        verdicts.append(verdict)
        if verdict.target * drag.problem.height > np.linalg.norm(case.target - case.start) + 1e-9:
            worse.append(cell)
    assert len(verdicts) >= 50
    assert sum(v.good for v in verdicts) >= 0.98 * len(verdicts)
    assert max(v.at_frames for v in verdicts) <= 1e-4
    assert max(v.between_frames for v in verdicts) <= 5e-4
    assert worse == []


def test_with_tied_neighbours_constraints_hold_in_all_three_segments() -> None:
    verdicts = []
    for cell in grid.cells():
        if cell.dof == 72 and (case := grid.case(cell, SEED, segments=3)):
            verdicts.append(grid.judge(case, Drag(case.motion, case.request).to(case.target)))
    assert len(verdicts) >= 11
    assert sum(v.good for v in verdicts) >= 0.98 * len(verdicts)
    assert max(v.at_frames for v in verdicts) <= 1e-4
    assert max(v.between_frames for v in verdicts) <= 5e-4
