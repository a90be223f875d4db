"""Motions: base and layers evaluated together, joints and points against plain trigonometry."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.curves import Curve, evaluate
from inbetweener.errors import UnknownName
from inbetweener.motion import Clip, Curves, Layer, Motion
from inbetweener.rig import Point
from tests.motion.figures import arm, wave_clip

RIG = arm(2)
CLIP = wave_clip(RIG, frames=60)
AT = np.linspace(-0.1, 1.2, 37)


def column(rig, name):
    return rig.channel_index(name)


def test_channels_are_the_curves_in_the_order_of_the_rig():
    values = Motion(RIG, CLIP).channels(AT)
    for c, channel in enumerate(RIG.channels):
        np.testing.assert_array_equal(values[:, c], evaluate(CLIP.curves[channel.name], AT))


def test_a_channel_without_a_curve_keeps_its_default():
    values = Motion(RIG, Clip("empty", 1)).channels(AT)
    np.testing.assert_array_equal(values, np.tile(RIG.defaults, (len(AT), 1)))
    assert RIG.defaults[column(RIG, "root.tx")] == 0


def test_layers_add_scaled_and_muted_ones_do_not():
    bump = Curve.sampled([0, 0.5, 1], [0, 1, 0])
    layers = (
        Layer("a", Curves({"link0.rz": bump, "curl": bump}), weight=0.5),
        Layer("b", Curves({"link0.rz": bump}), weight=-2.0),
        Layer("silent", Curves({"link0.rz": bump}), muted=True),
        Layer("weightless", Curves({"root.tx": bump}), weight=0.0),
        Layer("empty"),
    )
    plain, layered = Motion(RIG, CLIP), Motion(RIG, replace(CLIP, layers=layers))
    for method in ("channels", "channel_motion"):
        difference = getattr(layered, method)(AT) - getattr(plain, method)(AT)
        added = Motion(RIG, Clip("bump", 1, curves=Curves({"link0.rz": bump})))
        shape = getattr(added, method)(AT)[:, column(RIG, "link0.rz")]
        np.testing.assert_allclose(difference[:, column(RIG, "link0.rz")], -1.5 * shape, atol=1e-12)
        np.testing.assert_allclose(difference[:, column(RIG, "curl")], 0.5 * shape, atol=1e-12)
        others = [c for c in range(len(RIG.channels)) if c not in (column(RIG, "link0.rz"), column(RIG, "curl"))]
        np.testing.assert_array_equal(difference[:, others], 0)


def changed_clips():
    shift = {name: replace(curve, values=curve.values + 0.1) for name, curve in list(CLIP.curves.items())[1:3]}
    bump = Curve.sampled([0, 0.5, 1], [0, 1, 0])
    few = replace(CLIP, curves=CLIP.curves.replaced(shift))
    return {
        "the same": CLIP,
        "other values": few,
        "other keys": replace(CLIP, curves=CLIP.curves.replaced({"link0.rz": bump})),
        "one less": replace(CLIP, curves=CLIP.curves.replaced({"link0.rz": None})),
        "one more": replace(few, curves=Curves({**few.curves, "curl": bump})),
        "a layer": replace(few, layers=(Layer("a", Curves({"link0.rz": bump})),)),
    }


@pytest.mark.parametrize("after", changed_clips())
@pytest.mark.parametrize("before", changed_clips())
def test_what_a_twin_has_compiled_changes_nothing(before, after):
    clips = changed_clips()
    twin = Motion(RIG, clips[before])
    kept = twin.channels(AT)
    made = Motion(RIG, clips[after], twin)
    np.testing.assert_array_equal(made.channel_motion(AT), Motion(RIG, clips[after]).channel_motion(AT))
    np.testing.assert_array_equal(twin.channels(AT), kept)
    assert not made.base.values.flags.writeable


def test_a_twin_of_another_rig_is_not_taken_over():
    other = Motion(arm(3), Clip("empty", 1))
    np.testing.assert_array_equal(Motion(RIG, CLIP, other).channels(AT), Motion(RIG, CLIP).channels(AT))


def test_a_bent_arm_is_where_trigonometry_says():
    angle = np.array([0.0, 0.4, 1.3])
    clip = Clip("bend", 1, curves=Curves({"link0.rz": Curve.sampled([0, 0.5, 1], angle)}))
    motion = Motion(RIG, clip)
    positions = motion.joint_positions([0, 0.5, 1])
    tip = np.stack([-0.3 * np.sin(angle), 0.3 + 0.3 * np.cos(angle), np.zeros(3)], axis=-1)
    np.testing.assert_allclose(positions[:, RIG.joint_index("link1")], tip, atol=1e-15)
    point = motion.point_positions([0, 0.5, 1], [Point("link0", (0.0, 0.3, 0.0)), Point("link1")])
    np.testing.assert_allclose(point[:, 0], tip, atol=1e-15)
    np.testing.assert_allclose(point[:, 1], tip, atol=1e-15)


def test_a_curve_for_no_channel_is_refused():
    wrong = Curves({"link0.rzz": Curve.constant(1)})
    with pytest.raises(UnknownName, match=r"no channel called 'link0\.rzz'; did you mean link0\.rz"):
        Motion(RIG, Clip("c", 1, curves=wrong))
    with pytest.raises(UnknownName, match="no channel called"):
        Motion(RIG, Clip("c", 1, layers=(Layer("l", wrong),)))
