"""Motion as arrays and tables: the same motion comes back, judged by plain NumPy; bad files end in one line."""

import csv
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import inbetweener as ib
from inbetweener import formats
from inbetweener.cli.app import app
from inbetweener.curves import Curve
from inbetweener.document import Document, budget
from inbetweener.errors import FormatError, InvalidDocument
from inbetweener.formats.arrays import npz, samples
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig, control, joint_channels

ROBOT = "robots/unitree_h1/h1.xml"
NAMES, PARENTS = ["hips", "chest", "hand", "leg"], [-1, 0, 1, 0]
OFFSETS = np.array([[0.1, 0.9, 0.0], [0.0, 0.4, 0.02], [0.5, 0.1, 0.0], [0.1, -0.1, 0.0]])


def matrix(q: np.ndarray) -> np.ndarray:
    """Rotations (..., 3, 3) of unit quaternions w, x, y, z: v + 2w (u × v) + 2u × (u × v)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    o = np.zeros_like(w)
    cross = np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)
    return np.eye(3) + 2 * w[..., None, None] * cross + 2 * cross @ cross


def placed(
    parents: list[int], places: np.ndarray, turns: np.ndarray, scales: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Linear parts and positions of joints in the world of (F, J, …) in their parents, one after the other."""
    linear, at = matrix(turns), places.copy()
    if scales is not None:
        linear = linear * scales[..., None, :]
    for j, parent in enumerate(parents):
        if parent >= 0:
            at[:, j] = np.einsum("fij,fj->fi", linear[:, parent], places[:, j]) + at[:, parent]
            linear[:, j] = linear[:, parent] @ linear[:, j]
    return linear, at


def tumbling(frames: int) -> np.ndarray:
    """Quaternions (F, 4, 4) that turn right round, over every pole."""
    rng = np.random.default_rng(5)
    steps = rng.normal(size=(frames, 4, 4)) * 0.12
    walk = np.cumsum(steps, axis=0) + rng.normal(size=(4, 4))
    return walk / np.linalg.norm(walk, axis=-1, keepdims=True)


@pytest.fixture(scope="module")
def document() -> Document:
    """Turned and scaled rests, a control over two joints, a bone that stretches, a start that is not nought."""
    half = 0.5**0.5
    joints = (
        Joint('a,"b"', -1, Transform((0.0, 1.0, 0.0), (half, half, 0.0, 0.0), (0.5, 0.5, 0.5))),
        Joint("knee", 0, Transform((0.1, 0.4, 0.0), (0.6, 0.0, 0.8, 0.0)), "XZY"),
        Joint("foot", 1, Transform((0.0, 0.5, 0.2))),
    )
    channels = (
        *joint_channels(joints[0], "tx ty tz rx ry rz"),
        *joint_channels(joints[1], "ty rx ry rz sx"),
        control("curl", {"knee.rz": 1.0, "foot.rx": 0.5}),
    )
    times = np.linspace(0.5, 2.5, 5)
    wild = np.random.default_rng(3).normal(size=(len(channels), 5))
    curves = {channel.name: Curve.sampled(times, row) for channel, row in zip(channels, wild, strict=True)}
    curves["knee.sx"] = Curve.sampled(times, 1.0 + 0.1 * np.arange(5))
    return Document("odd", Rig(joints, channels), clips=(Clip("wild", 2.5, 0.5, 20.0, Curves(curves)),))


