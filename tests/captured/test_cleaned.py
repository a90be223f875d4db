"""Feet of captured motion stand after cleaning, and nothing pops: judged on the written file, by plain numpy."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.document import Document, edits
from inbetweener.document.edits.contacts import SlideResult
from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write
from inbetweener.tangents import Contact
from tests.captured import plain

STEMS = (
    "bvhtoolbox_walk01",
    "makehuman_zombieWalk1",
    "02_01_walk",
    "09_03_run",
    "13_11_forward_jump",
    "74_14_walk_on_slope",
)
PATHS = tuple(path for path in plain.CLIPS if path.stem in STEMS)


def cleaned(path: Path, folder: Path) -> tuple[Document, SlideResult, np.ndarray, np.ndarray]:
    """The document with contacts found, how cleaning went, and where everything was and is on all frames."""
    document = edits.suggest_contacts(read(path).document).document
    if not document.constraints:  # it walks in place, where no foot stands: plant the one that slips least
        clip, toe = document.clip(), document.rig.point("Toe_L")
        document = edits.add_constraint(document, clip.name, Contact(toe, 4 / clip.rate, 9 / clip.rate))
    result = edits.remove_slide(document)
    write(result.document, folder / "cleaned.bvh")
    before, after = (plain.read(each) for each in (path, folder / "cleaned.bvh"))
    frames = np.arange(float(before.frames))
    return document, result, *(plain.in_metres(each.positions(frames), document) for each in (before, after))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_feet_stand_and_nothing_pops(path: Path, tmp_path: Path) -> None:
    document, result, before, after = cleaned(path, tmp_path)
    assert plain.pops(before, after) == 0
    assert after[..., 1].min() > before[..., 1].min() - 0.001, "pushed into the ground"
    names = [str(point) for point in (*(joint.name for joint in document.rig.joints), *document.rig.points)]
    rate = document.clip().rate
    held = [each.contact for each in result.report.slides]
    assert len(held) == len(document.constraints), result.problem
    for contact in held:
        first, last = round(contact.start * rate), round(contact.end * rate)
        stood = after[first : last + 1, names.index(str(contact.point))]
        assert np.linalg.norm(stood - stood.mean(axis=0), axis=1).max() < 5e-4
