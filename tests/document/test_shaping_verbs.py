"""Guide, loosen, target, sketch and skin in a person's words: what counts by itself, and what is refused."""

import inspect
import re
from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidEdit, UnknownName
from inbetweener.kinodynamics import InvalidLooseness, PointTarget, PoseTarget, Spring
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Pin
from tests.studio.documents import arm, loose_arm


def only(document: Document) -> Document:
    return edits.remove_clip(document, "still")


def test_several_clips_want_a_name_and_one_does_not() -> None:
    with pytest.raises(InvalidEdit, match="several clips; say which one: swing, still"):
        edits.loosen(arm(), "elbow", "loose")
    assert edits.loosen(only(arm()), "elbow", "loose").document.loosening("swing").looseness.springs.keys() == {"elbow"}


def test_what_is_held_stays_tight_unless_it_is_left_out() -> None:
    pinned = edits.add_constraint(only(arm()), "swing", Pin(Point("elbow")))
    assert edits.loosen(pinned, spring="relaxed").document.loosening().looseness.springs.keys() == {"hand"}
    free = edits.loosen(pinned, spring="relaxed", own=False).document.loosening().looseness.springs
    assert free.keys() == {"elbow", "hand"}
    # Named, it was made loose on purpose, and stays so.
    named = edits.loosen(pinned, "elbow", Spring(2.0)).document
    assert edits.loosen(named, spring="relaxed").document.loosening().looseness.springs.keys() == {"elbow", "hand"}
    off = edits.switch_constraint(pinned, "elbow pin", False)
    assert edits.loosen(off, spring="relaxed").document.loosening().looseness.springs.keys() == {"elbow", "hand"}


def test_a_joint_is_tight_with_all_its_channels() -> None:
    document = edits.loosen(only(arm()), ["elbow.rx", "elbow.ry", "hand"], "3").document
    assert edits.loosen(document, tight="elbow").document.loosening().looseness.springs.keys() == {"hand"}
    with pytest.raises(InvalidLooseness, match="nothing is loose"):
        edits.loosen(document, tight=["elbow", "hand"])
    with pytest.raises(UnknownName, match="no joint or channel called 'wing'"):
        edits.loosen(document, "wing", "loose")


def test_springs_of_the_body_are_made_for_its_masses() -> None:
    document = ib.example("boxer")
    boxes = edits.loosen(document, spring="relaxed").document.loosening().looseness
    human = edits.loosen(document, spring="relaxed", masses="human").document.loosening().looseness
    assert human.masses == "human"
    assert human.springs["head"] != boxes.springs["head"]


def test_one_way_of_weighing_counts_for_all() -> None:
    waving = ib.example("waving")
    human = edits.loosen(waving, "head", "loose", masses="human").document
    assert waving.body().source == "boxes"
    assert human.body().source == "human table"
    torques = [edits.guide_request(each, channels="upper_arm_r.*").terms[0].term.body for each in (waving, human)]
    assert [body.source for body in torques] == ["boxes", "human table"]
    chosen = edits.guide_request(human, channels="upper_arm_r.*", masses="boxes", overrides={"hand_r": 3.0})
    assert chosen.terms[0].term.body.masses.masses[waving.rig.joint_index("hand_r")] == 3.0
    assert chosen.terms[0].term.body.source == "boxes, but for hand_r"


def test_guidance_holds_what_the_document_holds() -> None:
    document = ib.example("waving")
    clip = document.clip()
    foot = Contact(Point("foot_l"), clip.start, clip.end)
    planted = edits.add_constraint(document, clip.name, foot)
    assert edits.guide_request(planted).constraints == (foot,)
    assert edits.guide_request(planted, own=False).constraints == ()
    hand = Pin(document.rig.point("hand_l"))
    assert edits.guide_request(planted, pins=["hand_l"]).constraints == (foot, hand)
    off = edits.switch_constraint(planted, "foot_l contact", False)
    assert edits.guide_request(off).constraints == ()
    assert edits.guide_request(off, terms="balance").terms[0].term.contacts == (foot,)
    with pytest.raises(InvalidEdit, match="no contact in this clip that balance could count"):
        edits.guide_request(off, terms="balance", own=False)


def test_guidance_is_told_when_in_frames_or_seconds() -> None:
    document = ib.example("waving")
    asked = edits.guide_request(document, frames=(12, 36), frozen=["forearm_r.*", ("upper_arm_r.rx", 1)])
    assert (asked.start, asked.end) == (0.5, 1.5)
    assert ("upper_arm_r.rx", 1) in asked.frozen
    assert {name for name, _ in asked.frozen} > {"forearm_r.ry"}
    with pytest.raises(InvalidEdit, match="frames or in seconds"):
        edits.guide_request(document, frames=(12, 36), start=0.5)
    with pytest.raises(InvalidEdit, match="no key 99 to freeze"):
        edits.guide_request(document, frozen=[("upper_arm_r.rx", 99)])
    with pytest.raises(UnknownName, match="no channel called 'wing"):
        edits.guide_request(document, channels="wing*")
    with pytest.raises(UnknownName, match="no term called 'beauty'"):
        edits.guide_request(document, terms={"beauty": 1.0})


