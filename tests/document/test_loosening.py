"""Looseness and targets in documents: named, switched, and true to clips, joints and layers that change."""

from dataclasses import replace

import pytest

from inbetweener.document import Document, Editor, edits, problems, validate
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, Looseness, PointTarget, PoseTarget, Spring
from inbetweener.kinodynamics.soft import SoftPoint, SpringyPart
from inbetweener.motion import Layer
from inbetweener.rig import BlendedPoint, Point
from tests.document.puppet import puppet

HAND = Point("arm.l", (0.0, 0.3, 0.0), "hand")


def solved() -> Document:
    """The puppet with layers as solving for its targets leaves them."""
    document = puppet()
    clip = document.clip("walk")
    layers = (*clip.layers, *(Layer(aim.name) for aim in document.loosening("walk").aims))
    return edits.replace_clip(document, "walk", replace(clip, layers=layers))


def names(document: Document, clip: str = "walk") -> list[str]:
    return [aim.name for aim in document.loosening(clip).aims]


def layers(document: Document, clip: str = "walk") -> list[str]:
    return [layer.name for layer in document.clip(clip).layers]


def test_a_loosened_clip_is_shown_loose_until_it_is_switched_off() -> None:
    document = puppet()
    assert isinstance(document.shown_motion("walk"), LooseMotion)
    assert not isinstance(document.shown_motion("rest"), LooseMotion)
    off = edits.switch_looseness(document, "walk", False)
    assert not isinstance(off.shown_motion("walk"), LooseMotion)
    assert edits.switch_looseness(off, "walk", True) == document


def test_loosening_keeps_targets_and_switches_on() -> None:
    off = edits.switch_looseness(puppet(), "walk", False)
    after = edits.set_looseness(off, "walk", Looseness({"arm.l": Spring(2.0)})).loosening("walk")
    assert after.on
    assert after.aims == puppet().loosening("walk").aims
    assert after.looseness == Looseness({"arm.l": Spring(2.0)})


def test_springs_are_put_on_and_taken_off() -> None:
    after = edits.set_springs(puppet(), "walk", {"smile": None, "arm.l": Spring(1.0), "bend": Spring(4.0)})
    expected = {"arm.l": Spring(1.0), "hips.rx": Spring(8.0, 1.0), "bend": Spring(4.0)}
    assert after.loosening("walk").looseness.springs == expected


def test_names_are_made_from_points_and_avoid_targets_and_layers() -> None:
    document = edits.add_layer(puppet(), "rest", Layer("hand target 2"))
    for target in (PointTarget(0.5, HAND), PointTarget(0.6, HAND), PoseTarget(1.0), PointTarget(0.7, Point("hips"))):
        document = edits.add_target(document, "rest", target)
    assert names(document, "rest") == ["hand target", "hand target 3", "pose target", "hips target"]
    validate(document)


def test_a_target_takes_its_layer_along() -> None:
    document = solved()
    renamed = edits.rename_target(document, "walk", "hand target", "tap")
    assert names(renamed) == ["tap", "pose target"]
    assert layers(renamed) == ["breath", "polish", "tap", "pose target"]
    removed = edits.remove_target(renamed, "walk", "tap")
    assert names(removed) == ["pose target"]
    assert layers(removed) == ["breath", "polish", "pose target"]
    off = edits.switch_target(document, "walk", "hand target", False)
    assert off.clip("walk").layer("hand target").muted
    assert not off.loosening("walk").aim("hand target").on
    assert edits.switch_target(off, "walk", "hand target", True) == document


def test_a_layer_takes_its_target_along_and_may_go_alone() -> None:
    document = edits.rename_layer(solved(), "walk", "hand target", "tap")
    assert names(document) == ["tap", "pose target"]
    gone = edits.remove_layer(document, "walk", "tap")
    assert names(gone) == ["tap", "pose target"]
    with pytest.raises(InvalidDocument, match="'tap' is a target of clip 'walk'"):
        edits.add_layer(gone, "walk", Layer("tap"))


def test_looseness_follows_its_clip() -> None:
    renamed = edits.rename_clip(puppet(), "walk", "stroll")
    assert renamed.loosening("stroll").aims == puppet().loosening("walk").aims
    copied = edits.duplicate_clip(solved(), "walk", "again")
    assert names(copied, "again") == names(copied, "walk")
    assert copied.loosening("again").looseness == copied.loosening("walk").looseness
    removed = edits.remove_clip(copied, "walk")
    assert [each.clip for each in removed.loosenings] == ["again"]
    for document in (renamed, copied, removed):
        validate(document)


def test_a_renamed_joint_is_renamed_in_springs_targets_and_layers() -> None:
    document = edits.add_target(solved(), "walk", PointTarget(0.5, Point("arm.l")))
    loose = replace(document.loosening("walk").looseness, soft=(SpringyPart("skin", "arm.l"),))
    document = edits.set_looseness(document, "walk", loose)
    after = edits.rename_joint(document, "arm.l", "wing")
    validate(after)
    loosening = after.loosening("walk")
    assert set(loosening.looseness.springs) == {"wing", "smile", "hips.rx"}
    assert [part.joint for part in loosening.looseness.soft] == ["wing"]
    hand, pose, wing = loosening.aims
    assert (hand.name, pose.name, wing.name) == ("hand target", "pose target", "wing target")
    assert hand.target.point.joint == "wing"
    assert hand.target.channels == {"wing.rz"}
    assert pose.target.pose == {"wing.rz": 0.2, "smile": 1.0}
    assert edits.rename_joint(after, "wing", "arm.l") == document


