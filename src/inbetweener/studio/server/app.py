"""The application: the page's files, the meshes, and the WebSocket."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from inbetweener.skinning import Mesh
from inbetweener.studio.protocol.mesh_arrays import mesh_arrays
from inbetweener.studio.server.socket import serve_page
from inbetweener.studio.session import Session
from inbetweener.studio.session.describing import mesh_url

BUNDLE = Path(__file__).parents[1] / "bundle"


def application(session: Session) -> Starlette:
    """The Studio over one session."""

    def found(request: Request) -> Mesh:
        for mesh in session.editor.document.meshes:
            if mesh_url(mesh).rpartition("/")[2] == request.path_params["mesh"]:
                return mesh
        raise HTTPException(404, "there is no such mesh any more")

    async def arrays(request: Request) -> Response:
        return Response(mesh_arrays(found(request)), media_type="application/octet-stream")

    async def texture(request: Request) -> Response:
        image = found(request).material.texture
        if image is None:
            raise HTTPException(404, "this mesh has no texture")
        return Response(image, media_type="image/png" if image[:4] == b"\x89PNG" else "image/jpeg")

    async def socket(socket: WebSocket) -> None:
        await serve_page(session, socket)

    return Starlette(
        routes=[
            WebSocketRoute("/socket", socket),
            Route("/mesh/{mesh}", arrays),
            Route("/mesh/{mesh}/texture", texture),
            Mount("/", StaticFiles(directory=BUNDLE, html=True)),
        ]
    )
