"""The session: one document under the hands of all connected pages."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inbetweener.document import Changed, Document, Editor, Transaction
from inbetweener.errors import InbetweenerError
from inbetweener.studio.gestures import DragArc, Hand, Outcome, take_hold
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.protocol.binary import Move
from inbetweener.studio.session import contact_jobs
from inbetweener.studio.session.edits import EDITS
from inbetweener.studio.session.jobs import Ending, Job, Jobs
from inbetweener.studio.session.page import Page, Send
from inbetweener.studio.session.showing import Kind, text
from inbetweener.studio.session.worker import Worker

Handler = Callable[[Page, Any], str | Job | None]
"""Carries a request out on the worker; a line that it returns goes into `Done.text`, a job's end is the answer."""
Edit = Callable[[Document], Document]
_log = logging.getLogger(__name__)


class Refusal(InbetweenerError):
    """A request that is not carried out; `code` lets the page ask the animator and try again."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class _Held:
    """A gesture under way, and whose it is."""

    page: Page
    number: int
    hand: Hand
    transaction: Transaction
    sequence: int = 0


class Session:
    """Everything that pages ask for, one thing at a time, on the worker's thread."""

    def __init__(self, editor: Editor, *, server: str = "") -> None:
        self.worker = Worker()
        self.jobs = Jobs(self.worker, self.tell)
        self.editor = editor
        self.pages: dict[int, Page] = {}
        self.saved: int | None = None
        self.on_change: list[Callable[[], None]] = []
        self._server = server
        self._held: _Held | None = None
        self._revision = 1
        self._kind: Kind = "open"
        self._label = ""
        self._pages_seen = 0
        self._stop_listening = editor.listen(self._changed)
        self._handlers: dict[type, Handler] = {
            to_server.ShowClip: self._show_clip,
            to_server.ShowArcs: lambda page, request: page.send(page.showing.show_arcs(request.arcs)),
            to_server.FetchPoses: lambda page, request: page.send(page.showing.poses(request.first, request.count)),
            to_server.Begin: self._begin,
            to_server.Commit: self._commit,
            to_server.Cancel: self._cancel,
            to_server.Undo: self._undo,
            to_server.Redo: self._redo,
            to_server.JumpTo: self._jump,
            to_server.CancelJob: self._cancel_job,
            to_server.SuggestKey: self._suggest_key,
            to_server.SuggestContacts: lambda page, request: contact_jobs.suggest(self, page, request),
            to_server.HoldContacts: lambda page, request: contact_jobs.hold_all(self, page, request),
        }

    # --- pages ------------------------------------------------------------------------------------------------------

    def join(self, send: Send) -> Page:
        """A new page; it is told everything."""
        self._pages_seen += 1
        page = Page(self, self._pages_seen, send)
        self.worker.submit(lambda: self._welcome(page))
        return page

    def leave(self, page: Page) -> None:
        """A page is gone; a gesture of its own is cancelled."""
        self.worker.submit(lambda: self._left(page))

    def stop(self) -> None:
        """Finish what was asked for, then end; committed work is in the journal."""
        self.worker.submit(self._drop_gesture)
        self.jobs.stop()
        self.worker.stop()

    def tell(self, message: to_page.AnyMessage) -> None:
        """Tell all pages."""
        for page in tuple(self.pages.values()):
            page.send([text(message)])

    def handle_with(self, handlers: dict[type, Handler]) -> None:
        """Let others carry out requests that are not about the document itself, such as files."""
        self._handlers |= handlers

    def open(self, editor: Editor) -> None:
        """Put another document in front of all pages; on the worker's thread."""
        self._drop_gesture()
        self._stop_listening()
        self.editor = editor
        self._stop_listening = editor.listen(self._changed)
        self._tell_change("open", "")

    # --- requests, on the worker's thread ---------------------------------------------------------------------------

    def handle(self, page: Page, request: to_server.AnyRequest) -> None:
        """Carry a request out and answer it."""
        try:
            if (handler := self._handlers.get(type(request))) is not None:
                said = handler(page, request)
            else:
                said = self._edit(page, request)
        except InbetweenerError as error:
            code = error.code if isinstance(error, Refusal) else ""
            page.send([text(to_page.Refused(id=request.id, text=str(error), code=code))])  # type: ignore[arg-type]
        except Exception as error:
            _log.exception("%s failed", type(request).__name__)
            page.send([text(to_page.Refused(id=request.id, text=_mistake(error)))])
        else:
            if isinstance(said, Job):
                said.when_over.append(lambda job: page.send([text(_answer(request.id, job))]))
            else:
                page.send([text(to_page.Done(id=request.id, text=said))])

    def move(self, page: Page, move: Move, arrived: float) -> None:
        """Follow the hand; moves of a gesture that is over are dropped."""
        held = self._held
        if held is None or held.page is not page or held.number != move.gesture or move.sequence <= held.sequence:
            return
        held.sequence = move.sequence
        began = time.perf_counter()
        try:
            outcome = held.hand.to(move.values)
        except InbetweenerError as error:
            outcome = Outcome(held.transaction.document, reached=False, text=str(error))
        except Exception as error:
            _log.exception("a move of %r failed", held.hand.label)
            outcome = Outcome(held.transaction.document, reached=False, text=_mistake(error))
        solved = time.perf_counter()
        if outcome.document is not held.transaction.document:
            held.transaction.preview(outcome.document)
        answer = to_page.Answer(
            gesture=move.gesture,
            sequence=move.sequence,
            reached=outcome.reached,
            solve_ms=1e3 * (solved - began),
            blockers=outcome.blockers,
            position=outcome.position,
            wish=outcome.wish,
            distance=outcome.distance,
            turn=outcome.turn,
            held=outcome.held,
            server_ms=1e3 * (time.perf_counter() - arrived),
            text=outcome.text,
        )
        page.send([text(answer)])

    def update(self, page: Page) -> None:
        """Show a page what it has not seen, unless it is behind; then once it has caught up."""
        if page.number not in self.pages or page.may_be_skipped():
            return
        around = self._held.hand.time if self._held is not None else None
        batch = page.showing.update(self.editor.shown, self._revision, self._kind, self._label, around)
        if page.must_hear_history(self.editor.history, self.saved):
            batch.append(text(self._history()))
        page.send(batch)

    def _welcome(self, page: Page) -> None:
        from inbetweener import __version__

        self.pages[page.number] = page
        page.send([text(to_page.Welcome(version=__version__, server=self._server, page=page.number))])
        self.update(page)
        page.send([text(job.message()) for job in self.jobs.running])

    def _left(self, page: Page) -> None:
        self.pages.pop(page.number, None)
        if self._held is not None and self._held.page is page:
            self._drop_gesture()

    def _edit(self, page: Page, request: to_server.AnyRequest) -> str | None:
        self.require_free_hand()
        stroke = EDITS[type(request)](self.editor.document, page.showing.clip, request)
        self.editor.apply(stroke.label, lambda _: stroke.document)
        return stroke.text

    def apply_later(self, began_from: Document, label: str, edit: Edit) -> None:
        """Apply what a job found, if the document is still the one that it began from."""
        if self._held is not None or self.editor.document is not began_from:
            raise Refusal(f"{label}: the document was changed meanwhile, so the result was dropped; ask again")
        self.editor.apply(label, edit)

    def _cancel_job(self, _page: Page, request: to_server.CancelJob) -> None:
        if not self.jobs.cancel(request.job):
            raise Refusal("that work is over already")

    def _show_clip(self, page: Page, request: to_server.ShowClip) -> None:
        page.send(page.showing.show_clip(self.editor.shown, request.clip, self._revision))

    # --- gestures ---------------------------------------------------------------------------------------------------

    def _begin(self, page: Page, request: to_server.Begin) -> None:
        self.require_free_hand()
        hand = take_hold(self.editor.document, page.showing.clip, request.what)
        self._held = _Held(page, request.gesture, hand, self.editor.begin(hand.label))

    def _commit(self, page: Page, request: to_server.Commit) -> str:
        held = self._require_held(page, request.gesture)
        try:
            held.transaction.commit()
        except BaseException:
            self._drop_gesture()
            raise
        self._held = None
        return held.hand.label

    def _cancel(self, page: Page, request: to_server.Cancel) -> None:
        self._require_held(page, request.gesture)
        self._drop_gesture()

    def _suggest_key(self, page: Page, request: to_server.SuggestKey) -> Job:
        hand = self._require_held(page, request.gesture).hand
        if not isinstance(hand, DragArc):
            raise Refusal("only the drag of a motion curve can be helped by a key")
        look = hand.help_wanted()
        return self.jobs.start("Look for a key that helps", lambda _: look(), Ending)

    def _drop_gesture(self) -> None:
        held, self._held = self._held, None
        if held is not None and held.transaction.is_open:
            held.transaction.cancel()

    def _require_held(self, page: Page, number: int) -> _Held:
        held = self._held
        if held is None or held.page is not page or held.number != number:
            raise Refusal("that gesture is over")
        return held

    def require_free_hand(self) -> None:
        """Refuse what cannot be done while a gesture is under way."""
        if self._held is not None:
            raise Refusal(f"{self._held.hand.label!r} is under way, maybe in another tab; let go of it first", "busy")

    # --- history ----------------------------------------------------------------------------------------------------

    def _undo(self, _page: Page, _request: to_server.Undo) -> str | None:
        self.require_free_hand()
        label = self.editor.history.undo_label
        self.editor.undo()
        return label

    def _redo(self, _page: Page, _request: to_server.Redo) -> str | None:
        self.require_free_hand()
        label = self.editor.history.redo_label
        self.editor.redo()
        return label

    def _jump(self, _page: Page, request: to_server.JumpTo) -> None:
        self.require_free_hand()
        steps = len(self.editor.history.steps)
        if request.step >= steps:
            raise Refusal(f"there is no step {request.step}; the history has {steps}")
        while self.editor.history.at > request.step:
            self.editor.undo()
        while self.editor.history.at < request.step:
            self.editor.redo()

    def _history(self) -> to_page.History:
        history = self.editor.history
        return to_page.History(labels=[step.label for step in history.steps], at=history.at, saved=self.saved)

    def _changed(self, change: Changed) -> None:
        self._tell_change(change.kind, change.label)

    def _tell_change(self, kind: Kind, label: str) -> None:
        self._revision += 1
        self._kind, self._label = kind, label
        for page in tuple(self.pages.values()):
            self.update(page)
        for listener in self.on_change:
            listener()


def _mistake(error: Exception) -> str:
    return f"The Studio made a mistake ({type(error).__name__}); nothing was changed. The log has more."


def _answer(number: int, job: Job) -> to_page.Done | to_page.Refused:
    """The answer to a request that a job carried out."""
    if job.state == "done":
        return to_page.Done(id=number, text=job.ending.text or None)
    return to_page.Refused(id=number, text=job.ending.text)
