"""A mesh in many places: as many meshes, each where plain matrices put it; and the file as it was when it is saved."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.errors import FormatError
from inbetweener.formats import read, write
from tests.formats.gltf.build import Build
from tests.formats.gltf.test_whole import assert_only_animation_differs

NAME = "EXT_mesh_gpu_instancing"


def grove() -> tuple[Build, dict[str, np.ndarray]]:
    rng = np.random.default_rng(7)
    made = Build()
    made.triangle()
    told = {
        "TRANSLATION": rng.normal(size=(5, 3)).astype(np.float32),
        "ROTATION": Rotation.from_rotvec(rng.normal(size=(5, 3))).as_quat().astype(np.float32),
        "SCALE": rng.uniform(0.5, 2.0, (5, 3)).astype(np.float32),
    }
    attributes = {name: made.accessor(values) for name, values in told.items()}
    made.json["nodes"][0] |= {"extensions": {NAME: {"attributes": attributes}}, "translation": [1, 2, 3]}
    made.json["extensionsUsed"] = made.json["extensionsRequired"] = [NAME]
    return made, told


def test_every_place_is_a_mesh(tmp_path: Path) -> None:
    made, told = grove()
    path = made.save(tmp_path)
    document = read(path).document
    assert len({mesh.name for mesh in document.meshes}) == len(document.meshes) == 5
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    for n, mesh in enumerate(document.meshes):
        turned = Rotation.from_quat(told["ROTATION"][n]).apply(corners * told["SCALE"][n])
        bind = mesh.joint_from_mesh[0]
        np.testing.assert_allclose(
            mesh.vertices @ bind[:, :3].T + bind[:, 3], turned + told["TRANSLATION"][n], atol=1e-5
        )
    write(document, tmp_path / "saved.gltf")
    assert_only_animation_differs(path, tmp_path / "saved.gltf")


def test_places_that_make_no_sense(tmp_path: Path) -> None:
    made, _ = grove()
    made.json["nodes"][0]["extensions"][NAME] = {"attributes": 3}
    reading = read(made.save(tmp_path))
    assert len(reading.document.meshes) == 1
    assert any("shown once" in line for line in reading.losses)
    made.json["nodes"][0]["extensions"][NAME] = {"attributes": {"TRANSLATION": 99}}
    with pytest.raises(FormatError, match="no accessor 99"):
        read(made.save(tmp_path))
