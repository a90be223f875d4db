"""Small VRM characters made in tests, of 0.x and 1.0: a person in a T pose with hair, a face and a licence."""

import json
import struct
from pathlib import Path
from typing import Any

from tests.formats.gltf.build import Build

Json = dict[str, Any]

# Name of the VRM 1.0 bone: its parent, and where it is in it when the body looks along +Z.
BONES: dict[str, tuple[str | None, tuple[float, float, float]]] = {
    "hips": (None, (0, 1.0, 0)),
    "spine": ("hips", (0, 0.12, 0)),
    "chest": ("spine", (0, 0.15, 0)),
    "neck": ("chest", (0, 0.2, 0)),
    "head": ("neck", (0, 0.1, 0)),
    "leftEye": ("head", (0.03, 0.06, 0.08)),
    "rightEye": ("head", (-0.03, 0.06, 0.08)),
    "leftShoulder": ("chest", (0.04, 0.15, 0)),
    "leftUpperArm": ("leftShoulder", (0.12, 0, 0)),
    "leftLowerArm": ("leftUpperArm", (0.26, 0, 0)),
    "leftHand": ("leftLowerArm", (0.25, 0, 0)),
    "rightShoulder": ("chest", (-0.04, 0.15, 0)),
    "rightUpperArm": ("rightShoulder", (-0.12, 0, 0)),
    "rightLowerArm": ("rightUpperArm", (-0.26, 0, 0)),
    "rightHand": ("rightLowerArm", (-0.25, 0, 0)),
    "leftUpperLeg": ("hips", (0.09, -0.05, 0)),
    "leftLowerLeg": ("leftUpperLeg", (0, -0.42, 0)),
    "leftFoot": ("leftLowerLeg", (0, -0.42, 0)),
    "leftToes": ("leftFoot", (0, -0.08, 0.14)),
    "rightUpperLeg": ("hips", (-0.09, -0.05, 0)),
    "rightLowerLeg": ("rightUpperLeg", (0, -0.42, 0)),
    "rightFoot": ("rightLowerLeg", (0, -0.42, 0)),
    "rightToes": ("rightFoot", (0, -0.08, 0.14)),
}
HAIR = {"hair_1": 0.1, "hair_2": 0.08, "hair_3": 0.06, "hair_end": 0.0}
"""Joints of a pony tail, each with the way down to the next."""
SHAPES = ("Joy", "Blink_L", "Blink_R", "Brow")


def person(version: int, **springs: Any) -> Build:
    """A character of VRM 0 or 1; `springs` are numbers of its hair."""
    made = Build()
    sign = 1.0 if version else -1.0
    names = [*BONES, *HAIR]
    nodes: list[Json] = [{"name": f"{name}.jnt" if name in BONES else name} for name in names]
    for n, (parent, (x, y, z)) in enumerate(BONES.values()):
        nodes[n]["translation"] = [sign * x, y, sign * z]
        if parent is not None:
            nodes[names.index(parent)].setdefault("children", []).append(n)
    above, offset = names.index("head"), [0.0, 0.1, -0.08 * sign]
    for name, down in HAIR.items():
        n = names.index(name)
        nodes[above].setdefault("children", []).append(n)
        nodes[n]["translation"] = offset
        above, offset = n, [0.0, -down, 0.0]
    face, points = len(nodes), [[0, 0, 0.1], [0.05, 0, 0.1], [0, 0.05, 0.1]]
    attributes = {"POSITION": made.accessor(points)}
    targets = [{"POSITION": made.accessor([[0, 0.01 * (n + 1), 0]] * 3)} for n in range(len(SHAPES))]
    part: Json = {"attributes": attributes, "targets": targets, "material": 0}
    part["extras"] = {"targetNames": list(SHAPES)}
    nodes.append({"name": "face", "mesh": 0})
    nodes[names.index("head")]["children"].append(face)
    for name in HAIR:
        nodes[names.index(name)]["mesh"] = 1
    made.json |= {
        "nodes": nodes,
        "scenes": [{"nodes": [0]}],
        "scene": 0,
        "meshes": [
            {"primitives": [part], "weights": [0.0] * len(SHAPES)},
            {"primitives": [{"attributes": {"POSITION": attributes["POSITION"]}, "material": 0}]},
        ],
        "materials": [{"name": "skin", "extensions": {"VRMC_materials_mtoon": {"specVersion": "1.0"}}}],
    }
    row = [names.index(name) for name in HAIR]
    bones = {name: names.index(name) for name in BONES}
    made.json["extensions"] = _new(bones, row, face, springs) if version else _old(bones, row, springs)
    made.json["extensionsUsed"] = [*made.json["extensions"], "VRMC_materials_mtoon"]
    return made


def _new(bones: Json, row: list[int], face: int, springs: Json) -> Json:
    joints = [{"node": n, "stiffness": 1.5, "dragForce": 0.4, "hitRadius": 0.02, **springs} for n in row]
    return {
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {"name": "Someone", "authors": ["Somebody"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
            "humanoid": {"humanBones": {name: {"node": n} for name, n in bones.items()}},
            "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.06, 0.08]},
            "expressions": {
                "preset": {
                    "happy": {"morphTargetBinds": [{"node": face, "index": 0, "weight": 1.0}]},
                    "blinkLeft": {"morphTargetBinds": [{"node": face, "index": 1, "weight": 1.0}]},
                    "blink": {"morphTargetBinds": [{"node": face, "index": n, "weight": 1.0} for n in (1, 2)]},
                },
                "custom": {"frown": {"morphTargetBinds": [{"node": face, "index": 3, "weight": 1.0}]}},
            },
        },
        "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [{"node": 4, "shape": {"sphere": {"offset": [0, 0, 0], "radius": 0.1}}}],
            "springs": [{"name": "pony tail", "joints": joints}],
        },
    }


def _old(bones: Json, row: list[int], springs: Json) -> Json:
    group = {
        "stiffiness": 1.5,
        "dragForce": 0.4,
        "gravityPower": 0.0,
        "bones": row[:1],
        "colliderGroups": [],
        "hitRadius": 0.02,
    }
    thumbs = {"center": -1, **group, **springs}
    binds = [[0], [1], [1, 2], [3]]
    presets = [("Joy", "joy"), ("Blink_L", "blink_l"), ("Blink", "blink"), ("frown", "unknown")]
    return {
        "VRM": {
            "specVersion": "0.0",
            "meta": {"title": "Someone", "author": "Somebody", "licenseName": "CC_BY"},
            "humanoid": {"humanBones": [{"bone": name, "node": n} for name, n in bones.items()]},
            "firstPerson": {"lookAtTypeName": "Bone", "lookAtHorizontalInner": {"xRange": 90, "yRange": 10}},
            "blendShapeMaster": {
                "blendShapeGroups": [
                    {
                        "name": name,
                        "presetName": preset,
                        "binds": [{"mesh": 0, "index": index, "weight": 100} for index in listed],
                    }
                    for (name, preset), listed in zip(presets, binds, strict=True)
                ]
            },
            "secondaryAnimation": {"boneGroups": [thumbs], "colliderGroups": []},
            "materialProperties": [{"name": "skin", "shader": "VRM/MToon"}],
        }
    }


def stored(made: Build, path: Path) -> Path:
    """As a binary container."""
    made.json["buffers"] = [{"byteLength": len(made.data)}]
    text = json.dumps(made.json).encode()
    text += b" " * (-len(text) % 4)
    data = made.data + b"\0" * (-len(made.data) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body)
    return path
