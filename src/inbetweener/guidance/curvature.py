"""What Gauss and Newton leave out of the curvature: Σ r ∇²r, learnt from the way the gradient changes.

Torques hold bodies up against gravity and never vanish, so their squares bend in ways that JᵀJ does not see. The part
that is missing is kept as a symmetric matrix and corrected after each step so that JᵀJ and it together explain the
change of the gradient along that step (Dennis, Gay and Welsch, "An adaptive nonlinear least-squares algorithm", 1981).
"""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths.envelope import Envelope


class Curvature:
    """The missing part (P, P), nothing at first.

    Of many parameters nothing is learnt: one correction along a step through hundreds of parameters
    says little of each, and a run comes down sooner without.
    """

    def __init__(self, count: int) -> None:
        self.matrix = np.zeros((count, count))

    def added_to(self, normal: Floats | Envelope) -> Floats | Envelope:
        """JᵀJ and what it lacks."""
        return normal if isinstance(normal, Envelope) else normal + self.matrix

    def learn(self, step: Floats, gradient_change: Floats, normal: Floats | Envelope) -> None:
        """After `step` (P,): how the half gradient changed, and JᵀJ where the step ended."""
        if isinstance(normal, Envelope):
            return
        missing = gradient_change - normal @ step
        along = float(gradient_change @ step)
        if along <= 1e-12 * float(np.linalg.norm(gradient_change) * np.linalg.norm(step)):
            return
        known = float(step @ self.matrix @ step)
        if known != 0.0:
            # Where residuals shrank, what was learnt with large ones is too much.
            self.matrix *= min(1.0, abs(float(step @ missing)) / abs(known))
        short = missing - self.matrix @ step
        once = np.outer(short, gradient_change) / along
        self.matrix += once + once.T - float(short @ step) / along**2 * np.outer(gradient_change, gradient_change)
