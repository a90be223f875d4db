"""Rigs of all kinds: controls, scales, skin vertices, other units of length, values outside their limits."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.posing import Pin, PoseRequest, Pull, State, build, certify, solve, state_of
from inbetweener.rig import BlendedPoint, Joint, Point, Rig, joint_channels
from tests.posing.figures import channels_of, flat_arm, human, planted


def test_a_control_is_posed_like_any_channel():
    rig = human()
    tip = Point("index_3_l", (0.02, 0.0, 0.0), "index_tip")
    curled = rig.defaults.copy()
    curled[rig.channel_index("curl_index_l")] = 0.7
    wish = state_of(rig, curled, tip)
    problem = build(rig, rig.defaults, PoseRequest((Pull(tip),), channels=frozenset({"curl_index_l"})))
    solution = solve(problem, State(wish.position))
    assert solution.reached
    assert solution.channels[rig.channel_index("curl_index_l")] == pytest.approx(0.7, abs=0.01)


def test_a_control_and_its_joints_share_the_work():
    rig = human()
    names = frozenset({"spine_bend", "spine_1.rx", "spine_2.rx", "chest.rx"})
    alike = replace(rig, channels=tuple(replace(c, stiffness=1.0) for c in rig.channels))
    problem = build(alike, alike.defaults, PoseRequest((Pull(alike.point("head_top")),), channels=names))
    solution = solve(
        problem, State(state_of(alike, alike.defaults, alike.point("head_top")).position + np.array((0.0, -0.02, 0.15)))
    )
    change = dict(zip(problem.names, solution.z, strict=True))
    assert solution.reached
    assert all(change[name] > 1e-3 for name in names)


def test_scales_move_only_when_named():
    rig = human()
    scaled = replace(rig, channels=(*rig.channels, *joint_channels(rig.joint("forearm_l"), "sx")))
    pull = Pull(scaled.point("palm_l"))
    wish = State(state_of(scaled, scaled.defaults, scaled.point("palm_l")).position + np.array((0.1, 0.0, 0.0)))
    assert not any(name.endswith(".sx") for name in build(scaled, scaled.defaults, PoseRequest((pull,))).names)
    named = PoseRequest(
        (pull,), channels=frozenset({"forearm_l.sx", "upper_arm_l.rz", "upper_arm_l.ry", "forearm_l.ry"})
    )
    solution = solve(build(scaled, scaled.defaults, named), wish)
    assert solution.reached
    assert solution.channels[scaled.channel_index("forearm_l.sx")] > 1.01


def test_a_skin_vertex_is_pulled_by_all_that_carry_it():
    rig = human()
    vertex = BlendedPoint(
        ((Point("forearm_l", (0.02, 0.03, 0.0)), 0.55), (Point("upper_arm_l", (0.29, 0.03, 0.0)), 0.45))
    )
    problem = build(rig, rig.defaults, PoseRequest((Pull(vertex),), planted()))
    wish = state_of(rig, rig.defaults, vertex).position + np.array((0.05, 0.15, 0.1))
    solution = solve(problem, State(wish))
    assert solution.reached
    assert np.linalg.norm(state_of(rig, solution.channels, vertex).position - wish) <= 1e-4


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_a_giant_and_a_dwarf_pose_alike(factor):
    rig, big = human(), _grown(human(), factor)
    hand = rig.point("palm_l")
    wish = state_of(rig, rig.defaults, hand).position + np.array((0.1, 0.3, 0.2))
    mine = solve(build(rig, rig.defaults, PoseRequest((Pull(hand),), planted())), State(wish))
    large = PoseRequest((Pull(big.point("palm_l")),), tuple(Pin(big.point(str(pin.point))) for pin in planted()))
    theirs = solve(build(big, big.defaults, large), State(wish * factor))
    assert theirs.reached
    assert np.allclose(theirs.z, mine.z, atol=1e-6)


def _grown(rig: Rig, factor: float) -> Rig:
    """The same character, everything longer by a factor."""

    def longer(vector):
        return tuple(factor * v for v in vector)

    return Rig(
        tuple(
            Joint(j.name, j.parent, replace(j.rest, translation=longer(j.rest.translation)), j.order)
            for j in rig.joints
        ),
        tuple(replace(c, default=c.default * factor) if c.kind == "translation" else c for c in rig.channels),
        tuple(replace(p, offset=longer(p.offset)) for p in rig.points),
    )


def test_a_value_outside_its_limits_may_stay_but_not_get_worse():
    rig, _ = flat_arm(2, limits={"rz": (-0.4, 0.4)})
    pose = np.array([0.9, 0.1])
    up = solve(build(rig, pose, PoseRequest((Pull(rig.point("tip")),))), State((-1.0, 1.5, 0.0)))
    assert up.channels[0] <= 0.9
    assert certify(up).limits == ()
    down = solve(build(rig, pose, PoseRequest((Pull(rig.point("tip")),))), State((1.9, 0.6, 0.0)))
    assert down.reached
    assert down.channels[0] < 0.4


def test_only_what_matters_is_solved_for():
    rig = human()
    problem = build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),)))
    assert not {n for n in problem.names if n.endswith("_r.rx") or n.startswith(("thigh", "index", "head", "neck"))}
    # A pinned finger of the other hand brings its arm in; a pin in another world does not.
    other = build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), (Pin(rig.point("palm_r")),)))
    assert channels_of(rig, ("upper_arm_r", "forearm_r")) <= set(other.names)
    arm = channels_of(rig, ("upper_arm_l", "forearm_l"))
    apart = build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), (Pin(rig.point("hips"), "both"),), arm))
    assert set(apart.names) == arm
    assert apart.pins == ()


def test_a_pinned_orientation_is_kept():
    rig = human()
    pins = (*planted(), Pin(rig.point("palm_r"), "both"), Pin(rig.point("head"), "orientation"))
    solution = solve(build(rig, rig.defaults, PoseRequest((Pull(rig.point("palm_l")),), pins)), State((0.4, 1.0, 0.6)))
    proof = certify(solution)
    assert solution.reached
    assert all(held.distance <= 1e-4 * solution.problem.height and held.turn <= 1e-4 for held in proof.pins)
