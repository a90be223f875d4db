"""A drag: begin, move to any number of targets, then commit or cancel."""

import math

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.errors import InbetweenerError
from inbetweener.motion import Curves, Motion
from inbetweener.tangents.certificate import Certificate, certify
from inbetweener.tangents.problem import DragRequest, build
from inbetweener.tangents.settings import Settings
from inbetweener.tangents.solve import Solution, Solver
from inbetweener.tangents.suggest import Suggestion, suggest_key


class InvalidTarget(InbetweenerError):
    """A target that no point can have; says what is wrong with it."""


class Drag:
    """Pull a point of a motion at one time, by tangents alone.

    Every target is answered from where the last one ended, but distance is measured from where the drag began: what is
    held is held to where it was then, small steps do not pile up, and going back leads back.
    """

    def __init__(self, motion: Motion, request: DragRequest, settings: Settings | None = None) -> None:
        self.problem = build(motion, request, settings)
        self._wanted = request.wanted
        self.solver = Solver(self.problem)
        work = self.solver.workspace
        dragged = work.dragged
        self.start_position = work.positions[dragged].copy()
        self.start_turn = work.turns[dragged].copy()
        self._wish: tuple[Floats | None, Floats | None] = (None, None)
        self.solution = self.solver.solve(
            self._or_start(None, self.start_position, "position"),
            self._or_start(None, self.start_turn, "orientation"),
            np.zeros(len(self.problem.variables)),
        )

    def to(self, position: npt.ArrayLike | None = None, turn: npt.ArrayLike | None = None) -> Solution:
        """Move the point's state towards a position (3,) in metres and/or an orientation (3, 3).

        What is wanted but not given stays as it was at the start of the drag. The answer is the nearest state that
        keeps all constraints; where that falls short, it names what blocks.
        """
        wished = (
            self._or_start(position, self.start_position, "position"),
            self._or_start(turn, self.start_turn, "orientation"),
        )
        self._wish = wished
        self.solution = self.solver.solve(*wished, self.solution.z)
        return self.solution

    def commit(self) -> Curves:
        """The edited curves with their new tangents."""
        return self.solution.curves

    def cancel(self) -> Curves:
        """The edited curves as they were."""
        return self.problem.curves

    def certificate(self, looks: int = 8) -> Certificate:
        """The last answer, measured afresh on the motion that its curves make, `looks` times a frame."""
        return certify(self.solution, *self._wish, looks=looks)

    def suggest(self) -> Suggestion | None:
        """The single key that would help the last answer most, where it fell short; nothing is inserted."""
        return suggest_key(self.solution, *self._wish)

    def _or_start(self, given: npt.ArrayLike | None, start: Floats, half: str) -> Floats | None:
        if self._wanted not in (half, "both"):
            return None
        if given is None:
            return start
        wished = np.asarray(given, np.float64)
        # On so few numbers numpy takes longer.
        if wished.shape != start.shape or not all(map(math.isfinite, wished.ravel().tolist())):
            raise InvalidTarget(f"a target {half} needs {start.shape} finite numbers, not {given!r}")
        if half == "orientation" and not np.allclose(wished @ wished.T, np.eye(3), atol=1e-6):
            raise InvalidTarget("a target orientation must be a rotation matrix: orthonormal columns")
        return wished
