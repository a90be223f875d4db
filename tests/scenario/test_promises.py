"""What was promised on the way holds at the end, on the motion that is seen: loose, corrected, sketched."""

import numpy as np

from benchmarks.gestures.long_scenario import clearance, miss, slide
from inbetweener.document import Clearance
from inbetweener.tangents import Contact
from tests.scenario.played import Played

MILLIMETRE = 1e-3


def contacts(played: Played) -> list[Contact]:
    found = [rule for rule in played.end.rules() if isinstance(rule, Contact)]
    assert len(found) >= 2, "both feet are planted"
    return found


def test_feet_slide_until_they_are_planted(played: Played) -> None:
    before = played.before("Plant the feet").shown_motion()
    for contact in contacts(played):
        assert slide(before, contact.point, contact.start, contact.end) > 3 * MILLIMETRE


def test_planted_feet_stand_still_through_every_step_to_the_end(played: Played) -> None:
    for document in played.documents[played.labels.index("Plant the feet") :]:
        seen = document.shown_motion()
        for contact in contacts(played):
            assert slide(seen, contact.point, contact.start, contact.end) < MILLIMETRE


def test_the_target_is_hit_standing_still(played: Played) -> None:
    distance, speed = miss(played.before("Hit it"), "mark")
    assert distance > 0.01
    assert speed > 0.1
    distance, speed = miss(played.end, "mark")
    assert distance < 0.1 * MILLIMETRE
    assert speed < MILLIMETRE


def test_the_hand_goes_around_the_obstacle_loose_as_it_is(played: Played) -> None:
    before = played.before("Drag the hand around the post")
    if not played.end.meshes:
        assert clearance(before, played.hand) < -0.005
        assert clearance(played.end, played.hand) > 0.005
        return
    skin, times = Clearance(played.end, vertices=1200), played.end.clip().frame_times
    assert skin.measure(before.motion(), times).min() < -0.01
    assert skin.measure(played.end.shown_motion(), times).min() > 0.005


def test_limits_are_kept_and_one_is_reached(played: Played) -> None:
    rig, clip = played.end.rig, played.end.clip()
    values = played.end.shown_motion().channels(np.linspace(clip.start, clip.end, 300))
    lower, upper = (np.array([getattr(each, side) for each in rig.channels]) for side in ("lower", "upper"))
    limited = np.isfinite(lower)
    assert limited.sum() >= 3
    room = np.minimum(values - lower, upper - values)[:, limited].min(axis=0)
    assert room.min() > -1e-9
    assert room.min() < 0.01, "a limit that nothing comes near proves nothing"


def test_no_key_is_added_or_moved_once_the_poses_are_there(played: Played) -> None:
    posed, end = played.after("Draw the line of action").clip(), played.end.clip()
    assert set(posed.curves) == set(end.curves)
    for name, curve in posed.curves.items():
        np.testing.assert_array_equal(end.curves[name].times, curve.times)
        np.testing.assert_array_equal(end.curves[name].values, curve.values)
    assert [layer.name for layer in end.layers] == ["mark"], "the correction, and nothing else"


def test_key_poses_are_as_they_were_posed_and_drawn(played: Played) -> None:
    posed, end = played.after("Draw the line of action"), played.before("Loosen trunk and arm")
    (bend,) = end.rig.bends
    drawn = posed.clip().curves[bend.channel]
    time = float(drawn.times[drawn.values.argmax()])
    assert end.motion().channels([time])[0, end.rig.channel_index(bend.channel)] == 1.0
    for before, after in zip(
        posed.motion().world_from_joint([time]), end.motion().world_from_joint([time]), strict=True
    ):
        np.testing.assert_allclose(after, before, atol=1e-9)


def test_every_step_changes_what_is_seen_or_kept(played: Played) -> None:
    for number, label in enumerate(played.labels[1:], 1):
        assert played.documents[number] != played.documents[number - 1], label
    times = played.end.clip().frame_times
    for label in ("Drag the hand around the post", "Hurry the swing", "Guide", "Loosen trunk and arm", "Hit it"):
        place = played.end.rig.point(played.hand)
        paths = [each.shown_motion().states(times, place)[0] for each in (played.before(label), played.after(label))]
        assert np.linalg.norm(paths[1] - paths[0], axis=1).max() > MILLIMETRE, label
