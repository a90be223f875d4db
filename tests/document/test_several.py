"""More than one character: names kept apart, everything comes along, and what they hold of each other holds."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import root

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.document import Document, Prop, edits, problems
from inbetweener.errors import InvalidEdit, UnknownName
from inbetweener.formats import write
from inbetweener.guidance.moments import Moments, Wiring
from inbetweener.guidance.terms.balance import Balance
from inbetweener.kinodynamics import Loosened, Looseness, PointTarget, Spring
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Attach, Clip, Contact, Curves, Layer, Motion
from inbetweener.rig import Channel, Handle, Joint, Point, Rig, characters, joint_channels
from inbetweener.rig.characters import belongs, floating, part_called

HEADING = math.radians(-70)
TURN = np.array([[math.cos(HEADING), 0, math.sin(HEADING)], [0, 1, 0], [-math.sin(HEADING), 0, math.cos(HEADING)]])
PLACE = np.array([1.0, 0.25, 0.5])


def limbed(*, handle: bool = False) -> Document:
    """Hips on a leg, and an arm of two bones and a hand; it may have a handle, and so places in the world."""
    joints = (
        Joint("hips", -1, Transform((0.0, 1.0, 0.0))),
        Joint("arm", 0, Transform((0.0, 0.4, 0.1))),
        Joint("elbow", 1, Transform((0.0, -0.1, 0.28))),
        Joint("hand", 2, Transform((0.0, 0.1, 0.25))),
        Joint("foot", 0, Transform((0.0, -0.98, 0.0))),
    )
    channels = [*joint_channels(joints[0], "tx ty tz rx ry rz")]
    channels += [channel for joint in joints[1:] for channel in joint_channels(joint, "rx ry rz")]
    channels[-1] = replace(channels[-1], lower=-1.0, upper=1.0, stiffness=3.0)
    rig = Rig(joints, (*channels, Channel("wink", "shape")), (Point("hand", (0.0, 0.0, 0.06), "palm"),))
    if handle:
        rig = rig.with_handle(Handle("reach", ("arm", "elbow"), Point("hand")))
    return Document("limbed", rig, clips=(Clip("act", 1.0, curves=Curves(_curves(rig))),))


def _curves(rig: Rig) -> dict[str, Curve]:
    rng, times = np.random.default_rng(5), np.array([0.0, 0.35, 0.7, 1.0])
    return {
        channel.name: Curve.sampled(times, channel.default + 0.12 * rng.normal(size=4))
        for channel in rig.channels
        if channel.name.split(".")[-1] != "blend"
    }


@pytest.mark.parametrize("handle", [False, True])
def test_what_is_added_moves_as_it_did_where_it_is_put(handle: bool) -> None:
    scene, other = ib.example("waving"), limbed(handle=handle)
    result = edits.add(scene, other, name="pal", position=(1.0, 0.25, 0.5), heading=HEADING, into="hello", at=0.5)
    both = result.document
    assert not problems(both)
    assert [each.name for each in characters(both.rig)] == ["", "pal"]
    times = np.linspace(0.0, 1.0, 57)
    before = other.motion().world_from_joint(times)
    first = len(scene.rig.joints) + 1
    after = both.motion().world_from_joint(times + 0.5)[:, first:]
    # Turned handles are sums of curves, which come as near as a tolerance of 0.1 mm; all else is exact.
    near = 1e-4 if handle else 1e-12
    assert np.abs(after[..., 3] - (before[..., 3] @ TURN.T + PLACE)).max() < near
    assert np.abs(after[..., :3] - TURN @ before[..., :3]).max() < 10 * near
    untouched = both.motion().world_from_joint(times)[:, : first - 1]
    assert np.array_equal(untouched, scene.motion().world_from_joint(times))
    channel = both.rig.channel("pal:foot.rz")
    assert (channel.lower, channel.upper, channel.stiffness) == (-1.0, 1.0, 3.0)
    assert edits.remove(both, "pal").document == scene
    alone = edits.only(both, "pal")
    assert [joint.name for joint in alone.rig.joints] == ["pal", *(joint.name for joint in other.rig.joints)]
    assert np.abs(alone.motion().world_from_joint(times + 0.5)[:, 1:] - after).max() == 0.0
    moved = edits.place(both, "pal", (0.0, 0.0, 0.0))
    assert np.abs(moved.motion().joint_positions(times + 0.5)[:, first:] - before[..., 3]).max() < 2 * near


def test_springs_contacts_targets_roles_and_props_come_along() -> None:
    other = limbed()
    other = edits.add_constraint(other, "act", Contact(Point("foot"), 0.0, 1.0))
    other = edits.add_prop(other, Prop("cup", Sphere(0.1), Transform((0.0, 0.0, 1.0))))
    other = edits.add_constraint(other, "act", Attach(Point("foot"), "hand", 0.0, 0.5))
    other = edits.set_springs(other, "act", {"elbow": Spring(2.0, 0.2)})
    other = edits.add_target(other, "act", PointTarget(0.5, Point("hand"), (0.0, 1.0, 1.0)))
    other = edits.set_roles(other, [ib.anatomy.Part("arm", "upper_arm", "left")])
    both = edits.add(limbed(), other, name="pal", position=(0.0, 0.0, 2.0), heading=math.pi).document
    assert not problems(both)
    assert [each.name for each in both.constraints] == ["pal:foot contact", "pal:foot on pal:hand"]
    assert set(both.loosening().looseness.springs) == {"pal:elbow"}
    aim = both.loosening().aims[0]
    assert aim.name.startswith("pal:")
    assert np.allclose(aim.target.position, (0.0, 1.0, 1.0), atol=1e-12)
    assert np.allclose(both.props[0].transform.translation, (0.0, 0.0, 1.0), atol=1e-12)
    assert both.anatomy()["pal:arm"].role == "upper_arm"
    thrice = edits.add(both, limbed(), name="third").document
    assert edits.remove(thrice, "third").document == both
    with_both = edits.add_constraint(both, "act", Attach(both.rig.point("palm"), "pal:hand", 0.0, 1.0))
    assert edits.remove(with_both, "pal").constraints == ("palm on pal:hand",)


def test_a_mask_masks_the_joints_that_came_along() -> None:
    other = limbed()
    nod = Layer("nod", Curves({"arm.rx": Curve.constant(0.3), "hand.rx": Curve.constant(0.3)}), joints=("arm",))
    other = replace(other, clips=(replace(other.clips[0], layers=(nod,)),))
    scene = edits.add(limbed(), other, name="B").document
    assert scene.clip("act").layer("B:nod").joints == ("B:arm",)
    assert edits.only(scene, "B").clip("act").layer("nod") == nod
    moved, alone = (
        each.motion().channels([0.5])[0][[channel.name for channel in each.rig.channels].index(name)]
        for each, name in ((scene, "B:arm.rx"), (other, "arm.rx"))
    )
    assert moved == pytest.approx(alone)


def test_rates_and_lengths_that_differ_are_told() -> None:
    fast = edits.set_clip_rate(limbed(), "act", 30.0)
    result = edits.add(ib.example("waving"), edits.set_clip_range(fast, "act", 0.0, 4.0), name="pal")
    assert "30 frames a second" in str(result)
    assert "lasts until 4 s" in str(result)
    assert result.document.clip().rate == 24.0
    assert result.document.clip().curves["pal:arm.rx"] is fast.clip().curves["arm.rx"]


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"name": "hips"}, "taken"),
        ({"name": "a:b"}, "colon"),
        ({"position": (0.0, math.nan, 0.0)}, "finite"),
    ],
)
def test_what_cannot_be_added(wish: dict, why: str) -> None:
    with pytest.raises(InvalidEdit, match=why):
        edits.add(limbed(), limbed(), **wish)
    with pytest.raises(InvalidEdit, match="no joint"):
        edits.add(limbed(), Document())
    with pytest.raises(UnknownName, match="character"):
        edits.remove(limbed(), "nobody")


MEET = (0.0, 1.1, 0.45)
"""Where two palms meet; both stand so far from it."""


def shaking(bow: float) -> Document:
    """Its palm goes up and down at one place; key poses put it there exactly, what is between them does not."""
    one, heights = limbed(), np.array([0.0, 0.09, -0.08, 0.07, 0.0])
    columns = [one.rig.channel_index(name) for name in ("arm.rx", "elbow.rx")]
    bows, poses = bow * np.array([0.2, 1.0, 0.4, 1.0, 0.3]), []
    for lift, lean in zip(heights, bows, strict=True):

        def missed(turns: np.ndarray, lift: float = lift, lean: float = lean) -> np.ndarray:
            values = one.rig.defaults.copy()
            values[columns], values[one.rig.channel_index("hips.rx")] = turns, lean
            at = one.rig.states(values[None], one.rig.point("palm"))[0][0]
            return np.array([at[1] - MEET[1] - lift, at[2] - MEET[2]])

        poses.append(root(missed, [0.9, -0.6], tol=1e-12).x)
    times = np.linspace(0.0, 1.0, 5)
    values = {"hips.rx": bows, "arm.rx": np.array(poses)[:, 0], "elbow.rx": np.array(poses)[:, 1]}
    values |= {name: np.full(5, one.rig.channel(name).default) for name in ("arm.ry", "elbow.ry", "hips.tz", "hips.ty")}
    curves = {name: smooth(Curve.sampled(times, each)) for name, each in values.items()}
    return replace(one, clips=(Clip("act", 1.0, curves=Curves(curves)),))


def apart(motion: Motion) -> float:
    """Metres by which the palm leaves its place in the other's hand, eight times a frame, in plain numpy."""
    times = np.linspace(0.0, 1.0, 24 * 8 + 1)
    world, names = motion.world_from_joint(times), [joint.name for joint in motion.rig.joints]
    hand, other = world[:, names.index("hand")], world[:, names.index("pal:hand")]
    palm = hand[:, :, :3] @ np.array([0.0, 0.0, 0.06]) + hand[:, :, 3]
    seen = np.linalg.solve(other[:, :, :3], (palm - other[:, :, 3])[..., None])[..., 0]
    return float(np.linalg.norm(seen - seen[0], axis=1).max())


