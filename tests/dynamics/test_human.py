"""People weighed by de Leva's segments."""

import csv
import warnings
from pathlib import Path

import numpy as np
import pytest

from inbetweener.anatomy import recognise
from inbetweener.dynamics.human import BODY_MASS_INDEX, SEGMENTS, Sex, human
from inbetweener.errors import InvalidRig, RepairWarning
from inbetweener.formats import load
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig
from tests.rig.specimens import person
from tests.rig.test_masses import assert_physical, assert_symmetric

LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")


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
    found = recognise(model.rig)
    trunk = [part.joint for part in found if part.role in ("hips", "spine", "chest", "clavicle")]
    assert sum(model.masses[index(joint)] for joint in trunk) == pytest.approx(43.46, rel=1e-3)
    hands = [part.joint for part in found if part.role in ("hand", "finger")]
    assert sum(model.masses[index(joint)] for joint in hands) == pytest.approx(2 * 0.61, rel=1e-3)


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


def test_without_a_total_a_person_weighs_what_people_of_that_height_do() -> None:
    assert human(person()).total / 1.77**2 == pytest.approx(BODY_MASS_INDEX, rel=0.07)


def test_what_carries_no_flesh_weighs_nothing() -> None:
    base = person()
    armature = Joint("Armature")
    moved = [Joint(j.name, j.parent + 1, j.rest, j.order) for j in base.joints]
    ended = (armature, *moved, Joint("hand_l_end", base.joint_index("hand_l") + 1, Transform((0.1, 0.0, 0.0))))
    model = human(Rig(ended, base.channels, base.points), 70.0)
    assert (model.masses[0], model.masses[-1]) == (0.0, 0.0)
    assert model.unmatched == ()
    assert model.total == pytest.approx(70.0, rel=1e-14)


def test_what_is_no_person_is_refused() -> None:
    with pytest.raises(InvalidRig, match="use box masses"):
        human(Rig((Joint("base"), Joint("tip", 0))))
