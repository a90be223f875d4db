"""A hand leads one palm of a body whose feet and other palm are pinned."""

from benchmarks.gestures import posed_arm


def test_the_palm_is_where_the_hand_is_and_the_pins_hold() -> None:
    before = posed_arm.still(posed_arm.example("boxer"))
    led = posed_arm.after(before)
    assert posed_arm.missed(led) < 3e-4
    for name in posed_arm.HELD:
        assert posed_arm.moved(before, led, name) < 3e-4
    # Without a chain, it is not the arm alone that gives way.
    helping = {name.split(".")[0] for name in posed_arm.taking_part(before, led)}
    assert {"upper_arm_l", "forearm_l", "upper_arm_r", "shank_l", "shank_r"} <= helping
