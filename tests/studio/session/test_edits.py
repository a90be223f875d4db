"""Edits in one stroke: what they do, what the history calls them, and that a refusal changes nothing."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from inbetweener.curves import evaluate
from inbetweener.document import Pose, edits
from inbetweener.studio.session.edits import EDITS, loose
from tests.studio.documents import arm
from tests.studio.pages import PageForTests, place, session_of

KEY = {"channel": "elbow.rz", "key": 1}
KEYS = [KEY, {"channel": "elbow.rz", "key": 2}, {"channel": "hips.tx", "key": 1}]


@pytest.fixture
def page() -> Iterator[PageForTests]:
    session = session_of(arm())
    session.poses = {"bent": Pose.of(arm(), "bent", "swing", 0.25)}.__getitem__
    yield PageForTests(session)
    session.stop()


def test_a_clip_that_was_trimmed_counts_frames_as_the_ruler_does(page: PageForTests) -> None:
    """From its ninth frame on, say; the page tells the frame that files have, and so do history and answers."""
    page.done("set-clip-range", start=9 / 24, end=1.0)
    page.done("insert-keys", channels=["elbow.rz"], time=18 / 24)
    page.done("add-pin", place=place("hand"), start=10 / 24, end=12 / 24)
    page.begin("pull-pose", place=place("hand"), time=20 / 24, key=True)
    page.move(0.5, 1.2, 0.1)
    page.done("commit", gesture=1)
    frames = ("Key elbow.rz at frame 18", "Pin hand from frame 10 to 12", "Pose hand at frame 20")
    assert page.known.history["labels"][-3:] == list(frames)


LABELS: list[tuple[str, dict[str, Any], str]] = [
    ("add-pin", {"place": place("hand")}, "Pin hand"),
    ("add-pin", {"place": place("hand", name="palm"), "start": 0.5, "end": 0.5}, "Lock palm at frame 12"),
    ("add-pin", {"place": place("hand"), "start": 0.25, "end": 9.0}, "Pin hand from frame 6 to 24"),
    ("add-contact", {"place": place("hand"), "start": 0.125, "end": 0.5}, "Plant hand from frame 3 to 12"),
    (
        "add-constraint",
        {"kind": "contact", "place": place("hand"), "start": 0.125, "end": 0.5},
        "Hold hand contact from frame 3 to 12",
    ),
    (
        "add-constraint",
        {"kind": "attach", "place": place("hand"), "start": 0.125, "end": 0.5, "to": "hips"},
        "Hold hand on hips from frame 3 to 12",
    ),
    ("switch-constraint", {"name": "hips pin", "on": False}, "Switch off hips pin"),
    ("set-constraint-state", {"name": "hips pin", "wanted": "both"}, "Hold position and orientation of hips pin"),
    ("remove-constraint", {"name": "hips pin"}, "Remove hips pin"),
    ("insert-keys", {"channels": ["elbow.rz"], "time": 0.75}, "Key elbow.rz at frame 18"),
    ("insert-keys", {"channels": ["elbow.rz", "hand.rz"], "time": 0.75}, "Key 2 channels at frame 18"),
    ("delete-keys", {"keys": KEYS}, "Delete 3 keys"),
    ("delete-keys", {"keys": [KEY, KEY]}, "Delete 1 key"),
    ("preset-tangents", {"keys": KEYS, "preset": "flat"}, "Flat tangents on 3 keys"),
    ("preset-tangents", {"keys": KEYS, "preset": "stepped"}, "Stepped tangents on 3 keys"),
    ("tie-tangents", {"keys": [KEY], "tied": False}, "Break tangents of 1 key"),
    ("set-interpolation", {"keys": KEYS, "kind": "linear"}, "Linear segments after 3 keys"),
    ("set-limits", {"channel": "elbow.rz", "lower": None, "upper": 1.5}, "Limits of elbow.rz"),
    ("set-blending", {"blending": "differential"}, "Blend the skin by differentials"),
    ("set-role", {"joint": "hand", "role": "tail", "number": 2}, "hand is tail 2"),
    ("rename-document", {"name": "pole"}, "Rename to pole"),
    (
        "key-camera",
        {"time": 0.5, "eye": [0.0, 1.0, 5.0], "target": [0.0, 1.0, 0.0]},
        "Key the scene camera at frame 12",
    ),
    ("set-clip-range", {"start": 0.0, "end": 2.0}, "Clip from 0 to 2 s"),
    ("set-clip-loops", {"loops": True}, "Loop swing"),
    ("new-clip", {}, "New clip 1"),
    ("new-clip", {"time": 0.5}, "New clip 1"),
    ("duplicate-clip", {}, "Duplicate swing"),
    ("rename-clip", {"name": "sway"}, "Rename clip to sway"),
    ("remove-clip", {}, "Delete clip swing"),
    ("set-clip-rate", {"rate": 30.0}, "30 frames a second"),
    ("shift-clip", {"by": 0.5}, "Shift swing by 0.5 s"),
    ("reverse-clip", {}, "Reverse swing"),
    ("mirror-clip", {}, "Mirror swing"),
    ("trim-clip", {"start": 0.25, "end": 0.75}, "Trim swing"),
    ("resample-clip", {"rate": 30.0}, "Resample swing"),
    ("set-speed", {"speed": 2.0}, "swing 2 times as fast"),
    ("make-loop", {"start": 0.25, "end": 1.0}, "Loop swing"),
    ("block-clip", {"stepped": True}, "Step all poses of swing"),
    ("paste-pose", {"time": 0.5, "values": {"elbow.rz": 1.0}}, "Paste pose at frame 12"),
    ("paste-pose", {"time": 0.5, "values": {"elbow.rz": 1.0}, "mirrored": True}, "Paste mirrored pose at frame 12"),
    ("apply-pose", {"pose": "bent", "time": 0.5}, "Pose bent at frame 12"),
    (
        "apply-pose",
        {"pose": "bent", "time": 0.5, "amount": 0.5, "mirrored": True},
        "Pose 50% of bent, mirrored, at frame 12",
    ),
    ("stagger", {"joints": ["hips"], "by": 2.0}, "Stagger hips by 2 frames"),
    ("chart", {"shares": "thirds", "time": 0.75}, "Timing chart at frame 18"),
    ("snap-keys", {}, "Snap keys to frames"),
    ("copy-keys", {"keys": KEYS, "cut": True}, "Cut 3 keys"),
    (
        "paste-keys",
        {"time": 0.5, "text": edits.copy_keys(arm(), ["elbow.rz"], clip="swing")},
        "Paste 4 keys at frame 12",
    ),
    ("mirror-pose", {"time": 0.5}, "Mirror pose at frame 12"),
    ("reset-pose", {"time": 0.5}, "Reset pose at frame 12"),
    ("reset-pose", {"time": 0.5, "channels": ["elbow.rz"]}, "Reset elbow.rz at frame 12"),
    ("set-kernels", {"kernels": [{"centre": 0.5, "width": 0.1}]}, "Add kernel"),
    ("change-layer", {"layer": "lean", "muted": True}, "Mute lean"),
    ("change-layer", {"layer": "lean", "weight": 0.25}, "Weigh lean 0.25"),
    ("change-layer", {"layer": "lean", "weight": 0.25, "time": 0.5}, "Weigh lean 0.25 at frame 12"),
    ("change-layer", {"layer": "lean", "override": True}, "Override with lean"),
    ("change-layer", {"layer": "lean", "joints": ["hips"]}, "Mask lean"),
    ("change-layer", {"layer": "lean", "rename": "tilt"}, "Rename layer to tilt"),
    ("change-layer", {}, "Add layer layer"),
    ("merge-layer", {"layer": "lean"}, "Merge lean into the base"),
]


@pytest.mark.parametrize(("kind", "fields", "label"), LABELS)
def test_an_edit_is_one_named_step_that_can_be_undone(page: PageForTests, kind: str, fields: dict, label: str) -> None:
    before = page.session.editor.document
    page.done(kind, **fields)
    assert page.known.history["labels"] == ["Open", label]
    assert page.session.editor.document != before
    assert page.done("undo") == label
    assert page.session.editor.document is before


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("add-pin", {"place": place("tail")}, "no joint called 'tail'"),
    ("add-contact", {"place": place("hand"), "start": 0.5, "end": 0.2}, "before its start"),
    ("add-contact", {"place": place("hand"), "start": 5.0, "end": 6.0}, "outside the clip"),
    ("add-pin", {"place": place("hand"), "start": 1e300, "end": 1e300}, "outside the clip"),
    (
        "add-constraint",
        {"kind": "glue", "place": place("hand"), "start": 0.0, "end": 0.5},
        "no kind of constraint called 'glue'",
    ),
    (
        "add-constraint",
        {"kind": "contact", "place": place("hand"), "start": 0.0, "end": 0.5, "to": "hips"},
        "a contact holds in the world, not in the space of 'hips'",
    ),
    (
        "add-constraint",
        {"kind": "contact", "place": place("hand"), "start": 0.0, "end": 0.5, "to": "guitar"},
        "no prop or joint called 'guitar'",
    ),
    ("switch-constraint", {"name": "tail pin", "on": True}, "no constraint called"),
    ("insert-keys", {"channels": ["elbow.rz"], "time": 0.25}, "there are keys on frame 6 already"),
    ("insert-keys", {"channels": ["elbow.rz"], "time": 1e300}, "a time cannot be"),
    ("delete-keys", {"keys": [KEY, {"channel": "elbow.rz", "key": 9}]}, "elbow.rz has no key 9"),
    ("preset-tangents", {"keys": [KEY, {"channel": "hand.rz", "key": 0}], "preset": "flat"}, "no curve called"),
    ("set-limits", {"channel": "elbow.rz", "lower": 2.0, "upper": 1.0}, "above upper limit"),
    ("remove-bend", {"bend": "sketch"}, "no bend called"),
    ("prepare", {}, "no body was recognised"),
    ("set-speed", {"speed": 0.0}, "must lie from 0.01 to 100"),
    ("follow-twists", {"follow": True}, "no twist bone was recognised"),
    ("give-handles", {}, "no leg or arm of two bones was recognised"),
    ("take-handles", {"limbs": ["left_foot"]}, "no handle called 'left_foot'"),
    ("switch-limb", {"limb": "left_foot", "to": "ik"}, "no handle called 'left_foot'"),
    ("set-role", {"joint": "tail", "role": "tail"}, "no joint called"),
    ("set-free", {"channels": ["tail.rz"], "free": True}, "no joint or channel called"),
    ("stiffen-as", {"preset": "jelly"}, "no stiffness preset"),
    ("rename-document", {"name": "  "}, "needs a name"),
    ("trim-clip", {"start": 0.75, "end": 0.25}, "nothing of clip"),
    ("resample-clip", {"rate": 1e9}, "too long"),
    ("resample-clip", {"rate": -1.0}, "not within"),
    ("set-clip-range", {"start": 2.0, "end": 1.0}, "before start"),
    ("set-clip-range", {"start": 0.0, "end": 900_000.0}, "200,000 frames"),
    ("change-layer", {"layer": "top", "muted": True}, "no layer called"),
    ("rename-clip", {"name": "still"}, "already a clip called"),
    ("paste-pose", {"time": 0.5, "values": {"fin.rx": 1.0}}, "same rig"),
    ("reset-pose", {"time": 1e300}, "cannot be"),
    ("show-clip", {"clip": "run"}, "no clip called"),
    ("jump-to", {"step": 3}, "no step 3"),
    ("hold-contacts", {}, "no contact is on"),
    ("cancel-job", {"job": 7}, "over already"),
    ("suggest-key", {"gesture": 1}, "over"),
    ("undo", {}, "nothing to undo"),
]


@pytest.mark.parametrize(("kind", "fields", "why"), REFUSALS)
def test_a_refusal_says_why_and_changes_nothing(page: PageForTests, kind: str, fields: dict, why: str) -> None:
    before = page.session.editor.document
    assert why in page.refused(kind, **fields)
    assert page.session.editor.document is before
    assert page.known.history["labels"] == ["Open"]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("switch-constraint", {"name": "hips pin", "on": True}),
        ("rename-document", {"name": "arm"}),
        ("set-blending", {"blending": "linear"}),
        ("set-clip-range", {"start": 0.0, "end": 1.0}),
        ("change-layer", {"layer": "lean", "muted": False}),
        ("tie-tangents", {"keys": [KEY], "tied": True}),
        ("smooth-seam", {}),
        ("filter-angles", {}),
    ],
)
def test_what_is_so_already_is_no_step(page: PageForTests, kind: str, fields: dict) -> None:
    page.done(kind, **fields)
    assert page.known.history["labels"] == ["Open"]


def test_every_edit_is_tried_here() -> None:
    # Those of looseness have a file of their own.
    tags = {each.__struct_config__.tag for each in EDITS if each not in loose.EDITS}
    assert tags == {"smooth-seam", "filter-angles", *(kind for kind, _, _ in [*LABELS, *REFUSALS])} & tags


def test_a_seam_is_smoothed_in_one_step(page: PageForTests) -> None:
    ends = [{"channel": "elbow.rz", "key": key} for key in (0, 3)]
    page.done("preset-tangents", keys=ends, preset="linear")
    kinked = page.session.editor.document
    page.done("smooth-seam")
    assert page.known.history["labels"][-1] == "Smooth the seam of swing"
    assert page.session.editor.document == edits.smooth_seam(kinked, clip="swing").document != kinked


def test_inserted_keys_leave_the_motion_alone(page: PageForTests) -> None:
    before = page.session.editor.document
    channels = [channel.name for channel in before.rig.channels]
    page.done("insert-keys", channels=channels, time=0.8)
    page.done("insert-keys", channels=channels, time=1.25)
    after = page.session.editor.document
    times = np.linspace(-0.5, 1.5, 200)
    assert after.motion().channels(times) == pytest.approx(before.motion().channels(times), abs=1e-9)
    assert all(1.25 in curve.times for curve in after.clip().curves.values())
    # Beyond the last key the new segment can be shaped as well.
    assert after.clip().curves["elbow.rz"].interpolations[-2] == 2
    lone = after.clip().curves["hand.rz"]
    assert len(lone) == 2
    assert evaluate(lone, [0.0, 3.0]) == pytest.approx([0.0, 0.0])


def test_deleting_all_keys_takes_the_curve_away(page: PageForTests) -> None:
    page.done("delete-keys", keys=[{"channel": "elbow.ry", "key": key} for key in range(3)])
    assert "elbow.ry" not in page.session.editor.document.clip().curves


def test_a_contact_that_slides_is_added_and_says_how_far(page: PageForTests) -> None:
    said = page.done("add-contact", place=place("hand"), start=0.0, end=0.25)
    path = page.session.editor.document.motion().states(np.linspace(0, 0.25, 60), arm().rig.point("hand"))[0]
    apart = np.linalg.norm(path[:, None] - path[None], axis=-1).max()
    assert said == f"hand slides {100 * apart:.1f} cm; drag it or use Remove slide"
    still = page.done("add-contact", place=place("hips"), start=0.0, end=0.001)
    assert still is None


def test_a_contact_holds_the_state_unless_key_poses_turn_it_or_the_animator_says(page: PageForTests) -> None:
    document = page.session.editor.document
    apart = np.linalg.norm(np.diff(document.motion().states([0.0, 0.5], document.rig.point("hand"))[1], axis=0))
    assert apart > 0.2, "its key poses turn it"
    page.done("add-contact", place=place("hand"), start=0.0, end=0.5)
    page.done("add-contact", place=place("hips"), start=0.0, end=0.01)
    page.done("add-contact", place=place("hips"), start=0.5, end=0.75, wanted="position")
    rules = [each.rule for each in page.session.editor.document.constraints]
    assert [rule.wanted for rule in rules[-3:]] == ["position", "both", "position"]


def test_what_a_constraint_holds_can_be_changed(page: PageForTests) -> None:
    page.done("add-contact", place=place("hips"), start=0.0, end=0.5)
    name = page.session.editor.document.constraints[-1].name
    for wanted, words in (
        ("both", "position and orientation"),
        ("orientation", "orientation"),
        ("position", "position"),
    ):
        page.done("set-constraint-state", name=name, wanted=wanted)
        assert page.session.editor.document.constraint(name).rule.wanted == wanted
        assert page.known.history["labels"][-1] == f"Hold {words} of {name}"
    assert "nobody" in page.refused("set-constraint-state", name="nobody", wanted="both")


def test_edits_wait_for_the_hand(page: PageForTests) -> None:
    page.begin("set-stiffness", channels=["elbow.rz"])
    answer = page.ask("undo")
    assert (answer["type"], answer["code"]) == ("refused", "busy")
    other = PageForTests(page.session)
    assert "maybe in another tab" in other.refused("remove-constraint", name="hips pin")
    page.session.leave(page.page)
    assert other.done("remove-constraint", name="hips pin") is None


def test_jumping_goes_through_the_history(page: PageForTests) -> None:
    for name in ("one", "two", "three"):
        page.done("rename-document", name=name)
    page.done("jump-to", step=1)
    assert (page.known.scene["name"], page.known.history["at"]) == ("one", 1)
    page.done("jump-to", step=3)
    assert (page.known.scene["name"], page.known.history["at"]) == ("three", 3)
