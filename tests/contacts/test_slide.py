"""Foot slide of fitted capture, removed in one call."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import SlideReport, remove_slide, sliding
from inbetweener.motion import Clip, Motion
from inbetweener.rig import Rig
from inbetweener.tangents import Contact
from tests.contacts.conftest import Captures

JUMP = pytest.param("13_11_forward_jump", marks=pytest.mark.thorough)


@pytest.fixture(scope="module", params=["02_01_walk", "35_17_run", JUMP])
def worked(request: pytest.FixtureRequest, captures: Captures) -> tuple[Rig, Clip, Clip, SlideReport]:
    rig, clip = captures.fitted(request.param)
    return rig, clip, *remove_slide(rig, clip)


def test_every_contact_stands_within_a_millimetre(worked: tuple[Rig, Clip, Clip, SlideReport]) -> None:
    rig, _, cleaned, report = worked
    assert len(report.slides) >= 3
    after = Motion(rig, cleaned)
    for each in report.slides:
        assert each.before > 0.01
        assert each.after < 1e-3
        contact = each.contact
        assert each.after == pytest.approx(sliding(after, contact.point, contact.start, contact.end), abs=1e-12)
    # The rest of the body hardly notices: millimetres, as much as the fit itself was off.
    assert report.mean_change < 7e-3
    assert report.most_change < 0.1


def test_curves_stay_sparse(worked: tuple[Rig, Clip, Clip, SlideReport]) -> None:
    _, clip, cleaned, report = worked
    keys = [sum(len(curve) for curve in each.curves.values()) for each in (clip, cleaned)]
    # What stands within half a millimetre needs more keys than what is near by four.
    assert keys[1] < 3.0 * keys[0]
    assert keys[1] < 0.15 * len(clip.frame_times) * len(clip.curves)
    assert not report.left


def test_arms_keep_their_curves(captures: Captures) -> None:
    rig, clip = captures.fitted("02_01_walk")
    cleaned, _ = remove_slide(rig, clip)
    arms = [name for name in clip.curves if "Arm" in name or "Hand" in name]
    assert len(arms) > 10
    assert all(cleaned.curves[name] is clip.curves[name] for name in arms)


def test_given_contacts_are_the_only_ones_held(captures: Captures) -> None:
    rig, clip = captures.fitted("02_01_walk")
    contact = Contact(rig.point("LeftToeBase"), 0.15, 0.6)
    cleaned, report = remove_slide(rig, clip, [contact])
    assert [each.contact for each in report.slides] == [contact]
    late = np.linspace(1.5, clip.end, 60)
    before, after = Motion(rig, clip).joint_positions(late), Motion(rig, cleaned).joint_positions(late)
    # Curves that change are fitted anew as wholes, within the usual 5 mm.
    np.testing.assert_allclose(after, before, atol=5e-3)


def test_cleaning_twice_changes_little_more(captures: Captures) -> None:
    rig, clip = captures.fitted("35_17_run")
    once, first = remove_slide(rig, clip)
    contacts = [each.contact for each in first.slides]
    _, second = remove_slide(rig, once, contacts)
    assert second.mean_change < 0.2 * first.mean_change


@pytest.mark.sweep
@pytest.mark.parametrize("scene", ["boxer", "diver", "hat-and-door", "waving", "spider-walk", "dino-punch"])
def test_scenes_keyed_in_poses_stand_still_too(scene: str) -> None:
    document = ib.example(scene)
    cleaned, report = remove_slide(document.rig, document.clip())
    assert max(each.before for each in report.slides) > 5e-3
    assert max(each.after for each in report.slides) < 1e-3
    for name, curve in cleaned.curves.items():
        np.testing.assert_array_equal(curve.times, document.clip().curves[name].times)


def test_what_stands_already_is_left_alone() -> None:
    fox = ib.example("fox-tail")
    assert remove_slide(fox.rig, fox.clip())[0] is fox.clip()


def test_without_contacts_the_clip_is_the_same(captures: Captures) -> None:
    rig, clip = captures.fitted("35_17_run")
    cleaned, report = remove_slide(rig, clip, [])
    assert cleaned is clip
    assert str(report) == "no contact found; nothing changed"
