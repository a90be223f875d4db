"""Where points are nearly still, in motion whose contacts are known."""

from itertools import pairwise

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import Stillness, Suggestion, suggest_contacts
from inbetweener.contacts.touching import touching_points
from inbetweener.curves import Curve
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Point, Rig, chains, joint_channels
from tests.contacts.conftest import Captures


def sliding_block(positions: np.ndarray, rate: float = 60.0) -> Motion:
    """A block one metre high that moves along x as told, a number a frame."""
    block = Joint("block")
    rig = Rig((block,), joint_channels(block, "tx ty tz"), (Point("block", (0.0, 1.0, 0.0), "top"),))
    times = np.arange(len(positions)) / rate
    return Motion(
        rig, Clip("slide", times[-1], rate=rate, curves=Curves({"block.tx": Curve.sampled(times, positions)}))
    )


def of(motion: Motion, name: str) -> list[Suggestion]:
    return [each for each in suggest_contacts(motion) if str(each.point) == name]


@pytest.mark.parametrize("rest", [12, 30, 90])
def test_a_rest_between_two_moves_is_found_to_the_frame(rest: int) -> None:
    away = np.arange(1, 21) * 0.05
    motion = sliding_block(np.concatenate([away[::-1] * -1, np.zeros(rest), away]))
    (found,) = suggest_contacts(motion, [motion.rig.point("block")])
    assert abs(found.start * 60 - 20) <= 2
    assert abs(found.end * 60 - (20 + rest - 1)) <= 2
    assert found.slide < 0.06


def test_a_rest_shorter_than_asked_for_is_left_out() -> None:
    away = np.arange(1, 21) * 0.05
    motion = sliding_block(np.concatenate([away[::-1] * -1, np.zeros(4), away]))
    assert suggest_contacts(motion, [motion.rig.point("block")]) == ()


def test_slow_creeping_is_cut_where_it_leaves_the_ball() -> None:
    motion = sliding_block(np.linspace(0.0, 0.5, 300))
    found = suggest_contacts(motion, [motion.rig.point("block")])
    assert len(found) > 3
    assert all(each.slide <= 2 * 0.03 + 0.01 for each in found)


def test_a_twitch_does_not_part_a_contact() -> None:
    away = np.arange(1, 21) * 0.05
    rest = np.zeros(60)
    rest[30] = 0.02
    motion = sliding_block(np.concatenate([away[::-1] * -1, rest, away]))
    (found,) = suggest_contacts(motion, [motion.rig.point("block")])
    assert found.end - found.start > 0.9


def test_there_is_time_to_move_from_one_contact_to_the_next() -> None:
    steps = np.repeat([0.0, 0.1, 0.2], 40)
    motion = sliding_block(np.concatenate([np.linspace(-1.0, 0.0, 20), steps]))
    found = suggest_contacts(motion, [motion.rig.point("block")])
    assert len(found) == 3
    assert all(b.start - a.end >= 0.1 - 1e-9 for a, b in pairwise(found))


def test_steady_motion_is_no_contact() -> None:
    motion = sliding_block(np.linspace(0.0, 3.0, 120))
    assert suggest_contacts(motion, [motion.rig.point("block")]) == ()


def test_the_feet_of_a_walk_alternate(captures: Captures) -> None:
    steps = suggest_contacts(captures.dense("02_01_walk"))
    assert len(steps) == 6
    assert all(a.point != b.point for a, b in pairwise(steps))
    whole = steps[1:]  # it begins on the right foot, about to leave the ground
    assert all(0.45 < each.end - each.start < 0.75 for each in whole)
    assert all(each.confidence > 0.8 for each in whole)


def test_a_run_has_short_stances_with_flight_between(captures: Captures) -> None:
    steps = suggest_contacts(captures.dense("35_17_run"))
    assert [str(each.point)[:4] for each in steps] == ["Righ", "Left", "Righ", "Left"]
    assert steps[0].end - steps[0].start < 0.1, "it begins in the middle of a step"
    assert all(0.1 <= each.end - each.start < 0.25 for each in steps[1:])
    assert all(each.is_trusted for each in steps)
    assert all(a.end + 0.1 < b.start for a, b in pairwise(steps))


def test_steps_of_a_body_whose_rest_pose_lies_flat_are_found(captures: Captures) -> None:
    # 20 cm tall at rest, for its bones all lie along the ground there: in motion 1.6 m.
    motion = captures.dense("../clips/rokoko_jesse_dance")
    assert chains.height(motion.rig) < 0.25
    steps = [each for each in suggest_contacts(motion) if each.is_trusted]
    assert len(steps) >= 8
    assert {str(each.point) for each in steps} == {"LeftToeBase", "RightToeBase"}


