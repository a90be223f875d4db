"""Keying by tables: units, tangents, and what a mirror does."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbetweener.builtin.characters.human import human_rig
from inbetweener.builtin.posing import channel_values, keyed, mirrored_pose, posed
from inbetweener.errors import UnknownName
from inbetweener.rig import Rig

RIG = human_rig()
angles = st.tuples(st.floats(-30, 30), st.floats(-30, 30), st.floats(-30, 30))


def positions(rig: Rig, pose: dict[str, float | tuple[float, ...]]) -> np.ndarray:
    values = rig.defaults.copy()
    for name, value in channel_values(rig, pose).items():
        values[rig.channel_index(name)] = value
    return rig.world_from_joint(values[None])[0, :, :, 3]


def partner(name: str) -> str:
    return name[:-2] + {"_l": "_r", "_r": "_l"}.get(name[-2:], name[-2:])


@given(spine=angles, arm=angles, bend=st.floats(-120, 0), thigh=angles, at=angles, curl=st.floats(0, 1))
def test_a_mirrored_pose_puts_every_joint_where_its_partner_was(
    spine: tuple[float, float, float],
    arm: tuple[float, float, float],
    bend: float,
    thigh: tuple[float, float, float],
    at: tuple[float, float, float],
    curl: float,
) -> None:
    pose: dict[str, float | tuple[float, ...]] = {
        "hips.at": (at[0] / 100, at[1] / 100, at[2] / 100), "hips": at, "spine_1": spine, "upper_arm_l": arm,
        "forearm_l.ry": bend, "thigh_r": thigh, "curl_l": curl, "curl_index_r": 0.5,
    }  # fmt: skip
    there, mirrored = positions(RIG, pose), positions(RIG, mirrored_pose(pose))
    order = [RIG.joint_index(partner(joint.name)) for joint in RIG.joints]
    np.testing.assert_allclose(mirrored[order], there * np.array([-1.0, 1.0, 1.0]), atol=1e-12)
    again = mirrored_pose(mirrored_pose(pose))
    assert again == pose


def test_degrees_become_radians_and_moves_are_relative_to_rest() -> None:
    values = channel_values(RIG, {"chest": (10, 0, -5), "hips.at": (0.1, -0.2, 0), "curl_l": 0.5, "shank_l.rx": 90})
    assert values["chest.rx"] == pytest.approx(math.radians(10))
    assert values["hips.ty"] == pytest.approx(RIG.channel("hips.ty").default - 0.2)
    assert values["curl_l"] == 0.5
    assert values["shank_l.rx"] == pytest.approx(math.pi / 2)


def test_a_turn_that_a_joint_cannot_make_is_an_error() -> None:
    assert "shank_l.ry" not in channel_values(RIG, {"shank_l": (20, 0, 0)})
    with pytest.raises(UnknownName, match=r"shank_l\.ry"):
        channel_values(RIG, {"shank_l": (20, 5, 0)})


def test_keys_only_where_a_pose_speaks() -> None:
    clip = keyed(
        RIG, "x", {0: {"chest": (0, 0, 0), "head": (0, 0, 0)}, 12: {"head": (10, 0, 0)}, 24: {"chest": (9, 0, 0)}}
    )
    assert list(clip.curves["chest.rx"].times * 24) == [0, 24]
    assert list(clip.curves["head.rx"].times * 24) == [0, 12]
    assert clip.end == 1.0
    assert clip.curves["head.rx"].values[1] == pytest.approx(math.radians(10))


def test_smooth_keys_are_flat_at_extremes() -> None:
    clip = keyed(RIG, "x", {0: {"chest": (0, 0, 0)}, 12: {"chest": (20, 0, 0)}, 24: {"chest": (0, 0, 0)}})
    assert clip.curves["chest.rx"].key(1).out_tangent.slope == 0
    assert clip.curves["chest.rx"].key(1).out_tangent.x > 0


def test_later_tables_win() -> None:
    assert posed({"chest": (1, 0, 0)}, {"chest": (2, 0, 0)}, head=(3, 0, 0)) == {"chest": (2, 0, 0), "head": (3, 0, 0)}
