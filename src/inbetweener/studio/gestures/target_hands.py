"""Targets under the hand: dragged in space and time, their bells and weights shaped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.document.edits import replace_target, solved_targets, targets_of
from inbetweener.document.edits.words import frame_read, near
from inbetweener.errors import InbetweenerError, InvalidDocument
from inbetweener.kinodynamics import LooseMotion, PointTarget, SoftPoint, Target
from inbetweener.kinodynamics.soft.hitting import has_soft, solve_soft
from inbetweener.kinodynamics.solution import Solution, TargetOutcome
from inbetweener.kinodynamics.solve import Solver
from inbetweener.studio.gestures.hand import Outcome, Position, require, triple
from inbetweener.studio.looseness import unit
from inbetweener.studio.protocol import gestures
from inbetweener.studio.watched import loose_motion


def pursue(
    motion: LooseMotion,
    targets: Mapping[str, Target],
    *,
    tolerance: float,
    most: int | None = None,
    start: Solution | None = None,
) -> Solution:
    """What `kinodynamics.solve` finds.

    With `most`, the best that was found when so many windows had been simulated, one step at least. Work is counted and
    not timed, so that every machine, however busy, comes to the same bits.
    """
    spent = 0

    def run(rigid: Mapping[str, Target], start: Solution | None) -> Solution:
        nonlocal spent
        if most is not None and 0 < spent >= most and start is not None:
            # Another round from where the last one ended would be one too many; that nothing gets nearer ends it.
            return start
        solver = Solver(motion, rigid, tolerance=tolerance, start=start, settles=not has_soft(targets))
        for progress in solver:
            if most is not None and spent + progress.windows >= most:
                break
        solution = solver.solution()
        spent += solution.windows
        return solution

    # What is on soft parts is solved for as if fixed to the body, over and over.
    if has_soft(targets):
        return solve_soft(motion, targets, run, tolerance, start)
    return run(targets, start)


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
        return f"{self.verb} {self._name} at frame {frame_read(self._document.clip(self._clip), self.target.time)}"

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


LEAST_WEIGHT, MOST_WEIGHT = 1e-3, 1e3
LONGEST = 100.0
"""Seconds that a bell may reach to either side."""


class DragTarget(Aiming):
    """Moves or turns a target in space, or changes the velocity that it wants."""

    verb = "Drag"

    def __init__(self, document: Document, clip: str, gesture: gestures.DragTarget) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)
        self._wanted = gesture.wanted
        if not isinstance(self.target, PointTarget):
            raise InvalidDocument(f"{gesture.target!r} wants a pose, which has no place to be dragged to")

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target somewhere else."""
        assert isinstance(self.target, PointTarget)
        numbers = require(values, {"orientation": 4, "both": 7}.get(self._wanted, 3))
        if self._wanted == "velocity":
            return replace(self.target, velocity=triple(numbers))
        target = self.target
        if self._wanted != "orientation":
            target = replace(target, position=triple(numbers[:3]))
        if self._wanted != "position":
            w, x, y, z = map(float, numbers[-4:])
            target = replace(target, orientation=unit((w, x, y, z)))
        return target


class MoveTarget(Aiming):
    """Moves a target in time, within its clip."""

    verb = "Move"

    def __init__(self, document: Document, clip: str, gesture: gestures.MoveTarget) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)
        self._shown = document.clip(clip)

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target at another time."""
        (time,) = map(float, require(values, 1))
        long = self.target.end - self.target.time
        time = min(max(time, self._shown.start), self._shown.end - long)
        if isinstance(self.target, PointTarget) and self.target.until is not None:
            return replace(self.target, time=time, until=time + long)
        return replace(self.target, time=time)


MOST_HEIGHTS = 63


class ShapeBell(Aiming):
    """Makes a target's bell wider or narrower, on either side, or draws it."""

    verb = "Shape the bell of"

    def __init__(self, document: Document, clip: str, gesture: gestures.ShapeBell) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)
        self._least = near(document.clip(clip))

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target with another bell."""
        drawn = len(values) > 2 and len(values) % 2
        numbers = require(values, min(len(values), 2 + MOST_HEIGHTS) if drawn else 2)
        before, after = (min(max(float(each), self._least), LONGEST) for each in numbers[:2])
        bell = replace(self.target.bell, before=before, after=after)
        if len(numbers) > 2:
            heights = [0.0, *map(float, numbers[2:]), 0.0]
            bell = replace(bell, drawn=tuple(zip(np.linspace(-1.0, 1.0, len(heights)).tolist(), heights, strict=True)))
        return replace(self.target, bell=bell)


class WeighTarget(Aiming):
    """Lets a target count more or less."""

    verb = "Weigh"

    def __init__(self, document: Document, clip: str, gesture: gestures.WeighTarget) -> None:
        super().__init__(document, clip, gesture.target, gesture.solves)

    def wanted(self, values: Sequence[float]) -> Target:
        """The same target with another weight."""
        (weight,) = map(float, require(values, 1))
        return replace(self.target, weight=min(max(weight, LEAST_WEIGHT), MOST_WEIGHT))
