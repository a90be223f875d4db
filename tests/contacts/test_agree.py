"""Key poses that agree at a contact."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import hold, snap_poses
from inbetweener.motion import Motion
from inbetweener.tangents import Contact, disagreement
from tests.contacts.conftest import Captures


@pytest.fixture(params=["foot_1_l", "foot_2_r", "foot_3_l", "foot_4_r"])
def contact(request: pytest.FixtureRequest) -> Contact:
    return Contact(ib.example("spider-walk").rig.point(request.param), 0.0, 14 / 24)


@pytest.mark.parametrize("onto", ["start", "end", "mean"])
def test_all_poses_put_the_point_in_one_place(contact: Contact, onto: str) -> None:
    document = ib.example("spider-walk")
    before = Motion(document.rig, document.clip())
    assert disagreement(before, contact).distance > 1e-5
    agreed = snap_poses(document.rig, document.clip(), [contact], onto=onto)  # type: ignore[arg-type]
    after = Motion(document.rig, agreed.clip)
    assert disagreement(after, contact).distance < 2e-6
    places = [m.states([contact.start, contact.end], contact.point)[0] for m in (before, after)]
    wished = {"start": places[0][0], "end": places[0][1], "mean": places[0].mean(axis=0)}[onto]
    np.testing.assert_allclose(places[1], [wished, wished], atol=2e-6)
    np.testing.assert_allclose(
        [each.moved for each in agreed.snaps], np.linalg.norm(places[1] - places[0], axis=1), atol=1e-9
    )
    assert max(each.missing for each in agreed.snaps) < 1e-6


def test_only_values_of_the_limbs_keys_change(contact: Contact) -> None:
    document = ib.example("spider-walk")
    limb = contact.point.name.removeprefix("foot")  # type: ignore[union-attr]
    agreed = snap_poses(document.rig, document.clip(), [contact])
    for name, curve in agreed.clip.curves.items():
        before = document.clip().curves[name]
        np.testing.assert_array_equal(curve.times, before.times)
        np.testing.assert_array_equal(curve.ins, before.ins)
        np.testing.assert_array_equal(curve.outs, before.outs)
        assert limb in name or np.array_equal(curve.values, before.values)


def test_poses_that_agree_are_held_to_a_fraction_of_a_millimetre(contact: Contact) -> None:
    document = ib.example("spider-walk")
    agreed = snap_poses(document.rig, document.clip(), [contact])
    (slide,) = hold(Motion(document.rig, agreed.clip), [contact]).report
    assert slide.before > 0.01
    assert slide.after < 1e-4


def test_staggered_keys_have_no_poses_to_snap(captures: Captures) -> None:
    rig, clip = captures.fitted("02_01_walk")
    agreed = snap_poses(rig, clip, [Contact(rig.point("LeftToeBase"), 0.15, 0.6)])
    assert agreed.snaps == ()
    assert agreed.clip is clip
