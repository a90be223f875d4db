"""The flying robot's whole course, led out of the obstacles that it flies through: all vertices, four looks a frame."""

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import edits
from inbetweener.guidance import Guide, build, report
from inbetweener.maths.solids import Box, Capsule, Solid
from tests.tangents.test_clear import skin


def distance(solid: Solid, places: np.ndarray) -> np.ndarray:
    """Signed, as a schoolbook has it."""
    if isinstance(solid, Box):
        beyond = np.abs(places) - np.array(solid.half)
        return np.linalg.norm(np.maximum(beyond, 0.0), axis=-1) + np.minimum(beyond.max(axis=-1), 0.0)
    along = np.clip(places[..., 1], -solid.half, solid.half) if isinstance(solid, Capsule) else 0.0 * places[..., 1]
    return np.linalg.norm(places - along[..., None] * np.array([0.0, 1.0, 0.0]), axis=-1) - solid.radius


@pytest.mark.thorough
def test_a_course_through_obstacles_is_led_around_them() -> None:
    robot = example("flying-robot")
    run = Guide(build(robot.motion(), edits.guide_request(robot, clear=True)))
    begun = run.begin()
    for document, inside in ((robot, True), (edits.guided(robot, robot.clip().name, run), False)):
        _, places, _ = skin(document, 4)
        for prop in robot.props:
            if prop.role == "obstacle":
                least = float(distance(prop.solid, places - np.array(prop.transform.translation)).min())
                assert least < -0.09 if inside else least > -5e-4, prop.name
    assert (begun.offs <= 1e-4).all()
    held = {each.name: each for each in report(run.path).held}
    assert all(each.holds for each in held.values())
    assert held["clear of lamp"].before == pytest.approx(0.45, abs=0.2)
    # Nothing goes far out of its way: obstacles are half a metre wide.
    assert report(run.path).furthest[1] < 0.6
