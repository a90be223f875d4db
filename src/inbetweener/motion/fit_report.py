"""What a fit achieved."""

from dataclasses import dataclass

from inbetweener.motion.jerks import Jerk


@dataclass(frozen=True, slots=True)
class FitReport:
    """What a fit achieved, measured on all joints and named points at every original frame and at the quarters between,
    in metres."""

    tolerance_m: float
    mean_error_m: float
    max_error_m: float
    worst_point: str
    worst_time: float
    jerked: int
    """Joints and points, each on each frame, that are accelerated more than 1.5 times as before and 5 mm a frame a
    frame on top."""
    jerks: tuple[Jerk, ...]
    """Which they are, each on the worst of its frames, the worst first."""
    frames: int
    key_count: int
    key_share: float
    """Keys of a channel as a share of the frames, mean over the fitted channels."""

    @property
    def holds(self) -> bool:
        """True when nothing is farther off than the tolerance."""
        return self.max_error_m <= self.tolerance_m

    def __str__(self) -> str:
        told = (
            f"{self.key_count} keys, {self.key_share:.1%} of {self.frames} frames a channel; joints within "
            f"{self.max_error_m * 1000:.2g} mm, {self.mean_error_m * 1000:.2g} mm on average"
        )
        times = "once" if self.jerked == 1 else f"{self.jerked} times"
        return told + (f"; joints are jerked {times} where they were not" if self.jerked else "")
