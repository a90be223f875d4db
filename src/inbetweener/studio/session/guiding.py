"""Guidance under way: what its page is told while iterates come, and what it may ask for."""

import logging
import time
from typing import TYPE_CHECKING

from inbetweener.document.edits.curves import curves_of
from inbetweener.errors import InbetweenerError
from inbetweener.studio.gestures import GuideTangents
from inbetweener.studio.protocol import binary, guidance, to_page, to_server
from inbetweener.studio.session.page import Page
from inbetweener.studio.session.page_view import Wire, text
from inbetweener.studio.session.refusal import Refusal, mistake

if TYPE_CHECKING:
    from inbetweener.studio.session.gesture_runner import GestureRunner, RunningGesture
    from inbetweener.studio.session.session import Session

_log = logging.getLogger(__name__)

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
            page.send(page.view.show_clip(self._session.editor.shown, hand.clip, self._session.revision))
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
