"""Documents that did not come from BVH: joints stay where they were, and what is lost is said."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.curves import Curve, Key
from inbetweener.document import Document, Prop
from inbetweener.errors import FormatError, UnknownName
from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import frame_time_text, write
from inbetweener.maths.euler import ORDERS
from inbetweener.maths.quaternions import normalised
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Joint, Point, Rig, control, joint_channels


def puppet(seed: int, *, turned: bool = True, scaled: bool = False) -> Document:
    """Seven joints in no depth-first order and two roots, with rest rotations, every channel moving wildly."""
    random = np.random.default_rng(seed)
    parents = [-1, 0, 0, -1, 1, 3, 2]
    joints = []
    for j, parent in enumerate(parents):
        rotation = normalised(random.normal(size=4)) if turned else (1.0, 0.0, 0.0, 0.0)
        scale = random.uniform(0.5, 2.0, 3) if scaled else (1.0, 1.0, 1.0)
        rest = Transform(*(tuple(map(float, part)) for part in (random.normal(size=3), rotation, scale)))
        joints.append(Joint(f"j{j}", parent, rest, ORDERS[int(random.integers(6))]))
    moving = "tx ty tz rx ry rz" + (" sx sy sz" if scaled else "")
    channels = [c for j, joint in enumerate(joints) for c in joint_channels(joint, moving if j < 5 else "rx ry")]
    curves = {
        c.name: Curve.from_keys(
            Key(time, c.default + float(random.uniform(-0.4, 0.4) if c.kind != "rotation" else random.uniform(-9, 9)))
            for time in (0.0, 0.37, 1.0)
        )
        for c in channels
    }
    points = (Point("j4", (0.1, 0.2, 0.3), "tip"), Point("j5", (0.0, 0.5, 0.0), "j5_end"))
    rig = Rig(tuple(joints), tuple(channels), points)
    return Document("puppet", rig, clips=(Clip("wild", 1.0, rate=30.0, curves=Curves(curves)),))


def largest_gap(document: Document, path: Path) -> float:
    """Metres between joints and End Sites of a document and of its BVH file, at the frames."""
    again = read(path, unit=0.01, up="y").document
    times = document.clip().frame_times
    names = [joint.name for joint in document.rig.joints]
    before = document.motion().joint_positions(times)
    after = again.motion().point_positions(times, [Point(name) for name in names])
    ends = ("j4_end", "j5_end")
    tips = document.motion().point_positions(times, document.rig.points)
    same_tips = again.motion().point_positions(times, [again.rig.point(name) for name in ends])
    return float(max(np.abs(before - after).max(), np.abs(tips - same_tips).max()))


@pytest.mark.parametrize("turned", [True, False])
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_joints_stay_where_they_were(tmp_path_factory: pytest.TempPathFactory, turned: bool, seed: int) -> None:
    document = puppet(seed, turned=turned)
    path = tmp_path_factory.mktemp("bvh") / "puppet.bvh"
    write(document, path)
    assert largest_gap(document, path) < 1e-7


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_joints_under_scaled_parents_stay_where_they_were(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    document = puppet(seed, scaled=True)
    path = tmp_path_factory.mktemp("bvh") / "puppet.bvh"
    found = write(document, path)
    assert any("scale channels (j0.sx, j0.sy, j0.sz and 12 more)" in loss for loss in found)
    again = read(path, unit=0.01, up="y").document
    times = document.clip().frame_times
    after = again.motion().point_positions(times, [Point(joint.name) for joint in document.rig.joints])
    assert np.abs(document.motion().joint_positions(times) - after).max() < 1e-7


def test_converted_angles_do_not_jump(tmp_path: Path) -> None:
    document = puppet(3)
    slow = {name: Curve.from_keys([Key(0.0, 0.0), Key(1.0, 20.0)]) for name in ("j1.rx", "j2.ry")}
    write(replace(document, clips=(Clip("slow", 1.0, rate=120.0, curves=Curves(slow)),)), tmp_path / "a.bvh")
    for line in (rows := np.loadtxt((tmp_path / "a.bvh").read_text().partition("Frame Time")[2].splitlines()[1:])).T:
        assert np.abs(np.diff(line)).max() < 45.0
    assert len(rows) == 121


def test_a_rig_is_written_with_z_up_and_in_any_unit(tmp_path: Path) -> None:
    document = puppet(4)
    write(document, tmp_path / "a.bvh", unit=0.0254, up="z")
    again = read(tmp_path / "a.bvh", unit=0.0254, up="z").document
    times = document.clip().frame_times
    after = again.motion().point_positions(times, [Point(joint.name) for joint in document.rig.joints])
    assert np.abs(document.motion().joint_positions(times) - after).max() < 1e-7


def test_another_rate_samples_the_curves_anew(tmp_path: Path) -> None:
    document = puppet(5)
    write(document, tmp_path / "a.bvh", rate=7.0)
    again = read(tmp_path / "a.bvh", unit=0.01, up="y").document
    assert again.clip().rate == 7.0
    times = again.clip().frame_times
    assert len(times) == 8
    after = again.motion().point_positions(times, [Point(joint.name) for joint in document.rig.joints])
    assert np.abs(document.motion().joint_positions(times) - after).max() < 1e-7


def test_controls_and_layers_are_baked(tmp_path: Path) -> None:
    joints = (Joint("a"), Joint("b", 0, Transform((0.0, 1.0, 0.0))), Joint("c", 1, Transform((0.0, 1.0, 0.0))))
    rig = Rig(joints, (control("curl", {"b.rx": 1.0, "c.rx": 0.5}),))
    line = Curve.sampled([0.0, 1.0], [0.0, 1.0])
    clip = Clip("c", 1.0, rate=2.0, curves=Curves({"curl": line}), layers=(Layer("more", Curves({"curl": line}), 2.0),))
    document = Document("d", rig, clips=(clip,))
    found = write(document, tmp_path / "a.bvh")
    again = read(tmp_path / "a.bvh", unit=0.01, up="y").document
    assert np.allclose(again.motion().joint_positions([1.0]), document.motion().joint_positions([1.0]), atol=1e-12)
    assert any(loss.startswith("controls (curl)") for loss in found)
    assert any(loss.startswith("layers (more)") for loss in found)


def test_everything_lost_is_named(tmp_path: Path) -> None:
    document = puppet(6)
    second = replace(document.clip(), name="second", start=0.5, loops=True)
    document = replace(document, clips=(document.clip(), second), props=(Prop("ball", Sphere(1.0)),))
    found = write(document, tmp_path / "a.bvh", clip="second")
    for start in (
        "1 prop:",
        "other clips (wild)",
        "the start at 0.5 s",
        "that the clip loops",
        "keys and tangents (j0.tx",
    ):
        assert sum(loss.startswith(start) for loss in found) == 1, start


def test_names_that_would_break_the_file_are_mended_and_named(tmp_path: Path) -> None:
    names = ("a{b}", "a_b_", "two\nlines", " ", "Ärmel.L")
    rig = Rig(tuple(Joint(name, j - 1) for j, name in enumerate(names)))
    (loss,) = write(Document("d", rig), tmp_path / "a.bvh")
    assert "'a{b}' becomes 'a_b_'" in loss
    again = read(tmp_path / "a.bvh", unit=0.01, up="y")
    assert [joint.name for joint in again.document.rig.joints] == ["a_b_", "a_b__2", "two_lines", "joint", "Ärmel.L"]
    assert again.repairs == ()


@given(st.floats(1e-5, 1e5))
def test_frame_times_bring_the_rate_back(rate: float) -> None:
    again = 1.0 / float(frame_time_text(rate))
    assert abs(again - rate) <= 2 * np.spacing(rate)


@pytest.mark.parametrize(
    ("rate", "text"), [(25.0, "0.04"), (1 / 0.0083333, "0.0083333"), (1 / 0.0417083750417, "0.0417083750417")]
)
def test_frame_times_are_short(rate: float, text: str) -> None:
    assert frame_time_text(rate) == text


def test_what_cannot_be_written_is_refused_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    path.write_text("old")
    with pytest.raises(FormatError, match="has no joints"):
        write(Document(), path)
    with pytest.raises(UnknownName, match="no clip called 'x'"):
        write(puppet(1), path, clip="x")
    with pytest.raises(UnknownName, match="no clip called 'x'; there is no clip at all"):
        write(replace(puppet(1), clips=()), path, clip="x")
    with pytest.raises(FormatError, match="unit"):
        write(puppet(1), path, unit=-1.0)
    with pytest.raises(FormatError, match="up axis 'w'"):
        write(puppet(1), path, up="w")  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
