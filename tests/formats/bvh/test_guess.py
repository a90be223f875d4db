"""Unit and up axis: guessed from bodies, folders and falls, and read from our own mark."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Source
from inbetweener.formats.bvh.mark import mark_of, marked
from inbetweener.formats.bvh.read import read
from inbetweener.formats.bvh.write import write
from inbetweener.formats.files import Question
from tests.formats.bvh.person import FROM_OURS, JOINTS, RATE, file_text, places, walk
from tests.formats.bvh.samples import CLIPS, FIXTURES, chain, opened

CMU = [name for name in CLIPS if name.startswith("cmu")]
OTHERS = [name for name in (*CLIPS, *FIXTURES) if name not in CMU]

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
NOBODY = ("fairmotion_sinusoidal", "momentum_simple", "pybvh_full_precision", "pybvh_rotation_first")
"""Files of a few joints, which are no person."""
PEOPLE = [name for name in CMU + OTHERS if not any(other in name for other in NOBODY)]


def look(path: Path) -> tuple[Source, tuple[str, ...], Question | None]:
    """What reading a real file says."""
    reading = opened(path)
    assert reading.document.source is not None
    return reading.document.source, reading.repairs, reading.question


def parsed(text: str) -> tuple[dict[str, tuple[str, np.ndarray]], int]:
    """Each joint's parent and offset, by splitting lines; nothing of ours. And how many joints there are."""
    found: dict[str, tuple[str, np.ndarray]] = {}
    path: list[str] = []
    for line in text[: text.index("MOTION")].splitlines():
        words = line.split()
        if words and words[0] in ("ROOT", "JOINT"):
            name = " ".join(words[1:])
        elif words and words[0] == "End":
            name = ""
        elif words == ["{"]:
            path.append(name)
        elif words == ["}"]:
            path.pop()
        elif words and words[0] == "OFFSET" and path[-1]:
            found[path[-1]] = (path[-2] if len(path) > 1 else "", np.array(words[1:4], float))
    return found, len(found)


KNEES = ("LeftLeg", "LeftKnee", "LoLeg_L", "lowerleg01.L", "LeftLowLeg")
FEET = ("LeftFoot", "LeftAnkle", "Foot_L", "foot.L", "LeftFoot")


def leg(text: str) -> float:
    """A leg from hip to ankle in file units, which is half of a person to within a few per cent."""
    joints, _ = parsed(text)
    foot = next(name for name in FEET if name in joints)
    knee = next(name for name in KNEES if name in joints)

    # Straight lines between hip, knee and ankle, as limbs may be cut for their twist.
    def place(name: str) -> np.ndarray:
        parent, offset = joints[name]
        return offset + (place(parent) if parent else 0.0)

    thighs = ("LeftUpLeg", "LeftHip", "UpLeg_L", "upperleg01.L")
    thigh = next(name for name in thighs if name in joints)
    return float(np.linalg.norm(place(thigh) - place(knee)) + np.linalg.norm(place(knee) - place(foot)))


@pytest.mark.sweep
@pytest.mark.parametrize("name", PEOPLE)
def test_every_person_has_the_legs_of_one(data: Path, name: str) -> None:
    path = data / "bvh" / name
    source, _, _ = look(path)
    tall = leg(path.read_text("latin-1")) * source.unit / 0.485
    assert 1.4 < tall < 2.05, f"{tall:.2f} m"


@pytest.mark.thorough
def test_all_clips_of_a_data_set_have_one_unit(data: Path) -> None:
    assert {look(data / "bvh" / name)[0].unit for name in CMU} == {0.056444}
    for pair in (("fair1_dab", "fair1_zombie"), ("makehuman_walk1", "makehuman_zombieWalk1")):
        assert len({look(data / "bvh" / "clips" / f"{name}.bvh")[0].unit for name in pair}) == 1


@pytest.mark.parametrize(
    ("name", "unit", "up"),
    [
        ("cmu/88_01_backflip.bvh", 0.056444, "y"),
        ("clips/rokoko_jesse_dance.bvh", 0.01, "y"),
        ("clips/makehuman_walk1.bvh", 0.1, "z"),
        ("fixtures/makehuman_tpose.bvh", 0.1, "z"),
        ("clips/pymo_AV_8Walk_Meredith.bvh", 0.0254, "y"),
        ("fixtures/Geno_stance.bvh", 0.01, "y"),
        ("clips/fair1_dab.bvh", None, "z"),
        ("clips/fair1_zombie.bvh", None, "z"),
        ("fixtures/pybvh_test1_zup.bvh", 0.0254, "z"),
        ("fixtures/fairmotion_sinusoidal.bvh", 0.01, "y"),
    ],
)
def test_real_files(data: Path, name: str, unit: float | None, up: str) -> None:
    source, repairs, question = look(data / "bvh" / name)
    assert source.up == up
    assert unit is None or source.unit == unit
    assert any(f"one unit is taken as {source.unit:g} m" in repair and "--unit" in repair for repair in repairs)
    assert any("z axis is taken as up" in repair and "--up" in repair for repair in repairs) == (up == "z")
    assert (question is not None) == (unit is None or "fairmotion" in name)


