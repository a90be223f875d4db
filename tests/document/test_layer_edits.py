"""Layers made by hand, judged by plain sums of curves that an evaluator of our own has not touched."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.document import Document, edits
from inbetweener.document.native.read import native_text
from inbetweener.errors import InvalidDocument, InvalidEdit, LossWarning
from inbetweener.motion import Layer
from inbetweener.motion.clip import Curves
from tests.curves.reference import value_at
from tests.document.puppet import puppet

AT = np.linspace(0.0, 2.0, 41)
NAMES = ("hips.tx", "hips.ty", "arm.l.rz", "arm.l.rx")


def eased(*pairs: tuple[float, float]) -> Curve:
    return smooth(Curve.sampled(*map(list, zip(*pairs, strict=True))))


def stacked() -> Document:
    """Two layers that add, one of them fading, and one between them that overrides by half, masked to the arm."""
    document = edits.remove_layer(edits.remove_layer(puppet(), "walk", "breath"), "walk", "polish")
    for layer in (
        Layer(
            "sway", Curves({"hips.tx": eased((0.0, 0.0), (1.0, 0.3), (2.0, 0.1)), "arm.l.rz": eased((0, 1), (2, 0))})
        ),
        Layer("pose", Curves({"arm.l.rz": eased((0.2, 0.4), (1.7, -0.3)), "hips.ty": Curve.constant(9.0)}), 0.5),
        Layer("lift", Curves({"hips.ty": eased((0.0, 0.2), (2.0, 0.4)), "arm.l.rz": Curve.constant(0.25)}), -0.5),
    ):
        document = edits.add_layer(document, "walk", layer)
    document = edits.mask_layer(edits.override_layer(document, "walk", "pose"), "walk", "pose", ["arm.l"])
    for frame, weight in ((0, 0.0), (24, 1.0), (48, 0.25)):
        document = edits.layer(document, "sway", weight=weight, frame=frame, clip="walk").document
    return document


def plain(document: Document, name: str, times: np.ndarray) -> np.ndarray:
    """A channel by the rules alone: x + w·c, or (1 − w)·x + w·c."""
    clip, channel = document.clip("walk"), document.rig.channel(name)
    alone = any(layer.solo for layer in clip.layers)
    found = []
    for t in times:
        value = value_at(clip.curves[name], t) if name in clip.curves else channel.default
        for layer in clip.layers:
            masked = layer.joints and name.rpartition(".")[0] not in layer.joints
            if layer.muted or (alone and not layer.solo) or masked or name not in layer.curves:
                continue
            weight = layer.weight if layer.weights is None else value_at(layer.weights, t)
            own = value_at(layer.curves[name], t)
            value = (1 - weight) * value + weight * own if layer.override else value + weight * own
        found.append(value)
    return np.array(found)


def assert_plain(document: Document, like: Document, tolerance: float = 1e-9) -> None:
    values = document.motion("walk").channels(AT)
    for name in NAMES:
        column = document.rig.channel_index(name)
        np.testing.assert_allclose(values[:, column], plain(like, name, AT), rtol=0, atol=tolerance, err_msg=name)


def test_what_is_seen_is_what_the_rules_say():
    document = stacked()
    assert_plain(document, document)
    for changed in (
        edits.mute_layer(document, "walk", "pose"),
        edits.solo_layer(document, "walk", "lift"),
        edits.mask_layer(document, "walk", "pose", []),
        edits.move_layer(document, "walk", "pose", 2),
    ):
        assert_plain(changed, changed)
        assert not np.allclose(changed.motion("walk").channels(AT), document.motion("walk").channels(AT))


def test_velocities_and_accelerations_follow_weights_and_overrides():
    motion, step = stacked().motion("walk"), 1e-5
    at = np.array([0.21, 0.8, 1.33])
    told = motion.channel_motion(at)
    before, now, after = (motion.channels(at + by) for by in (-step, 0.0, step))
    np.testing.assert_allclose(told[..., 1], (after - before) / (2 * step), atol=1e-6)
    np.testing.assert_allclose(told[..., 2], (after - 2 * now + before) / step**2, atol=1e-3)


@pytest.mark.parametrize("order", [("sway", "pose", "lift"), ("sway", "pose")])
def test_merged_into_the_base_it_moves_as_before(order: tuple[str, ...]):
    document = merged = stacked()
    for name in order:
        result = edits.merge(merged, name, clip="walk")
        assert result.error <= 1e-6
        merged = result.document
    assert len(merged.clip("walk").layers) == 3 - len(order)
    assert_plain(merged, document, 2e-6)


def test_merged_down_a_layer_takes_in_the_one_above():
    document = edits.remove_layer(stacked(), "walk", "pose")
    merged = edits.merge(document, "lift", down=True, clip="walk").document
    assert [layer.name for layer in merged.clip("walk").layers] == ["sway"]
    assert_plain(merged, document, 2e-6)
    with pytest.raises(InvalidDocument, match="do not make one layer"):
        edits.merge(stacked(), "pose", down=True, clip="walk")
    with pytest.raises(InvalidDocument, match="cannot be merged past 'pose'"):
        edits.merge(stacked(), "lift", clip="walk")
    with pytest.raises(InvalidEdit, match="no layer below"):
        edits.merge(stacked(), "sway", down=True, clip="walk")


@pytest.mark.parametrize("layer", [None, "sway", "pose", "lift"])
def test_a_pose_is_keyed_on_the_chosen_layer(layer: str | None):
    document = stacked()
    time, column = 1.0, document.rig.channel_index("arm.l.rz")
    pose = document.motion("walk").channels([time])[0]
    pose[column] += 0.2
    made = edits.key_pose(document, "walk", time, pose, layer=layer)
    assert plain(made, "arm.l.rz", np.array([time]))[0] == pytest.approx(pose[column], abs=1e-9)
    for old, new in zip(document.clip("walk").layers, made.clip("walk").layers, strict=True):
        assert (old.curves == new.curves) == (old.name != layer)
    pulled = edits.pull(
        document, "hand", frame=24, by=(0.02, -0.01, 0.0), clip="walk", layer=layer, key=True, own=False
    )
    assert pulled.reached or layer == "pose"
    blended = edits.blend_pose(document, "walk", time, "push", 0.5, layer=layer)
    assert blended != document or layer == "lift"


def test_what_cannot_be_seen_is_refused():
    document = edits.mute_layer(stacked(), "walk", "lift")
    pose = document.motion("walk").channels([1.0])[0] + 0.1
    with pytest.raises(InvalidEdit, match="'lift' is muted"):
        edits.key_pose(document, "walk", 1.0, pose, layer="lift")


def test_files_keep_all_of_it_and_exports_show_it(tmp_path):
    document = stacked()
    ib.save(document, tmp_path / "a.tween")
    assert native_text(ib.load(tmp_path / "a.tween")) == native_text(document)
    document = edits.remove_clip(document, "rest")
    frames = document.clip("walk").frame_times
    wanted = document.motion("walk").joint_positions(frames)
    for suffix in ("glb", "fbx", "bvh"):
        with pytest.warns(LossWarning):
            ib.save(document, tmp_path / f"a.{suffix}")
        read = ib.load(tmp_path / f"a.{suffix}")
        clip = read.clips[0].name
        for joint in ("hips", "arm.l"):
            name = next(each.name for each in read.rig.joints if each.name.replace("_", ".") == joint)
            got = read.motion(clip).joint_positions(frames)[:, read.rig.joint_index(name)]
            np.testing.assert_allclose(got, wanted[:, document.rig.joint_index(joint)], atol=2e-4)
