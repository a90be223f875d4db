"""Merged layers show the motion they showed before."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve, Key, Tangent, evaluate
from inbetweener.curves.tangent_presets import smooth
from inbetweener.errors import InvalidDocument, UnknownName
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer, Motion, flatten, merge_into_base, merge_layers
from inbetweener.rig import Joint, Rig, joint_channels
from tests.curves import museum
from tests.motion.figures import arm, wave_clip

RIG = arm(2)
AT = np.linspace(-0.1, 1.1, 61)
WAVE = smooth(Curve.sampled([0.05, 0.3, 0.6, 0.9], [0, 1, -1, 0.2]))
UNEVEN = Curve.from_keys([Key(0, 0, out_tangent=Tangent(0.8, 0.1)), Key(1, 1, in_tangent=Tangent(0.1, 0.4))])
LAYERS = (
    Layer("breath", Curves({"link0.rz": WAVE, "smile": WAVE}), weight=0.5),
    Layer("silent", Curves({"link0.rz": UNEVEN, "root.ty": UNEVEN}), muted=True),
    Layer("shift", Curves({"root.tx": WAVE, "link0.rz": UNEVEN}), weight=-1.5),
)
BASE = replace(wave_clip(RIG, frames=60), layers=LAYERS)


def assert_same_motion(one: Clip, two: Clip, tolerance: float) -> None:
    np.testing.assert_allclose(Motion(RIG, one).channels(AT), Motion(RIG, two).channels(AT), rtol=0, atol=tolerance)


def test_flattening_shows_the_same_motion():
    flat = flatten(RIG, BASE)
    assert flat.layers == ()
    assert_same_motion(flat, BASE, 1e-4)
    assert flat.curves["link1.rx"] is BASE.curves["link1.rx"], "untouched curves are shared"
    assert flat.curves["root.ty"] is BASE.curves["root.ty"], "a muted layer changes nothing"


def test_one_layer_into_the_base_leaves_the_others():
    merged = merge_into_base(RIG, BASE, ["breath"])
    assert [layer.name for layer in merged.layers] == ["silent", "shift"]
    assert_same_motion(merged, BASE, 1e-12)


def test_a_channel_without_a_base_curve_starts_from_its_default():
    joint = Joint("lid", rest=Transform((0.0, 0.25, 0.0)))
    rig = Rig((joint,), joint_channels(joint, "ty"))
    lifted = Clip("lift", 1, layers=(Layer("lift", Curves({"lid.ty": WAVE}), weight=2.0),))
    flat = flatten(rig, lifted)
    np.testing.assert_allclose(Motion(rig, flat).channels(AT)[:, 0], 0.25 + 2 * evaluate(WAVE, AT), atol=1e-12)


def test_several_layers_into_one():
    merged = merge_layers(RIG, BASE, ["breath", "shift"], "both")
    assert [(layer.name, layer.weight, layer.muted) for layer in merged.layers] == [
        ("both", 1.0, False),
        ("silent", 1.0, True),
    ]
    assert set(merged.layer("both").curves) == {"link0.rz", "smile", "root.tx"}
    assert merged.curves is BASE.curves
    assert_same_motion(merged, BASE, 1e-4)
    assert_same_motion(flatten(RIG, merged), BASE, 2e-4)


def test_merging_a_muted_layer_takes_it_away_unseen():
    merged = merge_into_base(RIG, BASE, ["silent"])
    assert [layer.name for layer in merged.layers] == ["breath", "shift"]
    assert merged.curves == BASE.curves


def test_the_tolerance_is_kept_on_uneven_widths():
    clip = Clip("c", 1, curves=Curves({"root.tx": museum.mixed()}), layers=(Layer("u", Curves({"root.tx": UNEVEN})),))
    for tolerance in (1e-2, 1e-5):
        made = flatten(RIG, clip, tolerance)
        at = np.setdiff1d(np.linspace(0, 2.3, 400), museum.mixed().times)
        missed = np.abs(Motion(RIG, made).channels(at) - Motion(RIG, clip).channels(at)).max()
        assert 0 < missed <= tolerance


def test_mistakes_are_named():
    with pytest.raises(UnknownName, match="no layer called 'breth'; did you mean breath"):
        merge_into_base(RIG, BASE, ["breth"])
    with pytest.raises(InvalidDocument, match="already has a layer 'silent'"):
        merge_layers(RIG, BASE, ["breath", "shift"], "silent")
    with pytest.raises(InvalidDocument, match="name the layers"):
        merge_layers(RIG, BASE, [], "nothing")
