"""What an animator asks of guidance: what may change, what it should become, and what must stay."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.errors import InvalidRequest
from inbetweener.guidance.parameters import Frozen
from inbetweener.guidance.terms.term import Term
from inbetweener.motion import Clear, Constraint, Kernel


@dataclass(frozen=True, slots=True)
class Weighted:
    """A cost term and how much it counts."""

    term: Term
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not (self.weight >= 0 and np.isfinite(self.weight)):
            raise InvalidRequest(f"term {self.term.name!r}: weight {self.weight:g} must not be negative")


@dataclass(frozen=True, slots=True)
class GuideRequest:
    """Guide the tangents of `channels` (all, by default) of keys from `start` to `end` seconds.

    terms        the costs; squared torque where none is named
    regularise   how much to stay with the motion as it was; at 1, joints 5 % of the height away from their old paths
                 cost as much as all the cost that the motion had at the start
    joints       further factors on the parameters of single joints; infinite: their tangents stay
    kernels      when costs count less ([OM] Eq. 9)
    constraints  pins and contacts, which hold
    clear        what the body stays out of
    layer        whose curves may change; the base by default
    frozen       keys whose tangents stay
    seamless     whether both ends of a clip that loops keep one slope. Without, they are free, as of a motion that is
                 played once: that saves effort, and the loop jerks where it begins again
    """

    channels: frozenset[str] | None = None
    start: float = -np.inf
    end: float = np.inf
    terms: tuple[Weighted, ...] = ()
    regularise: float = 0.3
    joints: Mapping[str, float] = field(default_factory=dict)
    kernels: tuple[Kernel, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    clear: Clear = field(default_factory=Clear)
    layer: str | None = None
    frozen: Frozen = frozenset()
    seamless: bool = False

    def __post_init__(self) -> None:
        if not (self.regularise >= 0 and np.isfinite(self.regularise)):
            raise InvalidRequest(f"regularisation {self.regularise:g} must not be negative")
        for joint, factor in self.joints.items():
            if not factor >= 0:
                raise InvalidRequest(f"joint {joint!r}: factor {factor:g} must not be negative")


def cost_weights(kernels: tuple[Kernel, ...], times: Floats) -> Floats:
    """w(t) = max(1 − Σ kernels, 0) at times (T,): [OM] Eq. 9."""
    bells = [each.depth * np.exp(-0.5 * ((times - each.centre) / each.width) ** 2) for each in kernels]
    return np.maximum(1.0 - np.sum([np.zeros_like(times), *bells], axis=0), 0.0)
