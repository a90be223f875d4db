"""Edits change what they say, share the rest, and refuse names that are not there."""

import math
from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest

from inbetweener.anatomy import Part
from inbetweener.curves import Curve, Key, Tangent, set_tangent
from inbetweener.document import Document, Loosening, Prop, View, edits, validate
from inbetweener.errors import InbetweenerError, InvalidDocument, InvalidEdit, InvalidRig, UnknownName
from inbetweener.kinodynamics import Looseness, PointTarget, PoseTarget, Spring
from inbetweener.maths.solids import Sphere
from inbetweener.motion import Clip, Kernel, Layer
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Pin
from tests.document.puppet import puppet
from tests.verbs.table import verbs

FLAT = Curve.constant(0.5)
KINKED = set_tangent(Curve.from_keys([Key(0.0, 0.0), Key(1.0, 0.0)]), 0, "out", Tangent(0.3, 0.2)).curve
Edit = Callable[[Document], Document]


def parts_changed(before: Document, after: Document) -> set[str]:
    return {f.name for f in fields(before) if getattr(before, f.name) is not getattr(after, f.name)}


# Every edit, and which field of the document it replaces.
EDITS: dict[str, tuple[Edit, str]] = {
    "add_clip": (lambda d: edits.add_clip(d, Clip("run", 1.0)), "clips"),
    "remove_clip": (lambda d: edits.remove_clip(d, "rest"), "clips"),
    "rename_clip": (lambda d: edits.rename_clip(d, "rest", "idle"), "clips"),
    "duplicate_clip": (lambda d: edits.duplicate_clip(d, "rest", "idle"), "clips"),
    "new_clip": (edits.new_clip, "clips"),
    "block_clip": (lambda d: edits.block_clip(d, "walk"), "clips"),
    "paste_pose": (lambda d: edits.paste_pose(d, "walk", 0.4, {"hips.rx": 0.7}), "clips"),
    "mirror_pose": (lambda d: edits.mirror_pose(d, "walk", 0.4), "clips"),
    "reset_pose": (lambda d: edits.reset_pose(d, "walk", 0.4), "clips"),
    "blend_pose": (lambda d: edits.blend_pose(d, "walk", 0.4, "rest", 0.5), "clips"),
    "set_clip_range": (lambda d: edits.set_clip_range(d, "rest", 1.0, 2.0), "clips"),
    "set_clip_rate": (lambda d: edits.set_clip_rate(d, "rest", 25.0), "clips"),
    "smooth_seam": (
        lambda d: edits.smooth_seam(edits.set_curves(d, "rest", {"hips.rx": KINKED}), clip="rest").document,
        "clips",
    ),
    "set_clip_loops": (lambda d: edits.set_clip_loops(d, "rest", True), "clips"),
    "set_kernels": (lambda d: edits.set_kernels(d, "rest", [Kernel(0.5, 0.1)]), "clips"),
    "set_curves": (lambda d: edits.set_curves(d, "rest", {"hips.rx": FLAT}), "clips"),
    "remove_curves": (lambda d: edits.remove_curves(d, "walk", ["hips.tx"]), "clips"),
    "add_layer": (lambda d: edits.add_layer(d, "rest", Layer("fix")), "clips"),
    "remove_layer": (lambda d: edits.remove_layer(d, "walk", "breath"), "clips"),
    "rename_layer": (lambda d: edits.rename_layer(d, "walk", "breath", "air"), "clips"),
    "move_layer": (lambda d: edits.move_layer(d, "walk", "breath", 1), "clips"),
    "mute_layer": (lambda d: edits.mute_layer(d, "walk", "breath"), "clips"),
    "set_layer_weight": (lambda d: edits.set_layer_weight(d, "walk", "breath", 0.25), "clips"),
    "solo_layer": (lambda d: edits.solo_layer(d, "walk", "breath"), "clips"),
    "override_layer": (lambda d: edits.override_layer(d, "walk", "breath"), "clips"),
    "mask_layer": (lambda d: edits.mask_layer(d, "walk", "breath", ["hips"]), "clips"),
    "merge_layers": (lambda d: edits.merge_layers(d, "walk", ["breath"]), "clips"),
    "flatten_clip": (lambda d: edits.flatten_clip(d, "walk"), "clips"),
    "insert_keys": (lambda d: edits.insert_keys(d, "walk", ["hips.tx"], 0.05), "clips"),
    "delete_keys": (lambda d: edits.delete_keys(d, "walk", "hips.tx", [1]), "clips"),
    "move_key": (lambda d: edits.move_key(d, "walk", "hips.tx", 1, time=0.2, value=1.0), "clips"),
    "retime_keys": (lambda d: edits.retime_keys(d, "walk", ["hips.tx", "arm.l.rz"], shift=0.5), "clips"),
    "set_tangent": (lambda d: edits.set_tangent(d, "walk", "arm.l.rz", 1, "out", Tangent(0.1, 0.1)), "clips"),
    "tie_tangents": (lambda d: edits.tie_tangents(d, "walk", "arm.l.rz"), "clips"),
    "set_interpolation": (lambda d: edits.set_interpolation(d, "walk", "hips.tx", "constant"), "clips"),
    "preset_tangents": (lambda d: edits.preset_tangents(d, "walk", "hips.tx", "smooth"), "clips"),
    "set_limits": (lambda d: edits.set_limits(d, "hips.rx", -1.0, 1.0), "rig"),
    "free": (lambda d: edits.free(d, ["hips.rx"], free=False).document, "rig"),
    "set_roles": (lambda d: edits.set_roles(d, [Part("hips", "root")]), "roles"),
    "set_stiffness": (lambda d: edits.set_stiffness(d, "hips.rx", 2.0), "rig"),
    "skin": (lambda d: edits.skin(d, "differential").document, "blending"),
    "rename_document": (lambda d: edits.rename_document(d, "other"), "name"),
    "set_view": (lambda d: edits.set_view(d, View((0, 0, 1), (0, 0, 0))), "view"),
    "add_prop": (lambda d: edits.add_prop(d, Prop("hat", Sphere(0.2), joint="hips")), "props"),
    "remove_prop": (lambda d: edits.remove_prop(d, "ball"), "props"),
    "replace_prop": (lambda d: edits.replace_prop(d, "ball", Prop("ball", Sphere(1.0))), "props"),
    "add_constraint": (lambda d: edits.add_constraint(d, "rest", Pin(Point("arm.l"))), "constraints"),
    "remove_constraint": (lambda d: edits.remove_constraint(d, "hand pin"), "constraints"),
    "switch_constraint": (lambda d: edits.switch_constraint(d, "hips contact", True), "constraints"),
    "replace_rule": (lambda d: edits.replace_rule(d, "hand pin", Contact(Point("hips"), 0.0, 1.0)), "constraints"),
    "rename_constraint": (lambda d: edits.rename_constraint(d, "hand pin", "wave"), "constraints"),
    "set_looseness": (lambda d: edits.set_looseness(d, "rest", Looseness({"arm.l": Spring(2.0)})), "loosenings"),
    "set_springs": (lambda d: edits.set_springs(d, "walk", {"smile": None}), "loosenings"),
    "switch_looseness": (lambda d: edits.switch_looseness(d, "walk", False), "loosenings"),
    "replace_loosening": (lambda d: edits.replace_loosening(d, Loosening("walk")), "loosenings"),
    "add_target": (lambda d: edits.add_target(d, "rest", PointTarget(1.0, Point("arm.l"))), "loosenings"),
    "remove_target": (lambda d: edits.remove_target(d, "walk", "hand target"), "loosenings"),
    "replace_target": (lambda d: edits.replace_target(d, "walk", "hand target", PoseTarget(2.0)), "loosenings"),
    "switch_target": (lambda d: edits.switch_target(d, "walk", "hand target", False), "loosenings"),
    "rename_target": (lambda d: edits.rename_target(d, "walk", "hand target", "tap"), "loosenings"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_replaces_one_part_and_shares_the_others(name: str) -> None:
    edit, part = EDITS[name]
    before, untouched = puppet(), puppet()
    after = edit(before)
    assert parts_changed(before, after) == {part}
    assert after != before
    assert before == untouched
    validate(after)


def test_every_edit_is_tried_here() -> None:
    reading = {
        "Result",
        "add_terms",
        "curve_of",
        "curves_of",
        "guide_request",
        "sketched_at",
        "targets_of",
        "copy_keys",
        "own_pose",
    }
    several = {"sketch_pose", "remove_bend", "rename_bend"}  # rig and clips at once: tests of sketches
    several |= {"only", "place"}  # all parts at once: tests of several characters
    several |= {"solved_targets", "forget_roles"}  # tests of solving, and of anatomy
    several |= {"shift_clip", "reverse_clip", "filter_angles"}  # constraints too, or nothing at all: tests of poses
    several |= {"cut_keys"}  # keys of several channels: tests of copied keys
    # Verbs are tried in tests/verbs, and their promises where their themes are.
    elsewhere = verbs() | {"guided", "key_pose", "rename_joint", "replace_clip", "replace_layer", *several}
    assert set(edits.__all__) - reading - elsewhere == set(EDITS) - verbs()


def test_other_clips_and_curves_are_shared() -> None:
    before = puppet()
    after = edits.set_curves(before, "walk", {"hips.rx": FLAT})
    assert after.clip("rest") is before.clip("rest")
    assert after.clip("walk").curves["arm.l.rz"] is before.clip("walk").curves["arm.l.rz"]
    assert after.clip("walk").layers is before.clip("walk").layers
    assert after.clip("walk").curves["hips.rx"] is FLAT


def test_other_layers_are_shared() -> None:
    before = puppet()
    after = edits.set_curves(before, "walk", {"hips.rx": FLAT}, layer="breath")
    assert after.clip("walk").layer("polish") is before.clip("walk").layer("polish")
    assert after.clip("walk").curves is before.clip("walk").curves
    assert set(after.clip("walk").layer("breath").curves) == {"hips.ty", "hips.rx"}


def test_other_channels_are_shared() -> None:
    before = puppet()
    after = edits.set_limits(before, "hips.rx", -1.0, math.inf)
    changed = [c.name for c, old in zip(after.rig.channels, before.rig.channels, strict=True) if c is not old]
    assert changed == ["hips.rx"]
    assert after.rig.joints is before.rig.joints


def test_a_duplicate_shares_its_curves_and_stands_behind_the_original() -> None:
    after = edits.duplicate_clip(puppet(), "walk", "walk 2")
    assert [clip.name for clip in after.clips] == ["walk", "walk 2", "rest"]
    assert after.clip("walk 2").curves is after.clip("walk").curves


def test_layers_move_to_the_place_asked_for() -> None:
    document = edits.add_layer(puppet(), "walk", Layer("top"))
    moved = edits.move_layer(document, "walk", "top", 0)
    assert [layer.name for layer in moved.clip("walk").layers] == ["top", "breath", "polish"]


def test_deleting_all_keys_removes_the_curve() -> None:
    after = edits.delete_keys(puppet(), "walk", "hips.tx", [0, 1, 2])
    assert "hips.tx" not in after.clip("walk").curves


def test_inserting_a_key_keeps_the_motion() -> None:
    before = puppet()
    after = edits.insert_keys(before, "walk", ["arm.l.rz"], 0.2)
    times = np.linspace(0, 2, 101)
    assert len(edits.curve_of(after, "walk", "arm.l.rz")) == 5
    np.testing.assert_allclose(after.motion().channels(times), before.motion().channels(times), atol=1e-12)


def test_merging_layers_keeps_the_motion() -> None:
    before = edits.mute_layer(puppet(), "walk", "polish", False)
    times = np.linspace(0, 2, 101)
    for merged, left in (
        (edits.merge_layers(before, "walk", ["breath"]), ["polish"]),
        (edits.merge_layers(before, "walk", ["breath", "polish"], into="both"), ["both"]),
        (edits.flatten_clip(before, "walk"), []),
    ):
        assert [layer.name for layer in merged.clip("walk").layers] == left
        np.testing.assert_allclose(merged.motion().channels(times), before.motion().channels(times), atol=2e-4)


UNKNOWN: dict[str, Edit] = {
    "no clip called 'wlak'; did you mean walk?": lambda d: edits.remove_clip(d, "wlak"),
    "no layer called 'brath'; did you mean breath?": lambda d: edits.mute_layer(d, "walk", "brath"),
    "no channel called 'leg.rx'": lambda d: edits.set_curves(d, "walk", {"leg.rx": FLAT}),
    "no channel called 'leg.ry'": lambda d: edits.set_stiffness(d, "leg.ry", 1.0),
    "no curve called 'bend'": lambda d: edits.delete_keys(d, "walk", "bend", [0]),
    "no curve called 'hips.rx'": lambda d: edits.remove_curves(d, "walk", ["hips.rx"]),
    "no joint called 'leg'": lambda d: edits.rename_joint(d, "leg", "foot"),
    "no joint called 'foot'": lambda d: edits.add_prop(d, Prop("shoe", Sphere(0.1), joint="foot")),
    "no prop called 'bell'; did you mean ball?": lambda d: edits.remove_prop(d, "bell"),
    "no tangent preset called 'bouncy'": lambda d: edits.preset_tangents(d, "walk", "hips.tx", "bouncy"),
}


@pytest.mark.parametrize("message", UNKNOWN)
def test_unknown_names(message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        UNKNOWN[message](puppet())
    assert str(caught.value).startswith(message)


REFUSED: dict[str, tuple[type[InbetweenerError], Edit]] = {
    "already a clip called 'rest'": (InvalidDocument, lambda d: edits.rename_clip(d, "walk", "rest")),
    "a clip needs a name": (InvalidDocument, lambda d: edits.duplicate_clip(d, "walk", "")),
    "lies before start": (InvalidDocument, lambda d: edits.set_clip_range(d, "walk", 1.0, 0.0)),
    "must be positive": (InvalidDocument, lambda d: edits.set_clip_rate(d, "walk", 0.0)),
    "1e-310 frames a second are not within": (InvalidEdit, lambda d: edits.set_clip_rate(d, "walk", 1e-310)),
    "already has a layer called 'polish'": (
        InvalidDocument,
        lambda d: edits.rename_layer(d, "walk", "breath", "polish"),
    ),
    "a layer needs a name": (InvalidDocument, lambda d: edits.add_layer(d, "walk", Layer(""))),
    "has 2 layers; there is no place 2": (InvalidDocument, lambda d: edits.move_layer(d, "walk", "breath", 2)),
    "must be a finite number": (InvalidDocument, lambda d: edits.set_layer_weight(d, "walk", "breath", math.inf)),
    "a layer needs a name$": (InvalidDocument, lambda d: edits.merge_layers(d, "walk", ["breath"], into=" ")),
    "is above upper limit": (InvalidRig, lambda d: edits.set_limits(d, "bend", 1.0, 0.0)),
    "must be positive and finite": (InvalidRig, lambda d: edits.set_stiffness(d, "bend", 0.0)),
    "already a joint called 'arm.l'": (InvalidDocument, lambda d: edits.rename_joint(d, "hips", "arm.l")),
    "a joint needs a name": (InvalidDocument, lambda d: edits.rename_joint(d, "hips", "")),
    "already a prop called 'ball'": (InvalidDocument, lambda d: edits.add_prop(d, Prop("ball", Sphere(1.0)))),
    "a document needs a name": (InvalidDocument, lambda d: edits.rename_document(d, "")),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message: str) -> None:
    kind, edit = REFUSED[message]
    with pytest.raises(kind, match=message):
        edit(puppet())


def test_the_museum_of_curves_can_be_keyed() -> None:
    """Presets on a curve with a single key, which has no segment."""
    document = edits.set_curves(puppet(), "rest", {"hips.rx": FLAT})
    for preset in ("smooth", "flat", "linear", "stepped"):
        after = edits.preset_tangents(document, "rest", "hips.rx", preset)
        assert edits.curve_of(after, "rest", "hips.rx").values[0] == 0.5