def test_a_renamed_joint_renames_layers_of_targets_called_after_it() -> None:
    document = edits.add_target(puppet(), "walk", PointTarget(0.5, Point("arm.l")))
    clip = document.clip("walk")
    document = edits.replace_clip(document, "walk", replace(clip, layers=(*clip.layers, Layer("arm.l target"))))
    after = edits.rename_joint(document, "arm.l", "wing")
    assert layers(after) == ["breath", "polish", "wing target"]
    assert edits.rename_joint(after, "wing", "arm.l") == document


def test_a_joint_cannot_take_the_name_of_a_loose_channel() -> None:
    with pytest.raises(InvalidDocument, match="loose channel called 'smile'"):
        edits.rename_joint(puppet(), "arm.l", "smile")


@pytest.mark.parametrize(
    ("edit", "error", "message"),
    [
        (lambda d: edits.set_looseness(d, "walk", Looseness({"leg": Spring(1.0)})), InvalidDocument, "spring on 'leg'"),
        (
            lambda d: edits.set_looseness(d, "rest", Looseness(window=1.5)),
            InvalidDocument,
            "window, 1.5 s, is longer than",
        ),
        (lambda d: edits.add_target(d, "rest", PointTarget(1.5, HAND)), InvalidDocument, "1.50 s it lies outside"),
        (lambda d: edits.add_target(d, "rest", PoseTarget(1.0, {"leg": 1.0})), InvalidDocument, "channel 'leg'"),
        (lambda d: edits.add_target(d, "walk", PoseTarget(1.0), name="breath"), InvalidDocument, "layer called"),
        (lambda d: edits.add_target(d, "walk", PoseTarget(1.0), name=" "), InvalidDocument, "needs a name"),
        (lambda d: edits.rename_target(d, "walk", "hand target", "pose target"), InvalidDocument, "already a target"),
        (lambda d: edits.remove_target(d, "walk", "foot target"), UnknownName, "no target called 'foot target'"),
        (lambda d: edits.set_looseness(d, "run", Looseness()), UnknownName, "no clip called 'run'"),
        (lambda d: edits.set_springs(d, "walk", {"arm.l": Spring(0.0)}), InvalidLooseness, "stiffness 0 Hz"),
        (lambda d: edits.set_springs(d, "walk", {"arm.l": Spring(-1.0)}), InvalidLooseness, "stiffness -1 Hz"),
    ],
)
def test_refused_at_once(edit, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        edit(puppet())


def test_a_clip_cannot_be_cut_off_before_its_targets() -> None:
    with Editor(puppet()) as editor, pytest.raises(InvalidDocument, match=r"'pose target' of clip 'walk': at 1\.00 s"):
        editor.apply("Cut", lambda document: edits.set_clip_range(document, "walk", 0.0, 0.9))


def test_every_problem_is_named() -> None:
    document = puppet()
    loosening = document.loosening("walk")
    hand, pose = loosening.aims
    broken = replace(
        loosening,
        looseness=replace(
            loosening.looseness, window=5.0, springs={"leg": Spring(1.0)}, soft=(SpringyPart("hat", "leg"),)
        ),
        aims=(
            replace(hand, name=" "),
            replace(hand, target=replace(hand.target, time=7.0, point=BlendedPoint(((Point("leg"), 0.5),)))),
            replace(hand, target=replace(hand.target, channels=frozenset({"knee"}), orientation=(1.0, 1.0, 0.0, 0.0))),
            replace(hand, target=replace(hand.target, point=SoftPoint("skin", 4))),
            pose,
        ),
    )
    found = problems(replace(document, loosenings=(broken, replace(broken, clip="run", aims=()), broken)))
    for part in (
        "looseness of clip 'walk': the name is used 2 times",
        "spring on 'leg', which is neither joint nor channel",
        "its window, 5 s, is longer than the clip, 2 s",
        "target 'hand target' of clip 'walk': the name is used 3 times",
        "softens unknown mesh 'hat'",
        "softens what unknown joint 'leg' carries",
        "mesh 'skin' has no vertex 4",
        "target ' ' of clip 'walk': has no name",
        "at 7.00 s it lies outside the clip, from 0 to 2 s",
        "its point sits on unknown joint 'leg'",
        "weights of its point sum to 0.5 instead of 1",
        "names unknown channel 'knee'",
        "quaternion of length 1.41421 instead of 1",
        "looseness of clip 'run': there is no such clip",
    ):
        assert any(part in line for line in found), part


def test_bends_take_their_springs_along() -> None:
    from inbetweener.document.edits.loosenings import loosenings_without_channel
    from inbetweener.document.edits.renaming import renamed
    from inbetweener.rig.naming import Renaming

    grinning = renamed(puppet(), Renaming(channel=lambda name: {"smile": "grin"}.get(name, name))).loosenings[0]
    assert "grin" in grinning.looseness.springs
    assert grinning.aims[1].target.pose == {"arm.l.rz": 0.2, "grin": 1.0}
    without = loosenings_without_channel(puppet(), "smile")[0]
    assert set(without.looseness.springs) == {"arm.l", "hips.rx"}
    assert without.aims[1].target.pose == {"arm.l.rz": 0.2}
    untouched = puppet()
    assert loosenings_without_channel(untouched, "nothing") is untouched.loosenings