@pytest.mark.parametrize("rest", [None, [[0.6, 0.8, 0.0, 0.0]] * 4])
def test_quaternions_become_a_document_that_moves_so(rest: list[list[float]] | None) -> None:
    turns = tumbling(120)
    root = np.cumsum(np.random.default_rng(1).normal(size=(120, 3)), axis=0) * 0.02
    made = ib.Document.from_arrays(NAMES, PARENTS, OFFSETS, 3.0 * turns, root, rate=30.0, rest=rest, clip="spin")
    places = np.broadcast_to(OFFSETS, (120, 4, 3)).copy()
    places[:, 0] = root
    linear, at = placed(PARENTS, places, turns)
    world = made.motion("spin").world_from_joint(np.arange(120) / 30.0)
    assert np.abs(world[..., 3] - at).max() < 1e-9
    assert np.abs(world[..., :3] - linear).max() < 1e-9
    # Between frames joints go straight from one rotation to the next, over poles too.
    between = made.motion().world_from_joint((np.arange(119) + 0.5) / 30.0)[:, 0, :, :3]
    signs = np.sign(np.sum(turns[1:, 0] * turns[:-1, 0], axis=-1, keepdims=True))
    middle = turns[:-1, 0] + signs * turns[1:, 0]
    assert np.abs(between - matrix(middle / np.linalg.norm(middle, axis=-1, keepdims=True))).max() < 0.02


def test_euler_angles_are_kept_in_their_order() -> None:
    far = np.random.default_rng(2).uniform(-0.6, 0.6, (4, 3))
    angles = np.sin(np.arange(20) / 10.0)[:, None, None] * far
    made = ib.Document.from_arrays(NAMES, PARENTS, OFFSETS, angles, rate=50.0, order=["XYZ", "ZYX", "YXZ", "ZXY"])
    assert [joint.order for joint in made.rig.joints] == ["XYZ", "ZYX", "YXZ", "ZXY"]
    values = made.motion().channels(np.arange(20) / 50.0)
    for j, name in enumerate(NAMES):
        columns = [made.rig.channel_index(f"{name}.r{axis}") for axis in "xyz"]
        assert np.abs(values[:, columns] - angles[:, j]).max() < 1e-12
    assert np.array_equal(values[0, :3], OFFSETS[0])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rotations": np.zeros((5, 3, 4))}, r"rotations has shape \(5, 3, 4\); expected \(F, 4, 4\)"),
        ({"rotations": np.zeros((5, 4, 4))}, r"rotations\[0, 0\] is a quaternion of length nought"),
        ({"rotations": np.full((5, 4, 4), np.nan)}, r"rotations\[0, 0, 0\] is not a finite number"),
        ({"rotations": np.zeros((5, 4, 3))}, r"need an order, such as order='ZYX'"),
        ({"rotations": np.zeros((5, 4, 3)), "order": "XYX"}, "order 'XYX' is not one of"),
        ({"order": "ZYX"}, "order belongs to Euler angles"),
        ({"positions": np.zeros((4, 3))}, r"positions has shape \(4, 3\); expected \(5, 3\)"),
        ({"offsets": np.zeros((4, 2))}, r"offsets has shape \(4, 2\); expected \(4, 3\)"),
        ({"rate": 0.0}, "rate 0 frames a second must be positive"),
    ],
)
def test_arrays_that_do_not_fit_are_named(change: dict[str, object], said: str) -> None:
    given = {"rotations": np.ones((5, 4, 4)), "rate": 30.0, **change}
    with pytest.raises(InvalidDocument, match=said):
        ib.Document.from_arrays(NAMES, PARENTS, **{"offsets": OFFSETS, **given})