@pytest.fixture(scope="module")
def handshake() -> Document:
    """Two who hold hands through all of a clip."""
    both = edits.add(shaking(0.1), shaking(-0.15), name="pal", position=(0.0, 0.0, 0.9), heading=math.pi).document
    rule = Attach(both.rig.point("palm"), "pal:hand", 0.0, 1.0, tolerance=5e-5)
    both = edits.add_constraint(both, "act", rule)
    assert apart(both.motion()) > 5e-4
    held = edits.hold(both).document
    assert apart(held.motion()) < 1e-4
    return held


def test_a_handshake_holds_through_drags_on_either_side(handshake: Document) -> None:
    for elbow in ("elbow", "pal:elbow"):
        result = edits.drag(handshake, elbow, time=0.4, by=(0.0, 0.03, 0.0))
        moved = (
            result.document.motion().states([0.4], Point(elbow))[0] - handshake.motion().states([0.4], Point(elbow))[0]
        )
        assert moved[0][1] > 0.01
        assert apart(result.document.motion()) < 1e-4


def test_a_handshake_holds_through_guidance(handshake: Document) -> None:
    result = edits.guide(handshake)
    assert result.document != handshake
    assert apart(result.document.motion()) < 1e-4


def test_a_handshake_holds_through_looseness(handshake: Document) -> None:
    """To a millimetre: corrections of loose motion are splines with a knot on every frame, not solved between them."""
    loose = edits.set_springs(handshake, "act", dict.fromkeys(("elbow", "pal:elbow"), Spring(6.0, 0.8)))
    swung = apart(loose.shown_motion())
    assert swung > 0.02
    solved = edits.solve(loose)
    assert len(solved.solution.outcomes) == 2, "both hands keep their way"
    assert apart(solved.document.shown_motion()) < min(1e-3, swung / 20)


