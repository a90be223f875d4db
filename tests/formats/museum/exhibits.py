"""Small files with the quirks of every format, each made here, and what must be found in it."""

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, joint_channels
from tests.document.test_native_versions import FILES
from tests.formats.fbx.build import Made
from tests.formats.gltf.build import Build
from tests.formats.test_arrays import arrays_with
from tests.formats.test_robots import MJCF, URDF
from tests.formats.vrm.made import person, stored

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Exhibit:
    """A file, how many joints and frames it has, and where a joint is at a time, in metres and Y up."""

    name: str
    make: Callable[[Path], Path]
    joints: int
    frames: int = 0
    joint: str = ""
    time: float = 0.0
    place: Place = (0.0, 0.0, 0.0)
    told: str = ""
    options: tuple[tuple[str, object], ...] = ()

    def wrong(self, document: Document, notes: tuple[str, ...]) -> str:
        """What of it does not hold; empty where all does."""
        if len(document.rig.joints) != self.joints:
            return f"{len(document.rig.joints)} joints"
        if self.frames and len(document.clip().frame_times) != self.frames:
            return f"{len(document.clip().frame_times)} frames"
        if self.told and not any(self.told in line for line in notes):
            return f"not told: {notes}"
        if self.joint:
            at = document.rig.joint_index(self.joint)
            places = (
                document.motion().joint_positions(np.array([self.time]))[0]
                if document.clips
                else document.rig.rest_world()[:, :, 3]
            )
            if np.abs(places[at] - self.place).max() > 1e-5:
                return f"{self.joint} is at {places[at]}"
        return ""


def text(name: str, content: str, **more: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content.encode(**more))
        return path

    return make


BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 0 -50 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -50 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.041666667
0 100 0 0 0 0 0 0 0
0 100 0 90 0 0 0 0 0
0 100 0 90 0 0 0 0 0
"""


def bvh(content: str, name: str = "a.bvh") -> Callable[[Path], Path]:
    return text(name, content)


def gltf(change: Callable[[Build], None]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        made = Build()
        made.triangle()
        change(made)
        return made.save(folder)

    return make


def stepped_by_number(made: Build) -> None:
    made.animation("translation", [0.0, 1.0], [[0, 0, 0], [2, 0, 0]])
    made.json["animations"][0]["samplers"][0]["interpolation"] = 0


def sparse(made: Build) -> None:
    indices, values = made.view(np.array([1], "<u2").tobytes()), made.view(np.array([9, 0, 0], "<f4").tobytes())
    made.json["accessors"][0]["sparse"] = {
        "count": 1, "indices": {"bufferView": indices, "componentType": 5123}, "values": {"bufferView": values},
    }  # fmt: skip


def mirrored_matrix(made: Build) -> None:
    made.json["nodes"][0]["matrix"] = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1]


def marked(folder: Path) -> Path:
    path = gltf(lambda made: None)(folder)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    return path


def trailing(folder: Path) -> Path:
    made = Build()
    made.triangle()
    path = stored(made, folder / "a.glb")
    path.write_bytes(path.read_bytes() + b"rest")
    return path


def fbx_scaled(folder: Path) -> Path:
    """Inches, a pre-rotation by a quarter turn about Z, and a child that it turns."""
    made = Made()
    top = made.model("top", PreRotation=(0.0, 0.0, 90.0), Lcl_Translation=(0.0, 10.0, 0.0))
    made.model("arm", top, Lcl_Translation=(10.0, 0.0, 0.0))
    return made.save(folder / "a.fbx", unit=2.54)


ASCII = """; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",1
		P: "FrontAxisSign", "int", "Integer", "",-1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",100
	}
}
Objects:  {
	Model: 1, "Model::top", "LimbNode" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,0,2
		}
	}
	Model: 2, "Model::arm", "LimbNode" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",1,0,0
		}
	}
}
Connections:  {
	C: "OO",1,0
	C: "OO",2,1
}
"""
USDA = """#usda 1.0
( upAxis = "Z"
  metersPerUnit = 0.01
  startTimeCode = 0
  endTimeCode = 24
  timeCodesPerSecond = 24 )
