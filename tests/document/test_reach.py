"""A drag on motion with keys on every frame: a few keys on a layer, nothing outside its reach, what is held stays."""

import numpy as np
import pytest

from inbetweener.document import Document, edits
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Contact, Pin
from tests.verbs.rows_motion import captured, captured_stance

BY = np.array([0.06, 0.05, -0.04])


def plain(document: Document, times: np.ndarray) -> np.ndarray:
    """Base plus layer, each sampled on its own: a sum that no compiled motion took part in."""
    bare = edits.remove_layer(document, document.clip().name, "by hand").motion().channels(times)
    for name, curve in document.clip().layer("by hand").curves.items():
        column, keys = document.rig.channel_index(name), curve.times
        k = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 2)
        s = np.clip((times - keys[k]) / (keys[k + 1] - keys[k]), 0.0, 1.0)
        control = (curve.values[k], curve.values[k] + curve.outs[k, 1], curve.values[k + 1] - curve.ins[k + 1, 1])
        a, b, c, d = *control, curve.values[k + 1]
        bare[:, column] += a * (1 - s) ** 3 + 3 * b * s * (1 - s) ** 2 + 3 * c * s**2 * (1 - s) + d * s**3
    return bare


def test_a_hand_is_dragged_with_a_handful_of_keys():
    before = captured()
    result = edits.drag(before, "hand_l", frame=20, by=BY, reach=0.3)
    time = 20 / before.clip().rate
    assert result.reached
    place = before.rig.point("hand_l")
    wish = before.motion().states([time], place)[0][0] + BY
    poses = plain(result.document, np.array([time]))
    assert np.linalg.norm(before.rig.states(poses, place)[0][0] - wish) <= 1e-5
    assert result.document.clip().curves is before.clip().curves
    assert all(len(curve) == 5 for curve in result.document.clip().layer("by hand").curves.values())


def test_outside_its_reach_not_a_bit_changes_and_inside_nothing_pops():
    before = captured()
    after = edits.drag(before, "hand_l", frame=20, by=BY, reach=0.3).document
    time, clip = 20 / before.clip().rate, before.clip()
    fine = np.linspace(clip.start, clip.end, 1201)
    outside = np.abs(fine - time) >= 0.3
    one, other = (each.motion().channels(fine) for each in (before, after))
    np.testing.assert_array_equal(one[outside], other[outside])
    change, step = other - one, fine[1] - fine[0]
    peak = np.abs(change).max(axis=0)
    assert peak.max() > 0.02
    # A B-spline that reaches r to both sides is 12 / r² curved at most; a pop would be as much in one step.
    bound = 12.0 / 0.3**2 * peak + 1e-6
    assert (np.abs(np.diff(change, 2, axis=0)).max(axis=0) / step**2 <= 1.01 * bound).all()


def test_what_is_held_keeps_its_motion_while_the_hips_move():
    before = captured_stance()
    clip = before.clip().name
    before = edits.add_constraint(before, clip, Pin(before.rig.point("hand_l"), "position", 0.3, 0.7))
    assert any(isinstance(each.rule, Contact) for each in before.constraints)
    result = edits.drag(before, "hips", time=0.5, by=(0.0, -0.04, 0.02), reach=0.25)
    assert result.reached, result
    times = np.linspace(0.26, 0.74, 200)
    one, other = before.motion(clip), result.document.motion(clip)
    held = [each for each in before.constraints if each.rule.start < 0.74 and each.rule.end > 0.26]
    assert len(held) == 3
    for each in held:
        inside = times[(times >= each.rule.start) & (times <= each.rule.end)]
        gone = each.rule.states(other, inside)[0] - each.rule.states(one, inside)[0]
        assert np.linalg.norm(gone, axis=1).max() < 1e-3, each.name


def test_drags_add_up_on_one_layer_and_merge_exactly():
    before = captured()
    once = edits.drag(before, "hand_l", frame=20, by=BY).document
    twice = edits.drag(once, "hand_l", frame=26, by=-BY, reach=0.2).document
    assert [layer.name for layer in twice.clip().layers] == ["by hand"]
    merged = edits.merge(twice, "by hand")
    assert merged.error <= 1e-9
    assert merged.document.clip().layers == ()
    with pytest.raises(InvalidEdit, match="some seconds"):
        edits.drag(before, "hand_l", frame=20, by=BY, reach=-1.0)
