"""What nobody edits survives: the JSON of source and saved file compared by plain means, without code of ours."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.document import Document, Editor, edits, read_journal, read_native, write_native
from inbetweener.formats import fbx
from inbetweener.formats.files import Reading
from inbetweener.formats.gltf import read, write
from tests.formats.gltf.build import Build
from tests.formats.gltf.oracle import Oracle
from tests.formats.gltf.samples import FOLDER, sample_names

Json = dict[str, Any]
OURS = {"animations", "accessors", "bufferViews", "buffers", "images", "asset"}


def view(file: Oracle, number: int) -> bytes:
    record = file.json["bufferViews"][number]
    start = record.get("byteOffset", 0)
    return bytes(file.buffers[record["buffer"]][start : start + record["byteLength"]])


def rows(file: Oracle, number: int, start: int, count: int, size: int) -> bytes:
    data, stride = view(file, number), file.json["bufferViews"][number].get("byteStride", size)
    return b"".join(data[start + n * stride : start + n * stride + size] for n in range(count))


def accessor(file: Oracle, number: int) -> tuple[Any, ...]:
    """All that an accessor says, byte by byte."""
    record = file.json["accessors"][number]
    component = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
    size = (
        component[record["componentType"]] * {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[record["type"]]
    )
    found: list[Any] = [record.get(name) for name in ("componentType", "type", "count", "normalized", "min", "max")]
    if "bufferView" in record:
        found.append(rows(file, record["bufferView"], record.get("byteOffset", 0), record["count"], size))
    if "sparse" in record:
        sparse = record["sparse"]
        for name, width in (("indices", component[sparse["indices"]["componentType"]]), ("values", size)):
            part = sparse[name]
            found.append(rows(file, part["bufferView"], part.get("byteOffset", 0), sparse["count"], width))
    return tuple(found)


def vertex_accessors(whole: Json) -> set[int]:
    found: set[int] = set()
    for mesh in whole.get("meshes", []):
        for part in mesh["primitives"]:
            found.update(part["attributes"].values())
            found.update([part["indices"]] if "indices" in part else [])
            for target in part.get("targets", []):
                found.update(target.values())
    found.update(skin["inverseBindMatrices"] for skin in whole.get("skins", []) if "inverseBindMatrices" in skin)
    return found


def picture(file: Oracle, image: Json, folder: Path) -> bytes:
    return view(file, image["bufferView"]) if "bufferView" in image else file._bytes(folder / "x", image, b"")


def assert_only_animation_differs(before: Path, after: Path) -> None:
    one, two = Oracle(before), Oracle(after)
    a, b = one.json, two.json
    for name in {*a, *b} - OURS:
        assert a.get(name) == b.get(name), name
    assert {**a["asset"], "generator": ""} == {**b["asset"], "generator": ""}
    for number in vertex_accessors(a):
        assert accessor(one, number) == accessor(two, number)
    assert len(a.get("images", [])) == len(b.get("images", []))
    for first, second in zip(a.get("images", []), b.get("images", []), strict=True):
        assert picture(one, first, before.parent) == picture(two, second, after.parent)


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample_names())
def test_a_saved_file_differs_in_its_animation_alone(name: str, written: Callable[[str], Path]) -> None:
    assert_only_animation_differs(FOLDER / name, written(name))


def rich(folder: Path) -> Path:
    """A triangle with everything that we do not edit."""
    build = Build()
    more = {
        "TANGENT": build.accessor([[1, 0, 0, 1]] * 3),
        "TEXCOORD_0": build.accessor([[0, 0], [1, 0], [0, 1]]),
        "TEXCOORD_1": build.accessor([[0, 0], [0.5, 0], [0, 0.5]]),
        "COLOR_0": build.accessor([[1, 0.5, 0, 1]] * 3),
        "_MARK": build.accessor([1.0, 2.0, 3.0]),
    }
    build.triangle(attributes=more, material=0, extras={"part": 1})
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde"
    image = build.view(png)
    build.json |= {
        "scene": 0,
        "scenes": [{"nodes": [0, 1, 2], "extras": {"mood": "grim"}, "name": "stage"}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}, "extras": {"lens": 50}}],
        "samplers": [{"magFilter": 9728, "minFilter": 9987, "wrapS": 33071, "wrapT": 33648}],
        "images": [{"bufferView": image, "mimeType": "image/png", "name": "skin"}],
        "textures": [{"source": 0, "sampler": 0, "name": "t"}],
        "materials": [
            {
                "name": "hide",
                "pbrMetallicRoughness": {
                    "baseColorFactor": [1, 0.5, 0.25, 1],
                    "metallicFactor": 0.25,
                    "roughnessFactor": 0.75,
                    "metallicRoughnessTexture": {"index": 0, "texCoord": 1},
                },
                "normalTexture": {"index": 0, "scale": 0.5},
                "occlusionTexture": {"index": 0, "strength": 0.5},
                "emissiveTexture": {"index": 0},
                "emissiveFactor": [0.1, 0.2, 0.3],
                "alphaMode": "MASK",
                "alphaCutoff": 0.3,
                "doubleSided": True,
                "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 0.5}},
            }
        ],
        "extensionsUsed": ["KHR_lights_punctual", "KHR_materials_clearcoat", "KHR_animation_pointer", "MADE_up"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "spot", "intensity": 3}]}, "MADE_up": {"of": [1]}},
        "extras": {"file": "mine"},
    }
    build.json["nodes"] = [
        {"mesh": 0, "name": "body", "extras": {"tag": [1, 2]}},
        {"name": "eye", "camera": 0, "translation": [0, 1, 5]},
        {"name": "lamp", "extensions": {"KHR_lights_punctual": {"light": 0}, "MADE_up": 5}},
    ]
    build.animation("translation", [0.0, 1.0, 2.0], [[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    clip = build.json["animations"][0]
    clip |= {"name": "hop", "extras": {"take": 7}}
    blink = {"pointer": "/materials/0/pbrMetallicRoughness/roughnessFactor"}
    clip["channels"].append(
        {"sampler": 1, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": blink}}}
    )
    clip["samplers"].append({"input": build.accessor([0.0, 1.5]), "output": build.accessor([0.75, 0.1])})
    return build.save(folder)


def moved(document: Document) -> Document:
    """The document with one curve changed, as any edit might."""
    clip = document.clips[0]
    name, curve = next(iter(clip.curves.items()))
    changed = Curve.sampled(curve.times, curve.values + 0.125)
    return edits.replace_clip(document, clip.name, replace(clip, curves=clip.curves.replaced({name: changed})))


def pointers(whole: Json) -> list[Json]:
    return [each for each in whole["animations"][0]["channels"] if each["target"]["path"] == "pointer"]


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_everything_beside_the_motion_survives_an_edit(suffix: str, tmp_path: Path) -> None:
    before, after = rich(tmp_path), tmp_path / f"after{suffix}"
    assert write(moved(read(before).document), after) == ()
    assert_only_animation_differs(before, after)
    one, two = Oracle(before), Oracle(after)
    (first,), (second,) = pointers(one.json), pointers(two.json)
    assert second["target"] == first["target"]
    for end in ("input", "output"):
        a, b = (
            accessor(each, each.json["animations"][0]["samplers"][channel["sampler"]][end])
            for each, channel in ((one, first), (two, second))
        )
        assert a == b
    assert two.json["animations"][0]["extras"]["take"] == 7
    assert two.positions(0, np.array([1.0]))[0][0] != pytest.approx(one.positions(0, np.array([1.0]))[0][0])


def test_it_goes_through_our_own_file_the_journal_and_undo(tmp_path: Path) -> None:
    before = rich(tmp_path)
    document = read(before).document
    write_native(document, tmp_path / "a.tween")
    back = read_native(tmp_path / "a.tween")
    assert back == document
    with Editor(back, journal=tmp_path / "a.journal") as editor:
        editor.apply("move", moved)
        editor.undo()
        editor.apply("rename", lambda each: edits.rename_joint(each, "body", "trunk"))
        last = read_journal(tmp_path / "a.journal").history.document
    write(last, tmp_path / "after.glb")
    whole = Oracle(tmp_path / "after.glb").json
    assert [node["name"] for node in whole["nodes"]] == ["trunk", "eye", "lamp"]
    assert whole["nodes"][0]["extras"] == {"tag": [1, 2]}
    assert whole["materials"] == json.loads(before.read_text())["materials"]


def test_saving_again_and_again_adds_nothing(tmp_path: Path) -> None:
    write(read(rich(tmp_path)).document, tmp_path / "1.glb")
    write(read(tmp_path / "1.glb").document, tmp_path / "2.glb")
    write(read(tmp_path / "2.glb").document, tmp_path / "3.glb")
    assert (tmp_path / "2.glb").read_bytes() == (tmp_path / "3.glb").read_bytes()


def test_a_mesh_that_was_changed_is_written_anew_and_the_rest_stays(tmp_path: Path) -> None:
    before = rich(tmp_path)
    document = read(before).document
    mesh = document.meshes[0]
    document = replace(document, meshes=(replace(mesh, vertices=mesh.vertices + 1),))
    (line,) = write(document, tmp_path / "after.glb")
    assert line.startswith("mesh 'body' was changed")
    for word in ("normal maps", "metal and roughness maps", "occlusion maps", "emission", "tangents"):
        assert word in line
    assert np.allclose(read(tmp_path / "after.glb").document.meshes[0].vertices, mesh.vertices + 1)
    whole = Oracle(tmp_path / "after.glb").json
    assert whole["cameras"] == json.loads(before.read_text())["cameras"]
    assert "mesh" not in whole["nodes"][0] or whole["nodes"][0]["mesh"] == 1


@pytest.mark.parametrize(
    "change", [lambda d: edits.rename_clip(d, "hop", "jump"), lambda d: edits.remove_clip(d, "hop")]
)
def test_channels_of_a_clip_that_is_no_more_are_told(change: Callable[[Document], Document], tmp_path: Path) -> None:
    (line,) = write(change(read(rich(tmp_path)).document), tmp_path / "after.glb")
    assert line.startswith("clip 'hop'")
    assert "1 channel" in line
    assert "pointer" in line


def test_other_formats_say_what_they_cannot_hold(tmp_path: Path) -> None:
    losses = fbx.write(read(rich(tmp_path)).document, tmp_path / "a.fbx")
    (line,) = (each for each in losses if "only glTF holds" in each)
    for word in ("normal maps", "metal and roughness maps", "emission", "1 cameras", "KHR_lights_punctual", "extras"):
        assert word in line


def test_an_edit_of_a_real_file_changes_its_animation_alone(opened: Callable[[str], Reading], tmp_path: Path) -> None:
    name = next(each for each in sample_names() if each.endswith("CesiumMan.glb"))
    after = tmp_path / "after.glb"
    write(moved(opened(name).document), after)
    assert_only_animation_differs(FOLDER / name, after)
    assert not np.allclose(*(Oracle(each).positions(0, np.array([1.0])) for each in (FOLDER / name, after)))
