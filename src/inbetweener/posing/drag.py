"""A drag of a pose: begin, move to any number of targets, then commit or cancel."""

import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.posing.certificate import Certificate, certify
from inbetweener.posing.problem import build
from inbetweener.posing.request import PoseRequest
from inbetweener.posing.settings import Settings
from inbetweener.posing.solution import Solution
from inbetweener.posing.solve import Solver
from inbetweener.posing.state import State
from inbetweener.rig import Rig


class PoseDrag:
    """Pull points of a posed character.

    Every target is answered from where the last one ended, and measured from where the drag began: going back leads
    back, and sixty small steps end where one large step does.
    """

    def __init__(
        self, rig: Rig, channels: npt.ArrayLike, request: PoseRequest, settings: Settings | None = None
    ) -> None:
        self.problem = build(rig, channels, request, settings)
        self._solver = Solver(self.problem)
        work, pulls = self._solver.workspace, range(len(request.pulls))
        self.start = tuple(State(work.start_positions[i], work.start_turns[i]) for i in pulls)
        self.solution = self._solver.solve(self.start)

    def to(self, *targets: State) -> Solution:
        """Pull towards targets, one for each pull in their order.

        What is wanted but not given stays as it was at the start of the drag. The answer is the nearest pose found
        that keeps pins and limits; where that falls short, it says by how much and names what blocks.
        """
        self.solution = self._solver.solve(targets, self.solution.z)
        return self.solution

    def commit(self) -> Floats:
        """All channel values (C,) of the new pose."""
        return self.solution.channels

    def cancel(self) -> Floats:
        """All channel values (C,) as they were."""
        return self.problem.channels

    def certificate(self) -> Certificate:
        """The last answer, measured afresh on the whole rig."""
        return certify(self.solution)
