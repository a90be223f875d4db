"""One card tells what there is to know of a file; what exactly is in its fold."""

import inbetweener as ib
from inbetweener.formats.files import Choice, Question, Reading
from inbetweener.studio.project import notices
from inbetweener.studio.project.folder import Origin

WALK = Origin(path="walk.bvh")
SPARSE = ib.example("waving")


def test_a_single_repair_is_told_outright() -> None:
    (notice,) = notices.opened(WALK, Reading(SPARSE, ("line 1: one unit is a metre",)))
    assert (notice.level, notice.text, notice.more) == ("warning", "walk.bvh: line 1: one unit is a metre", [])


def test_several_are_counted_and_folded_away() -> None:
    (notice,) = notices.opened(WALK, Reading(SPARSE, ("first", "second", "third")))
    assert notice.text == "walk.bvh: 3 things were mended or guessed"
    assert notice.more == ["first", "second", "third"]


def test_a_file_without_fault_says_nothing() -> None:
    assert notices.opened(WALK, Reading(SPARSE)) == []
    assert notices.exported("walk.glb", []) == []


def test_a_question_is_a_card_of_its_own_with_its_answers() -> None:
    question = Question("Are these inches?", (Choice("Inches", unit=0.0254), Choice("Z up", up="z")))
    (notice,) = notices.opened(WALK, Reading(SPARSE, (), question))
    assert notice.text == "walk.bvh: Are these inches?"
    assert [(each.label, each.unit, each.up) for each in notice.choices] == [
        ("Inches", 0.0254, None),
        ("Z up", None, "z"),
    ]


def test_folds_end_somewhere() -> None:
    (notice,) = notices.exported("walk.glb", [f"loss {i}" for i in range(250)])
    assert notice.text == "walk.glb: 250 things were left out or changed"
    assert len(notice.more) == notices.MOST + 1
    assert notice.more[-1] == "and 150 more"