@pytest.mark.thorough
def test_no_clip_of_the_cmu_database_lies_or_is_doubted(data: Path) -> None:
    for name in CMU:
        source, _, question = look(data / "bvh" / name)
        assert source.up == "y", name
        assert question is None, name


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("up", FROM_OURS)
def test_a_person_in_every_unit_with_every_axis_up(file: Callable[[str], Path], unit: str, up: str) -> None:
    root, turns = walk()
    reading = read(file(file_text(root, turns, UNITS[unit], up)))
    document = reading.document
    assert (document.source.unit, document.source.up) == (UNITS[unit], up)
    assert reading.question is None
    ours = document.motion().joint_positions(document.clip().frame_times)
    assert np.abs(ours - places(root, turns)).max() < 1e-6


@pytest.mark.parametrize("up", FROM_OURS)
def test_without_names_limbs_come_in_pairs(file: Callable[[str], Path], up: str) -> None:
    root, turns = walk()
    names = [f"bone{n}" for n in range(len(JOINTS))]
    reading = read(file(file_text(root, turns, 0.0254, up, names=names)), up=up)
    assert reading.document.source.unit == 0.0254


def test_a_body_turned_up_by_its_root_stands_as_it_moves(file: Callable[[str], Path]) -> None:
    """The rest pose has y up, the world z: every frame turns the root by a quarter."""
    root, turns = walk()
    turns[:, 0] = [0.49 * np.pi, 0.0, 0.0]
    lying = root[:, [0, 2, 1]] * [1.0, -1.0, 1.0]
    assert read(file(file_text(lying, turns))).document.source.up == "z"


def test_who_stands_on_the_hands_all_the_time_is_asked_about(file: Callable[[str], Path]) -> None:
    root, turns = walk()
    turns[:, 0] = [np.pi, 0.0, 0.0]
    reading = read(file(file_text(root, turns)))
    assert reading.document.source.up == "y"
    assert reading.question is not None
    assert reading.question.choices[0].up == "z"


def jump() -> tuple[np.ndarray, np.ndarray]:
    """Half a second of standing, a jump of 0.5 s that gravity alone shapes, and standing again."""
    t = np.arange(90) / RATE
    up = np.where((t > 0.5) & (t < 1.0), 0.5 * 9.81 * (t - 0.5) * (1.0 - t), 0.0)
    root = np.stack([0 * t, 0.95 + up, np.where(t > 0.5, np.minimum(t - 0.5, 0.5), 0.0)], axis=1)
    turns = np.zeros((90, len(JOINTS), 3))
    turns[:, 4, 2], turns[:, 7, 2] = -1.2, 1.2
    return root, turns


def test_a_tall_body_that_falls_like_one_is_not_made_smaller(file: Callable[[str], Path]) -> None:
    """Two and a half metres in centimetres: bones alone would rather have another unit."""
    root, turns = jump()
    reading = read(file(file_text(root / 1.45, turns, scale=1.45)))
    assert reading.document.source.unit == 0.01
    assert "from how it falls" in " ".join(reading.repairs)
    assert reading.question is None


def ball(unit: float, up: str) -> str:
    """A thing of two bones that is thrown, spinning slowly."""
    t = np.arange(120) / 60
    flight = t % 1.0
    root = np.stack([0.7 * t, 0.5 * 9.81 * flight * (1.0 - flight) + 0.1, 0 * t], axis=1)
    root = root @ np.array(FROM_OURS[up], float).T / unit
    rows = np.concatenate([root, np.zeros((120, 3)), np.zeros((120, 3))], axis=1)
    return chain(*rows.tolist(), frame_time="0.016666666666666666")


@pytest.mark.parametrize(("unit", "up"), [(0.0254, "-z"), (0.001, "y"), (0.1, "x")])
def test_a_thing_falls_in_its_unit_and_along_its_axis(file: Callable[[str], Path], unit: float, up: str) -> None:
    reading = read(file(ball(unit, up)))
    assert (reading.document.source.unit, reading.document.source.up) == (unit, up)
    assert reading.question is not None


