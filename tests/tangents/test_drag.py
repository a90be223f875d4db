"""A drag as a gesture: many targets, one answer each, nothing but tangents changed."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.curves.widths import MARGIN, slack
from inbetweener.motion import Motion
from inbetweener.rig import BlendedPoint, Place, Point
from inbetweener.tangents import Drag, DragRequest, InvalidTarget, Pin
from inbetweener.tangents.problem import changed_motion
from tests.rig.specimens import person, random_rig
from tests.tangents.figures import TIP, arm, staggered, swing, tangents_only

HAND = Point("hand_l", (0.08, 0.0, 0.0))


def after(drag: Drag) -> Motion:
    return changed_motion(drag.problem.motion, drag.problem.request.layer, drag.commit())


@pytest.mark.parametrize("time", [0.51, 0.6137, 0.75, 0.97])
def test_reaches_a_position_at_any_time_between_frames_too(time: float) -> None:
    drag = Drag(swing(person()), DragRequest(HAND, time))
    target = drag.start_position + np.array([0.03, -0.02, 0.04])
    solution = drag.to(target)
    assert solution.reached
    np.testing.assert_allclose(after(drag).states([time], HAND)[0][0], target, rtol=0, atol=2e-4)
    np.testing.assert_allclose(solution.position, target, rtol=0, atol=2e-4)
    assert solution.target_error == pytest.approx(np.linalg.norm(solution.position - target), abs=1e-12)


def test_reaches_an_orientation_and_a_whole_state() -> None:
    motion = swing(person())
    turn = Rotation.from_rotvec([0.1, -0.2, 0.15]).as_matrix()
    for wanted in ("orientation", "both"):
        drag = Drag(motion, DragRequest(HAND, 0.7, wanted))  # type: ignore[arg-type]
        wish = turn @ drag.start_turn
        shift = np.array([0.02, 0.01, 0.0]) if wanted == "both" else None
        solution = drag.to(None if shift is None else drag.start_position + shift, wish)
        position, turned = (state[0] for state in after(drag).states([0.7], HAND))
        assert solution.reached
        assert Rotation.from_matrix(turned @ wish.T).magnitude() < 2e-4
        if shift is not None:
            np.testing.assert_allclose(position, drag.start_position + shift, rtol=0, atol=2e-4)


def test_half_a_turn_is_not_taken_for_none() -> None:
    drag = Drag(swing(arm(), size=0.1), DragRequest(TIP, 0.7, "orientation"))
    half = Rotation.from_rotvec([0.0, np.pi, 0.0]).as_matrix() @ drag.start_turn
    solution = drag.to(turn=half)
    assert Rotation.from_matrix(solution.turn @ half.T).magnitude() == pytest.approx(solution.target_error, abs=1e-6)
    assert solution.reached
    assert np.abs(solution.z).max() > 0.1


@pytest.mark.parametrize("place", [TIP, BlendedPoint(((Point("hand"), 0.5), (Point("elbow", (0.1, 0.0, 0.0)), 0.5)))])
def test_changes_nothing_but_tangents(place: Place) -> None:
    motion = staggered(arm(), 3)
    drag = Drag(motion, DragRequest(place, 0.9))
    drag.to(drag.start_position + np.array([0.05, 0.0, 0.05]))
    made = drag.commit()
    assert list(made) == list(motion.clip.curves)
    assert made != motion.clip.curves
    for name, curve in made.items():
        assert tangents_only(motion.clip.curves[name], curve)
    assert drag.cancel() == motion.clip.curves
    assert drag.certificate().keys_kept


@pytest.mark.parametrize("seed", range(4))
def test_staggered_keys_with_all_freedoms(seed: int) -> None:
    """Every channel with keys of its own; scales, controls over several joints, straight and stepped segments."""
    rig = random_rig(seed, 6)
    drag = Drag(
        staggered(rig, seed), DragRequest(rig.points[0], 1.0, constraints=(Pin(Point("joint 2", (0.1, 0.2, 0.0))),))
    )
    way = 0.02 * drag.problem.height * np.array([1.0, -1.0, 1.0])
    solution = drag.to(drag.start_position + way)
    certificate = drag.certificate()
    assert solution.reached
    assert certificate.target_distance < 1e-3 * drag.problem.height
    assert certificate.constraints[0].distance <= 5e-4 * drag.problem.height
    assert certificate.slope_error < 1e-9
    assert certificate.limits == ()


def test_sixty_small_steps_do_not_drift_and_going_back_leads_back() -> None:
    motion = swing(person(), seed=4)
    drag = Drag(motion, DragRequest(HAND, 0.7, constraints=(Pin(Point("foot_l")), Pin(Point("hand_r")))))
    way, worst, height = np.array([0.1, 0.12, -0.05]), 0.0, drag.problem.height
    for step in range(1, 61):
        assert drag.to(drag.start_position + way * step / 60).reached
        worst = max(worst, *(held.distance for held in drag.certificate(looks=1).constraints))
    assert worst <= 1.01e-4 * height
    assert np.abs(drag.solution.z).max() > 0.3
    for step in range(59, -1, -1):
        drag.to(drag.start_position + way * step / 60)
    assert np.abs(drag.solution.z).max() < 0.02
    times = motion.clip.frame_times
    np.testing.assert_allclose(
        after(drag).joint_positions(times), motion.joint_positions(times), rtol=0, atol=2e-3 * height
    )


def test_sixty_small_steps_end_where_one_large_step_does() -> None:
    motion = swing(person(), seed=4)
    slow, quick = (Drag(motion, DragRequest(HAND, 0.7)) for _ in range(2))
    way = np.array([0.05, 0.08, -0.05])
    for step in range(1, 61):
        slow.to(slow.start_position + way * step / 60)
    quick.to(quick.start_position + way)
    assert np.abs(quick.solution.z).max() > 0.03
    np.testing.assert_allclose(slow.solution.z, quick.solution.z, rtol=0, atol=0.05 * np.abs(quick.solution.z).max())


def test_a_jump_that_small_steps_can_make_is_made() -> None:
    drag = Drag(
        swing(person(), seed=4), DragRequest(HAND, 0.7, constraints=(Pin(Point("foot_l")), Pin(Point("hand_r"))))
    )
    assert drag.to(drag.start_position + np.array([0.1, 0.12, -0.05])).reached
    assert max(held.distance for held in drag.certificate().constraints) <= 5e-4 * drag.problem.height


def test_the_same_drag_gives_the_same_answer() -> None:
    answers = []
    for _ in range(2):
        drag = Drag(swing(person(), seed=2), DragRequest(HAND, 0.7, constraints=(Pin(Point("foot_l")),)))
        for step in range(5):
            drag.to(drag.start_position + np.array([0.0, 0.02 * step, 0.01]))
        answers.append(drag.solution.z)
    np.testing.assert_array_equal(*answers)


def test_nothing_moves_before_the_first_target() -> None:
    motion = swing(person(), tied=False)
    drag = Drag(motion, DragRequest(HAND, 0.7, constraints=(Pin(Point("foot_l")),)))
    assert not drag.solution.z.any()
    drag.to(drag.start_position)
    assert not drag.solution.z.any()
    assert drag.commit() == motion.clip.curves


def test_widths_keep_time_monotone_with_a_margin() -> None:
    motion = swing(arm(), seed=5, size=0.8)
    drag = Drag(motion, DragRequest(TIP, 0.6))
    for way in ([0.5, 0.2, 0.1], [-0.6, 0.1, 0.3], [0.0, -1.5, 0.4]):
        drag.to(drag.start_position + way)
        for curve in drag.commit().values():
            length = np.diff(curve.times)
            assert slack(curve.outs[:-1, 0] / length, curve.ins[1:, 0] / length).min() >= MARGIN


def test_stiff_joints_move_less() -> None:
    shares = []
    for stiffness in (1.0, 8.0):
        rig = arm()
        channels = tuple(
            type(c)(c.name, c.kind, c.drives, c.default, stiffness=stiffness if c.name.startswith("shoulder") else 1.0)
            for c in rig.channels
        )
        drag = Drag(swing(type(rig)(rig.joints, channels, rig.points)), DragRequest(TIP, 0.7))
        drag.to(drag.start_position + np.array([0.05, 0.0, 0.03]))
        moved = np.abs(drag.solution.z * drag.problem.variables.scale).reshape(-1, 4)[:, 1::2].max(axis=1)
        by_name = dict(zip(drag.problem.names, moved, strict=True))
        shoulder = max(v for name, v in by_name.items() if name.startswith("shoulder"))
        shares.append(shoulder / max(by_name.values()))
    assert shares[1] < 0.5 * shares[0]


@pytest.mark.parametrize("bad", [[1.0, 2.0], [np.nan, 0.0, 0.0], [[0.0, 0.0, 0.0]]])
def test_impossible_positions_are_refused(bad: list[float]) -> None:
    drag = Drag(swing(arm()), DragRequest(TIP, 0.7))
    with pytest.raises(InvalidTarget, match="target position"):
        drag.to(bad)


def test_an_orientation_must_be_a_rotation() -> None:
    drag = Drag(swing(arm()), DragRequest(TIP, 0.7, "orientation"))
    with pytest.raises(InvalidTarget, match="rotation matrix"):
        drag.to(turn=2.0 * np.eye(3))
