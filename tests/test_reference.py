"""Every name that a public package exports is in an example that runs; test_docs runs them."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from docs import make_reference
from tests.test_docs import PAGES, snippets

PUBLIC = [
    *(
        ".",
        "anatomy",
        "cleaning",
        "contacts",
        "curves",
        "document",
        "document.edits",
        "dynamics",
        "formats",
        "guidance",
        "host",
        "kinodynamics",
    ),
    *(
        "motion",
        "posing",
        "posing.sketch",
        "posing.strokes",
        "render",
        "retarget",
        "rig",
        "skinning",
        "skinning.automatic",
    ),
    *("batch", "builtin", "tangents"),
]

Shown = tuple[set[tuple[str, str]], set[int]]


def package_called(name: str) -> ModuleType:
    return import_module("inbetweener" if name == "." else f"inbetweener.{name}")


def used_on(page: Path) -> Iterator[tuple[str, str, object]]:
    """Module, name and value of everything of ours that the snippets of a page import and use, or reach by a module."""
    homes, values = dict[str, tuple[str, str]](), dict[str, object]()
    nodes = [node for body in snippets(page, "python") for node in ast.walk(ast.parse(body))]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("inbetweener"):
            homes |= {alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names}
        elif not (isinstance(node, ast.Import) and node.names[0].name.startswith("inbetweener")):
            continue
        exec(compile(ast.Module([node], []), str(page), "exec"), values)
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in homes:
            yield *homes[node.id], values[node.id]
        elif isinstance(node, ast.Attribute) and isinstance(home := reached(node.value, values), ModuleType):
            yield home.__name__, node.attr, reached(node, values)


def reached(node: ast.expr, values: dict[str, object]) -> object:
    """What `edits` or `ib.edits` stands for; None for what is not imported."""
    if isinstance(node, ast.Attribute):
        return getattr(reached(node.value, values), node.attr, None)
    return values.get(node.id) if isinstance(node, ast.Name) else None


@pytest.fixture(scope="module")
def shown() -> Shown:
    """What pages show: names by their module, and things that have one identity wherever they are exported."""
    used = [each for page in PAGES for each in used_on(page)]
    things = {id(value) for *_, value in used if callable(value) or isinstance(value, ModuleType)}
    return {(home, name) for home, name, _ in used}, things


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_in_a_running_example(package: str, shown: Shown) -> None:
    home, (names, things) = package_called(package), shown
    missing = [
        name for name in home.__all__ if (home.__name__, name) not in names and id(getattr(home, name)) not in things
    ]
    assert not missing, f"{home.__name__}: no example of {', '.join(missing)}; write one in docs/reference"


def test_every_package_that_exports_something_is_public() -> None:
    """But for the programs on top, which nobody imports."""
    folder = Path(package_called(".").__path__[0])
    names = [init.parent.name for init in folder.glob("*/__init__.py")]
    exporting = {name for name in names if hasattr(package_called(name), "__all__")}
    assert exporting - {"cli"} <= set(PUBLIC)


def test_every_package_has_a_page_in_the_reference() -> None:
    pages = {package or "." for packages in make_reference.PAGES.values() for package in packages}
    assert set(PUBLIC) <= pages
    assert {path.name for path in make_reference.DOCS.glob("reference/*.md")} - {"index.md"} == set(
        make_reference.PAGES
    )


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_shown_once_with_its_signature(package: str) -> None:
    home = package_called(package)
    paths = [path for paths in make_reference.shown().values() for path in paths]
    values = {path: import_by(path) for path in paths}
    for name in home.__all__:
        value = getattr(home, name)
        if isinstance(value, ModuleType):
            continue
        told = [path for path, thing in values.items() if thing is value and path.endswith(f".{name}")]
        assert len(told) == 1, f"{home.__name__}.{name} is in the reference {len(told)} times"


def test_signatures_stand_in_the_sections_that_show_them() -> None:
    text = (make_reference.DOCS / "reference" / "tangents.md").read_text("utf-8")
    sections = list(make_reference.with_signatures("tangents.md", text))
    (gesture,) = (each for each in sections if each.startswith("## A gesture"))
    assert "::: inbetweener.tangents.Drag\n" in gesture
    assert "::: inbetweener.tangents.build\n" not in gesture
    assert gesture.index("```python") < gesture.index(":::")
    # What other packages define, and this one only passes on, stands with them.
    package = package_called("tangents")
    own = [name for name in package.__all__ if getattr(package, name).__module__.startswith("inbetweener.tangents")]
    assert len(own) > 15
    assert sum(each.count(":::") for each in sections) >= len(own) - 2


def import_by(path: str) -> object:
    """What a dotted path leads to: the longest module that there is, then its attributes."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
