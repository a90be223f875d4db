"""Layers of FBX: ours where they mean the same, both ways; elsewhere merged, and told. Quaternions between keys."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.formats import read, write
from inbetweener.motion import Curves, Layer
from interop.fbx.judge import judged
from tests.formats.fbx.build import Made

TURN, MOVE, SCALE = "Lcl Rotation", "Lcl Translation", "Lcl Scaling"
BY_CHANNEL = {"RotationAccumulationMode": 1, "ScaleAccumulationMode": 1}
BASE, UPPER = Curve.sampled([0.0, 1.0], [10.0, 90.0]), Curve.sampled([0.0, 0.5, 1.0], [0.0, 30.0, 20.0])
TIMES = np.linspace(0.0, 1.0, 61)


def on_arm(property_: str, **layer: object) -> Made:
    made = Made()
    arm = made.model("arm")
    made.layered()
    made.move(arm, property_, BASE, None, None, rest=(0.0, 5.0, 0.0))
    made.layered(**layer)
    made.move(arm, property_, UPPER, None, None, rest=(0.0, 0.0, 7.0))
    return made


def channels(document: ib.Document, names: str) -> np.ndarray:
    found = document.motion().channels(TIMES)
    return np.stack([found[:, document.rig.channel_index(f"arm.{name}")] for name in names.split()], axis=1)


@pytest.mark.parametrize(("mode", "weight", "share"), [(0, 40.0, 0.4), (2, 40.0, 0.4), (1, 40.0, 1.0)])
def test_layers_by_channel_are_ours(mode: int, weight: float, share: float, tmp_path: Path) -> None:
    """Added; in place of those below by a share; in their place altogether, whatever it weighs."""
    path = on_arm(MOVE, Weight=weight, BlendMode=mode, **BY_CHANNEL).save(tmp_path / "a.fbx")
    document = read(path).document
    (layer,) = document.clip().layers
    assert (layer.weight, layer.override, layer.muted, layer.solo) == (share, mode != 0, False, False)
    below = np.stack([np.interp(TIMES, [0, 1], [10, 90]), np.full(61, 5.0), np.zeros(61)], axis=1)
    above = np.stack([np.interp(TIMES, [0, 0.5, 1], [0, 30, 20]), np.zeros(61), np.full(61, 7.0)], axis=1)
    wanted = below + share * above if mode == 0 else (1 - share) * below + share * above
    np.testing.assert_allclose(100 * channels(document, "tx ty tz"), wanted, atol=1e-5)


def test_weights_that_move_mute_and_solo_come_along(tmp_path: Path) -> None:
    made = on_arm(TURN, Weight=100.0, BlendMode=2, Solo=True, **BY_CHANNEL)
    made.move(made.layer, "Weight", Curve.sampled([0.0, 1.0], [0.0, 100.0]))
    made.layered(Mute=True, **BY_CHANNEL)
    made.move(made.models["arm"], TURN, UPPER, None, None)
    document = read(made.save(tmp_path / "a.fbx")).document
    fading, muted = document.clip().layers
    assert fading.weights is not None
    assert (fading.solo, fading.muted, muted.solo, muted.muted) == (True, False, False, True)
    below, above = np.interp(TIMES, [0, 1], [10, 90]), np.interp(TIMES, [0, 0.5, 1], [0, 30, 20])
    wanted = (1 - TIMES) * below + TIMES * above
    np.testing.assert_allclose(np.degrees(channels(document, "rx")[:, 0]), wanted, atol=1e-4)


def test_layers_that_turn_are_merged_and_the_rest_stays_layers(tmp_path: Path) -> None:
    """Accumulated as quaternions, which nothing of ours does: only what turns is merged, within a hair."""
    made = on_arm(TURN, Weight=50.0, BlendMode=0)
    arm = made.models["arm"]
    made.move(arm, MOVE, UPPER, None, None)
    reading = read(made.save(tmp_path / "a.fbx"))
    (layer,) = reading.document.clip().layers
    assert list(layer.curves) == ["arm.tx"]
    assert any("turn by quaternions" in line for line in reading.notes)
    below = np.stack([np.interp(TIMES, [0, 1], [10, 90]), np.full(61, 5.0), np.zeros(61)], axis=1)
    above = np.stack([np.interp(TIMES, [0, 0.5, 1], [0, 30, 20]), np.zeros(61), np.full(61, 7.0)], axis=1)
    base, more = (Rotation.from_euler("xyz", each, degrees=True) for each in (below, above))
    wanted = base * Rotation.from_rotvec(0.5 * more.as_rotvec())
    found = Rotation.from_euler("xyz", channels(reading.document, "rx ry rz"))
    assert (found * wanted.inv()).magnitude().max() < 2e-6


KEYS = np.array([[10.0, -20.0, 30.0], [80.0, 40.0, -60.0], [150.0, 10.0, 20.0], [60.0, -50.0, 100.0]])
AT = np.array([0.0, 0.3, 0.6, 1.0])


def quaternion_file(tmp_path: Path, mode: int, kinds: int = 0) -> tuple[ib.Document, tuple[str, ...]]:
    made = Made()
    arm = made.model("arm", QuaternionInterpolate=mode)
    smooth = [Curve.sampled(AT, column) for column in KEYS.T]
    made.move(arm, TURN, *(replace(each, interpolations=np.full(4, kinds, np.uint8)) for each in smooth))
    reading = read(made.save(tmp_path / "a.fbx"))
    return reading.document, reading.notes


def test_between_keys_a_node_may_turn_by_quaternions(tmp_path: Path) -> None:
    """Along the shorter arc, as scipy goes; angles alone would be half a radian off."""
    document, notes = quaternion_file(tmp_path, 2, kinds=Curve.sampled([0, 1], [0, 1]).interpolations[0])
    assert any("quaternions between its keys" in line for line in notes)
    wanted = Slerp(AT, Rotation.from_euler("xyz", KEYS, degrees=True))(TIMES)
    found = Rotation.from_euler("xyz", channels(document, "rx ry rz"))
    assert (found * wanted.inv()).magnitude().max() < 3e-5
    plain = np.stack([np.interp(TIMES, AT, column) for column in KEYS.T], axis=1)
    assert (Rotation.from_euler("xyz", plain, degrees=True) * wanted.inv()).magnitude().max() > 0.2
    assert len(document.clip().curves["arm.rx"]) < 40


def squad(times: np.ndarray) -> Rotation:
    """Shoemake's spherical quadrangles, by scipy's rotation vectors."""
    keys = Rotation.from_euler("xyz", KEYS, degrees=True)
    lean = [keys[0], *(
        keys[k] * Rotation.from_rotvec(
            -((keys[k].inv() * keys[k + 1]).as_rotvec() + (keys[k].inv() * keys[k - 1]).as_rotvec()) / 4
        )
        for k in (1, 2)
    ), keys[3]]  # fmt: skip

    def between(a: Rotation, b: Rotation, s: float) -> Rotation:
        return a * Rotation.from_rotvec(s * (a.inv() * b).as_rotvec())

    made = []
    for time in times:
        k = min(int(np.searchsorted(AT, time, side="right")) - 1, 2)
        s = (time - AT[k]) / (AT[k + 1] - AT[k])
        made.append(
            between(between(keys[k], keys[k + 1], s), between(lean[k], lean[k + 1], s), 2 * s * (1 - s)).as_quat()
        )
    return Rotation.from_quat(made)


@pytest.mark.parametrize("mode", [3, 4])
def test_smooth_quaternions_go_through_neighbouring_keys(mode: int, tmp_path: Path) -> None:
    """Whatever the curves are like, or where these are smooth."""
    from inbetweener.curves import BEZIER

    document, _ = quaternion_file(tmp_path, mode, kinds=BEZIER)
    found = Rotation.from_euler("xyz", channels(document, "rx ry rz"))
    assert (found * squad(TIMES).inv()).magnitude().max() < 5e-5


def layered(*layers: Layer) -> ib.Document:
    document = ib.example("flying-robot")
    return replace(document, clips=(replace(document.clip(), layers=layers),))


def wave(size: float, offset: float = 0.0) -> Curve:
    return Curve.sampled([0.0, 0.4, 1.1, 2.0], [offset, offset + size, offset - size, offset])


FADE = Curve.sampled([0.0, 0.5, 1.5], [0.0, 1.0, 0.3])


def some_layers() -> tuple[Layer, ...]:
    """Added, more than all of it added, overriding by a share with a keyed weight, and a part of what is turned."""
    rig = ib.example("flying-robot").rig
    turned = [name for name in (c.name for c in rig.channels) if name.endswith((".rx", ".rz"))][:6]
    moved = [name for name in (c.name for c in rig.channels) if name.endswith((".tx", ".ty", ".tz"))][:3]
    return (
        Layer("lean", Curves({name: wave(0.2) for name in turned[:3]}), 0.7),
        Layer("more", Curves({name: wave(0.05) for name in moved}), 1.6),
        Layer("other", Curves({turned[-1]: wave(0.3, 0.1)}), override=True, weights=FADE),
    )


def test_layers_of_ours_are_layers_there(tmp_path: Path) -> None:
    document = layered(*some_layers())
    losses = write(document, tmp_path / "a.fbx")
    assert not any("layers" in line for line in losses)
    again = read(tmp_path / "a.fbx").document
    assert [(one.name, one.override, one.weight) for one in again.clip().layers] == [
        ("lean", False, pytest.approx(0.7)), ("more", False, 1.0), ("other", True, 1.0),
    ]  # fmt: skip
    times = np.linspace(0.0, document.clip().end, 101)
    order = [again.rig.joint_index(joint.name) for joint in document.rig.joints]
    moved = again.motion().joint_positions(times)[:, order] - document.motion().joint_positions(times)
    assert np.abs(moved).max() < 1e-6
    # Tangents of the base are as they were: nothing was merged.
    for name, curve in document.clip().curves.items():
        assert len(again.clip().curves[name]) == len(curve), name


@pytest.mark.skipif(importlib.util.find_spec("ufbx") is None, reason="ufbx is not installed: pip install ufbx")
def test_layers_of_ours_are_seen_by_others(tmp_path: Path) -> None:
    document = layered(*some_layers())
    write(document, tmp_path / "a.fbx")
    verdict = judged(document, tmp_path / "a.fbx", 8)
    assert max(verdict.on.joints, verdict.between.joints, verdict.on.vertices) < 1e-5


@pytest.mark.parametrize("why", ["muted", "sampled", "overlong"])
def test_layers_that_fbx_has_not_are_merged_and_told(why: str, tmp_path: Path) -> None:
    first, *rest = some_layers()
    changed = {
        "muted": replace(first, muted=True),
        "sampled": first,
        "overlong": replace(first, override=True, weight=1.5),
    }[why]
    document = layered(changed, *rest)
    losses = write(document, tmp_path / "a.fbx", sampled=why == "sampled")
    assert any("the layers of 1 clips are merged" in line for line in losses)
    again = read(tmp_path / "a.fbx").document
    assert not again.clip().layers
    times = document.clip().frame_times
    order = [again.rig.joint_index(joint.name) for joint in document.rig.joints]
    moved = again.motion().joint_positions(times)[:, order] - document.motion().joint_positions(times)
    assert np.abs(moved).max() < 1e-5
