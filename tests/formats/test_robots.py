"""Robots open with their joints, limits and masses: as MuJoCo has the same file, at random angles."""

import re
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener import formats
from inbetweener.document.validation import problems
from inbetweener.errors import FormatError
from inbetweener.formats.robots.links import OURS_FROM_ROBOT

MJCF = """<mujoco model="arm"><compiler eulerseq="zyx"/>
<default><geom density="700"/><default class="big"><joint range="-40 70" axis="1 2 0"/></default></default>
<worldbody><body name="base" pos="0.1 0.2 1" euler="20 -30 40"><freejoint/><geom type="box" size=".1 .2 .05"/>
 <body name="upper" pos="0 .3 .1" axisangle="0 1 1 25"><joint name="a" class="big" pos=".01 .02 0"/>
  <joint name="b" axis="0 1 .5" limited="false" range="-1 1"/><geom type="capsule" fromto="0 0 0 .2 .1 .3" size=".04"/>
  <geom type="ellipsoid" size=".05 .06 .07" pos=".1 0 0" zaxis="1 1 0" mass="2"/>
  <body name="fore" pos=".2 0 0" xyaxes="0 1 0 -1 0 .2"><joint name="c" type="slide" axis="0 1 1" range="0 .3"/>
   <inertial pos="0 .1 0" mass="1.5" fullinertia=".02 .03 .025 .001 .002 -.003"/>
   <body name="hand" pos="0 0 .2"><joint name="d" class="big"/><geom type="cylinder" size=".03 .1"/></body>
 </body></body></body></worldbody></mujoco>"""
