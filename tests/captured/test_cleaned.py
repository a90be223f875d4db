"""Feet of captured motion stand after cleaning, between frames too, and nothing pops: judged by plain numpy."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from inbetweener.document import edits
from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write
from inbetweener.tangents import Contact
from tests.captured import plain
from tests.captured.cleaned import SINKS, STANDS, Cleaned, table, totals

pytestmark = pytest.mark.skipif(not plain.CLIPS, reason="the folder of real test files is absent")

PATHS = {path.stem: path for path in plain.CLIPS}

ENOUGH = 0.99
"""Share of all contacts that stands, which is the goal: 99.5 % do."""


@cache
def cleaned(stem: str) -> Cleaned:
    """A clip, cleaned and judged; once, as that takes seconds."""
    return Cleaned.of(PATHS[stem])


@pytest.mark.sweep
@pytest.mark.parametrize("stem", PATHS)
def test_feet_stand_nothing_pops_and_what_is_left_is_named(stem: str) -> None:
    made = cleaned(stem)
    assert made.pops == 0
    assert made.sunk <= SINKS, "pushed into the ground"
    assert not (~made.named & (made.after > STANDS)).any(), made.after


@pytest.mark.thorough
def test_nearly_all_contacts_stand_in_all_clips() -> None:
    made = [cleaned(stem) for stem in PATHS]
    print(table(made))
    found = totals(made)
    assert found["standing"] >= ENOUGH
    assert found["contacts"] > 500


def test_a_contact_that_is_given_up_takes_no_other_along() -> None:
    made = cleaned("87_05_cartwheels")
    assert made.named.sum() == 1
    assert made.standing == len(made.after) - 1 == 4


def test_frames_of_a_written_file_stand(tmp_path: Path) -> None:
    document = edits.suggest_contacts(read(PATHS["02_01_walk"]).document).document
    result = edits.remove_slide(document)
    write(result.document, tmp_path / "cleaned.bvh")
    cleaned = plain.read(tmp_path / "cleaned.bvh")
    places = plain.in_metres(cleaned.positions(np.arange(float(cleaned.frames))), document)
    for contact in (each.contact for each in result.report.slides):
        first, last = (round(time * document.clip().rate) for time in (contact.start, contact.end))
        point = cleaned.names.index(contact.point.joint)
        assert plain.slide(places[first : last + 1, point]) < 2e-4


def test_a_foot_that_walks_in_place_is_planted_on_request() -> None:
    path = PATHS["makehuman_zombieWalk1"]
    document = read(path).document
    clip, toe = document.clip(), document.rig.point("Toe_L")
    made = Cleaned.of(path, edits.add_constraint(document, clip.name, Contact(toe, 4 / clip.rate, 9 / clip.rate)))
    assert made.before[0] > 0.05
    assert made.standing == 1
    assert made.pops == 0
