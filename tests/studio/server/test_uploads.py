"""Uploads: streamed, limited, never over another file, never out of the folder."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from inbetweener.studio.protocol import to_page
from inbetweener.studio.server.project_routes import project_routes
from inbetweener.studio.server.studio import Studio
from tests.studio.served import join


def listed(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if ".inbetweener" not in p.parts)


@pytest.fixture(autouse=True)
def empty(studio: Studio) -> Iterator[None]:
    yield
    for path in sorted(studio.workspace.folder.rglob("*"), reverse=True):
        if ".inbetweener" not in path.parts:
            path.rmdir() if path.is_dir() else path.unlink()


def test_a_name_is_never_taken_twice(studio: Studio, browser: httpx.Client) -> None:
    paths = [browser.post("/upload", params={"name": "a walk.bvh"}, content=text).json()["path"] for text in ("1", "2")]
    assert paths == ["a walk.bvh", "a walk 2.bvh"]
    assert [(studio.workspace.folder / path).read_text() for path in paths] == ["1", "2"]


def test_all_pages_are_told(studio: Studio, browser: httpx.Client) -> None:
    with join(studio) as client:
        client.latest.pop(to_page.Files)
        assert browser.post("/upload", params={"name": "new.glb"}, content=b"x").status_code == 201
        assert "new.glb" in {info.path for info in client.wait(to_page.Files, 10).files}


def test_files_of_one_drop_share_a_fresh_folder(studio: Studio, browser: httpx.Client) -> None:
    (studio.workspace.folder / "model").mkdir()
    first = browser.post("/upload", params={"name": "model.gltf", "drop": "model"}, content="{}").json()
    assert first == {"path": "model 2/model.gltf", "folder": "model 2"}
    for name in ("model.bin", "textures/skin.png"):
        answer = browser.post("/upload", params={"name": name, "into": first["folder"]}, content=b"x")
        assert answer.json()["path"] == f"model 2/{name}"
    again = browser.post("/upload", params={"name": "model.bin", "into": "model 2"}, content=b"y")
    assert again.status_code == 400
    assert (studio.workspace.folder / "model 2" / "model.bin").read_bytes() == b"x"


@pytest.mark.parametrize(
    "name",
    ["", "x", "x.exe", "x.html", "x.bin", "../x.bvh", "/tmp/x.bvh", "a/../../x.bvh", ".x.bvh", "nul.bvh", "a\\b.bvh"],
)
def test_names_that_are_refused(studio: Studio, browser: httpx.Client, name: str) -> None:
    answer = browser.post("/upload", params={"name": name}, content=b"x")
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert listed(studio.workspace.folder) == []


@pytest.mark.parametrize("into", ["..", "/tmp", ".inbetweener", "no-such"])
def test_folders_that_are_refused(studio: Studio, browser: httpx.Client, into: str) -> None:
    assert browser.post("/upload", params={"name": "x.bvh", "into": into}, content=b"x").status_code == 400
    assert listed(studio.workspace.folder) == []


def test_the_limit_is_announced_or_counted(studio: Studio) -> None:
    # The real routes with a small limit; the door in front of them has tests of its own.
    app = Starlette(routes=project_routes(studio.project, limit=1000))

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(11):
            yield b"x" * 100

    async def post(content: bytes | AsyncIterator[bytes]) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://studio") as client:
            return await client.post("/upload?name=a.bvh", content=content)

    for content in (b"x" * 1001, chunks()):
        answer = asyncio.run(post(content))
        assert answer.status_code == 413
        assert "copy it into the project folder" in answer.json()["error"]
    assert listed(studio.workspace.folder) == []
    assert asyncio.run(post(b"x" * 1000)).status_code == 201


def test_what_is_uploaded_can_be_fetched_and_nothing_else(studio: Studio, browser: httpx.Client) -> None:
    browser.post("/upload", params={"name": "ä b#c.bvh"}, content=b"HIERARCHY")
    answer = browser.get("/download/%C3%A4%20b%23c.bvh")
    assert answer.content == b"HIERARCHY"
    assert answer.headers["content-disposition"].startswith("attachment")
    for path in (".inbetweener/running.json", "%2e%2e/state", "..%2fstate", "/etc/passwd", "no-such.bvh", ""):
        assert browser.get(f"/download/{path}").status_code == 404, path
