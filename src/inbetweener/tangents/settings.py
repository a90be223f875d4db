"""What a drag may be tuned by; the defaults are what the benchmarks and tests run with."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Lengths are relative to the character's height, angles in radians, widths relative to their segment.

    tolerance         how far pins, contacts and locks may move; turns count as radians × 1
    reached           a target this near is reached
    pull              w_m of [TSO] Eq. 10 for a character of height one, with w_d = 1
    first_step        how far the point is moved before looking again, and
    radius            how far any variable, heights in radians
    least_width       shortest and
    most_width        longest tangent that a drag makes; tangents beyond are left as they are
    width_step        how much a width may change before looking again
    together          w_b of [TSO] Eq. 5: how much the two sides of a broken tangent are drawn to one slope
    iterations        how many steps a search may take, and
    effort            how many changes of the working set a solve: what bounds the time an answer takes
    looks             how many times as often as usual constraints are looked at
    """

    tolerance: float = 1e-4
    reached: float = 1e-4
    pull: float = 1e6
    first_step: float = 0.1
    radius: float = 1.0
    least_width: float = 0.05
    most_width: float = 0.8
    width_step: float = 0.2
    together: float = 1.0
    iterations: int = 40
    effort: int = 12000
    looks: int = 1
