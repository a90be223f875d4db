"""The guitarist's fingertips stay on the neck and the strumming hand on its way while both elbows swing wider."""

import numpy as np
import pytest

from benchmarks.gestures import guitarist as strumming
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.rig import Point
from inbetweener.tangents import Certificate


@pytest.fixture(scope="module")
def before() -> Document:
    return example("guitarist")


@pytest.fixture(scope="module")
def worked(before: Document) -> tuple[Document, list[Certificate]]:
    return strumming.after(before)


@pytest.fixture(scope="module")
def after(worked: tuple[Document, list[Certificate]]) -> Document:
    return worked[0]


def test_keying_the_fingers_changes_no_motion(before: Document) -> None:
    keyed = strumming.fingers_keyed(before)
    assert len(keyed.clip().curves) == len(before.clip().curves) + 16
    times = np.linspace(0, 2, 97)
    assert keyed.motion().channels(times) == pytest.approx(before.motion().channels(times), abs=1e-12)


def test_all_drags_come_within_a_millimetre(worked: tuple[Document, list[Certificate]]) -> None:
    assert all(certificate.target_distance < 1e-3 for certificate in worked[1])
    assert all(certificate.keys_kept and not certificate.limits for certificate in worked[1])


@pytest.mark.parametrize("tip", strumming.TIPS, ids=str)
def test_a_fingertip_stays_on_the_neck(before: Document, after: Document, tip: Point) -> None:
    assert strumming.shift(before, after, tip) < 1e-3


def test_the_strumming_hand_keeps_its_way(before: Document, after: Document) -> None:
    assert strumming.shift(before, after, before.rig.point("palm_r")) < 1e-3


@pytest.mark.parametrize("elbow", ["forearm_l", "forearm_r"])
def test_an_elbow_swings_wider(before: Document, after: Document, elbow: str) -> None:
    assert strumming.shift(before, after, before.rig.point(elbow)) > 0.04


def test_the_body_and_the_guitar_stay_exactly(before: Document, after: Document) -> None:
    times = np.linspace(0, 2, 97)
    old, new = (each.motion().world_from_joint(times) for each in (before, after))
    for joint in "hips", "chest", "head", "foot_l":
        index = before.rig.joint_index(joint)
        assert np.array_equal(old[:, index], new[:, index])