@pytest.mark.parametrize("rate", [None, 33.0])
def test_npz_says_where_joints_are_and_comes_back(
    document: Document, tmp_path: Path, rate: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "NUMBERS", 400)  # blocks of a few frames
    path = tmp_path / "a.npz"
    losses = formats.write(document, path, rate=rate)
    assert any("1 controls" in line for line in losses)
    motion, times = document.motion(), Clip("", 2.5, 0.5, rate or 20.0).frame_times
    with np.load(path, allow_pickle=False) as found:
        held = dict(found)
    assert np.array_equal(held["times"], times)
    assert held["names"].tolist() == ['a,"b"', "knee", "foot"]
    assert held["channel_names"].tolist() == [channel.name for channel in document.rig.channels]
    assert np.array_equal(held["channels"], motion.channels(times))
    parents = held["parents"].tolist()
    linear, at = placed(parents, held["local_positions"], held["local_quaternions"], held["local_scales"])
    world = motion.world_from_joint(times)
    assert np.abs(at - world[..., 3]).max() < 1e-12
    assert np.abs(linear - world[..., :3]).max() < 1e-12
    assert np.abs(held["positions"] - world[..., 3]).max() == 0
    # Of the root, whose scale is even, the world's rotation is that of its columns.
    assert np.abs(matrix(held["quaternions"][:, 0]) * 0.5 - world[:, 0, :, :3]).max() < 1e-12
    assert (np.sum(held["quaternions"][1:] * held["quaternions"][:-1], axis=-1) > 0).all()
    again = formats.read(path).document
    assert (again.clip().name, again.clip().start, again.clip().rate) == ("wild", 0.5, rate or 20.0)
    assert np.abs(again.motion().joint_positions(times) - at).max() < 1e-9
    assert np.abs(again.rig.rest_world() - document.rig.rest_world()).max() < 1e-12
    formats.write(document, tmp_path / "b.npz", rate=rate)
    assert (tmp_path / "b.npz").read_bytes() == path.read_bytes()


