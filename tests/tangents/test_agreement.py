"""Contacts whose key poses disagree: what is done, and by how much they do."""

import numpy as np
import pytest

from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Point
from inbetweener.tangents import Contact, Drag, DragRequest, Pin, disagreement
from inbetweener.tangents.agreement import fixed_times
from inbetweener.tangents.problem import changed_motion
from tests.rig.specimens import person
from tests.tangents.figures import even_curve, staggered_curve, swing

TOE, HAND, OTHER = Point("toe_l"), Point("hand_l", (0.08, 0.0, 0.0)), Point("hand_r")


def stepping(slip: float) -> Motion:
    """Legs keyed alike at all keys, but the hips are `slip` metres further from the third key on."""
    motion = swing(person(), seed=1)
    curves = dict(motion.clip.curves)
    for name, curve in curves.items():
        if name.startswith(("hips", "thigh_l", "shank_l", "foot_l")):
            curves[name] = even_curve([float(curve.values[0])] * 4)
    x = float(curves["hips.tx"].values[0])
    curves["hips.tx"] = even_curve([x, x, x + slip, x + slip])
    return Motion(motion.rig, Clip("stepping", end=1.5, curves=Curves(curves)))


def test_says_by_how_much_and_where() -> None:
    found = disagreement(stepping(0.03), Contact(TOE, 0.0, 1.5))
    assert found.distance == pytest.approx(0.03, abs=1e-12)
    assert found.turn == 0.0
    assert found.time in (1.0, 1.5)


def test_agreeing_poses_disagree_by_nothing() -> None:
    motion = stepping(0.03)
    assert disagreement(motion, Contact(TOE, 0.0, 0.5)).distance < 1e-12
    assert disagreement(motion, Contact(Point("foot_l"), 1.0, 1.5, "both")).turn < 1e-12


def test_orientations_disagree_in_radians() -> None:
    motion = stepping(0.0)
    value = float(motion.clip.curves["foot_l.rx"].values[0])
    curves = {**motion.clip.curves, "foot_l.rx": even_curve([value, value, value + 0.2, value])}
    turned = Motion(motion.rig, Clip("turned", end=1.5, curves=Curves(curves)))
    found = disagreement(turned, Contact(Point("foot_l"), 0.0, 1.5, "orientation"))
    assert found.turn == pytest.approx(0.2, abs=1e-9)
    assert found.distance == 0.0
    assert found.time == 1.0


def test_a_disagreeing_contact_is_led_from_pose_to_pose_and_loosens_nothing_else() -> None:
    motion = stepping(0.03)
    contact, pin = Contact(TOE, 0.0, 1.5), Pin(OTHER)
    drag = Drag(motion, DragRequest(HAND, 0.7, constraints=(contact, pin)))
    assert drag.to(drag.start_position + np.array([0.02, 0.03, 0.02])).reached
    after = changed_motion(motion, None, drag.commit())
    times = np.linspace(0.5, 1.0, 97)
    ends = motion.states([0.5, 1.0], TOE)[0]
    share = (times - 0.5) / 0.5
    eased = ends[0] + (ends[1] - ends[0]) * (share**2 * (3.0 - 2.0 * share))[:, None]
    assert np.linalg.norm(after.states(times, TOE)[0] - eased, axis=1).max() <= 5e-4 * drag.problem.height
    held = {each.name: each for each in drag.certificate().constraints}
    # The certificate says how far the contact is from holding; the pin holds as ever.
    assert held[contact.name].distance == pytest.approx(0.03, abs=1e-3)
    assert held[pin.name].distance <= 5e-4 * drag.problem.height


def test_fixed_times_are_those_that_no_tangent_changes() -> None:
    together = [even_curve([0.0, 1.0, 0.0]), even_curve([0.0, 1.0, 0.0])]
    assert fixed_times(together, 0.0, 1.0) == [0.0, 0.5, 1.0]
    late = even_curve([0.0, 1.0, 0.0], length=0.4)
    # After its last key, at 0.8, the late curve is held.
    assert fixed_times([together[0], late], 0.1, 1.0) == [1.0]
    staggered = [staggered_curve(np.random.default_rng(n), 0.0) for n in range(3)]
    assert fixed_times(staggered, 0.3, 1.2) == []
