"""Every snippet in the README and the docs runs, page by page, in a folder of its own."""

import ast
import re
import shlex
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from inbetweener.errors import LossWarning, RepairWarning
from tests.cli.command import run_apart, run_here

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)

LONG = (
    *("one-scene.md", "five-programs.md", "guidance.md", "plant-feet.md", "loose.md", "command-line.md"),
    "contacts.md",
)
"""Pages that take several seconds each."""


def pages(language: str) -> list[object]:
    """Those with snippets, the long ones only for a thorough run."""
    return [
        pytest.param(page, id=page.relative_to(ROOT).as_posix(), marks=[pytest.mark.thorough] * (page.name in LONG))
        for page in PAGES
        if snippets(page, language)
    ]


def snippets(page: Path, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(page.read_text()) if kind == language]


def annotated(body: str, namespace: dict[str, object]) -> Iterator[tuple[str, type]]:
    """Variables that a snippet says the class of, and that class."""
    for node in ast.parse(body).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            kind = eval(ast.unparse(node.annotation), namespace)
            if type(kind) is type:
                yield node.target.id, kind


@pytest.mark.parametrize("page", pages("python"))
def test_python_snippets_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": page.stem}
    with warnings.catch_warnings():
        # Saving to a poorer format tells what it leaves out; a page may show that.
        warnings.simplefilter("ignore", LossWarning)
        warnings.simplefilter("ignore", RepairWarning)
        for body in snippets(page, "python"):
            exec(compile(body, str(page), "exec"), namespace)
            for name, kind in annotated(body, namespace):
                assert isinstance(namespace[name], kind), f"{page.name} says that {name} is a {kind.__name__}"


@pytest.mark.parametrize("page", pages("console"))
def test_console_snippets_run(page: Path, tmp_path: Path) -> None:
    commands = [
        line[2:]
        for body in snippets(page, "console")
        for line in body.splitlines()
        if line.startswith("$ inbetweener ")
    ]
    assert commands, f"{page.name} has a console fence without a command"
    for number, command in enumerate(commands):
        # What a newcomer types first runs as it will for them.
        run = run_apart if page.name == "README.md" and number < 3 else run_here
        done = run(shlex.split(command, comments=True)[1:], tmp_path)
        assert done.returncode == 0, f"{command}\n{done.stderr}"


def test_pages_link_to_pages_and_pictures_that_exist() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)[^)]*\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_navigation_lists_every_page() -> None:
    listed = set(re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert listed == {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}


def test_tutorials_use_all_their_pictures_and_those_are_small() -> None:
    folder = ROOT / "docs" / "tutorials"
    shown = {name for page in folder.glob("*.md") for name in re.findall(r"\(pictures/([^)]+)\)", page.read_text())}
    taken = {picture.name: picture.stat().st_size for picture in (folder / "pictures").iterdir()}
    assert shown == set(taken)
    assert max(taken.values()) <= 150_000


def test_the_glossary_tells_every_word_once() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text()
    heads = [row.split("|")[1] for row in page.splitlines() if row.startswith("| **")]
    words = [word for head in heads for word in re.findall(r"\*\*(.+?)\*\*", head)]
    assert len(words) > 80
    assert sorted(words) == sorted(set(words))
