"""Targets that pull at each other: at one time, at many, around a loop, through IK handles, and of whole poses."""

import numpy as np
import pytest

from benchmarks.kinodynamics.published import published
from inbetweener.kinodynamics import Bell, LooseMotion, Loosened, Looseness, PointTarget, PoseTarget, preset
from inbetweener.kinodynamics.solve import solve
from tests.kinodynamics.bodies import JAB, loose, off, scene, watched


def beats() -> dict[str, PointTarget]:
    """Six hits of the drummer, closer together than windows and bells are long; the first on the seam of the loop."""
    rig = scene("drummer").rig
    right = {f"ride {frame}": PointTarget(frame / 24, rig.point("palm_r")) for frame in (0, 12, 24, 36)}
    left = {f"snare {frame}": PointTarget(frame / 24, rig.point("palm_l")) for frame in (12, 36)}
    return {**right, **left}


def test_six_coupled_hits_of_a_drummer() -> None:
    motion, targets = loose("drummer", "relaxed"), beats()
    solution = solve(motion, targets)
    seen = watched(motion, solution)
    assert max(off(motion, target, motion) for target in targets.values()) > 0.05
    assert max(off(seen, target, motion) for target in targets.values()) <= 1.1e-8
    assert [layer.name for layer in solution.layers] == list(targets)


def test_corrections_of_a_loop_close_it() -> None:
    motion = loose("drummer", "relaxed")
    seen = watched(motion, solve(motion, beats()))
    start, end = motion.clip.start, motion.clip.end
    assert np.abs(np.diff(seen.tight.channels([start, end]), axis=0)).max() < 1e-12
    assert np.abs(np.diff(seen.channels([start, end]), axis=0)).max() < 1e-6
    assert off(seen, PointTarget(end, beats()["ride 0"].point), motion) < 1e-6


def test_each_layer_alone_is_not_enough() -> None:
    """The corrections belong together: without one of two coupled ones, the other's target is missed."""
    motion, targets = loose("drummer", "relaxed"), beats()
    solution = solve(motion, targets)
    clip = solution.applied(motion.clip)
    kept = [layer for layer in clip.layers if layer.name != "ride 12"]
    seen = LooseMotion(motion.loosened, type(clip)(clip.name, clip.end, curves=clip.curves, layers=tuple(kept)))
    assert off(seen, targets["snare 12"], motion) > 1e-4


def test_two_hands_at_one_time() -> None:
    motion, rig = loose("boxer", "relaxed"), scene("boxer").rig
    targets = [PointTarget(JAB, rig.point("palm_l")), PointTarget(JAB, rig.point("palm_r"))]
    seen = watched(motion, solve(motion, targets))
    assert max(off(seen, target, motion) for target in targets) <= 1.1e-8


def test_handles_swing_and_hit() -> None:
    document = scene("conductor")
    rig, clip = document.rig, document.clip()
    looseness = Looseness({f"arm_l.{axis}": preset("loose") for axis in "xyz"}, window=0.5)
    motion = LooseMotion(Loosened(rig, looseness, clip.rate), clip)
    targets = [PointTarget(time, rig.point("palm_l"), bell=Bell(0.4, 0.4)) for time in (0.5, 0.8)]
    solution = solve(motion, targets)
    assert max(off(motion, target, motion) for target in targets) > 0.005
    assert max(off(watched(motion, solution), target, motion) for target in targets) <= 1.1e-8


@pytest.mark.parametrize(("spring", "worst"), [("relaxed", 0.08), ("loose", 0.35)])
def test_a_whole_pose(spring: str, worst: float) -> None:
    """As near as limits let it: the left wrist is keyed near its own, and swings away from it."""
    motion = loose("boxer", spring, small=False)
    solution = solve(motion, [PoseTarget(JAB)])
    channels = motion.loosened.swinging.channels
    wanted = motion.tight.channels([JAB])[0, channels]
    assert np.abs(motion.channels([JAB])[0, channels] - wanted).max() > 0.3
    found = watched(motion, solution)
    off = np.abs(found.channels([JAB])[0, channels] - wanted)
    assert off.max() < worst
    assert np.median(off) < 0.02
    assert "hand_l.ry" in solution.outcomes[0].blocked
    assert "at a limit: hand_l.ry" in solution.summary
    times = np.linspace(0.0, motion.clip.end, 500)
    keyed, was = found.tight.channels(times), motion.tight.channels(times)
    lower, upper = (np.array([getattr(each, side) for each in motion.rig.channels]) for side in ("lower", "upper"))
    assert (keyed >= np.minimum(lower, was) - 1e-4).all()
    assert (keyed <= np.maximum(upper, was) + 1e-4).all()


def test_a_given_pose_of_some_channels() -> None:
    motion = loose("boxer", "relaxed", small=False)
    pose = {"forearm_l.ry": -0.4, "upper_arm_r.rz": -0.9, "neck.ry": 0.3}
    solution = solve(motion, [PoseTarget(JAB, pose)])
    state = watched(motion, solution).channels([JAB])[0]
    for name, value in pose.items():
        assert state[motion.rig.channel_index(name)] == pytest.approx(value, abs=5e-8)
    assert set(solution.outcomes[0].correction) == set(pose)


def test_the_published_algorithm_hits_single_targets_and_takes_longer() -> None:
    motion, target = loose("boxer", "relaxed"), PointTarget(JAB, scene("boxer").rig.point("palm_l"))
    theirs, ours = published(motion, [target]), solve(motion, [target])
    assert off(watched(motion, theirs), target, motion) <= 1.1e-8
    assert theirs.windows > 1.5 * ours.windows


def test_the_published_algorithm_is_slow_where_targets_pull_at_each_other() -> None:
    motion, targets = loose("drummer", "relaxed"), beats()
    theirs, ours = published(motion, targets, iterations=10), solve(motion, targets)
    assert ours.reached
    assert not theirs.reached
    assert theirs.batches > 10 * ours.batches
