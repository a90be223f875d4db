"""Twist bones follow the joints that they belong to, whatever moves these; it can be taken back."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import inbetweener as ib
from inbetweener.anatomy import Part
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.errors import InvalidDocument
from inbetweener.motion import Clip, Curves
from tests.retarget.people import person, stepping, twisted
from tests.studio.documents import smooth


def turns(document: Document, joint: str, times: np.ndarray) -> Rotation:
    motion = document.motion()
    posed = motion.rig.posed(motion.channels(times))
    return Rotation.from_matrix(posed.forward[1][:, motion.rig.joint_index(joint)])


def twist_of(document: Document, joint: str, bone: str, times: np.ndarray) -> np.ndarray:
    """By how much (T,) a twist bone is turned about its bone, in radians: along x on a person's arms."""
    rest = document.rig.joint(joint).rest.rotation
    local = turns(document, bone, times).inv() * turns(document, joint, times)
    away = local * Rotation.from_quat(rest, scalar_first=True).inv()
    assert np.abs(away.as_rotvec()[:, 1:]).max() < 1e-9, "about the bone and nothing else"
    return np.asarray(away.as_rotvec()[:, 0])


def waving() -> Document:
    """An arm whose hand turns over while its shoulder twists."""
    document = twisted(person())
    times = np.linspace(0.0, 1.0, 5)
    tracks = {"hand_l.rx": 1.4 * times, "upper_arm_l.rx": -0.8 * times, "forearm_l.ry": -1.0 * times}
    curves = Curves({name: smooth(times.tolist(), track.tolist()) for name, track in tracks.items()})
    return replace(document, clips=(Clip("wave", 1.0, rate=24.0, curves=curves),))


def test_they_take_their_share_and_it_can_be_taken_back(tmp_path: Path) -> None:
    document = waving()
    result = edits.follow_twists(document)
    assert len(result.joints) == 8
    assert not result.problem
    made, times = result.document, document.clip().frame_times
    assert made.clips == document.clips
    hand = made.motion().channels(times)[:, made.rig.channel_index("hand_l.rx")]
    for n, share in ((1, 0.3), (2, 0.8)):
        np.testing.assert_allclose(twist_of(made, f"forearm_twist_{n}_l", "forearm_l", times), share * hand, atol=1e-9)
    # The upper arm twists from nought at the shoulder to all at the elbow.
    upper = made.motion().channels(times)[:, made.rig.channel_index("upper_arm_l.rx")]
    np.testing.assert_allclose(twist_of(made, "upper_arm_twist_1_l", "upper_arm_l", times), -0.75 * upper, atol=1e-9)
    bodies = [joint.name for joint in made.rig.joints if "twist" not in joint.name]
    one, other = document.motion(), made.motion()
    for name in bodies:
        n = made.rig.joint_index(name)
        np.testing.assert_array_equal(one.joint_positions(times)[:, n], other.joint_positions(times)[:, n])
    ib.save(made, tmp_path / "a.tween")
    assert ib.load(tmp_path / "a.tween") == made
    assert edits.follow_twists(made).document is made
    assert edits.follow_twists(made, follow=False).document == document


def rolling() -> Document:
    """Somebody who steps and turns over the left hand."""
    source = stepping()
    clip = source.clip()
    roll = Curve.sampled(clip.frame_times, 1.2 * np.sin(clip.frame_times))
    return replace(source, clips=(replace(clip, curves=Curves({**clip.curves, "hand_l.rx": roll})),))


@pytest.mark.filterwarnings("ignore")
def test_files_are_told_what_followed(tmp_path: Path) -> None:
    made = edits.follow_twists(waving()).document
    times = np.linspace(0.0, 1.0, 49)
    for name in ("a.glb", "a.bvh"):
        ib.save(made, tmp_path / name)
        read = ib.load(tmp_path / name)
        # BVH knows no turned rest: what turned since the beginning counts.
        one, other = (turns(each, "forearm_twist_2_l", times[::2]) for each in (read, made))
        gap = (one * one[0].inv()) * (other * other[0].inv()).inv()
        assert gap.magnitude().max() < 2e-3


