"""The page on architecture shows the house as it is."""

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_tree_lists_every_package_and_module_of_the_first_rank() -> None:
    tree = PAGE[PAGE.index("src/inbetweener/\n") : PAGE.index("web/  ")]
    listed = set(re.findall(r"^  (\w+(?:/|\.py)) ", tree, re.MULTILINE))
    source = ROOT / "src" / "inbetweener"
    packages = {f"{init.parent.name}/" for init in source.glob("*/__init__.py")}
    modules = {module.name for module in source.glob("*.py") if not module.name.startswith("__")}
    assert listed == packages | modules


def test_the_direction_of_imports_is_that_of_the_contract() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    enforced = [
        {each.strip().removeprefix("inbetweener.") for each in layer.split("|")} for layer in contract["layers"]
    ]
    drawn = PAGE[PAGE.index("errors ← arrays, system") : PAGE.index("← cli") + len("← cli")]
    assert [set(re.findall(r"\w+", layer)) for layer in drawn.split("←")] == enforced[::-1]


def test_the_direction_of_the_pages_imports_is_that_of_its_linter() -> None:
    drawn = PAGE[PAGE.index("protocol ← model") :].partition("\n")[0]
    layers = [set(re.findall(r"\w+", layer)) for layer in drawn.split("←")]
    web = ROOT / "web"
    assert set.union(*layers) == {room.name for room in (web / "src").iterdir() if room.is_dir()}
    forbidden: dict[str, set[str]] = {}
    for override in json.loads((web / "biome.json").read_text())["overrides"]:
        (place,) = override["includes"]
        rule = override["linter"]["rules"]["style"]["noRestrictedImports"]
        assert rule["level"] == "error"
        globs = [glob for pattern in rule["options"]["patterns"] for glob in pattern["group"]]
        (room,) = re.findall(r"src/(\w+)/", place)
        forbidden[room] = set(re.findall(r"\w+", " ".join(globs)))
    for rank, layer in enumerate(layers):
        for room in layer:
            above = set().union(*layers[rank:]) - {room}
            assert forbidden[room] == above | (set() if room == "viewport" else {"three"})


def test_what_is_made_of_a_document_knows_no_clock() -> None:
    """Results follow from the document and the request: work is counted, not timed. Only what paces and tells may."""
    source = ROOT / "src" / "inbetweener"
    clocks = {
        path.relative_to(source).parts[0]
        for path in source.rglob("*.py")
        if re.search(r"^\s*(import|from) (time|datetime)\b", path.read_text(), re.MULTILINE)
    }
    assert clocks <= {"batch", "cli", "studio"}
