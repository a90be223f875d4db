"""People weighed by de Leva's segments."""

import csv
import warnings
from pathlib import Path

import numpy as np
import pytest

from inbetweener.errors import InvalidRig, RepairWarning
from inbetweener.formats import load
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig
from inbetweener.rig.body_parts import named_part, parts
from inbetweener.rig.human_masses import SEGMENTS, Sex, human
from tests.rig.specimens import person
from tests.rig.test_masses import assert_physical, assert_symmetric

LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")

NAMES = {
    "head": ["head", "Head", "mixamorig:Head", "HeadTop_End", "DEF-head", "eye_l", "jaw"],
    "neck": ["neck", "Neck1", "mixamorig:Neck", "neck_01"],
    "trunk": ["hips", "Hips", "pelvis", "LowerBack", "Spine1", "spine_03", "chest", "clavicle_l", "LeftCollar"],
    "upper_arm": ["upper_arm_l", "LeftArm", "mixamorig:RightArm", "upperarm_r", "DEF-upper_arm.L.001", "LeftUpArm"],
    "forearm": ["forearm_l", "LeftForeArm", "lowerarm_l", "R_Elbow", "RightLowArm"],
    "hand": ["hand_l", "RightHand", "LThumb", "LeftHandIndex1", "index_2_r", "L_Wrist", "LeftFingerBase"],
    "thigh": ["thigh_l", "LeftUpLeg", "mixamorig:RightUpLeg", "DEF-thigh.R"],
    "shank": ["shank_l", "LeftLeg", "calf_r", "L_Knee", "shin.L", "LeftLowLeg"],
    "foot": ["foot_l", "LeftFoot", "LeftToeBase", "ball_r", "R_Ankle", "toe_l"],
    None: ["tail_1", "cape", "hat", "wing_l", "root", "spring"],
}


@pytest.mark.parametrize(("part", "name"), [(part, name) for part, names in NAMES.items() for name in names])
def test_names_are_read_as_people_write_them(part: str | None, name: str) -> None:
    assert named_part(name) == part


def test_shoulders_and_hips_are_judged_by_what_they_carry() -> None:
    cmu = Rig(
        (Joint("Hips"), Joint("LHipJoint", 0), Joint("LeftUpLeg", 1), Joint("LeftShoulder", 0), Joint("LeftArm", 3))
    )
    assert list(parts(cmu).values()) == ["trunk", "trunk", "thigh", "trunk", "upper_arm"]
    smpl = Rig((Joint("Pelvis"), Joint("L_Hip", 0), Joint("L_Knee", 1), Joint("L_Collar", 0), Joint("L_Shoulder", 3)))
    assert list(parts(smpl).values()) == ["trunk", "thigh", "shank", "trunk", "upper_arm"]


def test_the_table_is_de_levas(data: Path) -> None:
    with (data / "physics" / "de_leva_1996.csv").open() as file:
        for row in csv.DictReader(file):
            if row["segment"] == "trunk":
                continue
            segment = SEGMENTS[row["sex"]][row["segment"]]  # type: ignore[index]
            numbers = [float(value) for value in list(row.values())[4:]]
            assert [segment.length, segment.mass, segment.centre, *segment.radii] == numbers


@pytest.mark.parametrize("sex", ["female", "male"])
def test_segments_make_a_whole_body(sex: Sex) -> None:
    whole = sum(s.mass * (2 if name in LIMBS else 1) for name, s in SEGMENTS[sex].items())
    assert whole == pytest.approx(100.0, abs=0.011)


@pytest.mark.parametrize("sex", ["female", "male"])
@pytest.mark.parametrize("axes", [None, 3])
def test_a_person_is_physical_and_symmetric_and_weighs_what_was_asked(sex: Sex, axes: int | None) -> None:
    model = human(person(axes), 64.0, sex=sex)
    assert_physical(model)
    assert_symmetric(model)
    assert model.total == pytest.approx(64.0, rel=1e-14)
    assert model.unmatched == ()


