"""What a fit jerks, and what holding and cleaning jerk in a fit, is named: judged by plain numpy."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.library.plain import accelerations
from inbetweener.document import Document, edits
from inbetweener.formats.bvh.read import read
from inbetweener.motion.jerks import Jerk
from tests.captured import plain
from tests.captured.test_fitted import WALKS_ON

UNSURE = 2e-4
"""Metres a frame a frame by which plain numpy may find a place more or less jerked than our kernels do."""


@pytest.mark.sweep
@pytest.mark.parametrize("path", WALKS_ON[1::2], ids=lambda path: path.stem)
def test_joints_that_a_fit_or_holding_and_cleaning_it_jerk_are_named(path: Path) -> None:
    source = read(path).document
    capture = plain.read(path)
    fit = edits.fit(source, tolerance=0.005)
    at = np.arange(float(capture.frames))
    is_named(
        fit.report.jerks,
        source,
        plain.in_metres(capture.positions(at), source),
        plain.evaluated(path, fit.document, at),
    )
    assert fit.problem == ""
    assert ("jerked most" in str(fit)) == bool(fit.report.jerks)
    standing = edits.suggest_contacts(fit.document).document
    before = plain.evaluated(path, standing, at)
    held, cleaned = edits.hold(standing), edits.remove_slide(standing)
    is_named(held.jerks, source, before, plain.evaluated(path, held.document, at))
    is_named(cleaned.report.jerks, source, before, plain.evaluated(path, cleaned.document, at))
    for result, jerks, by_poses in (
        (held, held.jerks, held.by_poses),
        (cleaned, cleaned.report.jerks, cleaned.report.by_poses),
    ):
        told = "\n".join(result.lines) if by_poses else result.problem
        assert ("jerked now" in told) == bool(jerks)


def is_named(jerks: tuple[Jerk, ...], document: Document, before: np.ndarray, after: np.ndarray) -> None:
    """Named is what is jerked for certain, on the frame and by as much as it is, and nothing that is not."""
    was, is_now = accelerations(before), accelerations(after)
    beyond = is_now - (1.5 * was + 0.005)
    found = {each.point: each for each in jerks}
    for p, name in enumerate(plain.names(document)):
        most = beyond[:, p].max()
        assert abs(most) < UNSURE or (name in found) == (most > 0), (name, most)
        if each := found.get(name):
            n = each.frame - 1
            assert beyond[n, p] > most - UNSURE
            assert (each.before, each.after) == pytest.approx((was[n, p], is_now[n, p]), abs=UNSURE)
    excess = [each.after - 1.5 * each.before for each in jerks]
    assert excess == sorted(excess, reverse=True)
