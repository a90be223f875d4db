"""The WebSocket of a page: messages in, batches out, neither waiting for the other."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from inbetweener.studio.session import Page, Session
from inbetweener.studio.session.page_view import Wire


async def serve_page(session: Session, socket: WebSocket, greet: Callable[[Page], None]) -> None:
    """Keep a page company until it goes; it is greeted on the session's worker, after it was told the document."""
    await socket.accept()
    loop = asyncio.get_running_loop()
    batches: asyncio.Queue[list[Wire]] = asyncio.Queue()

    def hand_over(batch: list[Wire]) -> None:
        # A server that stops closes its loop while the worker may still be at something; the page is gone by then.
        if not loop.is_closed():
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(batches.put_nowait, batch)

    page = session.join(hand_over)
    session.worker.submit(lambda: greet(page))

    async def send() -> None:
        while True:
            for message in await batches.get():
                await (socket.send_text(message) if isinstance(message, str) else socket.send_bytes(message))
            page.drained()

    sender = asyncio.create_task(send())
    try:
        while (message := await socket.receive())["type"] == "websocket.receive":
            page.receive(message["text"] if message.get("text") is not None else message["bytes"])
    except WebSocketDisconnect:
        pass
    finally:
        sender.cancel()
        session.leave(page)