def test_segments_keep_their_shares_centres_and_moments() -> None:
    model = human(person(), 100.0)
    index = model.rig.joint_index
    thigh = SEGMENTS["male"]["thigh"]
    assert model.masses[index("thigh_l")] == pytest.approx(thigh.mass, rel=1e-3)
    np.testing.assert_allclose(model.centres[index("thigh_l")], [0, -0.43 * thigh.centre / 100, 0], atol=1e-12)
    expected = thigh.mass * (0.43 * np.array(thigh.radii) / 100) ** 2
    # Sagittal is front to back (z), transverse side to side (x), long is down the bone (y).
    np.testing.assert_allclose(np.diag(model.inertias[index("thigh_l")])[[2, 0, 1]], expected, rtol=1e-3)
    trunk = [joint for joint, part in parts(model.rig).items() if part == "trunk"]
    assert sum(model.masses[index(joint)] for joint in trunk) == pytest.approx(43.46, rel=1e-3)
    hand = [joint for joint, part in parts(model.rig).items() if part == "hand"]
    assert sum(model.masses[index(joint)] for joint in hand) == pytest.approx(2 * 0.61, rel=1e-3)


@pytest.mark.parametrize("sex", ["female", "male"])
def test_a_standing_person_balances_a_little_above_the_middle(sex: Sex) -> None:
    rig = person()
    pose = rig.defaults.copy()
    pose[rig.channel_index("upper_arm_l.rz")] = -np.pi / 2
    pose[rig.channel_index("upper_arm_r.rz")] = np.pi / 2
    model = human(rig, sex=sex)
    world = rig.world_from_joint(np.stack([pose, rig.defaults]))
    arms_down, arms_out = model.centre_of_mass(world)
    assert 0.55 < arms_down[1] / 1.77 < 0.58
    # Lifting 10 % of the body by 0.27 m: what de Leva's arms weigh and where their centres are.
    assert 0.02 < arms_out[1] - arms_down[1] < 0.035
    assert abs(arms_out[0]) < 1e-12


def test_the_cmu_t_pose_balances_where_people_do(data: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RepairWarning)
        document = load(data / "bvh" / "cmu" / "02_01_walk.bvh")
    rig = document.rig
    model = human(rig, 75.0)
    assert model.unmatched == ()
    assert model.total == pytest.approx(75.0, rel=1e-14)
    assert_physical(model)
    motion = document.motion()
    world = motion.world_from_joint([0.0])[0]  # frame 0 of these files is a T-pose
    height = {joint.name: world[i, 1, 3] for i, joint in enumerate(rig.joints)}
    floor = min(height.values())
    # The file's head ends below the crown; a mean head on these legs is 0.2 m high.
    crown = height["Head"] + 0.2
    balance = model.centre_of_mass(world)[1]
    assert 0.55 < (balance - floor) / (crown - floor) < 0.60
    # Over the walk the centre stays near the hips and moves on with them.
    times = np.linspace(0.1, 2.8, 50)
    centres = model.centre_of_mass(motion.world_from_joint(times))
    hips = motion.joint_positions(times)[:, 0]
    assert np.abs(centres - hips).max() < 0.2
    assert np.linalg.norm(np.ptp(centres, axis=0)) > 1.0


def test_strangers_among_the_joints_are_named_and_weighed() -> None:
    base = person()
    tail = Joint("tail", base.joint_index("hips"), Transform((0.0, 0.0, -0.2)))
    model = human(Rig((*base.joints, tail), base.channels, base.points), 70.0)
    assert model.unmatched == ("tail",)
    assert model.masses[-1] > 0
    assert model.total == pytest.approx(70.0, rel=1e-14)


def test_single_joints_can_be_given_another_mass() -> None:
    model = human(person(), 70.0, overrides={"hand_r": 5.0})
    assert model.masses[model.rig.joint_index("hand_r")] == 5.0


def test_what_is_no_person_is_refused() -> None:
    with pytest.raises(InvalidRig, match="use box masses"):
        human(Rig((Joint("base"), Joint("tip", 0))))
