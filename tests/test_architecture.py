"""The page on architecture shows the house as it is."""

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
    drawn = PAGE[PAGE.index("errors ← arrays") : PAGE.index("← cli") + len("← cli")]
    assert [set(re.findall(r"\w+", layer)) for layer in drawn.split("←")] == enforced[::-1]
