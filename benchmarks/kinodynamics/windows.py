"""Finding windows for a clip of 100 frames: one length, one for every frame, and what they miss."""

from dataclasses import replace

from benchmarks.harness import Figure, interleaved
from benchmarks.kinodynamics.mannequin import RATE, mannequin, shot
from inbetweener.kinodynamics import LooseMotion, Loosened, Looseness, Spring, chain, window_error

FRAMES = 100


def measure() -> list[Figure]:
    rig = mannequin()
    clip = shot(rig, seconds=FRAMES / RATE)
    looseness = Looseness(chain(rig, "upper_arm_l", Spring(3.5, 0.5), masses="human"), masses="human")
    one, every = (Loosened(rig, replace(looseness, window=window), RATE) for window in ("auto", "adaptive"))
    held = Loosened(rig, looseness, RATE)
    LooseMotion(held, clip).hold_windows()
    first, auto, adaptive, kept = interleaved(
        [
            lambda: Loosened(rig, looseness, RATE).modes,
            # A copy of the clip each time: windows found for the same one are known already.
            lambda: LooseMotion(one, replace(clip)).windows,
            lambda: LooseMotion(every, replace(clip)).windows,
            lambda: LooseMotion(held, clip).windows,
        ],
        rounds=9,
    )
    found = [LooseMotion(loosened, clip) for loosened in (one, every)]
    lengths = [motion.window(clip.frame_times) for motion in found]
    missed = [window_error(motion, clip.frame_times).max() for motion in found]
    return [
        Figure("an arm's modes, once for its looseness", first.median * 1e3, "ms"),
        Figure(f"windows of its {FRAMES} frames: one length", auto.median * 1e3, "ms"),
        Figure("windows: one length", lengths[0][0], "s"),
        Figure("windows: one length, what is missed at most", missed[0] * 1e3, "mm", at_most=1),
        Figure("windows: one for every frame", adaptive.median * 1e3, "ms"),
        Figure("windows: one for every frame, on average", lengths[1].mean(), "s"),
        Figure("windows: one for every frame, what is missed at most", missed[1] * 1e3, "mm", at_most=1),
        Figure("windows: held while a hand drags", kept.median * 1e3, "ms"),
    ]
