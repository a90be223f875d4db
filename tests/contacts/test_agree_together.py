"""Key poses of several contacts agree at once, and nothing else gives way for it that is to stay."""

from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import Agreed, hold, poses_apart, snap_poses
from inbetweener.document import Document, edits
from inbetweener.motion import Motion
from inbetweener.posing.sketch import ViewPlane, sketch
from inbetweener.posing.strokes import fit_stroke
from inbetweener.tangents import Contact, Pin

END = 54 / 24
HIGH = 0.3
"""Metres by which hips are lifted beyond what the legs can reach."""


@pytest.fixture(scope="module")
def boxer() -> Document:
    return ib.example("boxer")


def standing(document: Document, *points: str) -> list[Contact]:
    return [Contact(document.rig.point(point), 0.0, END) for point in points]


def lifted(document: Document) -> Document:
    """With the hips of the last pose so high that the feet hang above where they stood."""
    clip = document.clip()
    curve = clip.curves["hips.ty"]
    values = curve.values.copy()
    values[-1] += HIGH
    return edits.set_curves(document, clip.name, {"hips.ty": replace(curve, values=values)})


def changed(document: Document, agreed: Agreed) -> set[str]:
    return {name for name, curve in agreed.clip.curves.items() if curve != document.clip().curves[name]}


def test_two_points_of_each_foot_come_to_their_places_in_one_go(boxer: Document) -> None:
    contacts = standing(boxer, "toe_l", "ball_l", "toe_r", "ball_r")
    agreed = snap_poses(boxer.rig, boxer.clip(), contacts, onto="mean")
    after = Motion(boxer.rig, agreed.clip)
    for contact, told in zip(contacts, agreed.report, strict=True):
        assert told.before == poses_apart(boxer.motion(), contact)
        assert told.after == poses_apart(after, contact)
        assert told.after.distance < 2e-6 < 5e-4 < told.before.distance
    assert str(agreed).startswith("4 contacts: key poses were up to 1.34 mm apart, now 0.00 mm")
    moved = np.linalg.norm(after.joint_positions([0.0, END]) - boxer.motion().joint_positions([0.0, END]), axis=-1)
    assert moved.max() <= agreed.most_change < 2e-3


def test_only_values_change_and_only_in_the_legs(boxer: Document) -> None:
    agreed = snap_poses(boxer.rig, boxer.clip(), standing(boxer, "toe_l", "toe_r"))
    for name, curve in agreed.clip.curves.items():
        before = boxer.clip().curves[name]
        assert replace(curve, values=before.values) == before
    assert {name.split(".")[0] for name in changed(boxer, agreed)} <= {
        f"{part}_{side}" for part in ("thigh", "shank", "foot", "toe") for side in "lr"
    }
    for channel in boxer.rig.channels:
        if (curve := agreed.clip.curves.get(channel.name)) is not None:
            assert curve.values.max() <= channel.upper + 1e-9
            assert curve.values.min() >= channel.lower - 1e-9


def test_hips_come_down_where_both_legs_are_too_short(boxer: Document) -> None:
    high = lifted(boxer)
    contacts = standing(high, "toe_l", "toe_r")
    agreed = snap_poses(high.rig, high.clip(), contacts)
    assert max(snap.missing for snap in agreed.snaps) < 1e-6
    hips = [document.curves["hips.ty"].values for document in (high.clip(), agreed.clip)]
    np.testing.assert_array_equal(hips[1][:-1], hips[0][:-1])
    assert hips[1][-1] < hips[0][-1] - 0.1


def test_a_pin_keeps_its_arc_and_what_is_missing_is_told(boxer: Document) -> None:
    high = lifted(boxer)
    contacts, pin = standing(high, "toe_l", "toe_r"), Pin(high.rig.point("head"))
    agreed = snap_poses(high.rig, high.clip(), contacts, [pin])
    times = np.linspace(0.0, END, 109)
    before, after = (motion.states(times, pin.point)[0] for motion in (high.motion(), Motion(high.rig, agreed.clip)))
    np.testing.assert_array_equal(after, before)
    missing = {(str(snap.contact.point), snap.time): snap.missing for snap in agreed.snaps}
    assert min(missing["toe_l", END], missing["toe_r", END]) > 0.05
    for told in agreed.report:
        assert told.after.distance == pytest.approx(missing[str(told.contact.point), END], rel=0.05)
        assert told.after.distance < told.before.distance


def test_a_contact_that_is_kept_keeps_its_poses(boxer: Document) -> None:
    ball, toe = standing(boxer, "ball_r", "toe_r")
    agreed = snap_poses(boxer.rig, boxer.clip(), [toe], [ball])
    times = [snap.time for snap in agreed.snaps]
    before, after = (motion.states(times, ball.point)[0] for motion in (boxer.motion(), Motion(boxer.rig, agreed.clip)))
    np.testing.assert_allclose(after, before, atol=2e-6)
    assert agreed.report[0].after.distance < agreed.report[0].before.distance


def test_a_point_on_a_bent_body_agrees_and_is_held_where_it_is_seen(boxer: Document) -> None:
    time, trunk, view = 28 / 24, ("spine_1", "spine_2", "chest"), ViewPlane.named("side")
    seen = view.project(boxer.motion().joint_positions([time])[0, [boxer.rig.joint_index(name) for name in trunk]])[0]
    share = np.linspace(0.0, 1.0, 40)[:, None]
    stroke = fit_stroke(seen[0] + 1.5 * share * (seen[-1] - seen[0]) + share**2 * [0.1, 0.0])
    made = sketch(boxer.rig, boxer.motion().channels([time])[0], trunk, stroke, view, mode="line-of-action")
    bent = edits.sketch_pose(boxer, boxer.clip().name, time, made, name="arch")
    contact = Contact(bent.rig.point("palm_l"), 22 / 24, time)
    assert poses_apart(bent.motion(), contact).distance > poses_apart(boxer.motion(), contact).distance + 0.01
    agreed = snap_poses(bent.rig, bent.clip(), [contact])
    assert agreed.report[0].after.distance < 2e-6
    (slide,) = hold(Motion(bent.rig, agreed.clip), [contact]).report
    assert slide.after < 1e-4 < 0.01 < slide.before


def test_keys_that_come_to_sit_on_a_limit_are_held_as_well(boxer: Document) -> None:
    feet = [replace(contact, wanted="both") for contact in standing(boxer, "ball_l", "ball_r")]
    agreed = snap_poses(boxer.rig, boxer.clip(), feet, onto="mean")
    limit = boxer.rig.channel("foot_r.rz").upper
    assert agreed.clip.curves["foot_r.rz"].values.max() == pytest.approx(limit, abs=1e-9)
    held = hold(Motion(boxer.rig, agreed.clip), feet)
    assert max(slide.after for slide in held.report) < 3e-4
    values = Motion(boxer.rig, replace(agreed.clip, curves=held.curves)).channels(np.linspace(0.0, END, 1000))
    assert values[:, boxer.rig.channel_index("foot_r.rz")].max() <= limit + 1e-8
