"""Nodes with pivots, offsets, orders and inherited scales, against FBX's own product written out with scipy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.curves import Curve
from inbetweener.formats.fbx import container, read
from tests.formats.fbx.build import Made

ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx")
TIMES = np.linspace(0.0, 1.0, 7)


def moved(linear: np.ndarray | None = None, shift: np.ndarray | None = None) -> np.ndarray:
    matrix = np.eye(4)
    if linear is not None:
        matrix[:3, :3] = linear
    if shift is not None:
        matrix[:3, 3] = shift
    return matrix


def turned(degrees: np.ndarray, order: int = 0) -> np.ndarray:
    sequence = ORDERS[order]
    return moved(
        Rotation.from_euler(sequence, [degrees["xyz".index(axis)] for axis in sequence], degrees=True).as_matrix()
    )


def local(p: dict[str, np.ndarray], order: int) -> np.ndarray:
    """T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹."""
    return (
        moved(shift=p["T"]) @ moved(shift=p["RotationOffset"]) @ moved(shift=p["RotationPivot"])
        @ turned(p["PreRotation"]) @ turned(p["R"], order) @ np.linalg.inv(turned(p["PostRotation"]))
        @ moved(shift=-p["RotationPivot"]) @ moved(shift=p["ScalingOffset"]) @ moved(shift=p["ScalingPivot"])
        @ moved(np.diag(p["S"])) @ moved(shift=-p["ScalingPivot"])
    )  # fmt: skip


NAMES = ("RotationOffset", "RotationPivot", "PreRotation", "PostRotation", "ScalingOffset", "ScalingPivot")


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("moving", ["", "T", "R", "S", "TRS"])
def test_a_node_with_all_its_pivots(tmp_path: Path, order: int, moving: str) -> None:
    chance = np.random.default_rng(order)
    made = Made()
    statics, ends, parent = [], [], 0
    for n in range(3):
        p = {name: chance.uniform(-20, 20, 3) for name in NAMES}
        p |= {"T": chance.uniform(-9, 9, 3), "R": chance.uniform(-80, 80, 3), "S": chance.uniform(0.5, 2) * np.ones(3)}
        parent = made.model(
            f"n{n}", parent, RotationOrder=order, Lcl_Translation=p["T"], Lcl_Rotation=p["R"], Lcl_Scaling=p["S"],
            **{name: p[name] for name in NAMES},
        )  # fmt: skip
        end = {"T": p["T"] + 3, "R": p["R"] + [30, -20, 50], "S": 2 * p["S"]}
        for letter, name in (("T", "Lcl Translation"), ("R", "Lcl Rotation"), ("S", "Lcl Scaling")):
            if letter in moving:
                # Straight keys far apart are kept, not made anew.
                curves = [Curve.sampled([0.0, 1.0], [a, b]) for a, b in zip(p[letter], end[letter], strict=True)]
                made.move(parent, name, *curves, rest=tuple(p[letter]))
        statics.append(p)
        ends.append({key: end[key] if key in moving else p[key] for key in end})
    document = read(made.save(tmp_path / "a.fbx")).document
    if not moving:
        places = document.rig.rest_world()[None]
        times = np.zeros(1)
    else:
        motion, times = document.motion(), TIMES
        places = document.rig.world_from_joint(motion.channels(times))
    for t, time in enumerate(times):
        world = np.eye(4)
        for n, (p, end) in enumerate(zip(statics, ends, strict=True)):
            now = p | {key: p[key] + time * (end[key] - p[key]) for key in end}
            world = world @ local(now, order)
            expected = world[:3].copy()
            expected[:, 3] *= 0.01
            # Keys are single precision.
            np.testing.assert_allclose(places[t, document.rig.joint_index(f"n{n}")], expected, atol=3e-6)


@pytest.mark.parametrize("inherits", [0, 1, 2])
@pytest.mark.parametrize("scale", [(2.0, 2.0, 2.0), (2.0, 3.0, 0.5)])
@pytest.mark.parametrize("moving", [False, True])
def test_scales_are_inherited_in_three_ways(
    tmp_path: Path, inherits: int, scale: tuple[float, float, float], moving: bool
) -> None:
    made = Made()
    top = made.model("top", Lcl_Scaling=scale, Lcl_Rotation=(20.0, 30.0, 40.0))
    end = made.model(
        "end", top, Lcl_Translation=(10.0, 20.0, 30.0), Lcl_Rotation=(10.0, 0.0, 70.0), Lcl_Scaling=(1.0, 1.5, 1.0),
        InheritType=inherits,
    )  # fmt: skip
    if moving:
        made.move(top, "Lcl Scaling", *(Curve.sampled([0.0, 1.0], [s, 2 * s]) for s in scale), rest=scale)
    made.move(end, "Lcl Translation", Curve.sampled([0.0, 1.0], [10.0, 10.0]), None, None, rest=(10.0, 20.0, 30.0))
    reading = read(made.save(tmp_path / "a.fbx"))
    document = reading.document
    placed = document.rig.world_from_joint(document.motion().channels(np.array([0.0, 0.5])))
    for t, grown in enumerate((1.0, 1.5 if moving else 1.0)):
        s = grown * np.array(scale)
        above, own = turned(np.array([20.0, 30.0, 40.0])), turned(np.array([10.0, 0.0, 70.0]))
        stretched = np.diag([1.0, 1.5, 1.0])
        at = above @ moved(shift=s * [10, 20, 30])
        expected = {
            0: at @ own @ moved(np.diag(s) @ stretched),
            1: above @ moved(np.diag(s)) @ moved(shift=np.array([10.0, 20.0, 30.0])) @ own @ moved(stretched),
            2: at @ own @ moved(stretched),
        }[inherits][:3].copy()
        expected[:, 3] *= 0.01
        np.testing.assert_allclose(placed[t, document.rig.joint_index("end")], expected, atol=1e-6)


@pytest.mark.parametrize(
    ("axes", "up"),
    [((2, 1, 1, -1, 0, 1), "z"), ((0, 1, 2, 1, 1, -1), "x"), ((1, 1, 2, 1, 0, 1), "y"), ((1, 1, 0, 1, 2, -1), "y")],
)
def test_axes_and_units_become_ours(tmp_path: Path, axes: tuple[int, ...], up: str) -> None:
    made = Made()
    tall = tuple(float(axis == up) * 50.0 for axis in "xyz")
    made.model(
        "top", made.model("root", Lcl_Rotation=tuple(90.0 * (axis == up) for axis in "xyz")), Lcl_Translation=tall
    )
    whole = made.objects.file(24.0, 2.54, (0.0, 1.0))
    settings = next(each for each in whole.inside if each.name == "GlobalSettings").find("Properties70")
    names = ("UpAxis", "UpAxisSign", "FrontAxis", "FrontAxisSign", "CoordAxis", "CoordAxisSign")
    for record in settings.inside:
        if record.values[0] in names:
            record.values[4] = axes[names.index(record.values[0])]
    path = tmp_path / "a.fbx"
    path.write_bytes(container.pack(whole, 7400))
    document = read(path).document
    np.testing.assert_allclose(document.rig.rest_world()[1, :, 3], [0.0, 50 * 0.0254, 0.0], atol=1e-12)
    assert document.source.unit == pytest.approx(0.0254)
