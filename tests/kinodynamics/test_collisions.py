"""Loose parts and hard things: MuJoCo's windows are ours where nothing is in the way, and stop where something is."""

import sys
from dataclasses import replace

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.document import Document
from inbetweener.document.document import Loosening, Prop
from inbetweener.kinodynamics import InvalidLooseness, LooseMotion, Looseness, Spring, chain, everywhere
from inbetweener.kinodynamics.collisions import MissingExtra
from inbetweener.kinodynamics.windows import window_error
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Rig
from inbetweener.rig.channel import joint_channels


def loosened(document: Document, looseness: Looseness) -> LooseMotion:
    clip = document.clip().name
    motion = replace(document, loosenings=(Loosening(clip, looseness),)).shown_motion()
    assert isinstance(motion, LooseMotion)
    return motion


def lifted(document: Document, height: float) -> Document:
    """The same scene high above the ground."""
    clip = document.clip()
    channel = next(c.name for c in document.rig.channels if c.name.endswith(".ty"))
    curve = clip.curves[channel]
    raised = replace(curve, values=curve.values + height)
    return replace(document, clips=(replace(clip, curves=clip.curves.replaced({channel: raised})),), props=())


@pytest.mark.parametrize("air", [0.0, 15.0])
def test_in_free_air_it_is_the_same_motion(air: float) -> None:
    document = lifted(ib.example("boxer"), 5.0)
    times = document.clip().frame_times[::7]
    looseness = Looseness(everywhere(document.rig, Spring(3.0, 0.4, air)), window=0.3)
    ours = loosened(document, looseness).joint_positions(times)
    theirs = loosened(document, replace(looseness, collide=True)).joint_positions(times)
    # What is prescribed gives way by a millionth there, and not at all here.
    np.testing.assert_allclose(theirs, ours, rtol=0, atol=2e-5)
    assert np.abs(ours - loosened(document, looseness).tight.joint_positions(times)).max() > 0.05


def sagging_tail(solid: Solid | None, transform: Transform | None = None) -> Floats:
    """Where the joints of a very loose tail are, keyed to stand straight out, with something under it or not."""
    joints = tuple(Joint(f"tail_{i}", i - 1, Transform((0.2 if i else 0.0, 0.0 if i else 1.5, 0.0))) for i in range(5))
    channels = tuple(channel for joint in joints for channel in joint_channels(joint, "rz"))
    document = Document("tail", Rig(joints, channels), clips=(Clip("still", 2.0),))
    if solid is not None:
        document = replace(document, props=(Prop("thing", solid, transform or Transform()),))
    looseness = Looseness(chain(document.rig, "tail_0", Spring(0.9, 0.7)), window=1.5, collide=True)
    return loosened(document, looseness).joint_positions([1.0])[0]


@pytest.mark.parametrize("kind", [Box, Sphere, Capsule])
def test_a_prop_holds_up_what_would_fall_through_it(kind: type[Solid]) -> None:
    hanging = sagging_tail(None)
    last = hanging[-1]
    # Something whose top is above where the tail's end hangs, and below its keys.
    top = last[1] + 0.05
    if kind is Box:
        solid: Solid = Box((0.2, 0.05, 1.0))
        centre = top - 0.05
    elif kind is Sphere:
        solid, centre = Sphere(0.3), top - 0.3
    else:
        solid, centre = Capsule(0.2, 1.0), top - 1.2
    held = sagging_tail(solid, Transform((float(last[0]), float(centre), float(last[2]))))
    matrix = np.array([last[0], centre, last[2]])
    assert solid.distance(hanging[-1] - matrix) < -0.03, "without it, the tail would be inside"
    assert solid.distance(held[-1] - matrix) > -0.005, "soft contacts give by millimetres, not by more"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    document = ib.example("waving")
    motion = loosened(document, Looseness(everywhere(document.rig, Spring(3.0)), window=0.3, collide=True))
    with pytest.raises(MissingExtra, match=r"inbetweener\[contacts\]"):
        motion.channels([0.5])


def test_scaled_bodies_are_named() -> None:
    document = ib.example("waving")
    joints = tuple(replace(j, rest=replace(j.rest, scale=(2.0, 2.0, 2.0))) for j in document.rig.joints)
    scaled = replace(document, rig=replace(document.rig, joints=joints))
    motion = loosened(scaled, Looseness(everywhere(scaled.rig, Spring(3.0)), window=0.3, collide=True))
    with pytest.raises(InvalidLooseness, match="scaled"):
        motion.channels([0.5])


@pytest.mark.parametrize("window", ["auto", "adaptive"])
def test_windows_reach_back_over_bumps(window: str) -> None:
    """A tail is swatted on a block through which its keys go: states during the bump and after it are those of the
    whole simulation, within what was asked for, and no window begins inside the block.
    """
    joints = tuple(Joint(f"tail_{i}", i - 1, Transform((0.2 if i else 0.0, 0.0 if i else 1.5, 0.0))) for i in range(4))
    rig = Rig(joints, tuple(channel for joint in joints for channel in joint_channels(joint, "rz")))
    swat = smooth(Curve.sampled([0.0, 0.6, 0.9, 1.5, 2.5], [0.3, 0.3, -0.9, 0.3, 0.3]))
    clip = Clip("swat", 2.5, rate=12.0, curves=Curves({"tail_0.rz": swat}))
    block = Prop("block", Box((0.5, 0.05, 1.0)), Transform((0.5, 1.15, 0.0)))
    document = Document("tail", rig, clips=(clip,), props=(block,))
    springs = chain(rig, "tail_1", Spring(2.5, 0.35))
    looseness = Looseness(springs, window=window, gravity=0.0, collide=True)  # type: ignore[arg-type]
    motion, times = loosened(document, looseness), clip.frame_times
    assert window_error(motion, times).max() < looseness.error
    # As long as windows that know of no bump, they are not enough.
    blind = loosened(document, replace(looseness, collide=False)).window(times)
    short = motion.states_after(times, np.round(blind / motion.loosened.step).astype(np.int64))
    missed = np.abs(rig.world_from_joint(short) - rig.world_from_joint(motion.simulated(times)))[..., 3].max()
    assert not missed < 0.02
    begins = times - motion.window(times)
    assert not motion.bumping(np.maximum(begins, clip.start)).any()