def test_each_weighs_what_it_did_and_floats_by_itself(handshake: Document) -> None:
    light = edits.set_looseness(limbed(), "act", replace(Looseness(), total=40.0))
    both = edits.add(edits.set_looseness(limbed(), "act", replace(Looseness(), total=90.0)), light, name="pal").document
    masses = both.body().masses.masses
    first, second = (list(each.joints) for each in characters(both.rig))
    assert masses[first].sum() == pytest.approx(90.0)
    assert masses[second].sum() == pytest.approx(40.0)
    assert np.allclose(both.body().masses.inertias[second[1:]], light.body().masses.inertias)
    free = floating(both.rig)
    assert [both.rig.joints[j].name for j in np.flatnonzero(free)] == ["hips", "pal", "pal:hips"]
    assert Loosened(both.rig, both.loosening().looseness, 24.0).body.total == pytest.approx(130.0)


def test_each_is_balanced_above_its_own_feet_and_bears_whom_it_lifts(handshake: Document) -> None:
    """Against centres of mass in plain numpy: off the ground and held, one weighs on the other."""
    body, motion, names = handshake.body().masses, handshake.motion(), [each.name for each in handshake.rig.joints]
    feet = [Contact(Point(name), 0.0, 1.0) for name in ("foot", "pal:foot")]
    held = handshake.constraints[0].rule
    first, second = (np.array(each.joints) for each in characters(handshake.rig))
    for contacts, groups in (
        (feet, [(first, "foot"), (second, "pal:foot")]),
        (feet[:1], [(np.concatenate([first, second]), "foot")]),
    ):
        term = Balance(body, tuple(contacts), reach=0.0, carries=(held,))
        channels = motion.channel_motion([0.4])
        wiring = Wiring.of(handshake.rig, tuple(each.name for each in handshake.rig.channels))
        moments = Moments(wiring, np.array([0.4]), np.ones(1), np.zeros((1, channels.shape[1], 4)), channels, 2.0)
        world = motion.world_from_joint([0.4])[0]
        places = np.einsum("jrc,jc->jr", world[:, :, :3], body.centres) + world[:, :, 3]
        expected = []
        for group, foot in groups:
            centre = np.average(places[group], axis=0, weights=body.masses[group])
            expected += [*(centre - world[names.index(foot), :, 3])[[0, 2]]]
        got = term.residuals(moments).values[0] * 0.05 * 2.0
        assert np.allclose(got, expected, atol=1e-12)