def Xform "top" {
    double3 xformOp:translate.timeSamples = { 0: (0, 0, 100), 24: (0, 0, 200), }
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Xform "arm" {
        double3 xformOp:translate = (50, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Sphere "ball" {
            double radius = 3
        }
        def Mesh "flag" {
            point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
            int[] faceVertexCounts = [3]
            int[] faceVertexIndices = [0, 1, 2]
        }
    }
}
"""
UNSCALED = """#usda 1.0
( upAxis = "Y"
  metersPerUnit = 1 )
def SkelRoot "someone" {
    def Skeleton "bones" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
        uniform token[] joints = ["hips", "hips/arm"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1.5,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0.5,0,1))]
        rel skel:animationSource = </someone/move>
    }
    def SkelAnimation "move" {
        uniform token[] joints = ["hips", "hips/arm"]
        quatf[] rotations = [(0.6, 0, 0, 0.8), (1, 0, 0, 0)]
        float3[] translations = [(0, 1, 0), (0, 0.5, 0)]
    }
}
"""


def usda(content: str) -> Callable[[Path], Path]:
    return text("a.usda", content)


def usdc(folder: Path) -> Path:
    """The same as a binary layer, as OpenUSD itself writes it."""
    from pxr import Sdf

    layer = Sdf.Layer.CreateAnonymous(".usda")
    assert layer.ImportFromString(USDA)
    assert layer.Export(str(folder / "a.usdc"))
    return folder / "a.usdc"


def usdz(folder: Path) -> Path:
    """A package of that layer: stored, and where data begins at 64 bytes, as the format wants it."""
    from pxr import UsdUtils

    whole = usdc(folder)
    assert UsdUtils.CreateNewUsdzPackage(str(whole), str(folder / "a.usdz"))
    whole.unlink()
    return folder / "a.usdz"


def fbx_by_quaternions(folder: Path) -> Path:
    """A node that takes the shorter way between two keys whose angles are more than a turn apart."""
    made = Made()
    top = made.model("top", QuaternionInterpolate=2)
    made.model("arm", top, Lcl_Translation=(100.0, 0.0, 0.0))
    made.move(top, "Lcl Rotation", None, None, Curve.sampled([0.0, 1.0], [0.0, 500.0]))
    return made.save(folder / "a.fbx")


def fbx_fading(folder: Path) -> Path:
    """A layer that takes the place of the base by a weight that grows."""
    made = Made()
    top = made.model("top")
    made.layered()
    made.move(top, "Lcl Translation", Curve.constant(100.0), None, None)
    made.layered(BlendMode=2, RotationAccumulationMode=1, ScaleAccumulationMode=1)
    made.move(top, "Lcl Translation", Curve.constant(300.0), None, None)
    made.move(made.layer, "Weight", Curve.sampled([0.0, 1.0], [0.0, 100.0]))
    return made.save(folder / "a.fbx")


def vrma(folder: Path) -> Path:
    """Nodes alone, of which the map says what they are; the hips of one that is scaled to centimetres."""
    made = Build()
    made.json |= {
        "nodes": [
            {"name": "armature", "scale": [0.01, 0.01, 0.01], "children": [1]},
            {"name": "Hips", "translation": [0, 100, 0], "children": [2]},
            {"name": "Spine", "translation": [0, 20, 0]},
        ],
        "scenes": [{"nodes": [0]}],
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {
            "VRMC_vrm_animation": {
                "specVersion": "1.0",
                "humanoid": {"humanBones": {"hips": {"node": 1}, "spine": {"node": 2}}},
            }
        },
    }
    half = 0.5**0.5
    made.animation("rotation", [0.0, 1.0], [[0, 0, 0, 1], [0, 0, half, half]], node=1)
    return stored(made, folder / "a.vrma")


def _two_joints() -> Document:
    """What a table is laid onto."""
    hip, leg = Joint("hip", -1, Transform((0.0, 1.0, 0.0))), Joint("leg", 0, Transform((0.0, -0.5, 0.0)))
    return Document("two", Rig((hip, leg), (*joint_channels(hip), *joint_channels(leg))))


TABLE = "time,hip.rx,hip.rz\r\n0,0,0\r\n0.5,0,0.7853981633974483\r\n1,0,1.5707963267948966\r\n"
ONTO = (("onto", _two_joints()),)


def vrm(version: int) -> Callable[[Path], Path]:
    return lambda folder: stored(person(version), folder / "a.vrm")


def npz(**changes: object) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / "a.npz").write_bytes(arrays_with(**changes))
        return folder / "a.npz"

    return make


def native(change: Callable[[dict[str, object]], None] = lambda whole: None) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        whole = json.loads((FILES / "version-1.tween").read_text())
        change(whole)
        (folder / "a.tween").write_text(json.dumps(whole))
        return folder / "a.tween"

    return make


DEGREES = """<mujoco><compiler angle="radian"/><worldbody>
<body name="a" pos="0 0 1"><joint range="-1 1" limited="true"/><geom size=".1"/>
<body name="b" pos="0 .5 0"><geom size=".1"/></body></body></worldbody></mujoco>"""
HALF = np.radians(70.0)
"""Half of the shorter way to 500°, which is 140°."""
SAID = (("unit", 0.01), ("up", "y"))
"""So small a body leaves unit and axis to guesses."""
EXHIBITS = [
    Exhibit("bvh", bvh(BVH), 2, 3, "Leg", 1 / 24, (0.5, 1.0, 0.0), "", SAID),
    Exhibit(
        "bvh-crlf-and-tabs", bvh(BVH.replace("\n", "\r\n").replace("  ", "\t")), 2, 3, "Leg", 0.0, (0, 0.5, 0), "", SAID
    ),
    Exhibit(
        "bvh-short-motion", bvh(BVH.replace("Frames: 3", "Frames: 4")), 2, 3, "Leg", 0.0, (0, 0.5, 0), "frames", SAID
    ),
    Exhibit("bvh-byte-order-mark", bvh("\ufeff" + BVH), 2, 3, "Leg", 1 / 24, (0.5, 1.0, 0.0), "", SAID),
    Exhibit("bvh-no-motion", bvh(BVH[: BVH.index("Frames: 3")] + "Frames: 0\nFrame Time: 0.04\n"), 2),
    Exhibit("gltf-number-for-linear", gltf(stepped_by_number), 1, 0, "node_0", 0.5, (1, 0, 0)),
    Exhibit("gltf-sparse", gltf(sparse), 1),
    Exhibit("gltf-mirrored-matrix", gltf(mirrored_matrix), 1, 0, "node_0", 0.0, (4, 5, 6)),
    Exhibit("gltf-byte-order-mark", marked, 1, told="byte-order mark"),
    Exhibit("glb-trailing-bytes", trailing, 1, told="after the end"),
    Exhibit("fbx-inches", fbx_scaled, 2, 0, "arm", 0.0, (0, 0.508, 0)),
    Exhibit("fbx-text-z-up-metres", text("a.fbx", ASCII), 2, 0, "arm", 0.0, (1, 2, 0)),
    Exhibit("fbx-text-byte-order-mark", text("a.fbx", "\ufeff" + ASCII), 2, 0, "arm", 0.0, (1, 2, 0)),
    Exhibit(
        "fbx-by-quaternions", fbx_by_quaternions, 2, 25, "arm", 0.5, (np.cos(HALF), np.sin(HALF), 0), "quaternions"
    ),
    Exhibit("fbx-fading-layer", fbx_fading, 1, 25, "top", 0.25, (1.5, 0, 0)),
    Exhibit("usda-z-up-centimetres", usda(USDA), 2, 25, "arm", 0.5, (0.5, 1.5, 0), "Sphere"),
    Exhibit("usda-animation-without-scales", usda(UNSCALED), 2, 0, "arm", 0.0, (0, 1.5, 0), "without scales moves no"),
    Exhibit("usdc-z-up-centimetres", usdc, 2, 25, "arm", 0.5, (0.5, 1.5, 0), "Sphere"),
    Exhibit("usdz-z-up-centimetres", usdz, 2, 25, "arm", 0.5, (0.5, 1.5, 0), "Sphere"),
    Exhibit("vrma-scaled", vrma, 3, 0, "Spine", 1.0, (-0.2, 1.0, 0)),
    Exhibit("vrm-0", vrm(0), 28, 0, "leftUpperArm.jnt", 0.0, (-0.16, 1.42, 0)),
    Exhibit("vrm-1", vrm(1), 28, 0, "leftUpperArm.jnt", 0.0, (0.16, 1.42, 0)),
    Exhibit("mjcf", text("a.xml", MJCF), 5),
    Exhibit("mjcf-radians", text("a.xml", DEGREES), 2, 0, "b", 0.0, (0.5, 1.0, 0)),
    Exhibit("urdf", text("a.urdf", URDF), 2),
    Exhibit("npz", npz(), 4, 6),
    Exhibit("npz-single-precision-fortran", npz(offsets=np.asfortranarray(np.zeros((4, 3), "<f4"))), 4, 6),
    Exhibit("csv-crlf", text("a.csv", TABLE), 2, 3, "leg", 1.0, (0.5, 1.0, 0), "", ONTO),
    Exhibit(
        "csv-byte-order-mark", text("a.csv", "\ufeff" + TABLE), 2, 3, "leg", 0.5, (0.5**1.5, 1 - 0.5**1.5, 0), "", ONTO
    ),
    Exhibit("tween-1", native(), 2),
]


def quick(exhibits: list[Exhibit]) -> list[ParameterSet]:
    """For tests that open each again and again: of USD, whose every opening takes a second, one is enough at first."""
    return [
        pytest.param(each, marks=pytest.mark.thorough if each.name.startswith(("usdc", "usdz")) else (), id=each.name)
        for each in exhibits
    ]


def _npz_bomb() -> bytes:
    packed, huge = io.BytesIO(), 1 << 28
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        with zipfile.ZipFile(io.BytesIO(arrays_with())) as sound:
            for name in sound.namelist():
                if name != "offsets.npy":
                    made.writestr(name, sound.read(name))
        with made.open("offsets.npy", "w", force_zip64=True) as member:
            header = {"descr": "<f8", "fortran_order": False, "shape": (huge // 24, 3)}
            np.lib.format.write_array_header_1_0(member, header)
            for _ in range(huge >> 24):
                member.write(bytes(1 << 24))
    return packed.getvalue()


def _usdz_bomb() -> bytes:
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.usda", "#usda 1.0\n" + " " * (64 << 20))
    return package.getvalue()


def _accessor_bomb() -> bytes:
    made = Build()
    made.triangle()
    made.json["accessors"][0] |= {"count": 10**8}
    made.json["accessors"][0].pop("bufferView")
    return json.dumps(made.json).encode()


def _expression_bomb() -> bytes:
    """A mesh that many nodes show, and an expression that names it again and again."""
    made = person(0)
    made.json["extensions"]["VRM"]["blendShapeMaster"]["blendShapeGroups"][0]["binds"] *= 20_000
    first = len(made.json["nodes"])
    made.json["nodes"] += [{"mesh": 0, "name": f"n{n}"} for n in range(400)]
    made.json["scenes"][0]["nodes"] += range(first, first + 400)
    uri = "data:;base64," + base64.b64encode(made.data).decode()
    made.json["buffers"] = [{"byteLength": len(made.data), "uri": uri}]
    return json.dumps(made.json).encode()


def _fbx_bomb() -> bytes:
    array = zlib.compress(bytes(64 << 20), 9)
    value = b"d" + struct.pack("<III", 8 << 20, 1, len(array)) + array
    head = struct.pack("<IIIB", 27 + 14 + len(value), 1, len(value), 1) + b"A"
    return b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400) + head + value + bytes(13)


def _entities() -> bytes:
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha"}">' for n in range(10))
    return f"<!DOCTYPE mujoco [{laughs}]><mujoco>&a9;</mujoco>".encode()


BOMBS: dict[str, Callable[[], bytes]] = {
    "arrays.npz": _npz_bomb,
    "package.usdz": _usdz_bomb,
    "accessor.gltf": _accessor_bomb,
    "expressions.gltf": _expression_bomb,
    "array.fbx": _fbx_bomb,
    "entities.xml": _entities,
    "deep.tween": lambda: b'{"format": "inbetweener", "version": 1, "name": ' + b"[" * 100_000,
    "deep.gltf": lambda: b'{"asset": {"version": "2.0"}, "extras": ' + b"[" * 100_000,
}
"""Files that unfold to far more than they are."""