def test_a_still_clip_reopens_without_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed, it would be a hundredth of what it unfolds to, which our own reader refuses."""
    for module in (budget, npz):
        monkeypatch.setattr(module, "ROOM", 1000)
    turns = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (2000, 4, 4))
    still = ib.Document.from_arrays(NAMES, PARENTS, OFFSETS, turns, rate=100.0)
    formats.write(still, tmp_path / "a.npz")
    assert len(formats.read(tmp_path / "a.npz").document.clip().frame_times) == 2000
    with np.load(tmp_path / "a.npz") as held:
        np.savez_compressed(tmp_path / "b.npz", **dict(held))
    with pytest.raises(FormatError, match="would unfold to"):
        formats.read(tmp_path / "b.npz")


def test_a_table_of_a_robot_is_its_channels(tmp_path: Path, data: Path) -> None:
    robot = formats.read(data / ROBOT).document
    rng = np.random.default_rng(4)
    curves = {c.name: Curve.sampled([0.0, 0.7, 2.0], rng.uniform(-0.5, 0.5, 3)) for c in robot.rig.channels}
    clip = Clip("reach", 2.0, rate=24.0, curves=Curves(curves))
    robot = Document(robot.name, robot.rig, clips=(clip,))
    ib.formats.write(robot, tmp_path / "robot.tween")
    done = CliRunner().invoke(
        app, ["convert", str(tmp_path / "robot.tween"), str(tmp_path / "a.csv"), "--rate", "50", "--positions"]
    )
    assert done.exit_code == 0, done.output
    with (tmp_path / "a.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    table = np.array(rows, np.float64)
    assert np.allclose(np.diff(table[:, 0]), 0.02, rtol=0, atol=1e-12)
    assert len(table) == 101
    wanted = np.stack(
        [np.interp(table[:, 0], [0.0, 0.7, 2.0], curves[name].values) for name in header[1 : len(curves) + 1]], axis=1
    )
    assert np.abs(table[:, 1 : len(curves) + 1] - wanted).max() < 1e-12
    places = robot.motion().joint_positions(table[:, 0])
    column = header.index(f"{robot.rig.joints[-1].name}.position.y")
    assert np.array_equal(table[:, column], places[:, -1, 1])
    back = ["convert", str(tmp_path / "a.csv"), str(tmp_path / "b.tween"), "--onto", str(data / ROBOT)]
    done = CliRunner().invoke(app, back)
    assert done.exit_code == 0, done.output
    again = formats.read(tmp_path / "b.tween").document
    assert (again.clip().name, again.clip().rate) == ("a", 50.0)
    assert np.array_equal(again.motion().channels(table[:, 0]), table[:, 1 : len(curves) + 1])


def test_names_with_commas_and_quotes_come_back_from_tables(document: Document, tmp_path: Path) -> None:
    formats.write(document, tmp_path / "wild.csv")
    reading = formats.read(tmp_path / "wild.csv", onto=document)
    times = document.clip().frame_times
    assert [clip.name for clip in reading.document.clips] == ["wild 2", "wild"]
    assert np.array_equal(reading.document.motion("wild 2").channels(times), document.motion().channels(times))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the first column must be called 'time'"),
        ("hips.rx,time\n0,0\n", "line 1: the first column must be called 'time'"),
        ("time,knee.rx\n", "has no rows"),
        ("time,knee.rw\n0,0\n", "line 1: no channel called 'knee.rw'; did you mean"),
        ("time,knee.rx,knee.rx\n0,0,0\n", "line 1: two columns are called 'knee.rx'"),
        ("time,knee.rx\n0,0\n1\n", "line 3: has 1 columns, not 2"),
        ("time,knee.rx\n0,zero\n", "line 2: 'zero' of 'knee.rx' is no finite number"),
        ("time,knee.rx\n0,nan\n", "line 2: 'nan' of 'knee.rx' is no finite number"),
        ("time,knee.rx\n0,0\n0,1\n", "line 3: time 0 s is not after the row before"),
        ("time,knee.rx\n0,0\n1e9,1\n2e9,1\n", ""),
        ('time,"knee.rx\n0,0\n', "is no table of text"),
        ("time," + ",".join(f"c{n}" for n in range(3000)) + "\n" * 3000, "would unfold to"),
    ],
)
def test_bad_tables_are_refused_in_one_line(document: Document, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    if not said:
        assert formats.read(path, onto=document).document.clip().rate == 1e-9
        return
    with pytest.raises(FormatError) as caught:
        formats.read(path, onto=document)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_table_alone_has_no_rig(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a table has no rig; say with onto \(--onto\) which document"):
        ib.load(tmp_path / "a.csv")


def arrays_with(**changes: object) -> bytes:
    """A small sound file with some arrays changed, or left out where they are None."""
    held: dict[str, object] = {
        "names": np.array(NAMES),
        "parents": np.array(PARENTS),
        "offsets": OFFSETS,
        "rest": np.tile([1.0, 0.0, 0.0, 0.0], (4, 1)),
        "rate": 30.0,
        "times": np.arange(6) / 30.0,
        "local_positions": np.tile(OFFSETS, (6, 1, 1)),
        "local_quaternions": tumbling(6),
        **changes,
    }
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=True, **{name: each for name, each in held.items() if each is not None})
    return file.getvalue()


def claiming(shape: tuple[int, ...]) -> bytes:
    """A file whose offsets claim another shape than they have."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(arrays_with())) as sound, zipfile.ZipFile(file, "w") as made:
        for name in sound.namelist():
            with made.open(name, "w") as member:
                if name == "offsets.npy":
                    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
                    np.lib.format.write_array_header_1_0(member, header)
                    member.write(bytes(96))
                else:
                    member.write(sound.read(name))
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no sound .npz file"),
        (b"PK\3\4 and nothing else", "is no sound .npz file"),
        (arrays_with(names=None), "names: there is no such array; make a document of other arrays with"),
        (arrays_with(names=np.array([{}] * 4, object)), "names: holds object, not numbers or names"),
        (arrays_with(names=np.full(4, 0x110000, "<u4").view("<U1")), "names: holds letters that there are not"),
        (arrays_with(names=np.array(["a", "b", "c", "\ud800"])), "names: holds letters that there are not"),
        (arrays_with(parents=np.array([-1, 2, 1, 0])), "parents must come first"),
        (arrays_with(parents=np.array([-1.0, 0, 1, 0])), "parents: holds float64; expected whole numbers"),
        (arrays_with(offsets=OFFSETS[:3]), "offsets: has shape (3, 3); expected (4, 3)"),
        (arrays_with(names=np.array(["a", "a", "b", "c"])), "'a'"),
        (arrays_with(local_quaternions=tumbling(5)), "local_quaternions: has shape (5, 4, 4); expected (6, 4, 4)"),
        (
            arrays_with(local_quaternions=np.zeros((6, 4, 4))),
            "local_quaternions[0, 0] is a quaternion of length nought",
        ),
        (arrays_with(times=np.zeros(6)), "times: do not grow from frame to frame"),
        (arrays_with(rate=-1.0), "rate -1 frames a second must be positive"),
        (arrays_with(rest=np.full((4, 4), np.inf)), "rest: holds a number that is not finite"),
        (arrays_with(local_positions=np.zeros((6, 1_000_000, 3))), "would unfold to"),
        (claiming((10**12, 3)), "offsets: says that it has shape (1000000000000, 3)"),
        (claiming((-4, -3)), "offsets: says that it has shape (-4, -3)"),
    ],
)
def test_bad_arrays_are_refused_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        formats.read(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_plain_arrays_of_that_kind_open(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(arrays_with())
    again = formats.read(path).document
    _, at = placed(PARENTS, np.tile(OFFSETS, (6, 1, 1)), tumbling(6))
    assert np.abs(again.motion().joint_positions(np.arange(6) / 30.0) - at).max() < 1e-9


def test_quaternions_of_any_length_turn_alike(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(arrays_with())
    plain = formats.read(path).document.clip().curves
    path.write_bytes(arrays_with(local_quaternions=tumbling(6) * 1e20, rest=np.tile([1e25, 0.0, 0.0, 0.0], (4, 1))))
    long = formats.read(path).document.clip().curves
    assert all(np.abs(long[name].values - plain[name].values).max() < 1e-9 for name in plain)


def test_places_beyond_any_scene_are_refused_and_far_ones_open(tmp_path: Path) -> None:
    def moving(far: float) -> Path:
        places = np.tile(OFFSETS, (6, 1, 1))
        places[:, 2, 0] = [-far, -far, 0.0, 0.0, far, far]
        path = tmp_path / "a.npz"
        path.write_bytes(arrays_with(local_positions=places))
        return path

    document = formats.read(moving(1e29)).document
    assert np.isfinite(document.motion().channels([0.0, 0.1])).all()
    for far in (1e200, 1.7e308):
        with pytest.raises(FormatError, match="beyond 1e30"):
            formats.read(moving(far))


@pytest.mark.parametrize("packed", [True, False])
def test_flipped_bytes_end_in_one_line_or_a_document(tmp_path: Path, packed: bool) -> None:
    sound = arrays_with()
    if not packed:
        file = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(sound)) as archive, zipfile.ZipFile(file, "w") as made:
            for name in archive.namelist():
                made.writestr(name, archive.read(name))
        sound = file.getvalue()
    rng = np.random.default_rng(7)
    path, refused, opened = tmp_path / "a.npz", 0, 0
    for _ in range(400):
        content = bytearray(sound)
        for place in rng.integers(len(content), size=rng.integers(1, 4)):
            content[place] ^= 1 << rng.integers(8)
        path.write_bytes(content[: rng.integers(len(content))] if rng.random() < 0.2 else content)
        try:
            formats.read(path)
        except FormatError as error:
            refused += str(error).startswith(f"{path}: ") and "\n" not in str(error)
        else:
            opened += 1
    assert refused + opened == 400
    assert refused > 200


def test_torn_heads_of_arrays_are_told_in_a_line(tmp_path: Path) -> None:
    for head in ("{'descr': (", "{'descr': '<f8', 'fortran_order': False, 'shape': (3L,), }\n"):
        array = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()
        with zipfile.ZipFile(tmp_path / "torn.npz", "w") as archive:
            archive.writestr("names.npy", array)
        with pytest.raises(FormatError, match=r"torn\.npz: is no sound \.npz file"):
            formats.read(tmp_path / "torn.npz")