def test_recognition_and_retargeting_are_of_one_of_them() -> None:
    scene = ib.example("waving")
    both = edits.add(scene, ib.example("waving"), name="pal", position=(1.0, 0.0, 0.0)).document
    own = both.anatomy().bodies[1]
    assert [(part.role, part.side) for part in own][1:] == [(part.role, part.side) for part in scene.anatomy()]
    assert both.anatomy().partner("pal:hand_l") == "pal:hand_r"
    result = edits.retarget(both, ib.example("boxer"), character="pal", into="hello")
    after = result.document
    assert not problems(after)
    times = scene.clip().frame_times
    mine = len(scene.rig.joints)
    assert np.array_equal(after.motion().joint_positions(times)[:, :mine], scene.motion().joint_positions(times))
    alone = edits.retarget(edits.only(both, "pal"), ib.example("boxer"))
    before = alone.document.motion(alone.clip.name).joint_positions(times)
    assert np.abs(after.motion().joint_positions(times)[:, mine:] - before).max() < 1e-12
    assert {each.rule.point.joint for each in after.constraints} <= {"pal:foot_l", "pal:foot_r"}


def test_a_stand_that_a_file_drives_is_still_its_characters(tmp_path: Path) -> None:
    """A BVH file gives every root channels, so that of a second character has some too."""
    both = edits.add(ib.example("waving"), ib.example("waving"), name="guest", position=(1.0, 0.0, 0.0)).document
    write(both, tmp_path / "both.bvh")
    again = ib.read(tmp_path / "both.bvh").document
    assert {each.name for each in characters(again.rig)} == {"", "guest"}
    (alone, host) = (part_called(again.rig, belongs(again.rig, name)) for name in ("guest", ""))
    assert "guest.tx" in {each.name for each in alone.channels}
    assert {each.name for each in host.channels} | {each.name for each in alone.channels} == {
        each.name for each in again.rig.channels
    }
