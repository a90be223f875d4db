"""Planting on every frame: short clips, contacts between frames, what has no curve, what is beyond its limits."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.contacts import NothingToHold, remove_slide
from inbetweener.contacts.between import held_between
from inbetweener.contacts.measure import spread
from inbetweener.contacts.plant import Planting
from inbetweener.curves import Curve
from inbetweener.maths.search import asking
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.tangents import Contact

RATE = 30.0
BELOW = Transform((0.0, -0.5, 0.0))


def leg(frames: int, lower: float = -np.inf) -> Motion:
    """Hips, knee and foot, a key on every frame; the foot drifts forwards a centimetre a frame, the knee bends."""
    hips, knee, foot = Joint("hips"), Joint("knee", 0, BELOW), Joint("foot", 1, BELOW)
    limits = {"rx": (lower, np.inf)}
    rig = Rig(
        (hips, knee, foot),
        (*joint_channels(hips, "tx ty tz rx"), *joint_channels(knee, "rx", limits=limits), *joint_channels(foot, "rx")),
    )
    times = np.arange(frames) / RATE
    keyed = {
        "hips.tz": 0.01 * np.arange(frames),
        "hips.ty": np.full(frames, 0.95),
        "hips.rx": 0.3 + 0.02 * np.arange(frames),
        "knee.rx": -0.6 - 0.01 * np.arange(frames),
    }
    curves = {name: Curve.sampled(times, values) for name, values in keyed.items()}
    return Motion(rig, Clip("walk", float(times[-1]), rate=RATE, curves=Curves(curves)))


def places(motion: Motion, times: np.ndarray) -> np.ndarray:
    return motion.point_positions(times, [motion.rig.point("foot")])[:, 0]


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 12])
def test_clips_of_few_frames_are_planted_too(frames: int) -> None:
    motion = leg(frames)
    contact = Contact(motion.rig.point("foot"), 0.0, motion.clip.end)
    curves = Planting(motion).curves([contact])
    after = places(Motion(motion.rig, Clip("walk", motion.clip.end, rate=RATE, curves=curves)), motion.clip.frame_times)
    assert np.ptp(after, axis=0).max() < 1e-4
    if frames > 2:
        assert np.ptp(places(motion, motion.clip.frame_times), axis=0).max() > 0.005


def test_a_contact_between_two_frames_is_left() -> None:
    motion = leg(12)
    point = motion.rig.point("foot")
    between = Contact(point, 3.2 / RATE, 3.8 / RATE)
    standing = Contact(point, 5.0 / RATE, 9.0 / RATE)
    cleaned, report = remove_slide(motion.rig, motion.clip, [between, standing])
    assert report.left == (between,)
    assert [each.contact for each in report.slides] == [standing]
    assert report.slides[0].after < 1e-3 < report.slides[0].before
    assert cleaned.curves["hips.tz"] != motion.clip.curves["hips.tz"]
    alone, report = remove_slide(motion.rig, motion.clip, [between])
    assert alone is motion.clip
    assert str(report) == "no contact could be held smoothly; nothing changed"


def test_what_no_keyed_channel_moves_is_refused() -> None:
    prop = Joint("box")
    motion = leg(12)
    rig = Rig((*motion.rig.joints, prop), (*motion.rig.channels, *joint_channels(prop, "tx")))
    with pytest.raises(NothingToHold, match="box cannot be held: no channel that moves them has a key"):
        remove_slide(rig, motion.clip, [Contact(rig.point("box"), 0.0, 0.2)])


def test_what_was_beyond_a_limit_may_stay_there_and_goes_no_farther() -> None:
    motion = leg(12, lower=-0.65)
    contact = Contact(motion.rig.point("foot"), 2.0 / RATE, 9.0 / RATE)
    was = motion.clip.curves["knee.rx"].values
    now = Planting(motion).curves([contact])["knee.rx"].values
    assert (was < -0.65).any()
    assert (now > np.minimum(was, -0.65) - 1e-4).all()
    # Far from the contact nothing is drawn towards the limits.
    assert abs(now[-1] - was[-1]) < 0.01


def test_planting_ends_when_nobody_waits() -> None:
    motion = leg(12)

    class GoneError(Exception):
        pass

    def gone() -> None:
        raise GoneError

    with asking(gone), pytest.raises(GoneError):
        Planting(motion).curves([Contact(motion.rig.point("foot"), 0.0, 0.2)])


def test_what_lies_far_apart_is_planted_as_if_it_were_alone_and_taken_back_without_a_trace() -> None:
    motion = leg(200)
    point = motion.rig.point("foot")
    early, late = Contact(point, 20.0 / RATE, 24.0 / RATE), Contact(point, 160.0 / RATE, 164.0 / RATE)
    planting = Planting(motion)
    both = planting.curves([early, late])
    alone = {each: Planting(motion).curves([each]) for each in (early, late)}
    before = motion.clip.curves
    for name in before:
        values = before[name].values
        by = both[name].values - values
        assert by[20:25].any() or name == "hips.ty"
        assert not by[80:110].any()
        assert np.array_equal(by[:95], alone[early][name].values[:95] - values[:95])
        assert np.array_equal(by[95:], alone[late][name].values[95:] - values[95:])
    # Who gives one up keeps the other as it was; who asks for it more gently has only that done anew.
    fewer, gentler = planting.curves([late]), planting.curves([early, late], [2.0, 1.0])
    for name in before:
        assert np.abs(fewer[name].values[:95] - before[name].values[:95]).max() < 1e-6
        for made in (fewer, gentler):
            assert np.array_equal(made[name].values[95:], both[name].values[95:])
    assert (
        np.ptp(
            places(
                Motion(motion.rig, Clip("walk", motion.clip.end, rate=RATE, curves=gentler)),
                motion.clip.frame_times[20:25],
            ),
            axis=0,
        ).max()
        < 1e-4
    )


def test_what_bulges_between_frames_gets_keys_there_and_stands() -> None:
    # The hips swing back and forth by 9° a frame: a foot that is held on frames is a millimetre off halfway between.
    motion = leg(30)
    times = motion.clip.frame_times
    swing = Curve.sampled(times, 0.3 + 0.08 * (-1.0) ** np.arange(30))
    clip = replace(motion.clip, curves=motion.clip.curves.replaced({"hips.rx": swing}))
    motion = Motion(motion.rig, clip)
    contact = Contact(motion.rig.point("foot"), 10 / RATE, 20 / RATE)
    on_frames = Motion(motion.rig, replace(clip, curves=Planting(motion).curves([contact])))
    between = Motion(motion.rig, replace(clip, curves=held_between(on_frames, [contact])))
    fine = np.linspace(contact.start, contact.end, 161)
    assert spread(places(on_frames, times[10:21])) < 4e-4
    assert spread(places(on_frames, fine)) > 1.2e-3
    assert spread(places(between, fine)) < 5e-4
    np.testing.assert_allclose(between.channels(times), on_frames.channels(times), atol=1e-12)
    added = np.setdiff1d(between.clip.curves["hips.rx"].times, times)
    assert len(added) >= 24
    assert ((added > contact.start) & (added < contact.end)).all()


def test_what_stands_between_frames_already_gets_no_key() -> None:
    motion = leg(30)
    contact = Contact(motion.rig.point("foot"), 10 / RATE, 20 / RATE)
    on_frames = Motion(motion.rig, replace(motion.clip, curves=Planting(motion).curves([contact])))
    assert held_between(on_frames, [contact]) is on_frames.clip.curves
