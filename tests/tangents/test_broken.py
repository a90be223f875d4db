"""Broken tangents under a drag: their two sides come together, smoothly, and no more than their weight says."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Point, Rig, joint_channels
from inbetweener.tangents import Drag, DragRequest, Settings
from inbetweener.tangents.program import HALFWAY
from inbetweener.tangents.variables import WIDTH_WORTH

TIME, HEIGHT = 1.4, 1.0
IN, OUT = (0.3, 0.3), (0.3, -0.15)
"""Sides of the broken key: one rises, the other falls."""


def slider() -> Motion:
    """A block one metre high that slides along x, with a broken key in the middle."""
    block = Joint("block")
    rig = Rig((block,), joint_channels(block, "tx"), (Point("block", (0.0, HEIGHT, 0.0), "top"),))
    flat = Tangent(0.3, 0.0)
    keys = [
        Key(0.0, 0.0, flat, flat),
        Key(1.0, 0.5, Tangent(*IN), Tangent(*OUT), tied=False),
        Key(2.0, 0.3, flat, flat),
    ]
    return Motion(rig, Clip("slide", 2.0, curves=Curves({"block.tx": Curve.from_keys(keys)})))


def dragged(by: float, **settings: float) -> tuple[Drag, Curve]:
    motion = slider()
    drag = Drag(motion, DragRequest(motion.rig.point("block"), TIME), Settings(**settings))  # type: ignore[arg-type]
    assert drag.to(drag.start_position + np.array([by, 0.0, 0.0])).reached
    return drag, drag.commit()["block.tx"]


def slope(tangent: np.ndarray) -> float:
    return float(tangent[1] / tangent[0])


def apart(curve: Curve) -> float:
    """How different the slopes of the two sides are."""
    return abs(slope(curve.outs[1]) - slope(curve.ins[1]))


def test_a_drag_brings_the_sides_together_the_more_they_weigh() -> None:
    found = [apart(dragged(0.05, together=weight)[1]) for weight in (0.0, 1.0, 10.0)]
    assert found[0] > found[1] > found[2]
    assert found[2] < 0.75 * apart(slider().clip.curves["block.tx"])


def test_nothing_creeps_and_it_grows_smoothly_with_the_way() -> None:
    start = slider().clip.curves["block.tx"]
    still = dragged(0.0)[1]
    assert still == start
    ways = np.linspace(0.0, 0.05, 26)
    changes = np.diff([slope(dragged(float(by), together=10.0)[1].outs[1]) for by in ways])
    assert np.abs(changes).max() < 0.2, "no jump at its start or later"
    drag, _ = dragged(0.05, together=10.0)
    drag.to(drag.start_position)
    np.testing.assert_allclose(drag.commit()["block.tx"].outs, start.outs, atol=2e-4)


def bezier(width_out: float, height_out: float, width_in: float, height_in: float) -> float:
    """The value of the second segment at the time of the drag, from its control points alone."""
    ts = np.array([1.0, 1.0 + width_out, 2.0 - width_in, 2.0])
    xs = np.array([0.5, 0.5 + height_out, 0.3 - height_in, 0.3])

    def at(points: np.ndarray, u: float) -> float:
        return float(np.array([(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u**3]) @ points)

    return at(xs, brentq(lambda u: at(ts, u) - TIME, 0.0, 1.0))


@pytest.mark.parametrize("weight", [0.0, 1.0, 4.0])
def test_it_is_the_least_of_what_the_paper_weighs(weight: float) -> None:
    """[TSO] Eq. 10 with E_d and E_b, by another optimiser on other code."""
    by = 0.03
    drag, curve = dragged(by, together=weight)
    height, start = drag.problem.height, np.array([*OUT, 0.3, 0.0])
    way = by / height
    wish = slope(np.array(IN)) * OUT[0] - OUT[1]
    units = np.array([WIDTH_WORTH, height, WIDTH_WORTH, height])
    # The wish is what w_b leaves of the gap, scaled by how far the drag goes.
    centre = np.array([0.0, weight * wish / (1.0 + weight) * way / (way + HALFWAY), 0.0, 0.0])
    stiff = np.array([1.0, 1.0 + weight, 1.0, 1.0])

    def cost(change: np.ndarray) -> float:
        return float((stiff * ((change - centre) / units) ** 2).sum())

    target = bezier(*start) + by
    found = minimize(
        cost, np.zeros(4), method="SLSQP", options={"ftol": 1e-14, "maxiter": 500},
        constraints={"type": "eq", "fun": lambda change: bezier(*(start + change)) - target},
    )  # fmt: skip
    assert found.success
    ours = np.concatenate([curve.outs[1], curve.ins[2]]) - start
    assert bezier(*(start + ours)) == pytest.approx(target, abs=1e-4 * height)
    assert cost(ours) == pytest.approx(found.fun, rel=0.02, abs=1e-9)
    np.testing.assert_allclose(ours, found.x, atol=5e-3)
