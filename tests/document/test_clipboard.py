"""Keys as text: what is copied comes back with its tangents, at other times, on other joints, clips and documents."""

import json

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import evaluate
from inbetweener.document import edits
from inbetweener.errors import InvalidEdit
from tests.studio.documents import arm


def test_keys_come_back_shifted_with_their_tangents() -> None:
    document = arm()
    text = edits.copy_keys(document, ["elbow.rz"], start=0.25, end=0.5, clip="swing")
    result = edits.paste_keys(document, text, frame=18, clip="swing")
    before, after = (edits.curve_of(each, "swing", "elbow.rz") for each in (document, result.document))
    assert after.times.tolist() == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    assert after.values[3] == before.values[1]
    # The last of the copied keys took the place of the one at its time, with its own tangents.
    assert after.values[4] == before.values[2]
    assert np.array_equal(after.ins[4], before.ins[2])
    inside = np.linspace(0.26, 0.49, 7)
    assert evaluate(after, inside + 0.5) == pytest.approx(evaluate(before, inside), abs=1e-12)
    assert result.problem == ""
    assert result.facts["keys"] == 2


def test_another_clip_and_another_document_get_them() -> None:
    document = arm()
    text = edits.copy_keys(document, joints=["elbow"], clip="swing")
    still = edits.paste_keys(document, text, time=0.0, clip="still").document
    assert edits.curve_of(still, "still", "elbow.ry") == edits.curve_of(document, "swing", "elbow.ry")
    assert edits.curve_of(still, "still", "elbow.rz") == edits.curve_of(document, "swing", "elbow.rz")
    with pytest.raises(InvalidEdit, match=r"none of the copied channels \(elbow.rx|elbow.ry"):
        edits.paste_keys(ib.example("waving"), text, frame=0)


def test_keys_of_one_joint_go_onto_others() -> None:
    document = arm()
    text = edits.copy_keys(document, ["elbow.rz"], clip="swing")
    made = edits.paste_keys(document, text, frame=0, joints=["hand", "hips"], clip="swing")
    for name in ("hand.rz", "hips.rz"):
        assert edits.curve_of(made.document, "swing", name) == edits.curve_of(document, "swing", "elbow.rz")
    both = edits.copy_keys(document, joints=["elbow", "hips"], clip="swing")
    with pytest.raises(InvalidEdit, match="keys of 2 joints cannot go onto 1"):
        edits.paste_keys(document, both, frame=0, joints=["hand"], clip="swing")


def test_mirrored_the_other_side_does_the_same() -> None:
    """The right arm's path, as the joints' own matrices have it, is the left arm's with x the other way."""
    waving = ib.example("waving")
    right = ["clavicle_r", "upper_arm_r", "forearm_r", "hand_r"]
    joints = [name for name in right if name in {joint.name for joint in waving.rig.joints}]
    text = edits.copy_keys(waving, joints=joints)
    at_rest = edits.remove_curves(waving, "hello", list(waving.clip().curves))
    one = edits.paste_keys(at_rest, text, time=waving.clip().start).document
    other = edits.paste_keys(at_rest, text, time=waving.clip().start, mirrored=True).document
    times = waving.clip().frame_times
    seen = [each.rig.posed(each.motion("hello").channels(times)).world_from_joint[..., 3] for each in (one, other)]
    there, here = (
        places[:, waving.rig.joint_index(name)] for places, name in zip(seen, ("hand_r", "hand_l"), strict=True)
    )
    assert np.ptp(there, axis=0).max() > 0.1
    assert here == pytest.approx(there * [-1.0, 1.0, 1.0], abs=1e-6)


def test_a_layer_takes_keys_as_they_are() -> None:
    document = arm()
    text = edits.copy_keys(document, clip="swing", layer="lean")
    made = edits.paste_keys(document, text, frame=12, clip="swing", layer="lean").document
    assert edits.curve_of(made, "swing", "hips.rz", "lean").times.tolist() == [0.0, 0.5, 1.5]
    assert edits.curve_of(made, "swing", "hips.rz") == edits.curve_of(document, "swing", "hips.rz")


GOOD = json.loads(edits.copy_keys(arm(), ["elbow.rz"], clip="swing"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[1, 2]",
        '{"format": "inbetweener-pose", "version": 1}',
        json.dumps({**GOOD, "version": 7}),
        json.dumps({**GOOD, "span": -1.0}),
        json.dumps({**GOOD, "channels": []}),
        json.dumps({**GOOD, "channels": [{**GOOD["channels"][0], "keys": GOOD["channels"][0]["keys"][::-1]}]}),
        json.dumps({**GOOD, "channels": [{**GOOD["channels"][0], "keys": [[0, 1e300, 0, 0, 0, 0, "bezier", True]]}]}),
        json.dumps({**GOOD, "channels": [{**GOOD["channels"][0], "keys": [[0, 1, -1, 0, 0, 0, "bezier", True]]}]}),
    ],
)
def test_foreign_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InvalidEdit, match=r"^this text holds no keys that were copied here; copy keys first") as caught:
        edits.paste_keys(arm(), text, frame=0, clip="swing")
    assert "\n" not in str(caught.value)


def test_cutting_takes_away_what_was_copied() -> None:
    document = arm()
    cut = edits.cut_keys(document, "swing", {"elbow.rz": [1, 2]})
    assert edits.curve_of(cut, "swing", "elbow.rz").times.tolist() == [0.0, 1.0]
    with pytest.raises(InvalidEdit, match="no keys there to copy"):
        edits.copy_keys(document, ["elbow.rz"], start=0.3, end=0.4, clip="swing")
