"""Sparse clips: every joint near enough on frames and between, and few keys."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from inbetweener.curves import Bundle, Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.errors import InvalidDocument
from inbetweener.maths.search import asking
from inbetweener.motion import Clip, Curves, Layer, Motion, fit_clip, fit_mending, fit_poses, is_dense
from inbetweener.rig import Point, Rig, chains
from tests.motion.figures import arm, wave_clip

RIG = arm()
DENSE = wave_clip(RIG)


def joint_errors(rig: Rig, one: Clip, two: Clip) -> np.ndarray:
    frames = one.frame_times
    at = np.interp(np.arange(4 * len(frames) - 3) / 4, np.arange(len(frames)), frames)
    return np.linalg.norm(Motion(rig, one).joint_positions(at) - Motion(rig, two).joint_positions(at), axis=-1)


@pytest.mark.parametrize("align", ["channel", "joint", "body"])
@pytest.mark.parametrize("tolerance", [0.02, 0.002])
def test_every_joint_is_near_enough_at_every_quarter_frame(align, tolerance):
    made, report = fit_clip(RIG, DENSE, tolerance, align)
    errors = joint_errors(RIG, DENSE, made)
    assert errors.max() <= tolerance
    assert report.max_error_m == pytest.approx(errors.max(), rel=1e-9)
    assert report.mean_error_m == pytest.approx(errors.mean(), rel=1e-9)
    assert report.holds
    assert report.frames == 240
    assert report.key_count == sum(len(curve) for curve in made.curves.values())
    assert report.key_share == pytest.approx(np.mean([len(c) for c in made.curves.values()]) / 240)
    assert report.key_share < 0.12
    worst = np.unravel_index(errors.argmax(), errors.shape)
    assert report.worst_point == RIG.joints[worst[1]].name
    assert report.worst_time == pytest.approx(worst[0] / 4 / DENSE.rate)
    assert set(asdict(report)) >= {"mean_error_m", "max_error_m", "key_count", "key_share"}
    assert f"{report.key_count} keys" in str(report)


@pytest.mark.parametrize(("poses", "align"), [(12, "body"), (20, "body"), (10, "channel")])
def test_a_number_of_poses_is_met_from_below(poses, align):
    made, report = fit_poses(RIG, DENSE, poses, align)
    moving = [len(curve) for curve in made.curves.values() if len(curve) > 1]
    assert poses - 1.5 <= np.mean(moving) <= poses
    if align == "body":
        assert len({tuple(c.times) for c in made.curves.values() if len(c) > 1}) == 1
    assert joint_errors(RIG, DENSE, made).max() <= report.tolerance_m
    with pytest.raises(InvalidDocument, match="two poses at least, not 1"):
        fit_poses(RIG, DENSE, 1)


def test_what_few_keys_tell_already_is_kept_as_it_is():
    swing = Curve.sampled([0.0, 0.5, 1.0], [0.0, 1.0, 0.0])
    clip = Clip("swing", end=1.0, curves=Curves({RIG.channels[0].name: swing}))
    made, report = fit_poses(RIG, clip, 6)
    assert made.curves == clip.curves
    assert report.max_error_m == 0.0 < report.tolerance_m


@pytest.mark.parametrize("tolerance", [0.005, 0.2])
def test_what_is_jerked_is_told(tolerance):
    made, report = fit_clip(RIG, DENSE, tolerance)
    was, is_now = (
        np.linalg.norm(np.diff(Motion(RIG, each).joint_positions(DENSE.frame_times), 2, axis=0), axis=-1)
        for each in (DENSE, made)
    )
    beyond = is_now - 1.5 * was - 0.005
    assert report.jerked == (beyond > 0).sum()
    # Each is named, on its worst frame, the worst first.
    worst = [p for p in np.argsort(-beyond.max(axis=0)) if beyond[:, p].max() > 0]
    assert [(each.point, each.frame, each.frames) for each in report.jerks] == [
        (RIG.joints[p].name, beyond[:, p].argmax() + 1, (beyond[:, p] > 0).sum()) for p in worst
    ]
    for each, p in zip(report.jerks, worst, strict=True):
        assert (each.before, each.after) == pytest.approx((was[each.frame - 1, p], is_now[each.frame - 1, p]), abs=1e-5)
    assert (report.jerked == 0) == (tolerance == 0.005)
    assert ("jerked" in str(report)) == (report.jerked > 0)


def test_keys_that_nobody_misses_go_and_the_rest_stays_near_enough():
    fitting = fit_mending.Mending(RIG, DENSE, 0.005, "channel")
    for _ in fitting.find_keys():
        pass
    few = [each.keys for each in fitting.knots]
    often = np.arange(0, len(fitting.times), 7)
    fitting.knots = [each.with_keys(fitting.times, often) if len(each.keys) > 1 else each for each in fitting.knots]
    fitting.make_up(sweeps=1)
    many = sum(len(each.keys) for each in fitting.knots)
    was_jerked = int(fitting.jerked().sum())
    fitting.thin()
    left = sum(len(each.keys) for each in fitting.knots)
    assert many > 1.5 * sum(map(len, few)) > left
    # What was added up while keys went is what is measured then, on frames.
    added_up = fitting.seen.errors.copy()
    fitting._measure()
    np.testing.assert_allclose(added_up[:, :3], fitting.seen.errors[:, :3], atol=2e-4)
    assert np.abs(fitting.seen.errors[:, :3]).max() > 2e-3
    assert (fitting.off <= 1.03)[:, fitting.at].all()
    assert fitting.jerked().sum() <= was_jerked


def test_looser_means_fewer_keys():
    counts = [fit_clip(RIG, DENSE, tolerance)[1].key_count for tolerance in (0.001, 0.01, 0.1)]
    assert counts[0] > 1.3 * counts[1] > 1.3 * counts[2]


def test_alignment_shares_key_times():
    by_joint, _ = fit_clip(RIG, DENSE, 0.01, "joint")
    for joint in RIG.joints:
        moving = [c for name, c in by_joint.curves.items() if name.startswith(f"{joint.name}.r") and len(c) > 1]
        assert len(moving) == 3
        assert all(np.array_equal(c.times, moving[0].times) for c in moving)
    body, _ = fit_clip(RIG, DENSE, 0.01, "body")
    assert len({tuple(c.times) for c in body.curves.values() if len(c) > 1}) == 1
    free, _ = fit_clip(RIG, DENSE, 0.01, "channel")
    assert len({tuple(c.times) for c in free.curves.values() if len(c) > 1}) > 10


def test_blend_shapes_have_a_tolerance_of_their_own():
    made, _ = fit_clip(RIG, DENSE, 0.05)
    at = DENSE.frame_times
    missed = Bundle.of([made.curves["smile"]]).evaluate(at) - Bundle.of([DENSE.curves["smile"]]).evaluate(at)
    assert 0 < np.abs(missed).max() <= 0.01


def test_the_turn_of_a_last_joint_is_not_lost():
    # It moves no joint, but a hand is there.
    name = RIG.joints[-1].name + ".ry"
    made, _ = fit_clip(RIG, DENSE, 0.005)
    at = DENSE.frame_times
    missed = Bundle.of([made.curves[name]]).evaluate(at) - Bundle.of([DENSE.curves[name]]).evaluate(at)
    assert np.abs(missed).max() < 0.3 * np.ptp(DENSE.curves[name].values)


def test_named_points_count_like_joints():
    tip = Rig(RIG.joints, RIG.channels, (Point(RIG.joints[-1].name, (0.0, 0.5, 0.0), "tip"),))
    at = DENSE.frame_times
    # Nobody looks at the tip in the first; both fits are judged by it.
    fits = [fit_clip(rig, DENSE, 0.005)[0] for rig in (RIG, tip)]
    ends = [Motion(tip, clip).point_positions(at, tip.points) for clip in (DENSE, *fits)]
    assert np.linalg.norm(ends[0] - ends[1], axis=-1).max() > 0.006
    assert np.linalg.norm(ends[0] - ends[2], axis=-1).max() <= 0.005


def test_what_turns_with_a_joint_is_near_enough_too():
    # Three centimetres beside it, on any side: a twist that no joint shows.
    made, _ = fit_clip(RIG, DENSE, 0.005)
    beside = [
        Point(j.name, tuple(0.02 * chains.height(RIG) * side)) for j in RIG.joints for side in (*np.eye(3), *-np.eye(3))
    ]
    at = np.linspace(DENSE.start, DENSE.end, 4 * 240 - 3)
    off = Motion(RIG, made).point_positions(at, beside) - Motion(RIG, DENSE).point_positions(at, beside)
    assert np.linalg.norm(off, axis=-1).max() <= 0.005


def test_sparse_curves_and_layers_are_left_alone():
    sparse = smooth(Curve.sampled([0, 1.3, 2.9, DENSE.end], [0, 0.4, -0.3, 0]))
    layers = (Layer("extra", Curves({"link1.rx": sparse}), weight=0.3),)
    clip = replace(DENSE, curves=DENSE.curves.replaced({"link0.rx": sparse, "link0.ry": None}), layers=layers)
    made, report = fit_clip(RIG, clip, 0.005)
    assert made.curves["link0.rx"] is sparse
    assert "link0.ry" not in made.curves
    assert made.layers is clip.layers
    assert joint_errors(RIG, clip, made).max() <= 0.005
    assert report.holds


def test_progress_goes_up_to_the_end():
    seen: list[tuple[int, int]] = []
    fit_clip(RIG, DENSE, 0.01, progress=lambda done, total: seen.append((done, total)))
    done = [d for d, _ in seen if d]
    assert len({total for _, total in seen}) == 1
    assert max(done) == seen[-1][0] == seen[-1][1]
    assert len(seen) > len(RIG.channels)


def test_clips_without_anything_to_fit():
    empty, report = fit_clip(RIG, Clip("empty", 1.0))
    assert empty == Clip("empty", 1.0)
    assert (report.key_count, report.key_share, report.max_error_m) == (0, 0.0, 0.0)
    one_frame = Clip("pose", 0.0, curves=Curves({"link0.rx": Curve.constant(0.5)}))
    assert fit_clip(RIG, one_frame)[0] == one_frame
    nobody, report = fit_clip(Rig(), Clip("nobody", 1.0))
    assert report.holds
    assert nobody.curves == {}


def test_the_end_between_frames_is_kept():
    clip = replace(DENSE, end=DENSE.end - 0.4 / DENSE.rate)
    made, _ = fit_clip(RIG, clip, 0.005)
    end = np.linalg.norm(
        Motion(RIG, made).joint_positions([clip.end]) - Motion(RIG, clip).joint_positions([clip.end]), axis=-1
    )
    assert end.max() <= 0.005


@pytest.mark.parametrize("margin", [1, 32])
def test_what_repairs_cannot_mend_is_followed_step_by_step_and_stays_so(monkeypatch, margin):
    refits = []
    refit = fit_mending.Mending.refit
    monkeypatch.setattr(
        fit_mending.Mending, "refit", lambda self, rounds: (refits.append(rounds), refit(self, rounds))[1]
    )
    monkeypatch.setattr(fit_mending, "REPAIRS", 0)
    monkeypatch.setattr(fit_mending, "MARGIN", margin)
    made, report = fit_clip(RIG, DENSE, 0.002)
    assert len(refits) == 1, "what was followed is not fitted once more"
    errors = joint_errors(RIG, DENSE, made)
    assert report.max_error_m == pytest.approx(errors.max(), rel=1e-9)
    if margin > 1:
        assert errors.max() <= 0.002


def test_a_fit_ends_when_nobody_waits():
    class GoneError(Exception):
        pass

    def gone():
        raise GoneError

    with asking(gone), pytest.raises(GoneError):
        fit_clip(RIG, DENSE, 0.01)


def test_a_loop_begins_again_where_it_ends():
    made, _ = fit_clip(RIG, replace(DENSE, loops=True), 0.01)
    for name, curve in made.curves.items():
        if len(curve) > 1:
            np.testing.assert_array_equal(curve.values[[0, -1]], DENSE.curves[name].values[[0, -1]])


@pytest.mark.parametrize("tolerance", [0.0, -1.0, 1e-320, float("nan")])
def test_a_tolerance_must_be_positive(tolerance: float):
    with pytest.raises(InvalidDocument, match=f"tolerance above zero, not {tolerance:g} m"):
        fit_clip(RIG, DENSE, tolerance)


def test_a_fit_repeats_to_the_bit():
    assert fit_clip(RIG, DENSE, 0.005) == fit_clip(RIG, DENSE, 0.005)


def test_dense_motion_is_told_from_keyed_motion() -> None:
    times = np.arange(24) / 24.0
    sampled = Curves({"hips.tx": Curve.sampled(times, np.sin(times)), "hips.ty": Curve.constant(1.0)})
    assert is_dense(Clip("captured", 23 / 24, curves=sampled))
    keyed = Curves({"hips.tx": Curve.sampled([0.0, 0.3, 0.9], [0.0, 1.0, 0.5]), "hips.ty": sampled["hips.ty"]})
    assert not is_dense(Clip("keyed", 23 / 24, curves=keyed))
    assert not is_dense(Clip("still", 23 / 24, curves=Curves({"hips.ty": sampled["hips.ty"]})))
    assert not is_dense(Clip("a few frames", 2 / 24, curves=Curves({"hips.tx": Curve.sampled(times[:3], times[:3])})))


def test_jerks_are_eased_without_a_key_more():
    fitting = fit_mending.Mending(RIG, DENSE, 0.1, "channel")
    for _ in fitting.find_keys():
        pass
    fitting.look(4)
    fitting.mend()
    before = fitting.result()[1]
    fitting.ease()
    after = fitting.result()[1]
    assert before.jerked > after.jerked
    assert after.key_count == before.key_count
    assert after.holds
