"""The same remark about many places is one line; losses come first."""

from pathlib import Path

from inbetweener.cli.console import print_table
from inbetweener.document import Document
from inbetweener.document.budget import Budget
from inbetweener.formats.notes import Source, grouped


def test_one_place_is_told_as_it_is() -> None:
    assert grouped([("/nodes/3", "has shear"), ("", "the whole file is odd")]) == [
        "/nodes/3: has shear",
        "the whole file is odd",
    ]


def test_a_hundred_places_are_one_line_with_a_count_and_the_first() -> None:
    (line,) = grouped((f"/meshes/{n}", "has no positions; left out") for n in range(117))
    assert line == "/meshes/0, /meshes/1 and 115 more: has no positions; left out"


def test_remarks_that_differ_in_numbers_and_names_alone_are_alike() -> None:
    lines = grouped(
        [(f"/m/{n}", f"weights of {7 + n} vertices sum to 1.{n}e-05 in 'clip {n}'") for n in range(4)]
        + [("/m/9", "weights of no vertex are there")]
    )
    assert lines == [
        "/m/0: weights of 7 vertices sum to 1.0e-05 in 'clip 0'; the like at /m/1 and 2 more",
        "/m/9: weights of no vertex are there",
    ]


def test_losses_come_before_repairs_and_every_place_is_there() -> None:
    source = Source(Path("a.glb"), Budget(1))
    for n in range(5):
        source.note(f"/nodes/{n}", "mended")
        source.leave_out(f"/lamps/{n}", "left out")
    reading = source.reading(Document())
    assert reading.notes == ("/lamps/0, /lamps/1 and 3 more: left out", "/nodes/0, /nodes/1 and 3 more: mended")
    assert reading.losses == reading.notes[:1]
    assert len(reading.each) == 10
    assert reading.each[4:6] == ("/lamps/4: left out", "/nodes/0: mended")


def test_tables_show_names_whole(capsys) -> None:
    name = "a clip with a name that is longer than any terminal is wide " * 3
    print_table(("name", "keys"), [(name.strip(), "12")], ["name"])
    assert name.strip() in capsys.readouterr().out
