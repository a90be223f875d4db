"""Sparse keys for a whole clip, within a tolerance in metres on every joint and named point."""

import math
from collections.abc import Callable, Sequence

from inbetweener.errors import InvalidDocument
from inbetweener.motion.clip import Clip
from inbetweener.motion.constraints import Constraint
from inbetweener.motion.fit_mending import LEAST, Mending
from inbetweener.motion.fit_report import FitReport
from inbetweener.motion.fit_samples import DENSE, QUARTERS, Align
from inbetweener.rig import Rig

Progress = Callable[[int, int], None]
"""Called with work done and work in all."""

FIRST_TOLERANCE, TRIES, GUESSES, CLOSE = 0.02, 10, 3, 1.1
"""Metres with which a search for a number of keys begins; how many fits it may take, and how many of them go by a rule;
and how near to each other the tolerances of too many keys and of few enough are in the end."""

LEAST_FRAMES = 8
"""Dense motion is longer than this."""


def is_dense(clip: Clip) -> bool:
    """Whether a clip is captured or baked motion: keys on most frames, and little between them to be shaped."""
    moving = [len(curve) for curve in clip.curves.values() if len(curve) > 1]
    frames = len(clip.frame_times)
    return frames > LEAST_FRAMES and bool(moving) and sum(moving) / len(moving) > DENSE * frames


def fit_clip(
    rig: Rig,
    clip: Clip,
    tolerance_m: float = 0.005,
    align: Align = "channel",
    progress: Progress | None = None,
    *,
    planted: Sequence[Constraint] = (),
) -> tuple[Clip, FitReport]:
    """The clip with its base curves replaced by sparse ones, no joint farther off than `tolerance_m` at any time.

    Named points, such as the tips of hands and feet, count like joints, and so does what turns with a joint. Each
    channel gets a tolerance from how far it moves anything; then channels make up for each other's errors, keys go
    without which nothing is too far off, and where something is, those that lead it astray get more keys. What is
    `planted` stays where it stands, within PLANTED if that can be had. A curve that has no more keys than its fit is
    kept as it is, and so are the layers; of others nothing outside the clip's time is kept.
    """
    if not tolerance_m > LEAST:
        raise InvalidDocument(f"clip {clip.name!r}: a fit needs a tolerance above zero, not {tolerance_m:g} m")
    fit = Mending(rig, clip, tolerance_m, align, planted)
    total = 1 + fit.steps_to_keys
    for done, _ in enumerate(fit.find_keys() if fit.is_needed else (), 1):
        if progress:
            progress(done, total)
    fit.look(max(QUARTERS, fit.steps))
    fit.mend()
    fit.ease()
    if progress:
        progress(total, total)
    return fit.result()


def fit_poses(
    rig: Rig,
    clip: Clip,
    poses: int,
    align: Align = "body",
    progress: Progress | None = None,
    *,
    planted: Sequence[Constraint] = (),
) -> tuple[Clip, FitReport]:
    """The clip with about so many keys a moving channel and not more, as near as they lead: `fit_clip` the other way.

    Where the whole body shares its key times these are poses. The report tells the tolerance that they were fitted to.
    Blend shapes keep a tolerance of their own, and may want more.
    """
    if poses < 2:
        raise InvalidDocument(f"clip {clip.name!r}: a fit needs two poses at least, not {poses}")
    low, high = 0.0, math.inf
    tolerance, best, least = FIRST_TOLERANCE, None, (True, math.inf)
    for tried in range(TRIES):
        fit = Mending(rig, clip, tolerance, align, planted)
        for done, _ in enumerate(fit.find_keys() if fit.is_needed else (), 1):
            if progress:
                progress(tried * fit.steps_to_keys + done, TRIES * fit.steps_to_keys)
        fit.look(max(QUARTERS, fit.steps))
        if planted:
            fit.mend()
        found = fit.keys_a_channel
        if found <= poses and not planted:
            fit.spend(poses)
        made = fit.result()
        # The nearest of those that have few enough keys; if none do, the fewest.
        missed = (False, made[1].max_error_m) if found <= poses else (True, found)
        if best is None or missed < least:
            best, least = made, missed
        low, high = (low, tolerance) if found <= poses else (tolerance, high)
        if not found or high < CLOSE * low:
            break
        # Keys fall with about the root of the tolerance; how many there are goes up and down a little with it.
        guess = tolerance * (found / poses) ** 2
        between = math.sqrt((low or high / 4) * (high if math.isfinite(high) else 4 * low))
        tolerance = guess if tried < GUESSES and low < guess < high else between
    if progress:
        progress(1, 1)
    assert best is not None
    return best