def test_bodies_that_are_no_person_are_not_made_one(file: Callable[[str], Path]) -> None:
    """A horse, whose fore legs are as long as its hind legs, three metres long in metres."""
    root, turns = walk()
    text = file_text(root, turns, 1.0)
    long_arms = text.replace("0.29 0 0", "0.55 0 0").replace("0.26 0 0", "0.5 0 0")
    assert long_arms.count("0.55 0 0") == 2
    reading = read(file(long_arms))
    assert reading.document.source.unit == 1.0
    assert reading.question is not None
    assert "person" not in reading.question.text


def test_a_rig_for_people_on_an_animal_is_no_person(file: Callable[[str], Path]) -> None:
    root, turns = walk()
    names = ["Tail" if name == "Neck" else name for name, _, _ in JOINTS]
    reading = read(file(file_text(root, turns, 0.01, scale=0.3, names=names)))
    assert reading.document.source.unit == 0.01
    assert reading.question is not None


def test_neighbours_of_the_same_joints_decide_for_who_is_doubtful(tmp_path: Path) -> None:
    root, turns = walk()
    for n, scale in enumerate((0.95, 1.0, 1.04)):
        (tmp_path / f"grown{n}.bvh").write_text(file_text(root, turns, 0.0254, scale=scale))
    (tmp_path / "broken.bvh").write_text("HIERARCHY nothing")
    child = tmp_path / "child.bvh"
    child.write_text(file_text(root, turns, 0.0254, scale=0.75))
    together = read(child)
    assert together.document.source.unit == 0.0254
    assert together.question is None
    for each in tmp_path.glob("grown*"):
        each.unlink()
    alone = read(child)
    assert alone.question is not None
    assert 0.0254 in [alone.document.source.unit, *(choice.unit for choice in alone.question.choices)]


def test_a_choice_is_what_read_takes(data: Path) -> None:
    path = data / "bvh/clips/fair1_dab.bvh"
    question = opened(path).question
    assert question is not None
    inches = next(choice for choice in question.choices if choice.label.startswith("Inches"))
    again = read(path, unit=inches.unit)
    assert again.document.source.unit == 0.0254
    assert again.question is None


def test_what_is_given_is_not_guessed(file: Callable[[str], Path]) -> None:
    reading = read(file(chain([1.0] * 9)), unit=0.5, up="z")
    assert reading.repairs == ()
    assert (reading.document.source.unit, reading.document.source.up) == (0.5, "z")
    assert read(file(chain([1.0] * 9)), unit="ft", up="y").document.source.unit == 0.3048


# --- our mark -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("up", FROM_OURS)
@pytest.mark.parametrize("unit", [0.0254, 1.0, 1 / 3])
def test_a_mark_is_read_as_it_was_written(unit: float, up: str) -> None:
    line = f"HIERARCHY{marked(unit, up)}\nROOT x"
    assert mark_of(line.encode()) == (unit, up)
    assert mark_of(line.replace("\n", "\r\n").encode()) == (unit, up)
    assert mark_of(line.replace("\t", " ", 1).encode()) is None


@pytest.mark.sweep
@pytest.mark.parametrize("name", [example.name for example in ib.examples()])
def test_examples_come_back_as_large_as_they_were(tmp_path: Path, name: str) -> None:
    document = ib.example(name)
    for unit, up in ((None, None), ("in", "z"), ("m", "-x")):
        path = tmp_path / f"{name}.bvh"
        write(document, path, **{k: v for k, v in (("unit", unit), ("up", up)) if v})
        reading = read(path)
        assert reading.question is None
        assert not any("is taken as" in repair for repair in reading.repairs)
        back = reading.document
        times = document.clip().frame_times[:: max(1, len(document.clip().frame_times) // 3)]
        before = document.motion().joint_positions(times)
        names = [joint.name for joint in document.rig.joints]
        after = back.motion().point_positions(times, [ib.rig.Point(name) for name in names])
        assert np.abs(before - after).max() < 1e-6


@pytest.mark.sweep
@pytest.mark.parametrize("name", CMU[::6] + OTHERS)
def test_real_files_come_back_as_large_as_they_were(data: Path, tmp_path: Path, name: str) -> None:
    document = opened(data / "bvh" / name).document
    path = tmp_path / "again.bvh"
    times = document.clip().frame_times[:3]
    for unit in ("cm", "m", None):
        write(document, path, **({"unit": unit} if unit else {}))
        back = read(path).document
        assert np.abs(document.motion().joint_positions(times) - back.motion().joint_positions(times)).max() < 1e-8
