"""Documents in and out, for programs on this machine that work on the same thing: no file lies between."""

from concurrent.futures import Future

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from inbetweener.document.native.read import document_from, native_text
from inbetweener.errors import InbetweenerError
from inbetweener.studio.nearby import EXCHANGE, PATIENCE
from inbetweener.studio.project.project import Project
from inbetweener.studio.server.project_routes import UPLOAD_LIMIT

LONGEST_SENDER = 40


def exchange_routes(project: Project, *, limit: int = UPLOAD_LIMIT) -> list[BaseRoute]:
    """A route that gives the open document as a native file, and takes one."""

    async def give(_request: Request) -> Response:
        content = await run_in_threadpool(native_text, project.session.document)
        return Response(content, media_type="application/octet-stream", headers={"cache-control": "no-store"})

    async def take(request: Request) -> Response:
        sender = request.query_params.get("sender", "")
        if not sender.isprintable() or not 0 < len(sender) <= LONGEST_SENDER:
            return JSONResponse({"error": "who sends a document must say who it is"}, 400)
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    problem = f"what {sender} sent is larger than {limit >> 20} MiB; send a file instead"
                    return JSONResponse({"error": problem}, 413, headers={"connection": "close"})
        except ClientDisconnect:
            return Response(status_code=400)
        try:
            said = await run_in_threadpool(lambda: _received(project, bytes(body), sender))
        except InbetweenerError as error:
            return JSONResponse({"error": str(error)}, 409)
        except TimeoutError:
            return JSONResponse({"error": "it is busy with something else; try again"}, 503)
        return JSONResponse({"text": said}, 201)

    return [Route(EXCHANGE, give), Route(EXCHANGE, take, methods=["POST"])]


def _received(project: Project, content: bytes, sender: str) -> str:
    """Read on this thread, put before the pages on the session's own."""
    document, _ = document_from(content, f"what {sender} sent")
    said = Future[str]()

    def put() -> None:
        # Whoever waited for it may have given up.
        if not said.set_running_or_notify_cancel():
            return
        try:
            said.set_result(project.receive(document, sender))
        except BaseException as error:
            said.set_exception(error)

    project.session.worker.submit(put)
    try:
        return said.result(PATIENCE)
    except TimeoutError:
        said.cancel()
        raise
