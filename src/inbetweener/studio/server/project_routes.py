"""The project over HTTP: files in, files out, pictures of the examples."""

import hashlib
import secrets
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from inbetweener.builtin import examples
from inbetweener.document.staging import SOUNDS
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.formats import OPENED
from inbetweener.studio.project.folder import Folder
from inbetweener.studio.project.project import Project
from inbetweener.system import cache_root, move_file, own_folder

UPLOAD_LIMIT = 512 << 20
"""Bytes of one uploaded file."""
_STAGED = (*(f".{suffix}" for suffix in SOUNDS.values()), ".png", ".jpg", ".jpeg", ".webp", ".mp4", ".webm")
"""What is brought into a document that is open."""
_COMPANIONS = (".bin",)
"""What a .gltf may have beside it."""


class TooLarge(InbetweenerError):
    """An upload beyond the limit."""


def project_routes(project: Project, *, limit: int = UPLOAD_LIMIT) -> list[BaseRoute]:
    """Routes for uploads, downloads and thumbnails."""

    async def upload(request: Request) -> Response:
        """`?name=walk.bvh` puts the body into the folder under that name, or a free one like it.

        Files that belong together go into a folder of their own: the first with `drop=model`, which makes it and
        returns its name as `folder`, the others with `into` that folder. Nothing is ever overwritten.
        """
        query = request.query_params
        try:
            name, into = query.get("name", ""), query.get("into")
            _require_wanted(name, query.get("drop") or into)
            if int(request.headers.get("content-length", "0")) > limit:
                raise TooLarge(_too_large(name, limit))
            if into is None and (drop := query.get("drop")):
                into = _fresh_folder(project.folder, drop)
            path = await _receive(request.stream(), project.folder, name, into, limit)
        except TooLarge as error:
            return JSONResponse({"error": str(error)}, 413, headers={"connection": "close"})
        except (InbetweenerError, ValueError) as error:
            return JSONResponse({"error": str(error)}, 400)
        except OSError as error:
            return JSONResponse({"error": f"the file cannot be kept: {error.strerror or error}"}, 507)
        except ClientDisconnect:
            return Response(status_code=400)
        project.session.worker.renew("files", project.tell_files)
        return JSONResponse({"path": path, "folder": into}, 201)

    async def download(request: Request) -> Response:
        try:
            place = project.folder.file(request.path_params["path"])
        except InbetweenerError as error:
            raise HTTPException(404, str(error)) from None
        return FileResponse(place, filename=place.name, headers={"cache-control": "no-cache"})

    async def aside(request: Request) -> Response:
        name = request.path_params["name"]
        if (copy := project.aside(name)) is None:
            raise HTTPException(404, "there is no such copy")
        attached = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}", "cache-control": "no-cache"}
        return Response(copy, media_type="application/octet-stream", headers=attached)

    async def picture(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in {each.name for each in examples()}:
            raise HTTPException(404, str(UnknownName("example", name, [each.name for each in examples()])))
        return FileResponse(await run_in_threadpool(thumbnail, name), headers={"cache-control": "no-cache"})

    return [
        Route("/upload", upload, methods=["POST"]),
        Route("/download/{path:path}", download),
        Route("/aside/{name}", aside),
        Route("/thumbnail/{name}.png", picture),
    ]


def _require_wanted(name: str, together: str | None) -> None:
    """Only what can be opened or heard comes in, and what belongs to it."""
    if Path(name).suffix.lower() not in (*OPENED, *_STAGED, *(_COMPANIONS if together else ())):
        raise InbetweenerError(f"{name!r} cannot be opened; known are  {'  '.join((*OPENED, *_STAGED))}")


def _fresh_folder(folder: Folder, name: str) -> str:
    made = folder.free(name)
    folder.inside(made).mkdir(parents=True)
    return made


async def _receive(chunks: AsyncIterator[bytes], folder: Folder, name: str, into: str | None, limit: int) -> str:
    """Write a body to the folder, counting, and return its path; what is not whole never gets a name."""
    wanted = name if into is None else f"{into}/{name}"
    if into is not None and not folder.inside(into).is_dir():
        raise InbetweenerError(f"there is no folder {into!r}; drop the files once more")
    place = folder.place(wanted)
    partial = place.with_name(f".{place.name[:100]}.{secrets.token_hex(4)}.part")
    count = 0
    try:
        with partial.open("xb") as file:
            async for chunk in chunks:
                count += len(chunk)
                if count > limit:
                    raise TooLarge(_too_large(wanted, limit))
                file.write(chunk)
        # Only now, because another upload may have taken the name meanwhile.
        path = folder.free(wanted)
        if into is not None and path != wanted:
            # Another name would not be the one that the .gltf asks for.
            raise InbetweenerError(f"{wanted} is there already; drop the files once more")
        move_file(partial, folder.inside(path))
    finally:
        partial.unlink(missing_ok=True)
    return path


def _too_large(path: str, limit: int) -> str:
    return f"{path} is larger than {limit / (1 << 20):g} MiB; copy it into the project folder instead"


SIZE = (384, 216)
_drawing = Lock()


def thumbnail(name: str) -> Path:
    """The picture of an example as a PNG file; takes a second or two the first time."""
    path = cache_root() / "thumbnails" / f"{name}-{_looks()}.png"
    # One at a time: drawing takes all the machine has, and two must not draw the same.
    with _drawing:
        if not path.exists():
            _draw(name, path)
    return path


def _draw(name: str, path: Path) -> None:
    from inbetweener.builtin import example
    from inbetweener.render import render_frame, save_png

    document = example(name)
    clip = document.clip()
    own_folder(path.parent)
    save_png(render_frame(document, clip.start + 0.35 * (clip.end - clip.start), size=SIZE), path)


@cache
def _looks() -> str:
    """Names the looks of all examples: the code that makes and draws them."""
    package = Path(__file__).parents[2]
    made = hashlib.sha256()
    for part in ("builtin", "render"):
        for source in sorted((package / part).rglob("*.py")):
            made.update(source.read_bytes())
    return made.hexdigest()[:12]
