"""The page shows what was built, says which bounds are missed, and writes numbers as people do."""

from pathlib import Path

import pytest

from benchmarks.gestures.worked import Worked
from benchmarks.harness import Figure
from gallery.exhibit import Exhibit
from gallery.movie import Film
from gallery.page import number, write_page
from gallery.record import Record
from tests.gallery.versions import keyed


def work() -> Worked:
    return Worked({"before": keyed(0.0)}, [])


def exhibit(name: str) -> Exhibit:
    return Exhibit(name, name.title(), "tangents", "[TSO] Fig. 0", "less < more", "done", work)


def record(*figures: Figure) -> Record:
    return Record("", ["before", "after"], list(figures), ["<figure>curve</figure>"], "no key added",
                  Film(49, 24.0, 2, 1), 1.0)  # fmt: skip


def page(folder: Path, *figures: Figure) -> str:
    path = folder / "index.html"
    write_page(path, [exhibit("robot"), exhibit("spider")], {"robot": record(*figures)})
    return path.read_text("utf-8")


def test_only_what_was_built_is_shown(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert 'src="robot.mp4"' in text
    assert "spider" not in text
    assert "less &lt; more" in text
    assert "Make it plausible" not in text, "a method without exhibits has no heading"


def test_the_page_asks_nobody_for_anything(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert "http" not in text
    assert "<link" not in text


def test_versions_become_columns(tmp_path: Path) -> None:
    text = page(tmp_path, Figure("slide before", 22.0, "mm"), Figure("slide after", 0.6, "mm", at_most=1))
    assert "<th>before</th><th>after</th>" in text
    assert '<tr><td>slide</td><td>22 mm</td><td>0.6 mm</td><td class="bound">≤ 1 <span class="holds">✓</span>' in text


def test_a_missed_bound_is_told_whichever_version_it_is_of(tmp_path: Path) -> None:
    figures = Figure("slide before", 3.0, "mm", at_most=2), Figure("slide after", 0.6, "mm", at_most=1)
    assert '≤ 2 <span class="missed">missed</span>' in page(tmp_path, *figures)


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0"), (1e-12, "0"), (4.2e-7, "4.2·10⁻⁷"), (-0.5, "−0.5"), (3.14159, "3.14"), (1920.4, "1920"), (54, "54")],
)
def test_numbers(value: float, said: str) -> None:
    assert number(value) == said