@pytest.mark.filterwarnings("ignore")
def test_drags_pulls_guidance_and_clips_from_elsewhere_move_them() -> None:
    made = edits.follow_twists(waving()).document
    times = np.array([0.25, 0.5, 0.75])

    def follows(changed: Document, clip: str) -> None:
        motion = changed.motion(clip)
        dofs = motion.rig.dof_map.dofs(motion.channels(times))
        n, hand = (9 * motion.rig.joint_index(name) + 3 for name in ("forearm_twist_2_l", "hand_l"))
        turned = Rotation.from_euler("ZYX", dofs[:, [hand + 2, hand + 1, hand]]).as_quat()
        wanted = 2.0 * np.arctan2(turned[:, 0], turned[:, 3])
        wanted -= 2.0 * np.pi * np.round(wanted / (2.0 * np.pi))
        np.testing.assert_allclose(dofs[:, n + 1], 0.8 * wanted, atol=1e-9)
        assert np.abs(wanted).max() > 1e-3

    follows(edits.drag(made, "hand_l", time=0.4, turn=(0.3, 0.0, 0.0)).document, "wave")
    follows(edits.pull(made, "hand_l", time=0.5, by=(0.0, 0.1, 0.1)).document, "wave")
    follows(edits.guide(made, channels="*_l.*", masses="boxes").document, "wave")
    # Taken hold of itself, a twist bone leads what it follows.
    pulled = edits.drag(made, "forearm_twist_2_l", time=0.4, turn=(0.2, 0.0, 0.0), channels=["hand_l.rx"]).document
    follows(pulled, "wave")
    one, other = (turns(each, "forearm_twist_2_l", np.array([0.4])) for each in (made, pulled))
    assert (other * one.inv()).magnitude()[0] == pytest.approx(0.2, abs=0.03)
    follows(edits.retarget(made, rolling()).document, "steps")


def test_those_that_a_clip_animates_are_left_and_told() -> None:
    document = waving()
    clip = document.clip()
    own = Curve.sampled([0.0, 1.0], [0.0, 0.5])
    animated = replace(clip, curves=Curves({**clip.curves, "forearm_twist_1_l.rx": own}))
    result = edits.follow_twists(replace(document, clips=(animated,)))
    assert len(result.joints) == 7
    assert result.problem == "forearm_twist_1_l: animated in 'wave', and left so"
    skewed = document.rig.joint("forearm_twist_2_l")
    rest = np.array([0.5, 0.5, -0.1, 0.7])
    skewed = replace(skewed, rest=replace(skewed.rest, rotation=tuple((rest / np.linalg.norm(rest)).tolist())))
    joints = tuple(skewed if joint.name == skewed.name else joint for joint in document.rig.joints)
    told = edits.follow_twists(replace(document, rig=replace(document.rig, joints=joints)))
    assert "none of its axes lies along the bone" in told.problem


def test_without_any_the_remedy_is_told() -> None:
    with pytest.raises(InvalidDocument, match="--set JOINT=twist:left"):
        edits.follow_twists(ib.example("waving"))


def test_a_twist_bone_that_carries_the_hand_takes_its_twist_in_a_clip_from_elsewhere() -> None:
    plain = person()
    joints = list(plain.rig.joints)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        n = plain.rig.joint_index(f"hand_{side}")
        # It stands where the hand does not yet: half way, and carries it.
        half = replace(joints[n].rest, translation=(0.13 * sign, 0.0, 0.0))
        joints[n] = replace(joints[n], name=f"forearm_twist_{side}", rest=half)
        joints.append(replace(plain.rig.joints[n], parent=n, rest=half))
    channels = [
        *plain.rig.channels,
        *(c for side in "lr" for c in _copied(plain, side)),
    ]
    rig = replace(plain.rig, joints=tuple(joints), channels=tuple(channels))
    target = edits.set_roles(replace(plain, rig=rig), [Part("forearm_twist_l", "twist", "left")], mirror=True)
    source = rolling()
    made = edits.retarget(target, source).document
    times = source.clip().frame_times
    values = made.motion("steps").channels(times)
    taken = values[:, rig.channel_index("forearm_twist_l.rx")]
    np.testing.assert_allclose(taken, 1.2 * np.sin(times), atol=0.01)
    assert np.abs(values[:, rig.channel_index("hand_l.rx")]).max() < 0.01
    seen = made.motion("steps").joint_positions(times)[:, rig.joint_index("hand_l")]
    there = source.motion().joint_positions(times)[:, source.rig.joint_index("hand_l")]
    assert np.abs(seen - there).max() < 2e-3


def _copied(document: Document, side: str) -> list[object]:
    from inbetweener.rig import joint_channels

    return list(joint_channels(replace(document.rig.joint(f"hand_{side}"), name=f"forearm_twist_{side}")))
