"""Drags on a bent body reach what is pointed at: the bent hand, not where it would be without the sketch."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin.catalogue import example
from inbetweener.document import Document, edits
from inbetweener.maths import quaternions
from inbetweener.rig import Bend
from inbetweener.rig.channel import Drive, bend_channel
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import parts, to_server
from inbetweener.studio.session.arcs import Arcs
from inbetweener.studio.session.changes import ALWAYS
from tests.studio.documents import arm, smooth
from tests.studio.gestures.hands import hold, position
from tests.studio.pages import Arrays, place

MILLIMETRE = 1e-3


def bent_arm(size: float = 0.15) -> Document:
    """The arm with both bones curled by a sketch that fades in and out, and turns the elbow too."""
    document = arm()
    rng = np.random.default_rng(5)
    screws = {name: rng.normal(size=(10, 6)) * ([size] * 3 + [0.003] * 3) for name in ("hips", "elbow", "hand")}
    channel = replace(bend_channel("curl"), drives=(Drive("elbow.ry", 0.2),))
    rig = replace(document.rig, channels=(*document.rig.channels, channel), bends=(Bend("curl", "curl", screws),))
    curl = smooth([0.0, 0.4, 1.0], [0.0, 1.0, 0.3])
    return edits.set_curves(replace(document, rig=rig), "swing", {"curl": curl})


@pytest.mark.parametrize("spot", [place("hand"), place("hand", (0.1, 0.02, 0.0)), place("elbow", (0.15, 0.0, 0.0))])
def test_the_arc_of_a_bent_arm_is_dragged_to_the_pointer(spot: dict) -> None:
    document = edits.remove_constraint(bent_arm(), "hips pin")
    where = to_place(document.rig, parts.Place([parts.Part(**p) for p in spot["parts"]], ""))
    start = document.motion().states([0.4], where)[0][0]
    hand = hold(document, "drag-arc", place=spot, time=0.4)
    for by in ((0.01, 0.02, 0.0), (-0.04, 0.05, 0.02)):
        wish = start + np.array(by)
        outcome = hand.to(wish)
        after = outcome.document.motion().states([0.4], where)[0][0]
        assert outcome.reached
        assert np.linalg.norm(after - wish) < MILLIMETRE
        assert outcome.position == pytest.approx(tuple(after), abs=1e-9)
    for time in (0.0, 1.0):
        assert position(outcome.document, "hand", time) == pytest.approx(position(document, "hand", time), abs=1e-12)


def test_a_bent_hand_is_turned_as_wished() -> None:
    document = edits.remove_constraint(bent_arm(), "hips pin")
    where = document.rig.point("palm")
    before = document.motion().states([0.4], where)[1][0]
    about_z = np.array([[np.cos(0.15), -np.sin(0.15), 0], [np.sin(0.15), np.cos(0.15), 0], [0, 0, 1]])
    wish = about_z @ before
    hand = hold(document, "drag-arc", place=place("hand", (0.1, 0.0, 0.0)), time=0.4, wanted="orientation")
    outcome = hand.to(quaternions.from_matrix(wish))
    after = outcome.document.motion().states([0.4], where)[1][0]
    assert outcome.reached
    assert np.degrees(np.arccos(np.clip((np.trace(after.T @ wish) - 1) / 2, -1, 1))) < 0.2


def test_a_bent_pose_is_pulled_to_the_pointer_while_a_pin_holds() -> None:
    document = bent_arm()
    document = edits.set_curves(document, "swing", {"curl": smooth([0.0, 0.25, 1.0], [0.0, 0.9, 0.3])})
    before, hips = position(document, "hand", 0.25), position(document, "hips", 0.25)
    wish = before + np.array([-0.05, 0.04, 0.0])
    outcome = hold(document, "pull-pose", place=place("hand"), time=0.25).to(wish)
    assert outcome.reached
    assert np.linalg.norm(position(outcome.document, "hand", 0.25) - wish) < MILLIMETRE
    assert position(outcome.document, "hips", 0.25) == pytest.approx(hips, abs=1e-4)
    assert outcome.document.clip().curves["curl"] is document.clip().curves["curl"]


def test_a_rig_with_handles_is_aimed_at_until_it_is_there() -> None:
    document = example("conductor")
    names = [joint.name for joint in document.rig.joints]
    screws = np.zeros((10, 6))
    screws[:, 2] = 0.04
    spine = [name for name in names if name.startswith("spine")][:1] or names[1:2]
    channel = bend_channel("lean")
    rig = replace(
        document.rig, channels=(*document.rig.channels, channel), bends=(Bend("lean", "lean", {spine[0]: screws}),)
    )
    clip = document.clip().name
    document = edits.set_curves(replace(document, rig=rig), clip, {"lean": smooth([0.0, 1.0], [1.0, 1.0])})
    time = 0.4
    before = position(document, "hand_l", time, clip)
    wish = before + np.array([0.02, 0.03, 0.0])
    outcome = hold(document, "drag-arc", clip=clip, place=place("hand_l"), time=time).to(wish)
    assert np.linalg.norm(position(outcome.document, "hand_l", time, clip) - wish) < MILLIMETRE


def test_arcs_follow_bent_bones() -> None:
    document = bent_arm()
    motion, spot = document.motion("swing"), place("hand", (0.1, 0.0, 0.0))
    arcs = Arcs()
    arcs.wish(
        [to_server.ArcWish(1, parts.Place([parts.Part("hand", (0.1, 0.0, 0.0), 1.0)], ""), turns=True)], document.rig
    )
    (message,) = arcs.messages(motion, 1, ALWAYS)
    arrays = Arrays(message, 16)
    keys, start = int(arrays.take("<u4", 1)[0]), float(arrays.take("<f4", 1)[0])
    count = int(np.frombuffer(message, "<u4", 1, 12)[0])
    positions = arrays.take("<f4", count, 3)
    arrays.take("<f4", count)
    arrays.take("<f4", count, 4)
    key_times, key_positions = arrays.take("<f4", keys), arrays.take("<f4", keys, 3)
    where = to_place(document.rig, parts.Place([parts.Part(**p) for p in spot["parts"]], ""))
    times = start + np.arange(count) / (4 * motion.clip.rate)
    assert positions == pytest.approx(motion.states(times, where)[0], abs=1e-6)
    assert key_positions == pytest.approx(motion.states(key_times.astype(float), where)[0], abs=1e-5)
    assert 0.4 == pytest.approx(key_times[np.argmin(np.abs(key_times - 0.4))], abs=1e-6)
