"""Guidance as a gesture: a run on a thread of its own, steered while it goes, gone back along when it rests."""

from collections.abc import Callable, Iterator, Sequence
from threading import Condition, Thread

import numpy as np

from inbetweener.document import Document
from inbetweener.document.edits import guided
from inbetweener.guidance import Guide, Heat, Iterate, Report, build, heat, report
from inbetweener.studio.gestures.guidance_request import (
    joint_factors,
    kernels_of,
    needs_new_problem,
    request_of,
    require_sound,
)
from inbetweener.studio.gestures.hand import Outcome
from inbetweener.studio.gestures.values import require
from inbetweener.studio.protocol import gestures
from inbetweener.studio.protocol.guidance import GuidanceSettings

MOMENTS = 120
"""How finely the heat map is seen."""


class GuideTangents:
    """Leads tangents to less cost, iterate by iterate. `to` goes back to an iterate, and the run rests there.

    The thread alone changes the run; whoever holds the gesture only reads the way that it has come.
    """

    time: float | None = None

    def __init__(self, document: Document, clip: str, gesture: gestures.Guide) -> None:
        self._document, self._clip, self._layer = document, clip, gesture.layer
        self._settings = gesture.settings
        # What can be seen to be wrong at once is refused at once.
        request_of(document, clip, gesture.settings, gesture.layer)
        self.label = f"Guide {_chosen(gesture.settings)}"
        self.error: Exception | None = None
        self._run: Guide | None = None
        self._steps: Iterator[Iterate] = iter(())
        self._at: int | None = None
        self._door = Condition()
        self._wish: GuidanceSettings | None = gesture.settings
        self._going = self._closed = False
        self._findings: tuple[Report, Heat] | None = None

    # --- for whoever holds it ---------------------------------------------------------------------------------------

    def start(self, tell: Callable[[], object]) -> None:
        """Begin to optimise; `tell` is called on the run's own thread after every iterate, and when it rests."""
        Thread(target=self._work, args=(tell,), name="studio-guidance").start()

    def steer(self, settings: GuidanceSettings) -> None:
        """Go on with other sliders from what is shown; the newest wins."""
        require_sound(self._document, settings)
        with self._door:
            self._wish = settings
            self._door.notify()

    def stop(self) -> None:
        """Rest where the run is, after the step under way."""
        with self._door:
            self._going = False

    def close(self) -> None:
        """The gesture is over; the thread ends after its step."""
        with self._door:
            self._closed = True
            self._door.notify()

    def to(self, values: Sequence[float]) -> Outcome:
        """Go back, or forward again, to an iterate of the way so far."""
        (wish,) = map(float, require(values, 1))
        with self._door:
            self._going, self._at = False, max(0, min(round(wish), len(self.path) - 1))
            self._findings = None
            self._door.notify()
        return Outcome(self.document())

    @property
    def path(self) -> list[Iterate]:
        """The way so far."""
        with self._door:
            return list(self._run.path) if self._run is not None else []

    @property
    def rests(self) -> bool:
        """Whether nothing is being computed or about to be."""
        with self._door:
            return not self._going and self._wish is None

    @property
    def at(self) -> int:
        """The iterate that is shown; −1 before the first."""
        count = len(self.path)
        with self._door:
            return count - 1 if self._at is None else min(self._at, count - 1)

    def document(self) -> Document:
        """The document as the shown iterate has it."""
        with self._door:
            if self._run is None:
                return self._document
            return guided(self._document, self._clip, self._run, self.at)

    @property
    def findings(self) -> tuple[Report, Heat] | None:
        """What changed up to the shown iterate, and its cost over time; None until that has been found."""
        with self._door:
            return self._findings

    # --- on the run's own thread ------------------------------------------------------------------------------------

    def _work(self, tell: Callable[[], object]) -> None:
        while self._is_wanted():
            try:
                self._go_on()
            except Exception as error:
                # Told by whoever holds the gesture, who lets go of it.
                self.error = error
                self.stop()
                tell()
                return
            tell()

    def _is_wanted(self) -> bool:
        with self._door:
            self._door.wait_for(lambda: self._closed or self._going or self._wish is not None or self._findings is None)
            return not self._closed

    def _go_on(self) -> None:
        with self._door:
            wish, self._wish = self._wish, None
            going = self._going = self._going or wish is not None
            if going:
                self._findings = None
        if wish is not None:
            self._apply(wish)
        elif not going:
            self._find()
        elif next(self._steps, None) is None:
            self.stop()

    def _find(self) -> None:
        with self._door:
            at, path = self.at, self.path
        shown = path[at]
        start, end = shown.problem.parameters.span
        times = start + (end - start) * (np.arange(MOMENTS) + 0.5) / MOMENTS
        found = report(path[: at + 1]), heat(shown.problem, shown.evaluation.x, times)
        with self._door:
            # Unless somebody has gone on to another iterate meanwhile.
            if self.at == at and not self._going and self._wish is None:
                self._findings = found

    def _apply(self, settings: GuidanceSettings) -> None:
        if self._run is None or needs_new_problem(self._settings, settings):
            request = request_of(self._document, self._clip, settings, self._layer)
            run = Guide(build(self._document.motion(self._clip), request))
            self._steps = iter(run)
            next(self._steps)
            with self._door:
                self._run, self._at = run, None
        else:
            weights: dict[str, float] = {each.name: each.weight for each in settings.terms}
            joints, kernels = joint_factors(settings), kernels_of(settings)
            with self._door:
                if self._at is not None and self._at < len(self._run.path):
                    self._run.roll_back(self._at)
                self._at = None
            problem = self._run.problem.reweighed(
                regularise=settings.regularise, joints=joints, kernels=kernels, weights=weights
            )
            self._run.reweigh(problem)
            self._steps = iter(self._run)
            next(self._steps)
        self._settings = settings


def _chosen(settings: GuidanceSettings) -> str:
    if settings.channels is None:
        return "all channels"
    return settings.channels[0] if len(settings.channels) == 1 else f"{len(settings.channels)} channels"
