"""What posing may be tuned by; the defaults are what the benchmarks and tests run with."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Lengths are relative to the character's height, angles in radians.

    tolerance   how far pins may move; turns count as radians × 1
    reached     a target this near is reached
    pull        w_m of [TSO] Eq. 13 for a character of height one, with w_d = 1
    stride      how far a point is asked to move before looking again, in heights or radians
    step        how far a channel may move before looking again: radians, heights of a translation
    iterations  at most, of one search
    settling    how many steps may follow once all targets are reached, to reach them with less change
    retries     how many other poses to start from where a target is missed; not used while dragging
    """

    tolerance: float = 1e-4
    reached: float = 5e-5
    pull: float = 1e7
    stride: float = 0.4
    step: float = 1.0
    iterations: int = 30
    settling: int = 4
    retries: int = 8
