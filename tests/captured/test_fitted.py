"""A fit of captured motion keeps its promise between frames too, against even turns from frame to frame by scipy."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.document import edits
from inbetweener.formats.bvh.read import read
from inbetweener.motion import fit_clip
from tests.captured import plain

TOLERANCE = 0.005
SHORT = tuple(path for path in plain.CLIPS if path.stat().st_size < 160_000)
"""Walks of other programs at 24 frames a second, runs, a spin, a roll, a backflip, a handspring."""

WALKS_ON = [path for path in SHORT if not path.stem.startswith("makehuman")]
"""Those that go somewhere: who walks in place plants no foot."""


@pytest.mark.sweep
@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_no_joint_is_farther_off_than_promised_at_any_quarter_frame(path: Path) -> None:
    document = read(path).document
    made, report = fit_clip(document.rig, document.clip(), TOLERANCE)
    capture = plain.read(path)
    at = np.arange(4 * capture.frames - 3) / 4
    off = np.linalg.norm(plain.ours(document, made, at) - plain.in_metres(capture.positions(at), document), axis=-1)
    assert report.holds
    # Captured angles are followed within a tenth of a millimetre or so by what is read already.
    assert off.max() < 1.05 * TOLERANCE
    assert report.key_share < 0.25


@pytest.mark.sweep
@pytest.mark.parametrize("path", WALKS_ON[1::2], ids=lambda path: path.stem)
def test_what_is_planted_before_a_fit_stands_in_it(path: Path) -> None:
    document = edits.suggest_contacts(read(path).document).document
    assert document.constraints
    cleaned = edits.remove_slide(document)
    fitted = edits.fit(cleaned.document, tolerance=TOLERANCE).document
    at = np.arange(4 * plain.read(path).frames - 3) / 4
    before, after = (plain.evaluated(path, each, at) for each in (cleaned.document, fitted))
    assert np.linalg.norm(after - before, axis=-1).max() < 1.05 * TOLERANCE
    rate = fitted.clip().rate
    for slide in cleaned.report.slides:
        contact = slide.contact
        first, last = round(4 * rate * contact.start), round(4 * rate * contact.end)
        point = plain.names(fitted).index(str(contact.point))
        assert plain.slide(after[first : last + 1, point]) < 1e-3


@pytest.mark.sweep
@pytest.mark.parametrize("path", SHORT[2::3], ids=lambda path: path.stem)
def test_poses_of_the_whole_body_are_as_near_as_is_told(path: Path) -> None:
    document = read(path).document
    at = np.arange(4 * plain.read(path).frames - 3) / 4
    should = plain.in_metres(plain.read(path).positions(at), document)
    for made in (edits.fit(document, tolerance=0.02, align="body"), edits.fit(document, poses=12)):
        off = np.linalg.norm(plain.evaluated(path, made.document, at) - should, axis=-1)
        assert off.max() == pytest.approx(made.report.max_error_m, rel=0.05, abs=2e-4)
        moving = [curve.times for curve in made.document.clip().curves.values() if len(curve) > 1]
        assert len({tuple(times) for times in moving}) == 1
