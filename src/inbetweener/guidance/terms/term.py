"""What a cost term is: something that looks at moments of a motion and says what is bad about them, and why."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InbetweenerError
from inbetweener.guidance.moments import Moments


class TermFailed(InbetweenerError):
    """A cost term gave something that is no cost; names the term."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """R numbers at each of T moments; the cost is the integral of their squares ([OM] Eq. 4).

    values           (T, R)
    by_value …       (T, R, C) their derivatives by value, velocity, acceleration and jerk of the free channels; None is
                     nought
    together         (T, C, n, R) the first n of these in one array instead, which saves copying them
    unit             the size of a residual that counts as one; None: whatever the motion had at the start
    labels           (R,) the joint, channel or point that each of them is about
    always           whether kernels, which quieten costs for a while, leave it alone
    reading          what a residual of one is where people read it: a number and its unit, such as (1, "N·m")
    """

    values: Floats
    by_value: Floats | None = None
    by_velocity: Floats | None = None
    by_acceleration: Floats | None = None
    by_jerk: Floats | None = None
    together: Floats | None = None
    unit: float | None = 1.0
    labels: tuple[str, ...] = ()
    always: bool = False
    reading: tuple[float, str] = (1.0, "")

    def derivatives(self, channels: int) -> Floats:
        """(T, C, n, R) all derivatives together, up to the last that is not nought."""
        if self.together is not None:
            return self.together
        given = (self.by_value, self.by_velocity, self.by_acceleration, self.by_jerk)
        orders = max((n + 1 for n, by in enumerate(given) if by is not None), default=0)
        result = np.zeros((len(self.values), channels, orders, self.values.shape[1]))
        for n, by in enumerate(given):
            if by is not None:
                result[:, :, n] = np.swapaxes(by, 1, 2)
        return result


class Term(Protocol):
    """A cost. Ten lines make one: a name, and residuals with their derivatives."""

    @property
    def name(self) -> str:
        """What an animator calls it."""
        ...

    def residuals(self, moments: Moments) -> Residuals:
        """What is bad at each moment."""
        ...


def checked(term: Term, moments: Moments) -> Residuals:
    """The residuals of a term; an error that names it where their shapes or numbers cannot be."""
    found = term.residuals(moments)
    if found.values.ndim != 2 or len(found.values) != len(moments.times):
        raise TermFailed(
            f"term {term.name!r} gave values of shape {found.values.shape}; expected ({len(moments.times)}, rows)"
        )
    shape = (*found.values.shape, len(moments.names))
    for kind in ("value", "velocity", "acceleration", "jerk"):
        by = getattr(found, f"by_{kind}")
        if by is not None and by.shape != shape:
            raise TermFailed(f"term {term.name!r} gave by_{kind} of shape {by.shape}; expected {shape}")
        if by is not None and not np.isfinite(by).all():
            raise TermFailed(f"term {term.name!r}: its derivative by {kind} is not a finite number everywhere")
    if found.together is not None and not np.isfinite(found.together).all():
        raise TermFailed(f"term {term.name!r}: its derivatives are not finite numbers everywhere")
    if not np.isfinite(found.values).all():
        when = moments.times[int(np.argmin(np.isfinite(found.values).all(axis=1)))]
        raise TermFailed(f"term {term.name!r} is not a finite number at {when:g} s; check what it divides by")
    return found
