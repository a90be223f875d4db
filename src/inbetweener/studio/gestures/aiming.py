"""What all gestures about a target have in common: the motion is solved for under the hand, as far as there is time."""

import time
from collections.abc import Sequence

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.edits import replace_target, solved_targets, targets_of
from inbetweener.document.edits.words import frame_of
from inbetweener.errors import InbetweenerError
from inbetweener.kinodynamics import LooseMotion, PointTarget, SoftPoint, Target
from inbetweener.kinodynamics.solution import Solution, TargetOutcome
from inbetweener.studio.gestures.hand import Outcome, Position
from inbetweener.studio.gestures.values import triple
from inbetweener.studio.pursuit import pursue
from inbetweener.studio.watched import loose_motion

UNDER_HAND, ON_RELEASE = 0.05, 1.0
"""Seconds for which is solved at every move, and once more when the hand lets go."""
TOO_LONG, TOO_OFTEN = 4.0, 3
"""After so many moves in a row that took so many times longer than they may, none is solved for under the hand: one may
be slow because it is the first, or something else is at work."""
ROUGH, FINE = 1e-4, 1e-8
"""Metres within which a target counts as hit while the hand moves, and when it lets go."""


class Aiming:
    """Changes a target by moves; all targets that are on are solved for together, from what the last move found."""

    verb = "Change"

    def __init__(self, document: Document, clip: str, name: str, solves: bool) -> None:
        self._document, self._clip, self._name = document, clip, name
        loosening = document.loosening(clip)
        self.target = loosening.aim(name).target
        self._target = self.target
        self._loose = loose_motion(document, clip) if solves and loosening.aim(name).on else None
        self._late = 0
        self._last: Solution | None = None

    @property
    def time(self) -> float | None:
        """The page looks at the target."""
        return self._target.time

    @property
    def label(self) -> str:
        """What the history will call it."""
        return f"{self.verb} {self._name} at frame {frame_of(self._document.clip(self._clip), self.target.time)}"

    def wanted(self, values: Sequence[float]) -> Target:
        """The target that a move asks for."""
        raise NotImplementedError

    def to(self, values: Sequence[float]) -> Outcome:
        """Change the target, and what is shown with it if there is time."""
        target = self.wanted(values)
        self._target = target
        if target == self.target:
            self._last = None
            return Outcome(self._document)
        document = self._moved()
        if self._loose is None or self._late >= TOO_OFTEN:
            return Outcome(document)
        return self._solved(document, ROUGH, UNDER_HAND)

    def settled(self) -> Document:
        """What is kept when the hand lets go: solved for as well as it can be in a moment."""
        if self._target == self.target:
            return self._document
        document = self._moved()
        return document if self._loose is None else self._solved(document, FINE, ON_RELEASE).document

    def _moved(self) -> Document:
        return replace_target(self._document, self._clip, self._name, self._target)

    def _solved(self, document: Document, tolerance: float, seconds: float) -> Outcome:
        assert self._loose is not None
        began = time.perf_counter()
        clip = document.clip(self._clip)
        targets = targets_of(document, self._clip)
        try:
            motion = LooseMotion(self._loose.loosened, clip, self._loose.solids)
            end = began + seconds
            self._last = pursue(
                motion, targets, lambda _: time.perf_counter() < end, tolerance=tolerance, start=self._last
            )
        except InbetweenerError as error:
            # The target is where the hand is; only what should hit it cannot be worked out.
            return Outcome(document, reached=False, text=str(error))
        self._late = self._late + 1 if time.perf_counter() - began > TOO_LONG * seconds else 0
        own = next(each for each in self._last.outcomes if each.name == self._name)
        return self._answer(solved_targets(document, self._clip, self._last), own)

    def _answer(self, document: Document, own: TargetOutcome) -> Outcome:
        target = own.target
        at = self._place_of(document, target, own.state) if isinstance(target, PointTarget) else None
        wish = target.position if isinstance(target, PointTarget) and isinstance(target.position, tuple) else None
        distance = 0.0 if at is None or wish is None else float(np.linalg.norm(np.subtract(at, wish)))
        return Outcome(
            document,
            reached=own.reached,
            position=at,
            wish=wish,
            distance=distance,
            turn=own.after.turn,
            text="" if own.reached else own.summary,
        )

    def _place_of(self, document: Document, target: PointTarget, state: Floats) -> Position:
        """Where what is aimed with is at the target's time, in a state (C,) of its own or, soft, in its motion."""
        if isinstance(target.point, SoftPoint):
            motion = loose_motion(document, self._clip) or document.loose_motion(self._clip)
            return triple(motion.soft_states([target.time], target.point)[0][0])
        return triple(document.rig.states(state[None], target.point)[0][0])
