"""What the words of an answer promise: `reached` includes the constraints, a pin for a while binds only for a while."""

import inbetweener as ib
from inbetweener.tangents import Contact, Drag, DragRequest, Pin, build


def test_reached_means_that_constraints_hold_too() -> None:
    diver = ib.example("diver")
    motion = diver.motion()
    # The feet slide by centimetres as keyed, more than one segment's tangents can mend.
    feet = tuple(Contact(diver.rig.point(f"ball_{side}"), 0.0, 24 / 24) for side in "lr")
    drag = Drag(motion, DragRequest(diver.rig.point("hips"), 12 / 24, constraints=feet))
    settings, height = drag.problem.settings, drag.problem.height
    assert drag.solution.constraint_error > settings.tolerance * height
    assert drag.solution.target_error <= settings.reached * height
    assert not drag.solution.reached


def test_a_full_pin_of_an_ancestor_fixes_what_moves_it_only_when_it_never_ends() -> None:
    robot = ib.example("flying-robot")
    motion, arm, hand = robot.motion(), robot.rig.point("upper_arm_l"), robot.rig.point("hand_l")
    endless = build(motion, DragRequest(hand, 1.5, constraints=(Pin(arm, "both"),)))
    ending = build(motion, DragRequest(hand, 1.5, constraints=(Pin(arm, "both", 0.0, 1.2),)))
    assert not any(name.startswith("body.") for name in endless.names)
    assert {"body.tx", "body.ty", "body.tz"} <= set(ending.names)
