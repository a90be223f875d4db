"""The diver's feet stay on the board until they leave it, and the hips then fall as gravity wants."""

import numpy as np
import pytest

from benchmarks.gestures import diver as diving
from inbetweener.builtin import example
from inbetweener.curves import breaches
from inbetweener.document import Document
from inbetweener.tangents import Certificate


@pytest.fixture(scope="module")
def before() -> Document:
    return example("diver")


@pytest.fixture(scope="module")
def worked(before: Document) -> tuple[Document, list[Certificate]]:
    return diving.after(before)


@pytest.fixture(scope="module")
def after(worked: tuple[Document, list[Certificate]]) -> Document:
    return worked[0]


def test_all_drags_reach_their_targets(worked: tuple[Document, list[Certificate]]) -> None:
    assert all(certificate.target_distance < 1e-3 and certificate.keys_kept for certificate in worked[1])


def test_the_feet_stand_still_before_take_off(before: Document, after: Document) -> None:
    assert diving.slide(before) > 0.1
    assert diving.slide(after) < 1e-3


def test_the_toes_stay_flat_on_the_board(after: Document) -> None:
    times = np.arange(8 * 23 + 1) / 192
    for side in "lr":
        turns = after.motion().states(times, after.rig.point(f"ball_{side}"))[1]
        assert np.abs(turns - turns[0]).max() < 2e-3


def test_the_key_poses_hardly_disagreed_and_snapping_moved_nothing_else(before: Document, after: Document) -> None:
    assert 1e-4 < diving.key_disagreement(before) < 1e-3
    assert diving.key_disagreement(diving.snapped(before)) < 1e-6
    for name, old in before.clip().curves.items():
        new = after.clip().curves[name]
        assert np.array_equal(old.times, new.times)
        if name in diving.leg_channels(before):
            assert np.abs(old.values - new.values).max() < np.radians(0.1)
        else:
            assert np.array_equal(old.values, new.values)
            assert np.array_equal(old.tied, new.tied)


def test_the_fall_is_nearly_gravity(before: Document, after: Document) -> None:
    was, now = diving.fall_accelerations(before), diving.fall_accelerations(after)
    assert was.max() > 5
    assert was.min() < -20  # before, the hips are pushed up and pulled down in mid-air
    assert now.max() < -8
    assert now.min() > -11.5
    assert np.sqrt(np.mean((now + 9.81) ** 2)) < 1.0


def test_the_hips_follow_a_parabola_as_closely_as_their_keys_do(before: Document, after: Document) -> None:
    times, keys = diving.FLIGHT_KEYS, before.motion().states(diving.FLIGHT_KEYS, before.rig.point("hips"))[0][:, 1]
    apart = np.abs(keys - np.polyval(np.polyfit(times, keys, 2), times)).max()
    assert diving.off_parabola(before) > 0.1
    assert diving.off_parabola(after) < 1.5 * apart


def test_no_joint_leaves_its_limits(after: Document) -> None:
    rig = after.rig
    for name, curve in after.clip().curves.items():
        channel = rig.channel(name)
        assert all(abs(each.by) < 1e-6 for each in breaches(curve, channel.lower, channel.upper)), name