def test_a_target_is_where_it_is_wanted_or_so_far_from_where_it_is_seen() -> None:
    document = only(loose_arm())
    seen = document.shown_motion().states([0.25], document.rig.point("palm"))[0][0]
    made = edits.target(document, "palm", frame=6, by=(0.0, 0.1, 0.0))
    assert isinstance(made.target, PointTarget)
    np.testing.assert_allclose(made.target.position, np.add(seen, [0.0, 0.1, 0.0]), rtol=0, atol=1e-12)
    assert made.name == "palm target 2"
    assert "at (" in str(made)
    assert edits.target(document, "palm", time=0.25).target == PointTarget(0.25, document.rig.point("palm"))
    turned = edits.target(document, "palm", time=0.25, turn_to=np.eye(3)).target
    assert turned == PointTarget(0.25, document.rig.point("palm"), None, (1.0, 0.0, 0.0, 0.0))
    assert turned == edits.target(document, "palm", time=0.25, turn_to=(2.0, 0.0, 0.0, 0.0)).target
    assert edits.target(document, frame=6, still=True).target == PoseTarget(0.25, velocity="still")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"frame": 6, "to": (0, 0, 0), "by": (0, 0, 0)}, "not both"),
        ({"frame": 6, "time": 0.2}, "with a frame or with a time"),
        ({"frame": 60}, "lies outside clip"),
        ({"frame": 6, "to": (0, 0)}, "three numbers, not 2"),
        ({"frame": 6, "to": "there"}, "called 'there'"),
        ({"frame": 6, "still": True, "velocity": (1, 0, 0)}, "has no velocity"),
        ({"frame": 6, "turn_to": (1, 0, 0)}, "a quaternion w, x, y, z"),
    ],
)
def test_targets_that_make_no_sense_are_refused(words: dict, message: str) -> None:
    with pytest.raises((InvalidEdit, UnknownName), match=message):
        edits.target(only(loose_arm()), "palm", **words)


def test_only_a_skin_is_blended_otherwise_by_a_sketch() -> None:
    waving = ib.example("waving")
    wound = edits.twist(waving, "forearm_r", 360, frame=34)
    assert wound.document.blending == "differential"
    assert len(wound.lines) == 3
    bare = edits.twist(replace(waving, meshes=()), "forearm_r", 360, frame=34)
    assert bare.document.blending == "linear"
    with pytest.raises(InvalidEdit, match="say which bones"):
        edits.sketch(waving, [[0, 0], [0, 1], [0, 2]], frame=34)


def test_results_say_what_became_of_it_in_three_lines_at_most() -> None:
    document = only(loose_arm())
    for frame in (2, 7, 17, 22):
        document = edits.target(document, "palm", frame=frame).document
    solved = edits.solve(document)
    assert len(solved.lines) == 2
    assert "4 more: all hit" in solved.lines[-1]
    assert len(solved.facts["targets"]) == 5
    assert edits.solve(edits.remove_target(only(loose_arm()), "swing", "palm target")).lines == ("no targets",)
    told = edits.loosen(only(loose_arm()), "hand", "drunk")
    assert "springs" in str(told)
    assert told.facts["springs"]["hand"] == {"frequency_hz": 1.4, "damping": 0.25, "air": 0.0}


def test_a_request_is_said_in_the_words_of_the_verb() -> None:
    said, asked = (inspect.signature(each).parameters for each in (edits.guide, edits.guide_request))
    assert said == asked


def test_what_only_turns_is_told_in_degrees() -> None:
    """The head of a wave turns, and cannot be still: millimetres would say that all is well."""
    document = ib.example("waving")
    still = Contact(Point("head"), 0.2, 1.0, "orientation")
    turns = document.motion().states([0.2, 1.0], Point("head"))[1]
    (apart,) = np.degrees(np.arccos((np.trace(turns[:1].transpose(0, 2, 1) @ turns[1:], axis1=1, axis2=2) - 1.0) / 2.0))
    assert apart > 5.0
    dragged = edits.drag(document, "hand_r", frame=14, by=(0.0, 0.02, 0.0), contacts=[still])
    guided = edits.guide(document, channels="head.*", start=0.2, end=1.0, contacts=[still])
    # Guidance tells of the axis that is off most.
    for said, least in ((dragged.problem, apart), (guided.report.summary, apart / 3**0.5)):
        told = re.search(r"head contact does not hold: ([\d.]+)° off", said)
        assert told is not None, said
        assert float(told[1]) >= least - 0.1
