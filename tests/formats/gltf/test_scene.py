"""Nodes as joints: which are kept, how they are named, what a matrix becomes; and what clips say of time."""

from pathlib import Path

import numpy as np
import pytest

from inbetweener.formats.gltf import read
from tests.formats.gltf.build import Build


def test_names_are_made_unique_and_never_empty(tmp_path: Path) -> None:
    build = Build()
    names = ["arm", "arm", None, "", "arm_1", "arm"]
    build.json["nodes"] = [{"name": name} if name is not None else {} for name in names]
    reading = read(build.save(tmp_path))
    assert [joint.name for joint in reading.document.rig.joints] == [
        "arm", "arm_2", "node_2", "node_3", "arm_1", "arm_3",
    ]  # fmt: skip
    assert any("share their name" in line for line in reading.repairs)


def test_nodes_outside_scenes_are_kept_only_when_needed(tmp_path: Path) -> None:
    build = Build()
    build.json |= {
        "nodes": [{"name": "seen"}, {"name": "unused"}, {"name": "above", "children": [3]}, {"name": "moved"}],
        "scenes": [{"nodes": [0]}],
    }
    build.animation("translation", [0, 1], [[0, 0, 0], [1, 0, 0]], node=3)
    joints = read(build.save(tmp_path)).document.rig.joints
    assert [joint.name for joint in joints] == ["seen", "above", "moved"]
    assert joints[2].parent == 1


def test_matrices_are_taken_to_pieces_and_shear_is_told(tmp_path: Path) -> None:
    build = Build()
    mirrored = np.array([[0, -2, 0, 1], [1, 0, 0, 2], [0, 0, -3, 4], [0, 0, 0, 1.0]])
    sheared = np.eye(4)
    sheared[0, 1] = 0.5
    build.json["nodes"] = [{"matrix": m.T.ravel().tolist()} for m in (mirrored, sheared)]
    reading = read(build.save(tmp_path))
    assert reading.document.rig.rest_world()[0] == pytest.approx(mirrored[:3], abs=1e-12)
    assert next(line for line in reading.losses if "shear" in line).startswith("/nodes/1/matrix")


@pytest.mark.parametrize("rate", [24.0, 25.0, 30.0, 60.0, 120.0, 30000 / 1001])
def test_the_rate_is_guessed_from_the_keys(rate: float, tmp_path: Path) -> None:
    build = Build()
    build.json["nodes"] = [{}]
    times = np.arange(5, 48) / rate
    build.animation("translation", times, np.zeros((len(times), 3)))
    clip = read(build.save(tmp_path)).document.clips[0]
    assert clip.rate == pytest.approx(rate)
    assert clip.start == 0.0
    assert clip.end == pytest.approx(times[-1])


def test_keys_off_any_frame_get_the_usual_rate(tmp_path: Path) -> None:
    build = Build()
    build.json["nodes"] = [{}]
    times = np.cumsum(np.abs(np.sin(np.arange(20) + 1.0)))
    build.animation("translation", times, np.zeros((len(times), 3)))
    assert read(build.save(tmp_path)).document.clips[0].rate == 24.0


def test_cubic_translations_are_exact_beziers(tmp_path: Path) -> None:
    build = Build()
    build.json["nodes"] = [{}]
    rng = np.random.default_rng(3)
    times = np.array([0.0, 0.7, 1.0, 2.5], np.float32)
    ins, values, outs = rng.normal(size=(3, 4, 3)).astype(np.float32)
    build.animation("translation", times, np.stack([ins, values, outs], axis=1).reshape(-1, 3), "CUBICSPLINE")
    clip = read(build.save(tmp_path)).document.clips[0]
    for axis, name in enumerate(("node_0.tx", "node_0.ty", "node_0.tz")):
        curve = clip.curves[name]
        assert len(curve) == 4
        assert curve.outs[:-1, 0] == pytest.approx(np.diff(curve.times) / 3)
        assert curve.outs[:-1, 1] / curve.outs[:-1, 0] == pytest.approx(outs[:-1, axis].astype(float))
        assert curve.ins[1:, 1] / curve.ins[1:, 0] == pytest.approx(ins[1:, axis].astype(float))
        assert not curve.tied[1:-1].any()
