"""Bent bones in formats that know none: joints stay where they were, and what is lost is told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.builtin.characters.bar import LENGTH, bar
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.formats.bvh.read import read as read_bvh
from inbetweener.formats.bvh.write import write as write_bvh
from inbetweener.formats.gltf.read import read as read_gltf
from inbetweener.formats.gltf.write import write as write_gltf
from inbetweener.formats.straighten import straightened
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Bend, Drive, bend_channel

TIMES = (0.0, 0.5, 1.0)


def arc(turn: float, length: float, steps: int = 16) -> np.ndarray:
    """Steps that bend a bone along x into a circular arc about z."""
    at = (np.arange(steps) + 0.5)[:, None] * length / steps * np.array([1.0, 0.0, 0.0])
    turns = np.tile([0.0, 0.0, turn / steps], (steps, 1))
    return np.concatenate([turns, np.cross(at, turns)], axis=1)


def bent_bar(*, bend: float = 2.0, layers: tuple[Layer, ...] = ()) -> Document:
    """Three bones, the middle one bent and keyed as well."""
    document = bar(3)
    rig = replace(
        document.rig,
        channels=(*document.rig.channels, bend_channel("sketch")),
        bends=(Bend("sketch", "sketch", {"bar_2": arc(bend, LENGTH / 3)}),),
    )
    curves = Curves(
        {
            "sketch": Curve.sampled(TIMES, [0.0, 1.0, 0.4]),
            "bar_2.ry": Curve.sampled(TIMES, [0.0, 0.5, -0.5]),
            "bar_3.rz": Curve.sampled(TIMES, [0.2, -0.6, 0.1]),
        }
    )
    return replace(document, rig=rig, clips=(Clip("bend", 1.0, curves=curves, layers=layers),))


def origins(document: Document, times: np.ndarray) -> dict[str, np.ndarray]:
    world = document.rig.world_from_joint(document.motion().channels(times))
    return {joint.name: world[:, number, :, 3] for number, joint in enumerate(document.rig.joints)}


@pytest.mark.parametrize("suffix", [".glb", ".bvh"])
def test_joints_come_back_where_the_bent_bones_had_put_them(tmp_path: Path, suffix: str) -> None:
    document, path = bent_bar(), tmp_path / f"bent{suffix}"
    lost = write_bvh(document, path) if suffix == ".bvh" else write_gltf(document, path)
    assert "bends of bar_2: baked into the joints, a sample a frame; curved bones become straight" in lost
    times = document.clip().frame_times
    back = read_bvh(path, unit=0.01, up="y").document if suffix == ".bvh" else read_gltf(path).document
    expected, found = origins(document, times), origins(back, times)
    assert np.ptp(expected["bar_3"], axis=0).max() > 0.1
    for name, places in expected.items():
        assert np.abs(found[name] - places).max() < 2e-4, name


def test_a_straightened_arc_lies_along_its_chord() -> None:
    document = bent_bar()
    straight = straightened(document)
    assert straight.bones == ("bar_2",)
    times = document.clip().frame_times
    world = straight.document.rig.world_from_joint(straight.document.motion().channels(times))
    joint, child = (straight.document.rig.joint_index(name) for name in ("bar_2", "bar_3"))
    chord = world[:, child, :, 3] - world[:, joint, :, 3]
    along = world[:, joint, :, 0]
    assert np.abs(chord / np.linalg.norm(chord, axis=1, keepdims=True) - along).max() < 1e-6


def test_what_a_layer_adds_is_baked_once() -> None:
    layer = Layer("more", Curves({"bar_2.ry": Curve.constant(0.4), "bar_1.rz": Curve.constant(0.3)}))
    document = bent_bar(layers=(layer,))
    straight = straightened(document).document
    times = document.clip().frame_times
    for name, places in origins(document, times).items():
        assert np.abs(origins(straight, times)[name] - places).max() < 1e-9, name
    assert list(straight.clip().layers[0].curves) == ["bar_1.rz"]


def test_what_a_bends_channel_moves_besides_is_kept() -> None:
    document = bent_bar()
    lifting = Drive("bar_1.ty", 0.3)
    channels = tuple(replace(c, drives=(lifting,)) if c.name == "sketch" else c for c in document.rig.channels)
    document = replace(document, rig=replace(document.rig, channels=channels))
    times = document.clip().frame_times
    expected, found = origins(document, times), origins(straightened(document).document, times)
    assert np.ptp(expected["bar_1"][:, 1]) > 0.25
    for name, places in expected.items():
        assert np.abs(found[name] - places).max() < 1e-9, name


def test_a_bend_that_no_clip_dials_in_costs_nothing() -> None:
    document = bent_bar(bend=0.0)
    straight = straightened(document)
    assert straight.losses() == []
    assert straight.document.clip().curves["bar_2.ry"] is document.clip().curves["bar_2.ry"]
    assert "sketch" not in straight.document.clip().curves
    assert straight.document.rig.bends == ()


def test_only_formats_with_a_skin_tell_of_its_blending(tmp_path: Path) -> None:
    document = replace(bent_bar(), blending="differential")
    told = "differential blending is left out: other programs will blend the skin linearly"
    assert told in write_gltf(document, tmp_path / "bar.glb")
    assert not [line for line in write_bvh(document, tmp_path / "bar.bvh") if "blending" in line]
    assert told not in write_gltf(replace(document, blending="linear"), tmp_path / "bar.glb")


def test_chains_that_handles_turn_are_baked_whole() -> None:
    conductor = ib.example("conductor")
    handle = conductor.rig.handles[0]
    rig = replace(
        conductor.rig,
        channels=(*conductor.rig.channels, bend_channel("sketch")),
        bends=(Bend("sketch", "sketch", {handle.joints[0]: arc(1.0, 0.3)}),),
    )
    clip = conductor.clip()
    curves = clip.curves.replaced({"sketch": Curve.sampled([clip.start, clip.end], [0.0, 1.0])})
    document = replace(conductor, rig=rig, clips=(replace(clip, curves=curves),))
    straight = straightened(document).document
    assert handle.name not in {each.name for each in straight.rig.handles}
    assert len(straight.rig.handles) == len(rig.handles) - 1
    times = clip.frame_times[::12]
    expected, found = origins(document, times), origins(straight, times)
    assert np.abs(expected[handle.tip.joint] - origins(conductor, times)[handle.tip.joint]).max() > 0.05
    for name, places in expected.items():
        assert np.abs(found[name] - places).max() < 1e-8, name
