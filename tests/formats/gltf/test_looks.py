"""Maps beyond the base colour, as the Studio shows them: those of the kept file, where they lie as the base does."""

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from inbetweener.document import read_native, write_native
from inbetweener.formats import read
from inbetweener.formats.gltf.looks import Look, look_of
from tests.formats.gltf.build import Build

NAMES = ("base", "normal", "occlusion", "emission", "metal-rough")


def picture(shade: int) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.full((2, 2, 3), shade, np.uint8)).save(file, "png")
    return file.getvalue()


def painted() -> Build:
    made = Build()
    made.triangle(material=0)
    made.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = made.accessor([[0, 0], [1, 0], [0, 1]])
    images = [{"bufferView": made.view(picture(50 * n)), "mimeType": "image/png"} for n in range(len(NAMES))]
    made.json |= {
        "images": images,
        "textures": [{"source": n} for n in range(len(NAMES))],
        "materials": [
            {
                "pbrMetallicRoughness": {
                    "baseColorTexture": {"index": 0},
                    "metallicRoughnessTexture": {"index": 4},
                    "roughnessFactor": 0.25,
                },
                "normalTexture": {"index": 1, "scale": 0.5},
                "occlusionTexture": {"index": 2, "strength": 0.75},
                "emissiveTexture": {"index": 3},
                "emissiveFactor": [1, 0.5, 0],
                "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 2}},
            }
        ],
    }
    return made


def look(made: Build, folder: Path) -> Look | None:
    document = read(made.save(folder)).document
    return look_of(document, document.meshes[0])


def test_all_maps_are_found_and_stay_in_native_files(tmp_path: Path) -> None:
    document = read(painted().save(tmp_path)).document
    found = look_of(document, document.meshes[0])
    wanted = {name: picture(50 * n) for n, name in enumerate(NAMES) if n}
    assert found == Look(1.0, 0.25, (2.0, 1.0, 0.0), 0.5, 0.75, wanted)
    write_native(document, tmp_path / "a.tween")
    again = read_native(tmp_path / "a.tween")
    assert look_of(again, again.meshes[0]) == found


def test_maps_that_lie_otherwise_than_the_base_are_left_out(tmp_path: Path) -> None:
    made = painted()
    material: dict[str, Any] = made.json["materials"][0]
    material["normalTexture"]["texCoord"] = 1
    material["occlusionTexture"]["extensions"] = {"KHR_texture_transform": {"scale": [2, 2]}}
    found = look(made, tmp_path)
    assert found is not None
    assert found.maps.keys() == {"emission", "metal-rough"}


def test_what_says_nothing_or_nonsense_is_no_look(tmp_path: Path) -> None:
    made = painted()
    for material in (
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
        {"normalTexture": {"index": 99}, "emissiveFactor": "bright"},
        {"normalTexture": 7, "occlusionTexture": {"index": [1]}, "emissiveFactor": [1]},
    ):
        made.json["materials"] = [material]
        assert look(made, tmp_path) is None
