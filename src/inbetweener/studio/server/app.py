"""The application: the page's files, the meshes, the project's files, and the WebSocket, all behind the guard."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from starlette.websockets import WebSocket, WebSocketDisconnect

from inbetweener.document.staging import reference_type, sound_type
from inbetweener.formats.gltf.looks import look_of
from inbetweener.skinning import Mesh
from inbetweener.skinning.picture import media_type
from inbetweener.studio.protocol.binary import mesh_arrays
from inbetweener.studio.server.guard import not_built, plain_page
from inbetweener.studio.session import Page, Session
from inbetweener.studio.session.describing import digest, mesh_url
from inbetweener.studio.session.page_view import Wire

BUNDLE = Path(__file__).parents[1] / "bundle"
MOST_WAITING = 64 << 20
"""Bytes that may wait to be read by one page."""
MOST_PAGES = 32
"""Pages at a time: each is told of every change."""
_A_YEAR = "public, max-age=31536000, immutable"


def application(session: Session, greet: Callable[[Page], None], more: list[BaseRoute]) -> Starlette:
    """The Studio over one session; `greet` tells a new page what is not the session's, `more` are other routes."""

    async def arrays(request: Request) -> Response:
        return Response(mesh_arrays(_mesh(session, request)), media_type="application/octet-stream")

    async def texture(request: Request) -> Response:
        image = _mesh(session, request).material.texture
        kind = None if image is None else media_type(image)
        if kind is None:
            raise HTTPException(404, "this mesh has no texture that is a picture")
        return Response(image, media_type=kind)

    def further(request: Request) -> Response:
        """A map of a mesh's material; not a coroutine, as the kept file is unpacked once for it."""
        mesh = _mesh(session, request)
        for document in (session.editor.shown, session.editor.document):
            look = look_of(document, mesh)
            picture = None if look is None else look.maps.get(request.path_params["name"])
            if picture is not None:
                return Response(picture, media_type=media_type(picture))
        raise HTTPException(404, "this mesh has no such map")

    async def part(request: Request) -> Response:
        """The file of a sound or picture."""
        for staging in (*session.editor.shown.stagings, *session.editor.document.stagings):
            for part, kind in ((staging.sound, sound_type), (staging.picture, reference_type)):
                if part is not None and digest(part.data) == request.path_params["digest"]:
                    return Response(part.data, media_type=kind(part.data))
        raise HTTPException(404, "there is no such part any more")

    def plan(request: Request) -> Response:
        # Not a coroutine: making a plan takes a moment, and runs on a thread of its own meanwhile.
        found = session.plans.arrays(request.path_params["number"])
        if found is None:
            raise HTTPException(404, "there is no such plan any more")
        return Response(found, media_type="application/octet-stream")

    async def door(_request: Request) -> Response:
        """For a page that wonders why its socket was refused: whether it is still known."""
        return Response(status_code=204)

    pages = 0

    async def socket(socket: WebSocket) -> None:
        nonlocal pages
        if pages >= MOST_PAGES:
            await socket.close(1013)
            return
        pages += 1
        try:
            await serve_page(session, socket, greet)
        finally:
            pages -= 1

    async def unbuilt(_request: Request) -> Response:
        return not_built()

    files = Mount("/", _Bundle(directory=BUNDLE, html=True)) if (BUNDLE / "index.html").exists() else None
    return Starlette(
        routes=[
            WebSocketRoute("/socket", socket),
            Route("/door", door),
            Route("/mesh/{mesh}", arrays),
            Route("/mesh/{mesh}/texture", texture),
            Route("/mesh/{mesh}/map/{name}", further),
            Route("/part/{digest}", part),
            Route("/plan/{number:int}", plan),
            *more,
            files or Route("/{path:path}", unbuilt),
        ],
        exception_handlers={HTTPException: _explained},
    )


class _Bundle(StaticFiles):
    """The page's files; what vite named after its content never changes, all else is asked for again."""

    def file_response(self, full_path: str, stat_result: object, scope: Scope, status_code: int = 200) -> Response:  # type: ignore[override]
        """A file, with how long it may be kept."""
        answer = super().file_response(full_path, stat_result, scope, status_code)  # type: ignore[arg-type]
        hashed = Path(full_path).parent.name == "assets"
        answer.headers["cache-control"] = _A_YEAR if hashed else "no-cache"
        return answer


def _mesh(session: Session, request: Request) -> Mesh:
    # A page is told of what is previewed before that is committed, and may be quicker than the disk.
    for mesh in (*session.editor.shown.meshes, *session.editor.document.meshes):
        if mesh_url(mesh).rpartition("/")[2] == request.path_params["mesh"]:
            return mesh
    raise HTTPException(404, "there is no such mesh any more")


async def _explained(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return plain_page(error.status_code, "Not here" if error.status_code == 404 else "Not so", error.detail)


async def serve_page(session: Session, socket: WebSocket, greet: Callable[[Page], None]) -> None:
    """Keep a page company until it goes; it is greeted on the session's worker, after it was told the document."""
    await socket.accept()
    loop = asyncio.get_running_loop()
    batches: asyncio.Queue[list[Wire]] = asyncio.Queue()
    waiting = 0

    def put(batch: list[Wire]) -> None:
        nonlocal waiting
        waiting += sum(map(len, batch))
        # A page that does not read is sent away: when it comes back, it is told the newest once.
        batches.put_nowait(batch if waiting <= MOST_WAITING else [])

    def hand_over(batch: list[Wire]) -> None:
        # A server that stops closes its loop while the worker may still be at something; the page is gone by then.
        if not loop.is_closed():
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(put, batch)

    page = session.join(hand_over)
    session.worker.submit(lambda: greet(page))

    async def send() -> None:
        nonlocal waiting
        while batch := await batches.get():
            for message in batch:
                await (socket.send_text(message) if isinstance(message, str) else socket.send_bytes(message))
                waiting -= len(message)
            page.drained()
        await socket.close(4001)

    sender = asyncio.create_task(send())
    try:
        while (message := await socket.receive())["type"] == "websocket.receive":
            page.receive(message["text"] if message.get("text") is not None else message["bytes"])
    except WebSocketDisconnect:
        pass
    finally:
        sender.cancel()
        session.leave(page)
