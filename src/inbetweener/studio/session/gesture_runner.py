"""The gesture under way: one hand at a time, whichever page it is on, and the run of guidance that it may hold."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inbetweener.document import Document, Transaction
from inbetweener.document.edits.curves import curves_of
from inbetweener.errors import InbetweenerError
from inbetweener.studio.gestures import DragArc, GuideTangents, Hand, Outcome, Settles, take_hold
from inbetweener.studio.protocol import binary, guidance, to_page, to_server
from inbetweener.studio.protocol.binary import Move
from inbetweener.studio.session.jobs import Ending, Job
from inbetweener.studio.session.page import Page
from inbetweener.studio.session.page_view import Wire, text
from inbetweener.studio.session.worker import Refusal, mistake
from inbetweener.studio.watched import let_go, steady

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session


BETWEEN_UPDATES = 1.0 / 60.0
"""Seconds between two iterates that are shown; quicker ones are skipped, the last of a run never."""


class Guiding:
    """Shows the iterates of the run that is held; on the session's worker, but for `_iterated`."""

    def __init__(self, session: "Session", gestures: "GestureRunner") -> None:
        self._session, self._gestures = session, gestures

    def begin(self, held: "RunningGesture") -> None:
        """Let a run go that was just taken hold of."""
        hand, told = _run_of(held), 0.0

        def iterated() -> None:
            nonlocal told
            now = time.perf_counter()
            if now - told >= BETWEEN_UPDATES or hand.rests or hand.error is not None:
                told = now
                self._session.worker.renew(("guidance", held.page.number), lambda: self._show(held))

        hand.start(iterated)

    def steer(self, page: Page, request: to_server.SteerGuidance) -> None:
        """Other sliders."""
        _run_of(self._gestures.require_held(page, request.gesture)).steer(request.settings, request.iterate)

    def stop(self, page: Page, request: to_server.StopGuidance) -> None:
        """Rest where the run is."""
        held = self._gestures.require_held(page, request.gesture)
        _run_of(held).stop()
        self._show(held)

    def went_back(self, held: "RunningGesture") -> None:
        """Another iterate is shown."""
        self._tell_progress(held, _run_of(held).at)

    def settle(self, held: "RunningGesture", iterate: int | None) -> None:
        """Before a run is kept: stop it at the iterate that is named or, where none is, that its page was told of.

        How far the run has come meanwhile does not count: nobody has seen that.
        """
        hand = _run_of(held)
        kept = hand.kept_at(hand.told if iterate is None else iterate)
        hand.close()
        held.transaction.preview(kept)

    def over(self, held: "RunningGesture") -> None:
        """The gesture is kept or cancelled."""
        _run_of(held).close()
        self._tell(held, [text(guidance.Guidance(gesture=held.number, state="over"))])

    def offer_around(self) -> None:
        """The page of a run is gone: whoever else sees it may have it."""
        for page in tuple(self._session.pages.values()):
            self.offer(page)

    def offer(self, page: Page, *, is_new: bool = False) -> None:
        """Give a run that its page has left to another that shows its clip; a new page is shown that clip."""
        held = self._gestures.held
        if held is None or not isinstance(held.hand, GuideTangents) or held.page.number in self._session.pages:
            return
        hand = held.hand
        if is_new and page.view.clip != hand.clip:
            page.send(page.view.show_clip(self._session.shown, hand.clip, self._session.revision))
        if page.view.clip != hand.clip:
            return
        held.page, held.sequence = page, 0
        message = guidance.GuidanceOffer(
            gesture=held.number, settings=hand.settings, layer=hand.layer, before=_curves_before(hand)
        )
        page.send([text(message)])
        self._tell_progress(held, _run_of(held).at)

    def _tell(self, held: "RunningGesture", batch: list[Wire]) -> None:
        """Tell the page of a run, if it is there; one that comes later is told how things stand by then."""
        if held.page.number in self._session.pages:
            held.page.send(batch)

    def _show(self, held: "RunningGesture") -> None:
        hand = _run_of(held)
        if not self._gestures.holds(held):
            return
        if hand.error is not None:
            said = str(hand.error) if isinstance(hand.error, InbetweenerError) else mistake(hand.error)
            if not isinstance(hand.error, InbetweenerError):
                _log.error("guidance failed", exc_info=hand.error)
            self._tell(held, [text(guidance.Guidance(gesture=held.number, state="failed", text=said))])
            self._gestures.drop()
            return
        if (objection := hand.objection()) is not None:
            self._tell(held, [text(to_page.Notice(level="warning", text=str(objection)))])
        at = hand.at
        document = hand.document(at)
        if document is not held.transaction.document:
            held.transaction.preview(document)
        self._tell_progress(held, at)

    def _tell_progress(self, held: "RunningGesture", at: int) -> None:
        hand = _run_of(held)
        rests, findings, path = hand.rests, hand.findings, hand.path
        if not 0 <= at < len(path):
            return
        hand.told = at
        message = guidance.Guidance(
            gesture=held.number,
            state="resting" if rests else "running",
            iterate=at,
            before=hand.looks_back,
            costs=[each.cost for each in path],
            terms=[guidance.TermCost(name, cost) for name, cost in path[at].terms.items()],
            text=findings.summary if findings is not None else "",
        )
        self._tell(held, [text(message)])


def _curves_before(hand: GuideTangents) -> list[guidance.CurveBefore]:
    """The curves that a run has changed, as they were."""
    before, layer = hand.before, hand.layer
    clip = before.clip(hand.clip)
    number = 0 if layer is None else 1 + [each.name for each in clip.layers].index(layer)
    was, now = (curves_of(document, hand.clip, layer) for document in (before, hand.document()))
    return [
        guidance.CurveBefore(before.rig.channel_index(name), number, binary.curve_rows([curve]).ravel().tolist())
        for name, curve in was.items()
        if now[name] is not curve
    ]


