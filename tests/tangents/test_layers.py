"""Dragging the curves of a layer: the base stays, the weight counts."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.errors import UnknownName
from inbetweener.motion import Clip, Curves, Layer, Motion
from inbetweener.tangents import Drag, DragRequest
from inbetweener.tangents.problem import changed_motion
from tests.tangents.figures import TIP, arm, even_curve, staggered_curve, swing


def layered(weight: float) -> Motion:
    motion = swing(arm(), seed=1)
    rng = np.random.default_rng(0)
    curves = Curves(
        {f"{joint}.{turn}": staggered_curve(rng, 0.0, 0.1) for joint in ("shoulder", "elbow") for turn in ("rx", "rz")}
    )
    return Motion(motion.rig, replace(motion.clip, layers=(Layer("over", curves, weight),)))


@pytest.mark.parametrize("weight", [1.0, 0.3, -0.5])
def test_a_layer_is_dragged_and_the_base_stays(weight: float) -> None:
    motion = layered(weight)
    drag = Drag(motion, DragRequest(TIP, 0.7, layer="over"))
    target = drag.start_position + np.array([0.02, 0.0, -0.03])
    assert drag.to(target).reached
    after = changed_motion(motion, "over", drag.commit())
    assert after.clip.curves == motion.clip.curves
    assert after.clip.layers[0] != motion.clip.layers[0]
    np.testing.assert_allclose(after.states([0.7], TIP)[0][0], target, rtol=0, atol=2e-4)


def test_the_base_is_dragged_under_a_layer() -> None:
    motion = layered(0.6)
    drag = Drag(motion, DragRequest(TIP, 0.7))
    target = drag.start_position + np.array([0.02, 0.0, -0.03])
    assert drag.to(target).reached
    after = changed_motion(motion, None, drag.commit())
    assert after.clip.layers == motion.clip.layers
    np.testing.assert_allclose(after.states([0.7], TIP)[0][0], target, rtol=0, atol=2e-4)


def test_an_unknown_layer_is_named() -> None:
    with pytest.raises(UnknownName, match="over"):
        Drag(layered(1.0), DragRequest(TIP, 0.7, layer="under"))


@pytest.mark.parametrize("layer", [None, "over"])
@pytest.mark.parametrize("weight", [0.5, -0.7])
def test_limits_hold_for_the_sum_of_all_layers(layer: str | None, weight: float) -> None:
    rig = arm(elbow_rx=(0.0, 1.0), shoulder_rx=(-0.4, 0.4))
    base = {"elbow.rx": even_curve([0.5, 0.6, 0.4, 0.5]), "shoulder.rx": even_curve([0.0, 0.1, 0.0, 0.0])}
    over = {"elbow.rx": even_curve([0.1, -0.1, 0.1, 0.0]), "shoulder.rx": even_curve([0.0, 0.1, 0.1, 0.0])}
    clip = Clip("two", end=1.5, curves=Curves(base), layers=(Layer("over", Curves(over), weight),))
    motion = Motion(rig, clip)
    drag = Drag(motion, DragRequest(TIP, 0.7, layer=layer))
    indices = [rig.channel_index(name) for name in ("elbow.rx", "shoulder.rx")]
    for way in ((0.0, -0.5, 0.8), (0.0, 0.3, -0.8)):
        solution = drag.to(drag.start_position + np.array(way))
        assert np.abs(solution.z).max() > 0.01
        after = changed_motion(motion, layer, drag.commit())
        elbow, shoulder = after.channels(np.linspace(0.0, 1.5, 193))[:, indices].T
        assert elbow.min() >= -1e-9
        assert elbow.max() <= 1.0 + 1e-9
        assert np.abs(shoulder).max() <= 0.4 + 1e-9
        assert drag.certificate().limits == ()
