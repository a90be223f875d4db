"""What all gestures about a target have in common: the motion is solved for under the hand, as far as that is cheap."""

from collections.abc import Iterable, Sequence

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

UNDER_HAND, ON_RELEASE = 200_000, 4_000_000
"""Work that is spent on solving at every move, and once more when the hand lets go: steps of windows, each times the
channels that swing in it. On a laptop, about a twentieth of a second, and one. Never a time: what is kept must not
depend on what else the machine does."""
TOO_MUCH = 50_000
"""Where one window is more work than this, nothing is solved for under the hand, only on release."""
ROUGH, FINE = 1e-5, 1e-8
"""Metres within which a target counts as hit while the hand moves, and when it lets go; so near that what is kept looks
like what was shown, also where the rest of a loose body amplifies it."""


class Aiming:
    """Changes a target by moves; all targets that are on are solved for together.

    A move begins where the hand began, as on release; only from one that did not get there, maybe for the work that it
    takes, does the next one go on.
    """

    verb = "Change"

    def __init__(self, document: Document, clip: str, name: str, solves: bool) -> None:
        self._document, self._clip, self._name = document, clip, name
        loosening = document.loosening(clip)
        self.target = loosening.aim(name).target
        self._target = self.target
        self._loose = loose_motion(document, clip) if solves and loosening.aim(name).on else None
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
        """Change the target, and what is shown with it if that is cheap."""
        return self._changed(values, ROUGH, UNDER_HAND, TOO_MUCH)

    def settled(self, values: Sequence[float]) -> Outcome:
        """What is kept: the target where the hand let go of it, and solved for, whatever was shown on the way."""
        self._last = None
        return self._changed(values, FINE, ON_RELEASE)

    def _changed(
        self, values: Sequence[float], tolerance: float, work: float, too_much: float | None = None
    ) -> Outcome:
        self._target = target = self.wanted(values)
        if target == self.target:
            self._last = None
            return Outcome(self._document)
        document = replace_target(self._document, self._clip, self._name, target)
        if self._loose is None:
            return Outcome(document)
        targets = targets_of(document, self._clip)
        try:
            motion = LooseMotion(self._loose.loosened, document.clip(self._clip), self._loose.solids)
            a_window = _work(motion, targets.values())
            if too_much is not None and a_window > too_much:
                return Outcome(document)
            found = pursue(motion, targets, tolerance=tolerance, most=int(work / a_window), start=self._last)
        except InbetweenerError as error:
            # The target is where the hand is; only what should hit it cannot be worked out.
            return Outcome(document, reached=False, text=str(error))
        self._last = None if found.reached else found
        own = next(each for each in found.outcomes if each.name == self._name)
        return self._answer(solved_targets(document, self._clip, found), own)

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


def _work(motion: LooseMotion, targets: Iterable[Target]) -> float:
    """What simulating the longest window of these targets takes: its steps, each times the channels that swing."""
    loosened = motion.loosened
    swinging = len(loosened.swinging.channels) + len(loosened.following.channels)
    longest = float(motion.window([target.time for target in targets]).max())
    return max(1.0, longest / loosened.step) * max(1, swinging)
