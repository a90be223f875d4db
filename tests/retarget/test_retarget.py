"""Motion goes from body to body: the same for the same body, whatever its rest pose; feet stand; hands reach."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from benchmarks.retargeting import curve_values, worlds
from inbetweener.anatomy import Part
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidEdit
from inbetweener.motion import Curves, is_dense
from inbetweener.rig import joint_channels
from tests.cli.command import run_here
from tests.retarget.people import dense, hinged, person, stepping, walking


def places(document: Document, clip: str, names: tuple[str, ...]) -> np.ndarray:
    """Where joints are (T, n, 3) on all frames, by scipy."""
    shown = document.clip(clip)
    found, _ = worlds(document, curve_values(document, shown, shown.frame_times))
    return found[:, [document.rig.joint_index(name) for name in names]]


BODY = ("hips", "chest", "head", "hand_l", "hand_r", "forearm_l", "foot_l", "foot_r", "toe_l", "toe_r", "shin_l")


@pytest.mark.parametrize("name", ["waving", "boxer"])
@pytest.mark.parametrize("keys", ["keyed", "dense"])
def test_the_same_body_moves_the_same(name: str, keys: str) -> None:
    document = ib.example(name) if keys == "keyed" else dense(ib.example(name))
    brought = edits.retarget(document, document, name="again").document
    times = document.clip().frame_times
    one, other = (brought.motion(each).joint_positions(times) for each in (document.clip().name, "again"))
    np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize(
    "other",
    [
        {"droop": 0.9},
        {"order": "XYZ"},
        {"order": "YZX", "droop": -0.3},
        {"facing": 2.0},
        {"size": 0.01, "leg": 1.0},
        {"spines": 4},
    ],
    ids=str,
)
def test_a_rest_pose_makes_no_difference(other: dict[str, float]) -> None:
    source = stepping()
    level = edits.retarget(person(order="ZXY"), source).document
    made = edits.retarget(person(**other), source).document  # type: ignore[arg-type]
    scale = other.get("size", 1.0)
    np.testing.assert_allclose(places(made, "steps", BODY) / scale, places(level, "steps", BODY), atol=1e-6)


@pytest.mark.parametrize("leg", [0.6, 1.0, 1.5])
def test_feet_that_stand_stand_on_other_legs(leg: float) -> None:
    source = stepping()
    result = edits.retarget(person(leg=leg, arm=0.8), source)
    assert result.scale == pytest.approx((0.82 * leg + 0.06) / 0.88, rel=1e-3)
    assert {each.point.parts[0][0].joint for each in result.contacts} == {"toe_l", "toe_r"}
    clip, times = result.clip, result.clip.frame_times
    for contact in result.contacts:
        within = (times >= contact.start - 1e-9) & (times <= contact.end + 1e-9)
        place = places(result.document, clip.name, (contact.point.parts[0][0].joint,))[within, 0]
        assert np.linalg.norm(place - place.mean(axis=0), axis=1).max() < 1e-3
        assert place[:, 1] == pytest.approx(0.0, abs=5e-3), "toes of this body lie on the ground"
    low = places(result.document, clip.name, ("toe_l", "toe_r", "foot_l", "foot_r"))[..., 1].min()
    assert low > -5e-3
    assert result.problem == ""


def test_hands_are_as_far_from_shoulders_as_arms_are_long() -> None:
    source = stepping()
    made = edits.retarget(person(arm=1.4, leg=0.8), source).document
    names = ("upper_arm_l", "hand_l")
    theirs, ours = (np.diff(places(each, "steps", names), axis=1) for each in (source, made))
    np.testing.assert_allclose(ours, 1.4 * theirs, atol=1e-3)


def test_keyed_clips_keep_their_key_times() -> None:
    source = ib.example("waving")
    result = edits.retarget(person(), source)
    assert not is_dense(result.clip)
    known = {round(float(time), 6) for curve in source.clip().curves.values() for time in curve.times}
    known |= {round(source.clip().start, 6), round(source.clip().end, 6)}
    found = {round(float(time), 6) for curve in result.clip.curves.values() for time in curve.times}
    assert found <= known
    assert sum(map(len, result.clip.curves.values())) < 600
    assert result.quality.worst[2][1] < 0.02, "hands and feet between keys"


def test_limits_hold() -> None:
    target = person()
    bounds = {"rx": (-0.4, 0.4), "ry": (-0.2, 0.2), "rz": (-0.6, 0.6)}
    channels = {
        c.name: c for j in ("thigh_l", "upper_arm_r") for c in joint_channels(target.rig.joint(j), limits=bounds)
    }
    rig = replace(target.rig, channels=tuple(channels.get(c.name, c) for c in target.rig.channels))
    result = edits.retarget(replace(target, rig=rig), stepping())
    values = result.document.motion("steps").channels(np.linspace(0.0, 2.0, 241))
    for c, channel in enumerate(rig.channels):
        assert channel.lower - 1e-9 <= values[:, c].min() <= values[:, c].max() <= channel.upper + 1e-9
    assert np.ptp(values[:, rig.channel_index("upper_arm_r.rz")]) > 0.01
    assert not result.quality.beyond.any()


def test_it_faces_starts_and_stays_as_wished() -> None:
    source = stepping()
    clip = source.clip()
    times = clip.frame_times
    going = clip.curves.replaced({"hips.tz": Curve.sampled(times, 0.8 * times)})
    walker = edits.replace_clip(source, clip.name, replace(clip, curves=Curves(going)))
    wished = edits.retarget(person(), walker, heading=math.pi / 2, start=(2.0, -1.0)).document
    hips = places(wished, "steps", ("hips",))[:, 0]
    np.testing.assert_allclose(hips[0, [0, 2]], [2.0, -1.0], atol=0.02)
    assert hips[-1, 0] - hips[0, 0] == pytest.approx(0.8 * times[-1], abs=0.05)
    assert abs(hips[-1, 2] - hips[0, 2]) < 0.05
    still = edits.retarget(person(), walker, travels=False)
    hips = places(still.document, "steps", ("hips",))[:, 0]
    assert np.ptp(hips[:, 2]) < 0.1
    assert still.contacts == ()


def test_a_name_that_is_taken_gets_a_number() -> None:
    once = edits.retarget(person(), stepping()).document
    twice = edits.retarget(once, stepping()).document
    assert [clip.name for clip in twice.clips] == ["steps", "steps 2"]


def test_a_body_nobody_recognises_is_told_what_would_help() -> None:
    target = person()
    unknown = edits.set_roles(target, [Part(f"thigh_{side}", "helper") for side in "lr"])
    with pytest.raises(InvalidEdit, match=r"no thigh was recognised.*set_roles"):
        edits.retarget(unknown, stepping())


def test_bad_wishes_are_refused() -> None:
    with pytest.raises(InvalidEdit, match="tolerance above nought"):
        edits.retarget(person(), stepping(), tolerance=0.0)
    with pytest.raises(InvalidEdit, match="must be numbers"):
        edits.retarget(person(), stepping(), heading=math.nan)


def test_dense_clips_can_be_fitted() -> None:
    result = edits.retarget(person(leg=1.2), stepping(31), tolerance=0.005)
    assert not is_dense(result.clip)
    assert sum(map(len, result.clip.curves.values())) < 0.6 * 31 * len(result.clip.curves)


def test_the_command_brings_a_clip(tmp_path: object) -> None:
    folder = tmp_path
    assert hasattr(folder, "joinpath")
    target, source, output = (folder.joinpath(f"{name}.tween") for name in ("target", "source", "output"))
    ib.save(person(leg=0.7), target)
    ib.save(stepping(), source)
    done = run_here(["retarget", str(target), str(source), "-o", str(output), "--start", "1,2"], folder)
    assert done.returncode == 0, done.stderr
    assert "'steps' came over" in done.stdout
    wished = edits.retarget(ib.load(target), ib.load(source), start=(1.0, 2.0)).document
    assert ib.load(output) == wished


@pytest.mark.parametrize("source", [stepping, lambda: walking(rounds=1)], ids=["steps", "walk"])
def test_stacks_of_hinges_turn_as_joints_do(source: Callable[[], Document]) -> None:
    giver = source()
    result = edits.retarget(hinged(), giver)
    assert result.document.rig.joint("thigh_l_rz")
    quality = result.quality
    assert quality.slide.max() < 1e-3
    assert quality.missed.max() < 0.02
    times = giver.clip().frame_times
    for joint in ("foot_l", "shin_r", "forearm_l", "hand_r"):
        was, now = (
            document.motion(clip).joint_positions(times)[:, document.rig.joint_index(joint)]
            for document, clip in ((giver, None), (result.document, result.clip.name))
        )
        assert np.linalg.norm(now - was - (now - was).mean(axis=0), axis=1).max() < 0.05


def test_hinges_that_limits_lead_elsewhere_do_not_jump() -> None:
    robot = hinged()
    limits = {"upper_arm_l_rz.rz": (-0.9, 2.0)}
    channels = tuple(
        replace(each, lower=limits[each.name][0], upper=limits[each.name][1]) if each.name in limits else each
        for each in robot.rig.channels
    )
    result = edits.retarget(replace(robot, rig=replace(robot.rig, channels=channels)), stepping())
    values = result.document.motion("steps").channels(result.clip.frame_times)
    arms = [c for c, each in enumerate(channels) if "arm" in each.name]
    assert values[:, robot.rig.channel_index("upper_arm_l_rz.rz")].min() == -0.9, "it is at its stop"
    assert np.abs(np.diff(values[:, arms], axis=0)).max() < 0.15
    assert np.abs(np.diff(values[:, arms], n=2, axis=0)).max() < 0.05
    assert result.quality.missed.max() < 2e-3