def test_nobody_stands_while_jumping(captures: Captures) -> None:
    motion = captures.dense("13_11_forward_jump")
    hips = motion.states(motion.clip.frame_times, motion.rig.point("Hips"))[0][:, 1]
    top = motion.clip.frame_times[1 + np.argmax(hips[1:])]
    feet = [each for side in ("Left", "Right") for each in of(motion, f"{side}ToeBase")]
    assert not any(each.start < top < each.end for each in feet)
    assert sum(each.end - each.start for each in feet) > 4.0  # both feet, before and after


def test_a_drummers_feet_rest_and_hands_in_the_air_are_trusted_less(captures: Captures) -> None:
    motion = captures.dense("79_18_playing_drums")
    left = of(motion, "LeftToeBase")
    assert sum(each.end - each.start for each in left) > 0.85 * motion.clip.end
    hands = of(motion, "LeftHand") + of(motion, "RightHand")
    assert hands
    assert max(each.confidence for each in hands) <= 0.5 < min(each.confidence for each in left)


def test_who_punches_stands_on_the_right_foot_nearly_all_the_time(captures: Captures) -> None:
    motion = captures.dense("02_05_punch_strike")
    right = of(motion, "RightToeBase")
    assert sum(each.end - each.start for each in right) > 0.9 * motion.clip.end


def test_hands_carry_a_cartwheel_while_no_foot_does(captures: Captures) -> None:
    # In this capture the hands slip at half a metre a second while they carry the body.
    motion = captures.dense("49_06_cartwheel")
    times = motion.clip.frame_times
    head = motion.states(times, motion.rig.point("Head"))[0][:, 1]
    feet = np.min([motion.states(times, motion.rig.point(f"{s}Foot"))[0][:, 1] for s in ("Left", "Right")], axis=0)
    upside_down = times[(feet > head) & (times > 0.1)]
    carried = [
        each
        for each in suggest_contacts(motion)
        if each.confidence > 0.55 and each.start < upside_down[-1] and each.end > upside_down[0]
    ]
    assert [str(each.point) for each in carried] == ["RightHand", "LeftHand"]
    assert carried[0].start < upside_down[0] < upside_down[-1] < carried[1].end
    assert all(each.slide > 0.3 and each.slips and not each.is_trusted for each in carried)
    # They are found because they must carry: asked for alone, they are not still.
    hands = [motion.rig.point(name) for name in ("LeftHand", "RightHand")]
    assert not any(
        each.start < upside_down[-1] and each.end > upside_down[0] and each.end - each.start > 0.3
        for each in suggest_contacts(motion, hands)
    )


def test_four_feet_of_the_spider_stand_in_each_half_of_a_step() -> None:
    document = ib.example("spider-walk")
    found = suggest_contacts(Motion(document.rig, document.clip()))
    first = {str(each.point) for each in found if each.end < 0.6}
    second = {str(each.point) for each in found if each.start > 0.55}
    assert first == {"foot_1_l", "foot_2_r", "foot_3_l", "foot_4_r"}
    assert second == {"foot_1_r", "foot_2_l", "foot_3_r", "foot_4_l"}


def test_the_boxers_toes_stand_from_the_start_to_the_end() -> None:
    # Its key poses have them in one place, within 1.3 mm; what is between slips by 4 cm for a frame or two.
    document = ib.example("boxer")
    motion = Motion(document.rig, document.clip())
    for side in "lr":
        (standing,) = of(motion, f"toe_{side}")
        assert standing.start == 0.0
        assert standing.end == pytest.approx(document.clip().end)


def test_points_are_found_by_name_or_near_the_ground() -> None:
    names = {}
    for scene in ("boxer", "spider-walk", "fox-tail"):
        document = ib.example(scene)
        names[scene] = {str(point) for point in touching_points(Motion(document.rig, document.clip()))}
    assert names["boxer"] == {"hand_l", "hand_r", "toe_l", "toe_r"}
    assert names["spider-walk"] == {f"foot_{pair}_{side}" for pair in (1, 2, 3, 4) for side in "lr"}
    assert len(names["fox-tail"]) == 4


def test_thresholds_grow_with_the_character() -> None:
    away = np.arange(1, 21) * 0.05
    path = np.concatenate([away[::-1] * -1, 0.002 * np.arange(30), away + 0.06])
    motion = sliding_block(path)
    assert chains.height(motion.rig) == pytest.approx(1.0)
    (loose,) = suggest_contacts(motion, [motion.rig.point("block")])
    tight = suggest_contacts(motion, [motion.rig.point("block")], Stillness(ball=0.01))
    assert loose.end - loose.start > max(each.end - each.start for each in tight)
