"""The guitarist's fingertips stand on their strings note by note, while both elbows swing wider."""

import numpy as np
import pytest

from benchmarks.gestures import guitarist as strumming
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.tangents import Certificate


@pytest.fixture(scope="module")
def before() -> Document:
    return strumming.fretted(example("guitarist"))


@pytest.fixture(scope="module")
def worked(before: Document) -> tuple[Document, list[Certificate]]:
    return strumming.after(before)


@pytest.fixture(scope="module")
def after(worked: tuple[Document, list[Certificate]]) -> Document:
    return worked[0]


def test_keying_the_fingers_changes_no_motion() -> None:
    plain = example("guitarist")
    keyed = strumming.fingers_keyed(plain)
    assert len(keyed.clip().curves) == len(plain.clip().curves) + 16
    times = np.linspace(0, 2, 97)
    assert keyed.motion().channels(times) == pytest.approx(plain.motion().channels(times), abs=1e-12)


@pytest.mark.parametrize("note", strumming.NOTES, ids=lambda note: note.name)
def test_a_note_is_on_its_string_in_every_key_pose(before: Document, note: strumming.Note) -> None:
    """The string is a prop of the scene: its own box says where it is, and the tip is six millimetres thick."""
    (string,) = (prop for prop in before.props if prop.name == f"string_{note.string}")
    for frame in range(note.start, note.end + 1, 8):
        tip = strumming.on_the_neck(before, strumming.TIPS[note.finger])[8 * frame]
        local = (tip - np.array(string.transform.translation)) @ string.transform.matrix()[:, :3]
        assert string.solid.distance(local) == pytest.approx(0.006, abs=5e-4)


def test_all_drags_come_within_a_millimetre(worked: tuple[Document, list[Certificate]]) -> None:
    assert all(certificate.target_distance < 1e-3 for certificate in worked[1])
    assert all(certificate.keys_kept and not certificate.limits for certificate in worked[1])


@pytest.mark.parametrize("note", strumming.NOTES, ids=lambda note: note.name)
def test_a_fingertip_does_not_slide_on_its_string(before: Document, after: Document, note: strumming.Note) -> None:
    assert strumming.slide(after, note) < 6e-4
    if note.end - note.start > 8:
        assert strumming.slide(before, note) > 6e-4


def test_between_notes_fingers_move_freely(after: Document) -> None:
    changing = strumming.on_the_neck(after, strumming.TIPS[0])[8 * 16 : 8 * 24]
    assert np.linalg.norm(np.ptp(changing, axis=0)) > 0.08


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
