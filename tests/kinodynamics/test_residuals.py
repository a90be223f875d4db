"""What targets ask for, against closed forms and finite differences."""

import numpy as np
from scipy.spatial.transform import Rotation

from inbetweener.kinodynamics import PointTarget, PoseTarget
from inbetweener.kinodynamics.corrections import HEIGHT, SLOPE
from inbetweener.kinodynamics.problem import Problem
from inbetweener.kinodynamics.residuals import LEVER, place_velocity, turn_between
from inbetweener.kinodynamics.solve import solve
from inbetweener.kinodynamics.trials import Trials
from tests.kinodynamics.bodies import JAB, loose, scene, watched


def test_turns_are_axis_times_angle_up_to_half_a_turn() -> None:
    random = np.random.default_rng(3)
    now, wanted = Rotation.random(50, random_state=1), Rotation.from_rotvec(random.normal(size=3))
    found = turn_between(now.as_matrix(), wanted.as_matrix())
    assert np.allclose(found, (wanted * now.inv()).as_rotvec(), rtol=0, atol=1e-12)
    assert np.array_equal(turn_between(np.eye(3)[None], np.eye(3)), np.zeros((1, 3)))


def test_each_way_puts_one_number_right_where_nothing_swings() -> None:
    """The frozen pseudoinverse, tried on the keyed pose: a unit of it is nearly a unit of its residual."""
    motion = loose("boxer", "tight")
    target = PointTarget(JAB, scene("boxer").rig.point("palm_l"), orientation="keyed", velocity="keyed")
    ask = Problem.of(motion, [target]).asks[0]
    pose = motion.tight.channels([JAB])[0]
    ways, small = ask.directions(pose[None]), 1e-6
    assert list(ways.kinds) == [HEIGHT] * 6 + [SLOPE] * 3
    moved = pose + small * ways.vectors[:6]
    states = np.stack([np.tile(pose, (6, 1)), moved])[:, :, None].repeat(2, axis=2)
    rates = (ask.residuals(states[0]) - ask.residuals(states[1]))[:, :6] / small
    assert np.abs(rates - np.diag(np.diag(rates))).max() < 0.25
    assert (np.diag(rates) > 0.5).all()
    assert (np.diag(rates) <= 1.0 + 1e-6).all()


def test_a_pose_counts_turns_by_a_lever() -> None:
    motion = loose("boxer", "firm", small=False)
    problem = Problem.of(motion, [PoseTarget(JAB, {"neck.ry": 0.5}, velocity="still")])
    states = Trials(problem).states(np.zeros((1, 1, problem.parts, len(motion.rig.channels))))
    residual = problem.asks[0].residuals(states[:, 0])[0]
    value = motion.channels([JAB])[0, motion.rig.channel_index("neck.ry")]
    assert np.isclose(residual[0], LEVER * (0.5 - value), rtol=0, atol=1e-12)
    miss = problem.asks[0].miss(residual)
    assert np.isclose(miss.turn, abs(0.5 - value), rtol=0, atol=1e-12)
    assert miss.speed > 1.0


def test_trials_are_what_the_corrected_clip_shows() -> None:
    """The short way, bells added to sampled references, against the long one, layers in a clip."""
    motion = loose("drummer", "loose")
    rig = scene("drummer").rig
    targets = [PointTarget(t, rig.point("palm_r"), velocity="keyed") for t in (0.0, 0.5)]
    problem = Problem.of(motion, targets)
    random = np.random.default_rng(5)
    coefficients = np.zeros((2, 2, len(rig.channels)))
    coefficients[:, :, problem.asks[0].gives] = random.normal(scale=0.1, size=(2, 2, len(problem.asks[0].gives)))
    states = Trials(problem).states(coefficients[None])[0]
    seen = problem.with_layers(problem.layers(coefficients))
    whole, step = motion.clip.end - motion.clip.start, motion.loosened.step
    assert np.abs(states[:, 0] - seen.channels([0.0, 0.5])).max() < 1e-11
    assert np.abs(states[:, 1] - seen.channels([whole - step, 0.5 - step])).max() < 1e-11


def test_a_tap_on_the_seam_of_a_loop() -> None:
    motion = loose("drummer", "relaxed")
    target = PointTarget(0.0, scene("drummer").rig.point("palm_r"), velocity=(0.0, 0.0, 0.0))
    seen = watched(motion, solve(motion, [target]))
    assert np.linalg.norm(place_velocity(seen, 0.0, target.point)) <= 1e-6