def _run_of(held: "RunningGesture") -> GuideTangents:
    if not isinstance(held.hand, GuideTangents):
        raise Refusal("that gesture is no guidance")
    return held.hand


_log = logging.getLogger(__name__)


@dataclass(slots=True)
class RunningGesture:
    """A gesture under way, and whose it is; the last wish that could be followed, if that was the last move."""

    page: Page
    number: int
    hand: Hand
    transaction: Transaction
    sequence: int = 0
    wish: Sequence[float] | None = None


class GestureRunner:
    """Begins, follows and ends gestures; all on the session's worker."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._held: RunningGesture | None = None
        self.guiding = Guiding(session, self)

    @property
    def hand(self) -> Hand | None:
        """The gesture under way."""
        return self._held.hand if self._held is not None else None

    def require_free(self) -> None:
        """Refuse what cannot be done while a gesture is under way; guidance is kept as it is, and makes room."""
        if self._held is not None and isinstance(self._held.hand, GuideTangents):
            self._keep(self._held)
        if self._held is not None:
            raise Refusal(f"{self._held.hand.label!r} is under way, maybe in another tab; let go of it first", "busy")

    def begin(self, page: Page, request: to_server.Begin) -> None:
        """Take hold of something on a page."""
        self.require_free()
        document, clip = self._session.document, page.view.clip
        hand = take_hold(document, clip, request.what, self._session.poses)
        self._held = RunningGesture(page, request.gesture, hand, self._session.editor.begin(hand.label))
        steady(document, clip)
        if isinstance(hand, GuideTangents):
            self.guiding.begin(self._held)

    def move(self, page: Page, move: Move, arrived: float) -> None:
        """Follow the hand; moves of a gesture that is over are dropped."""
        held = self._held
        if held is None or held.page is not page or held.number != move.gesture or move.sequence <= held.sequence:
            return
        held.sequence = move.sequence
        began = time.perf_counter()
        outcome = self._followed(held, move.values)
        solved = time.perf_counter()
        self._preview(held, outcome.document)
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
        if isinstance(held.hand, GuideTangents):
            self.guiding.went_back(held)

    def _followed(self, held: RunningGesture, values: Sequence[float]) -> Outcome:
        """What a move came to; as it was when the gesture began where it cannot be, whatever was shown last."""
        held.wish = None
        try:
            outcome = held.hand.to(values)
        except Exception as error:
            if not isinstance(error, InbetweenerError):
                _log.exception("a move of %r failed", held.hand.label)
            guides, shown = isinstance(held.hand, GuideTangents), held.transaction
            said = str(error) if isinstance(error, InbetweenerError) else mistake(error)
            return Outcome(shown.document if guides else shown.before, reached=False, text=said)
        held.wish = values
        return outcome

    def commit(self, page: Page, request: to_server.Commit) -> str:
        """Let go; returns what the history calls it."""
        held = self.require_held(page, request.gesture)
        self._keep(held, request.iterate)
        return held.hand.label

    def _keep(self, held: RunningGesture, iterate: int | None = None) -> None:
        """Make a step of the history of it: of the document and the last wish alone, or of the iterate named."""
        guides = isinstance(held.hand, GuideTangents)
        try:
            # What is kept is measured by windows of its own.
            let_go()
            if guides:
                self.guiding.settle(held, iterate)
            elif isinstance(held.hand, Settles) and held.wish is not None:
                self._preview(held, held.hand.settled(held.wish).document)
            held.transaction.commit()
        except BaseException:
            self.drop()
            raise
        self._held = None
        if guides:
            self.guiding.over(held)

    def _preview(self, held: RunningGesture, document: Document) -> None:
        """Show what a move came to."""
        shown = self._session.kept(document)
        if shown is not held.transaction.document:
            held.transaction.preview(shown)

    def cancel(self, page: Page, request: to_server.Cancel) -> None:
        """Escape."""
        self.require_held(page, request.gesture)
        self.drop()

    def drop(self, of: Page | None = None) -> None:
        """Cancel whatever is under way, of one page or of any; a run of guidance outlives its page."""
        if of is not None and (self._held is None or self._held.page is not of):
            return
        if of is not None and isinstance(self.hand, GuideTangents):
            self.guiding.offer_around()
            return
        held, self._held = self._held, None
        if held is not None:
            let_go()
        if held is not None and held.transaction.is_open:
            held.transaction.cancel()
        if held is not None and isinstance(held.hand, GuideTangents):
            self.guiding.over(held)

    def suggest_key(self, page: Page, request: to_server.SuggestKey) -> Job:
        """Look for the key that would help a blocked drag; the drag goes on meanwhile."""
        hand = self.require_held(page, request.gesture).hand
        if not isinstance(hand, DragArc):
            raise Refusal("only the drag of a motion curve can be helped by a key")
        look = hand.help_wanted()
        return self._session.jobs.start("Look for a key that helps", lambda _: look(), lambda found: Ending(*found))

    @property
    def held(self) -> RunningGesture | None:
        """The gesture under way, and whose it is."""
        return self._held

    def holds(self, held: RunningGesture) -> bool:
        """Whether that gesture is the one under way."""
        return self._held is held

    def require_held(self, page: Page, number: int) -> RunningGesture:
        """The gesture of a page by its number, if it is under way."""
        held = self._held
        if held is None or held.page is not page or held.number != number:
            raise Refusal("that gesture is over")
        return held
