"""The page is built when, and only when, web/ is not what it was built from."""

import gzip
import shutil
from pathlib import Path

import pytest

import hatch_build

ROOT = Path(__file__).parents[3]
MOST_BYTES = 400 << 10
"""What the page may weigh, compressed."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The parts of a checkout that the page is made from."""
    shutil.copytree(ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / "src" / "inbetweener" / "studio").mkdir(parents=True)
    return tmp_path


def mark_as_built(root: Path) -> None:
    bundle = root / "src" / "inbetweener" / "studio" / "bundle"
    bundle.mkdir(exist_ok=True)
    (bundle / "digest").write_text(hatch_build.digest(root))


def test_without_a_page_it_is_stale_and_without_sources_it_never_is(checkout: Path) -> None:
    assert hatch_build.is_stale(checkout)
    mark_as_built(checkout)
    assert not hatch_build.is_stale(checkout)
    shutil.rmtree(checkout / "web")
    shutil.rmtree(checkout / "src")
    assert not hatch_build.is_stale(checkout)


@pytest.mark.parametrize("path", ["src/main.ts", "index.html", "package-lock.json", "vite.config.ts", "src/new.ts"])
def test_any_change_to_what_it_is_made_from_makes_it_stale(checkout: Path, path: str) -> None:
    mark_as_built(checkout)
    with (checkout / "web" / path).open("a") as file:
        file.write("\n")
    assert hatch_build.is_stale(checkout)


def test_a_file_under_another_name_is_another_page(checkout: Path) -> None:
    mark_as_built(checkout)
    (checkout / "web" / "src" / "main.ts").rename(checkout / "web" / "src" / "other.ts")
    assert hatch_build.is_stale(checkout)


@pytest.mark.parametrize("path", ["tests/more.test.ts", "node_modules/x/index.js", "src/.main.ts.swp", "notes.md"])
def test_other_files_do_not(checkout: Path, path: str) -> None:
    mark_as_built(checkout)
    (checkout / "web" / path).parent.mkdir(parents=True, exist_ok=True)
    (checkout / "web" / path).write_text("x")
    assert not hatch_build.is_stale(checkout)


def test_node_is_asked_for_only_when_there_is_something_to_build_and_no_node(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert hatch_build.requirements(checkout) == [hatch_build.NODE_PACKAGE]
    for version, wanted in (("v20.18.9", [hatch_build.NODE_PACKAGE]), ("v20.19.0", []), ("v24.1.0", [])):
        for name in ("node", "npm"):
            program = tmp_path / "bin" / name
            program.write_text(f"#!/bin/sh\necho {version}\n")
            program.chmod(0o755)
        assert hatch_build.requirements(checkout) == wanted
    monkeypatch.setenv("PATH", "")
    mark_as_built(checkout)
    assert hatch_build.requirements(checkout) == []


def test_packages_are_fetched_only_when_the_lock_file_wants_others(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    lock, there = tmp_path / "package-lock.json", tmp_path / "node_modules" / ".package-lock.json"
    optional = '"node_modules/b": {"version": "1", "optional": true}'
    lock.write_text('{"packages": {"": {}, "node_modules/a": {"version": "1"}, ' + optional + "}}")
    assert not hatch_build._is_installed(tmp_path)
    there.write_text('{"packages": {"node_modules/a": {"version": "1"}}}')
    assert hatch_build._is_installed(tmp_path)
    there.write_text('{"packages": {"node_modules/a": {"version": "2"}}}')
    assert not hatch_build._is_installed(tmp_path)
    there.write_text('{"packages": {}}')
    assert not hatch_build._is_installed(tmp_path)


def test_a_real_build_is_small_and_done_once(checkout: Path) -> None:
    if (ROOT / "web" / "node_modules").is_dir():
        (checkout / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    bundle = checkout / "src" / "inbetweener" / "studio" / "bundle"
    assert hatch_build.build(checkout)
    assert (bundle / "index.html").exists()
    assert (bundle / "digest").read_text() == hatch_build.digest(checkout)
    assert not hatch_build.build(checkout)
    weight = sum(len(gzip.compress(path.read_bytes())) for path in bundle.rglob("*") if path.is_file())
    assert weight <= MOST_BYTES


@pytest.mark.parametrize(("wanted", "of_wheel", "status"), [([], None, 0), (["node"], None, 1), (["node"], ["npm"], 0)])
def test_it_tells_whether_node_is_missing(
    monkeypatch: pytest.MonkeyPatch, wanted: list[str], of_wheel: list[str] | None, status: int
) -> None:
    monkeypatch.setattr(hatch_build, "requirements", lambda: wanted)
    monkeypatch.setattr(hatch_build, "_node_of_wheel", lambda: of_wheel)
    assert hatch_build.main(["--node"]) == status