URDF = """<?xml version="0.0"?><robot name="leg"><link name="hip"><inertial><mass value="3"/><origin xyz="0 0 .1"/>
 <inertia ixx=".1" iyy=".1" izz=".05" ixy=".01" ixz="0" iyz="0"/></inertial></link>
 <link name="shin"><inertial><mass value="1"/><origin xyz=".1 0 0" rpy=".3 .2 .1"/>
 <inertia ixx=".02" iyy=".03" izz=".04" ixy="0" ixz=".001" iyz="0"/></inertial></link>
 <joint name="knee" type="revolute"><parent link="hip"/><child link="shin"/><origin xyz="0 .1 -.4" rpy=".1 -.2 .3"/>
 <axis xyz="0 .6 .8"/><limit lower="-.2" upper="1.9" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize(("suffix", "text"), [("xml", MJCF), ("urdf", URDF)])
def test_parts_are_where_mujoco_has_them_and_weigh_as_much(suffix: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"robot.{suffix}"
    path.write_text(text)
    document = formats.read(path).document
    rig = document.rig
    # In URDF a root is fixed to MuJoCo's world, and the world's place is dropped; here it floats, at rest there.
    model = mujoco.MjModel.from_xml_string(text.replace('<?xml version="0.0"?>', ""))
    data, rng = mujoco.MjData(model), np.random.default_rng(2)
    names, values = [joint.name for joint in rig.joints], rig.defaults.copy()
    for number in range(model.njnt):
        if model.jnt_type[number] == mujoco.mjtJoint.mjJNT_FREE:
            continue
        channel = rig.channel(model.joint(number).name)
        limits = model.jnt_range[number] if model.jnt_limited[number] else (-np.inf, np.inf)
        assert (channel.lower, channel.upper) == pytest.approx(tuple(limits))
        angle = rng.uniform(-0.9, 0.9)
        data.qpos[model.jnt_qposadr[number]] = values[rig.channel_index(channel.name)] = angle
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    world = rig.world_from_joint(values[None])[0]
    for number in range(1, model.nbody):
        joint = names.index(model.body(number).name)
        weight = rig.joints[joint].weight
        assert weight is not None
        at = world[joint, :, :3] @ weight.centre + world[joint, :, 3]
        assert np.abs(at - OURS_FROM_ROBOT @ data.xipos[number]).max() < 1e-12
        assert weight.mass == pytest.approx(model.body_mass[number], rel=1e-12)
        xx, yy, zz, xy, xz, yz = weight.inertia
        about = world[joint, :, :3] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ world[joint, :, :3].T
        axes = OURS_FROM_ROBOT @ data.ximat[number].reshape(3, 3)
        assert np.allclose(about, axes @ np.diag(model.body_inertia[number]) @ axes.T, rtol=1e-9, atol=1e-12)
    weights = [joint.weight.mass for joint in rig.joints if joint.weight]
    assert document.body().total == pytest.approx(sum(weights))


REAL = (
    "robots/unitree_g1/g1.xml",
    "robots/unitree_h1/h1.xml",
    "robots/booster_t1/t1.xml",
    "physics/mujoco_humanoid.xml",
)


@pytest.mark.parametrize("name", REAL)
def test_real_robots_have_the_limits_and_masses_that_mujoco_reads(name: str, data: Path) -> None:
    rig = formats.read(data / name).document.rig
    tree = ElementTree.parse(data / name)
    # Their meshes lie elsewhere; links that say what they weigh do without.
    for parent in list(tree.iter()):
        for child in [each for each in parent if "mesh" in (each.tag, each.get("type")) or each.get("mesh")]:
            parent.remove(child)
    model = mujoco.MjModel.from_xml_string(ElementTree.tostring(tree.getroot(), "unicode"))
    hinges = [n for n in range(model.njnt) if model.jnt_type[n] == mujoco.mjtJoint.mjJNT_HINGE]
    assert len(hinges) > 15
    for n in hinges:
        channel = rig.channel(model.joint(n).name)
        limits = model.jnt_range[n] if model.jnt_limited[n] else (-np.inf, np.inf)
        assert (channel.lower, channel.upper) == pytest.approx(tuple(limits), abs=1e-12)
    masses = {joint.name: joint.weight.mass for joint in rig.joints if joint.weight}
    for n in range(1, model.nbody):
        assert masses[model.body(n).name] == pytest.approx(model.body_mass[n], rel=1e-9)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<mujoco>", "no XML"),
        ("<svg/>", "neither MJCF nor URDF"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><mujoco/>', "entities"),
        ("<mujoco><worldbody/></mujoco>", "no body"),
        ('<mujoco><worldbody><body pos="0 x 0"/></worldbody></mujoco>', "no number"),
        ('<mujoco><worldbody><body childclass="q"><joint/></body></worldbody></mujoco>', "no default declares"),
        ('<robot><joint><parent link="a"/></joint></robot>', "which there is not"),
        (URDF.replace('xyz="0 .6 .8"', 'xyz="0 0 0"'), "<axis>: has a direction that leads nowhere"),
        ("<mujoco>" + "<a>" * 600, "inside each other"),
        ('<mujoco><worldbody><body xyaxes="0 0 0 0 1 0"/></worldbody></mujoco>', "leads nowhere"),
        ('<mujoco><worldbody><body xyaxes="0 1 0 0 2 0"/></worldbody></mujoco>', "leads nowhere"),
        ('<mujoco><worldbody><body axisangle="0 0 0 1"/></worldbody></mujoco>', "leads nowhere"),
        ('<mujoco><worldbody><body zaxis="0 0 1e-320"/></worldbody></mujoco>', "leads nowhere"),
        ('<mujoco><worldbody><body><joint axis="0 0 0"/></body></worldbody></mujoco>', "leads nowhere"),
    ],
)
def test_files_that_cannot_be_read_say_why(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    with pytest.raises(FormatError, match=why):
        formats.read(path)


def test_a_link_that_weighs_next_to_nothing_is_shown_by_nothing(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(re.sub(r'(<inertial pos="0 .1 0" mass=)"[^"]*"', r'\1"1e-320"', MJCF))
    document = formats.read(path).document
    assert problems(document) == []
    assert "fore" not in {prop.name for prop in document.props}


def test_absurd_numbers_are_refused_before_anything_is_made_of_them(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(MJCF.replace('axisangle="0 1 1 25"', 'axisangle="0 1e300 1 25"'))
    with pytest.raises(FormatError, match="must be 4 finite numbers"):
        formats.read(path)


def test_a_capsule_too_thin_to_enclose_anything_opens(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(MJCF.replace('size=".04"', 'size="1e-170"'))
    assert problems(formats.read(path).document) == []


@pytest.mark.parametrize(
    "shape", ['<capsule radius="0" length="1"/>', '<cylinder radius="1" length="-1"/>', '<box size="1 0 1"/>']
)
def test_collisions_of_nothing_are_refused_with_their_line(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(
        URDF.replace("</inertial></link>", f"</inertial><collision><geometry>{shape}</geometry></collision></link>", 1)
    )
    with pytest.raises(FormatError, match=r"robot\.urdf: .*line .*its sizes must be above nought"):
        formats.read(path)


@pytest.mark.parametrize("sequence", ["xyw", "xy", "xyzx", ""])
def test_axes_of_angles_that_there_are_not_are_refused(sequence: str, tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(MJCF.replace('eulerseq="zyx"', f'eulerseq="{sequence}"'))
    with pytest.raises(FormatError, match=r"eulerseq='.*' is not made of three"):
        formats.read(path)


def test_ball_joints_turn_every_way(tmp_path: Path) -> None:
    text = MJCF.replace('<joint name="d" class="big"/>', '<joint name="d" type="ball" pos="0 .02 .01" range="0 60"/>')
    path = tmp_path / "robot.xml"
    path.write_text(text)
    reading = formats.read(path)
    assert any("limits of ball joints" in loss for loss in (*reading.losses, *reading.repairs))
    rig = reading.document.rig
    model = mujoco.MjModel.from_xml_string(text)
    data, values = mujoco.MjData(model), rig.defaults.copy()
    angles = (0.7, -0.4, 1.1)
    for letter, angle in zip("xyz", angles, strict=True):
        values[rig.channel_index(f"d {letter}")] = angle
    at = model.joint("d").qposadr[0]
    x, y, z, w = Rotation.from_euler("XYZ", angles).as_quat()
    data.qpos[at : at + 4] = (w, x, y, z)
    mujoco.mj_kinematics(model, data)
    hand = rig.world_from_joint(values[None])[0, rig.joint_index("hand")]
    weight = rig.joint("hand").weight
    assert weight is not None
    there = OURS_FROM_ROBOT @ data.xipos[model.body("hand").id]
    assert np.abs(hand[:, :3] @ weight.centre + hand[:, 3] - there).max() < 1e-12


def test_included_files_stand_where_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    body = MJCF[MJCF.index("<worldbody>") : MJCF.index("</mujoco>")]
    (tmp_path / "parts" / "body.xml").write_text(f"<mujocoinclude>{body}</mujocoinclude>")
    whole, split = tmp_path / "whole.xml", tmp_path / "split.xml"
    whole.write_text(MJCF)
    split.write_text(MJCF.replace(body, '<include file="parts/body.xml"/>'))
    one, other = (formats.read(path).document for path in (whole, split))
    assert (one.rig, one.props) == (other.rig, other.props)
    assert mujoco.MjModel.from_xml_path(str(split)).nbody == 1 + 4


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("gone.xml", "which is not there"),
        ("../outside.xml", "not below the file's own folder"),
        ("/etc/hostname", "not below the file's own folder"),
        ("robot.xml", "a second time"),
        ("", "not below"),
    ],
)
def test_what_cannot_be_included_is_told_with_its_place(file: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "outside.xml").write_text("<mujocoinclude/>")
    folder = tmp_path / "own"
    folder.mkdir()
    path = folder / "robot.xml"
    path.write_text(MJCF.replace("</mujoco>", f'<include file="{file}"/></mujoco>'))
    with pytest.raises(FormatError, match=f"<include>: includes .*{why}"):
        formats.read(path)
