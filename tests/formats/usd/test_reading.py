"""USD files of others: skinned points beside those that OpenUSD baked, splines beside what OpenUSD makes of them."""

import csv
import importlib.util
import zipfile
from pathlib import Path

import numpy as np
import pytest

from inbetweener.curves import evaluate
from inbetweener.document.budget import Budget
from inbetweener.errors import FormatError
from inbetweener.formats import read
from inbetweener.formats.notes import Source
from inbetweener.skinning import Skin

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pxr") is None, reason="usd-core is not installed: pip install usd-core"
)


@pytest.mark.parametrize(
    ("name", "baked", "allowed"),
    [
        # Its quaternions are written with four digits, 2e-5 short of length one; ours are made whole.
        ("arm", "arm_baked", 3e-5),
        ("lbs", "lbs.baked", 1e-6),
        ("blendshapesWithNormals", "blendshapesWithNormals.baked", 1e-6),
    ],
)
def test_skinned_points_are_where_openusd_bakes_them(name: str, baked: str, allowed: float, data: Path) -> None:
    from pxr import Usd, UsdGeom

    document = read(data / "usd" / "openusd" / f"{name}.usda").document
    stage = Usd.Stage.Open(str(data / "usd" / "openusd" / f"{baked}.usda"))
    unit, upright = UsdGeom.GetStageMetersPerUnit(stage), UsdGeom.GetStageUpAxis(stage) == "Z"
    seen = 0
    for mesh in document.meshes:
        prim = next(p for p in stage.Traverse() if p.IsA(UsdGeom.Mesh) and p.GetName() == mesh.name)
        attribute = UsdGeom.Mesh(prim).GetPointsAttr()
        corners = np.array(UsdGeom.Mesh(prim).GetFaceVertexIndicesAttr().Get())
        codes = attribute.GetTimeSamples()
        assert len(codes) > 1
        for code in codes:
            time = code / stage.GetTimeCodesPerSecond()
            matrix = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code))
            world = unit * (np.array(attribute.Get(code), np.float64) @ matrix[:3, :3] + matrix[3, :3])
            expected = world[:, [0, 2, 1]] * (1, 1, -1) if upright else world
            channels = document.motion().channels(np.array([time]))
            ours = Skin(mesh, document.rig).vertices(channels[0])
            # Ours may be split at seams: each of theirs is one of ours, and the other way round.
            apart = np.linalg.norm(ours[:, None] - expected[np.unique(corners)][None], axis=2)
            assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < allowed * np.abs(expected).max()
            seen += 1
    assert seen >= 2


def test_splines_move_as_openusd_evaluates_them(data: Path) -> None:
    from pxr import Usd

    from inbetweener.formats.usd.inside.telling import Telling, unpacked
    from inbetweener.formats.usd.inside.values import spline
    from inbetweener.formats.usd.splines import curve_of

    folder = data / "usd" / "splines"
    stage = Usd.Stage.Open(str(folder / "splines.usda"))
    rows = list(csv.DictReader((folder / "splines.expected.csv").read_text().splitlines()))
    codes = np.array([float(row["time"]) for row in rows])
    for name in [each for each in rows[0] if each != "time"]:
        telling = Telling(1e9)
        told = spline(stage.GetPrimAtPath("/Curves").GetAttribute(name).GetSpline(), telling, name)
        told = unpacked(telling.packed(told))
        curve = curve_of(told, 24.0, (codes[0] / 24, codes[-1] / 24), name, Source(folder, Budget(1 << 20)))
        expected = np.array([float(row[name]) for row in rows])
        off = np.abs(evaluate(curve, codes / 24) - expected)
        assert off.max() < 1e-6, (name, codes[off > 1e-6])


def said(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_broken_or_hostile_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.usda").write_text("#usda 1.0\ndef X {{{")
    assert "parse error" in said(tmp_path / "bad.usda")
    (tmp_path / "bad.usdz").write_bytes(b"PK nothing")
    assert "package" in said(tmp_path / "bad.usdz")
    with zipfile.ZipFile(tmp_path / "out.usdz", "w") as package:
        package.writestr("../out.usda", "#usda 1.0\n")
    assert "leads out of the package" in said(tmp_path / "out.usdz")
    assert not (tmp_path.parent / "out.usda").exists()


def test_transforms_of_numbers_beyond_any_scene_are_refused(tmp_path: Path) -> None:
    rest = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (-1, 1.5, 1e300, 1))"
    skeleton = f"""#usda 1.0
def SkelRoot "a"
{{
    def Skeleton "s"
    {{
        uniform token[] joints = ["hip"]
        uniform matrix4d[] restTransforms = [{rest}]
        uniform matrix4d[] bindTransforms = [{rest}]
    }}
}}
"""
    (tmp_path / "far.usda").write_text(skeleton)
    assert "finite numbers below 1e30" in said(tmp_path / "far.usda")
    placed = f"""#usda 1.0
def Xform "a"
{{
    matrix4d xformOp:transform.timeSamples = {{ 0: {rest.replace("1e300", "0")}, 1: {rest} }}
    uniform token[] xformOpOrder = ["xformOp:transform"]
}}
"""
    (tmp_path / "far.usda").write_text(placed)
    assert "finite numbers below 1e30" in said(tmp_path / "far.usda")


def test_nothing_outside_the_folder_is_followed(tmp_path: Path) -> None:
    body = """#usda 1.0
def Xform "a"
{
    double3 xformOp:translate = (1, 2, 3)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "m"
    {
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
    }
}
"""
    (tmp_path / "in").mkdir()
    for place in (tmp_path, tmp_path / "in"):
        (place / "part.usda").write_text(body)
    root = "#usda 1.0\n(\n    metersPerUnit = 1\n)\n"
    for name, target in (("x", "./part.usda"), ("y", "../part.usda"), ("z", "gone.usda")):
        root += f'def "{name}" (references = @{target}@</a>)\n{{\n}}\n'
    (tmp_path / "in" / "root.usda").write_text(root)
    reading = read(tmp_path / "in" / "root.usda")
    assert [joint.name for joint in reading.document.rig.joints] == ["x"]
    assert reading.document.rig.joints[0].rest.translation == (1.0, 2.0, 3.0)
    assert any("../part.usda" in line and "outside the file's folder" in line for line in reading.repairs)
    assert any("gone.usda" in line and "is not there" in line for line in reading.repairs)
