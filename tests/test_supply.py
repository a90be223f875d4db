"""What is installed is named by version and hash, for every Python that we support, and has no known weakness."""

import ast
import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PYTHONS = sorted(each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each))

MENDED = {"starlette": "1.3.1", "pillow": "12.3", "h11": "0.16", "pytest": "9.0.3"}
"""The first versions without an advisory that was known when this was written."""


def pinned(lock: Path, python: str) -> dict[str, tuple[Version, int]]:
    """What a lock installs on Linux: names with their versions, and the number of hashes of each."""
    found: dict[str, tuple[Version, int]] = {}
    text = re.sub(r"#.*", "", lock.read_text())
    for entry in text.replace("\\\n", " ").split("\n"):
        if entry.strip():
            said, *hashes = re.split(r"\s--hash=", entry)
            wanted = Requirement(said)
            here = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
            if wanted.marker is None or wanted.marker.evaluate(here):
                assert wanted.name not in found, f"{wanted.name} twice in {lock.name}"
                (exact,) = wanted.specifier
                assert exact.operator == "=="
                found[wanted.name] = Version(exact.version), len(hashes)
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_locks_name_hashes_and_no_place(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash=sha256:[0-9a-f]{64}\b)", text, re.MULTILINE)
    assert all(hashes for python in PYTHONS for _, hashes in pinned(lock, python).values())


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", ["run", "test", "bench", "check", "docs"])
def test_locks_hold_what_the_project_asks_for(lock: str, python: str) -> None:
    there = pinned(ROOT / "requirements" / f"{lock}.txt", python)
    asked = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"].get(lock, [])]
    for wanted in map(Requirement, asked):
        assert wanted.specifier.contains(there[wanted.name.lower()][0]), f"make lock: {wanted} on Python {python}"
    run = pinned(ROOT / "requirements" / "run.txt", python)
    assert {name: there[name] for name in run.keys() & there.keys()} == {
        name: run[name] for name in run.keys() & there.keys()
    }, "one version of each, whatever is installed besides"


def imported(path: Path) -> set[str]:
    """The packages that a module imports, wherever in it, but the standard library's."""
    names = set[str]()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names


def test_what_benchmarks_and_torture_import_is_locked() -> None:
    ours = {"inbetweener", "benchmarks", "extension", "hatch_build", "interop", "tests", "torture"}
    called = {"PIL": "pillow", "_pytest": "pytest"}
    inside = {"bpy", "mathutils", "addon_utils"}
    """What Blender brings along."""
    paths = [path for folder in ("benchmarks", "torture") for path in sorted((ROOT / folder).rglob("*.py"))]
    wanted = set().union(*map(imported, paths)) - ours - inside
    assert len(wanted) > 8
    there = {name for lock in ("test", "bench") for name in pinned(ROOT / "requirements" / f"{lock}.txt", PYTHONS[0])}
    assert {name for name in wanted if called.get(name, name).replace("_", "-") not in there} == set()


def test_the_oldest_versions_that_may_be_installed_have_no_known_weakness() -> None:
    asked = [*PROJECT["dependencies"], *(each for some in PROJECT["optional-dependencies"].values() for each in some)]
    floors = {
        wanted.name: Version(next(each.version for each in wanted.specifier if each.operator == ">="))
        for wanted in map(Requirement, asked)
    }
    assert {name for name, mended in MENDED.items() if floors[name] < Version(mended)} == set()


def test_commands_try_every_python_that_we_support() -> None:
    for command in ("Makefile", ".ci/run"):
        (listed,) = re.findall(r"for each in ((?:3\.\d+ ?)+);", (ROOT / command).read_text())
        assert listed.split() == PYTHONS, command


def test_a_python_is_found_by_its_version_and_none_is_made_up() -> None:
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = subprocess.run([ROOT / ".ci" / "python", ours], capture_output=True, text=True, check=True).stdout.strip()
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"Python {ours}.")
    assert subprocess.run([ROOT / ".ci" / "python", "3.2"], capture_output=True, check=False).returncode == 1


AUDIT = runpy.run_path(str(ROOT / ".ci" / "audit.py"))


def test_audits_tell_what_is_weak_and_what_could_not_be_looked_up() -> None:
    weak = {"name": "one", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}]}
    skipped = {"name": "two", "skip_reason": "two (1.0) is not in the list"}
    audit = AUDIT["python_audit"](json.dumps({"dependencies": [weak, skipped], "fixes": []}), "")
    assert audit.known == ["one 1.0: PYSEC-1, mended in 1.1 2.0"]
    said = "a.txt: 1 of 2 looked up, 1 known weaknesses; NOT the others: two (1.0) is not in the list"
    assert audit.line("a.txt") == said
    found = {"vulnerabilities": {"left": {"range": "<2", "severity": "high"}}}
    told = json.dumps({**found, "metadata": {"dependencies": {"total": 9}}})
    for before in ("", "added 9 packages in 1s\n"):
        audit = AUDIT["npm_audit"](before + told, "")
        assert (audit.line("b.json"), audit.known) == (
            "b.json: 9 of 9 looked up, 1 known weaknesses",
            ["left <2: high"],
        )


@pytest.mark.parametrize("ask", ["python_audit", "npm_audit"])
def test_an_audit_that_was_not_made_says_why(ask: str) -> None:
    for told, complaints, why in (
        ("", "Traceback\nConnectionError: no route\n\n", "ConnectionError: no route"),
        ("", "", "nothing was answered"),
        ('{"error": {}}', "No module named pip_audit", "No module named pip_audit"),
    ):
        audit = AUDIT[ask](told, complaints)
        assert (audit.line("a"), audit.known) == (f"a: NOT AUDITED: {why}", [])


def test_an_audit_in_which_every_package_was_skipped_is_none() -> None:
    skipped = [{"name": "two", "skip_reason": "two (1.0) is not in the list"}]
    assert AUDIT["python_audit"](json.dumps({"dependencies": skipped}), "").line("a") == (
        "a: NOT AUDITED: two (1.0) is not in the list"
    )
    refused = AUDIT["npm_audit"](json.dumps({"message": "405 Method Not Allowed", "statusCode": 405}), "")
    assert refused.line("b") == "b: NOT AUDITED: 405 Method Not Allowed"
