"""Solving for targets and baking, as edits: layers come and go, keys stay."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.anatomy import Part
from inbetweener.document import Document, Editor, edits, read_native, validate, write_native
from inbetweener.errors import InvalidDocument
from inbetweener.kinodynamics import InvalidLooseness, Looseness, PointTarget, PoseTarget, chain, preset
from inbetweener.maths.search import asking
from inbetweener.rig import Point, joint_channels
from inbetweener.tangents import Contact, Pin
from tests.studio.documents import loose_arm

TIP = Point("tail_9")


@cache
def fox() -> Document:
    """A fox whose tail is loose; its clip loops."""
    document = ib.example("fox-tail")
    tail = chain(document.rig, "tail_1", preset("relaxed"))
    return edits.set_looseness(document, "sweep", Looseness(tail, 0.4))


@cache
def aimed() -> Document:
    """With two marks for the tip of the tail, solved for."""
    document = edits.add_target(fox(), "sweep", PointTarget(0.5, TIP))
    document = edits.add_target(document, "sweep", PointTarget(1.0, TIP))
    result = edits.solve(document, clip="sweep")
    solved, solution = result.document, result.solution
    assert solution.reached
    return solved


def missed(document: Document, time: float) -> float:
    """Metres between the tip as shown and as keyed without corrections."""
    shown, keyed = document.shown_motion().states([time], TIP)[0], fox().motion().states([time], TIP)[0]
    return float(np.linalg.norm(shown - keyed))


def test_targets_are_hit_by_layers_alone() -> None:
    before, after = fox(), aimed()
    for time in (0.5, 1.0):
        assert missed(before, time) > 0.01
        assert missed(after, time) < 1e-6
    assert after.clip().curves is before.clip().curves
    assert [layer.name for layer in after.clip().layers] == ["tail_9 target", "tail_9 target 2"]
    validate(after)


def test_solving_again_replaces_the_layers_in_full() -> None:
    moved = edits.set_layer_weight(edits.mute_layer(aimed(), "sweep", "tail_9 target"), "sweep", "tail_9 target", 0.5)
    moved = edits.replace_target(moved, "sweep", "tail_9 target 2", PointTarget(1.1, TIP))
    result = edits.solve(moved, clip="sweep")
    again, solution = result.document, result.solution
    assert solution.reached
    assert [(each.name, each.weight, each.muted) for each in again.clip().layers] == [
        ("tail_9 target", 1.0, False),
        ("tail_9 target 2", 1.0, False),
    ]
    assert missed(again, 0.5) < 1e-6
    assert missed(again, 1.1) < 1e-6


def test_a_target_that_is_off_is_not_solved_for_and_does_nothing() -> None:
    off = edits.switch_target(aimed(), "sweep", "tail_9 target", False)
    result = edits.solve(off, clip="sweep")
    alone, solution = result.document, result.solution
    assert [each.name for each in solution.outcomes] == ["tail_9 target 2"]
    assert missed(alone, 1.0) < 1e-6
    assert missed(alone, 0.5) > 0.01


def test_without_targets_nothing_changes() -> None:
    gone = edits.remove_target(edits.remove_target(aimed(), "sweep", "tail_9 target"), "sweep", "tail_9 target 2")
    assert gone.clip() == fox().clip()
    result = edits.solve(gone, clip="sweep")
    solved, solution = result.document, result.solution
    assert solution.outcomes == ()
    assert solved.clip() == fox().clip()


def test_contradicting_targets_are_named_and_nothing_is_lost() -> None:
    document = edits.add_target(fox(), "sweep", PointTarget(0.5, TIP, (0.0, 1.0, 0.0)))
    document = edits.add_target(document, "sweep", PointTarget(0.5, TIP, (0.0, 0.5, 0.0)))
    with Editor(document) as editor:
        with pytest.raises(InvalidLooseness, match="'tail_9 target' and 'tail_9 target 2' ask for different things"):
            editor.apply("Solve", lambda d: edits.solve(d, clip="sweep").document)
        assert editor.document is document


def test_what_is_solved_is_saved_and_undone(tmp_path) -> None:
    write_native(aimed(), tmp_path / "fox.tween")
    opened = read_native(tmp_path / "fox.tween")
    assert opened == aimed()
    times = opened.clip().frame_times
    assert opened.shown_motion().channels(times).tobytes() == aimed().shown_motion().channels(times).tobytes()
    with Editor(fox(), journal=tmp_path / "fox.journal") as editor:
        editor.apply("Aim", lambda d: edits.add_target(d, "sweep", PointTarget(0.5, TIP)))
        editor.apply("Solve", lambda d: edits.solve(d, clip="sweep").document)
        solved = editor.document
    with Editor.recover(tmp_path / "fox.journal") as editor:
        assert editor.document == solved
        assert editor.undo().clip() == fox().clip()
        assert editor.undo() == fox()


def test_a_dense_bake_is_what_was_seen() -> None:
    before = aimed()
    result = edits.bake(before, clip="sweep", tolerance=None)
    after, baked = result.document, result.bake
    times = before.clip().frame_times
    np.testing.assert_allclose(
        after.shown_motion().channels(times), before.shown_motion().channels(times), rtol=0, atol=1e-9
    )
    assert baked.error < 1e-9
    assert not after.loosening("sweep").on
    assert [layer.name for layer in after.clip().layers][-1] == "loose"
    assert after.clip().curves is before.clip().curves


@pytest.mark.parametrize("tolerance", [0.005, 0.001])
def test_a_fitted_bake_keeps_within_its_tolerance_with_fewer_keys(tolerance: float) -> None:
    before = fox()
    result = edits.bake(before, clip="sweep", tolerance=tolerance)
    after, baked = result.document, result.bake
    times = before.clip().frame_times
    off = after.shown_motion().joint_positions(times) - before.shown_motion().joint_positions(times)
    assert np.linalg.norm(off, axis=-1).max() <= tolerance
    assert baked.error <= tolerance
    dense = edits.bake(before, clip="sweep", tolerance=None).bake
    assert baked.keys < dense.keys / 2


@pytest.mark.parametrize("tolerance", [None, 0.002])
def test_a_baked_loop_closes(tolerance: float | None) -> None:
    after = edits.bake(fox(), clip="sweep", tolerance=tolerance).document
    clip = after.clip()
    first, last = after.shown_motion().joint_positions([clip.start, clip.end])
    np.testing.assert_allclose(first, last, rtol=0, atol=1e-6)


def test_muting_the_bake_brings_back_the_keyed_motion() -> None:
    after = edits.mute_layer(edits.bake(fox(), clip="sweep").document, "sweep", "loose")
    times = after.clip().frame_times
    np.testing.assert_array_equal(after.shown_motion().channels(times), fox().motion().channels(times))


def test_a_second_bake_takes_another_name_and_a_tight_clip_is_refused() -> None:
    once = edits.bake(fox(), clip="sweep").document
    with pytest.raises(InvalidDocument, match="nothing of clip 'sweep' is loose"):
        edits.bake(once, clip="sweep")
    twice = edits.bake(edits.switch_looseness(once, "sweep", True), clip="sweep").document
    assert [layer.name for layer in twice.clip().layers] == ["loose", "loose 2"]


def test_a_pose_is_hit() -> None:
    document = edits.add_target(fox(), "sweep", PoseTarget(0.75))
    result = edits.solve(document, clip="sweep")
    solved, solution = result.document, result.solution
    assert solution.reached
    shown, keyed = solved.shown_motion().channels([0.75]), fox().motion().channels([0.75])
    np.testing.assert_allclose(shown, keyed, rtol=0, atol=1e-6)


def test_a_contact_becomes_targets_that_hold_it() -> None:
    document = edits.add_constraint(fox(), "sweep", Contact(Point("tail_7"), 0.25, 0.5))
    standing = edits.contact_to_targets(document, "tail_7 contact")
    after = standing.document
    assert standing.held < 0.1 * min(standing.keyed, standing.loose)
    assert len(after.loosening("sweep").aims) == standing.targets
    where = document.motion().states([0.25], Point("tail_7"))[0][0]
    times = np.linspace(0.25, 0.5, 25)
    strayed = np.linalg.norm(after.shown_motion().states(times, Point("tail_7"))[0] - where, axis=1).max()
    assert strayed == pytest.approx(standing.held, abs=1e-9)
    assert strayed < 1e-3
    assert after.constraint("tail_7 contact") == document.constraint("tail_7 contact")


@pytest.mark.parametrize("end", [1e7, 1e308])
def test_a_contact_for_ever_is_held_to_the_clips_end(end: float) -> None:
    hand = Point("hand")
    document = edits.add_constraint(loose_arm(), "swing", Contact(hand, 0.9, end))
    standing = edits.contact_to_targets(document, "hand contact")
    (aim,) = (aim for aim in standing.document.loosening("swing").aims if aim.target.time == 0.9)
    assert aim.target.end == 1.0
    times = np.linspace(0.9, 1.0, 11)
    where = document.motion("swing").states([0.9], hand)[0][0]
    strayed = np.linalg.norm(standing.document.shown_motion("swing").states(times, hand)[0] - where, axis=1).max()
    assert strayed == pytest.approx(standing.held, abs=1e-6)


def test_holding_a_contact_ends_when_nobody_waits_for_it() -> None:
    class Enough(Exception):
        pass

    def enough() -> None:
        raise Enough

    document = edits.add_constraint(loose_arm(), "swing", Contact(Point("hand"), 0.1, 0.9))
    with pytest.raises(Enough), asking(enough):
        edits.contact_to_targets(document, "hand contact")


def test_only_contacts_become_targets() -> None:
    document = edits.add_constraint(fox(), "sweep", Pin(TIP))
    with pytest.raises(InvalidDocument, match="'tail_9 pin' is no contact"):
        edits.contact_to_targets(document, "tail_9 pin")


def test_a_bake_leaves_targets_where_they_were() -> None:
    """What is baked is keyed from then on: a mark that was "as keyed" must not go along with it."""
    before = edits.add_target(aimed(), "sweep", PoseTarget(1.4))
    after = edits.bake(before).document
    keyed = fox().motion()
    for aim in after.loosening("sweep").aims[:2]:
        assert aim.target.position == pytest.approx(keyed.states([aim.target.time], TIP)[0][0].tolist(), abs=1e-9)
    pose = after.loosening("sweep").aims[2].target.pose
    values = keyed.channels([1.4])[0]
    assert {name: values[fox().rig.channel_index(name)] for name in pose} == pytest.approx(dict(pose))
    for time in (0.5, 1.0):
        assert missed(after, time) < 2e-3


def test_what_weighs_nothing_stays_tight_where_the_whole_body_is_loosened() -> None:
    document = ib.example("waving")
    slot = replace(document.rig.joint("hand_l"), name="slot_l_end", parent=document.rig.joint_index("hand_l"))
    channels = (*document.rig.channels, *joint_channels(slot))
    rig = replace(document.rig, joints=(*document.rig.joints, slot), channels=channels)
    document = edits.set_roles(replace(document, rig=rig), [Part("slot_l_end", "end")])
    springs = edits.loosen(document, None, "loose").document.loosening().looseness.springs
    assert "hand_l" in springs
    assert not any(name.startswith("slot_l_end") for name in springs)
    shaped = edits.guide(document, channels=["upper_arm_l.*", "slot_l_end.*"])
    assert shaped.document != document, "nor does it keep the rest from being guided"
