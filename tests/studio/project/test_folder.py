"""Paths stay inside the project folder, whatever they are called."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.studio.project.folder import MOST_LISTED, Folder, OutsideFolder

NASTY = [
    "", ".", "..", "/", "//", "/etc/passwd", "../x.bvh", "a/../../x.bvh", "a/./x.bvh", "a//x.bvh", "a/", "/a",
    "~/x.bvh/../..", "..\\x.bvh", "C:\\x.bvh", "C:x.bvh", "\\\\host\\share\\x.bvh", "x.bvh:stream", ".hidden.bvh",
    "a/.git/config", ".inbetweener/running.json", "con", "NUL.bvh", "com1.tween", "a/Aux.glb", "lpt9", "x\0.bvh",
    "x\n.bvh", "x\x1b[2J.bvh", "x.bvh ", " x.bvh", "x.", "x. ", "a" * 300, "é" * 150, "*.bvh", "x?.bvh", "a|b", "<x>",
    "\u202egnp.bvh", "\ud800.bvh",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "project" / "a").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return Folder(tmp_path / "project")


@pytest.mark.parametrize("path", NASTY)
def test_nasty_names_are_refused(folder: Folder, path: str) -> None:
    for resolve in (folder.inside, folder.file, folder.place, folder.free):
        with pytest.raises(OutsideFolder):
            resolve(path)


@pytest.mark.parametrize(
    "path", ["x.bvh", "a/x.bvh", "a walk (2).tween", "über/größe.glb", "x", "..x..y/z".lstrip(".")]
)
def test_ordinary_names_are_not(folder: Folder, path: str) -> None:
    assert folder.inside(path) == folder.root / path


@given(
    path=st.text(st.characters(codec=None), max_size=40)
    | st.lists(st.sampled_from(["a", "..", "/", ".", "x.bvh"])).map("".join)
)
def test_nothing_leads_out(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    folder = Folder(tmp_path_factory.getbasetemp())
    try:
        found = folder.inside(path)
    except OutsideFolder:
        return
    assert found.resolve().is_relative_to(folder.root)
    assert found != folder.root


def test_links_may_lead_within_but_not_out(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "outside" / "secret.bvh").write_text("x")
    (folder.root / "real.bvh").write_text("x")
    (folder.root / "within.bvh").symlink_to("real.bvh")
    (folder.root / "out.bvh").symlink_to(tmp_path / "outside" / "secret.bvh")
    (folder.root / "out").symlink_to(tmp_path / "outside")
    (folder.root / "nowhere.bvh").symlink_to(tmp_path / "outside" / "new.bvh")
    (folder.root / "loop.bvh").symlink_to("loop.bvh")
    assert folder.file("within.bvh").read_text() == "x"
    for path in ("out.bvh", "out/secret.bvh", "nowhere.bvh", "loop.bvh"):
        with pytest.raises(OutsideFolder):
            folder.file(path)
        with pytest.raises(OutsideFolder):
            folder.place(path)


def test_a_link_to_what_is_hidden_is_refused(folder: Folder) -> None:
    (folder.root / ".inbetweener").mkdir()
    (folder.root / ".inbetweener" / "x.bvh").write_text("x")
    (folder.root / "shown.bvh").symlink_to(".inbetweener/x.bvh")
    with pytest.raises(OutsideFolder, match="hidden"):
        folder.file("shown.bvh")


def test_only_files_are_files(folder: Folder) -> None:
    os.mkfifo(folder.root / "pipe.bvh")
    for path in ("a", "pipe.bvh"):
        with pytest.raises(OutsideFolder, match="not a file"):
            folder.file(path)
        with pytest.raises(OutsideFolder, match="not a file"):
            folder.place(path)
    with pytest.raises(OutsideFolder, match="there is no"):
        folder.file("b.bvh")


def test_free_names_count_up(folder: Folder) -> None:
    assert folder.free("a/walk.bvh") == "a/walk.bvh"
    (folder.root / "a" / "walk.bvh").touch()
    assert folder.free("a/walk.bvh") == "a/walk 2.bvh"
    (folder.root / "a" / "walk 2.bvh").symlink_to("nowhere")
    assert folder.free("a/walk.bvh") == "a/walk 3.bvh"
    assert folder.free("a") == "a 2"


def test_the_listing_is_newest_first_two_levels_deep_and_capped(folder: Folder) -> None:
    (folder.root / "a" / "deeper").mkdir()
    (folder.root / ".hidden").mkdir()
    for age, path in enumerate(
        ("new.tween", "a/Old.GLB", "older.gltf", "no.txt", "a/deeper/x.bvh", ".hidden/x.bvh", ".x.bvh")
    ):
        (folder.root / path).write_bytes(b"x" * age)
        os.utime(folder.root / path, (1e9 - age, 1e9 - age))
    (folder.root / "link.bvh").symlink_to("new.tween")
    (folder.root / "folder.bvh").mkdir()
    listed = folder.listing()
    assert [info.path for info in listed] == ["new.tween", "a/Old.GLB", "older.gltf"]
    assert [info.size for info in listed] == [0, 1, 2]
    assert listed[0].modified == 1e9
    for number in range(MOST_LISTED + 5):
        (folder.root / f"{number}.bvh").touch()
    assert len(folder.listing()) == MOST_LISTED
