"""Targets that hold over a stretch of time: measured between frames, on the motion that is shown."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.curves.tangent_presets import smooth
from inbetweener.document import Document, edits
from inbetweener.document.edits.solve import SolveResult
from inbetweener.kinodynamics import (
    Bell,
    InvalidLooseness,
    LooseMotion,
    Loosened,
    Looseness,
    PointTarget,
    SoftPoint,
    Spring,
    preset,
    solve,
)
from inbetweener.kinodynamics.corrections import Shape
from inbetweener.motion import Clip, Curves, Motion
from inbetweener.rig import Joint, Rig, joint_channels

START, END = 34 / 24, 42 / 24


@cache
def boxer() -> Document:
    """A cross that leaves the bag again at once, as keyed; his chest and arm are loose."""
    document = ib.example("boxer")
    springs = dict.fromkeys(("chest", "upper_arm_r", "forearm_r"), preset("firm"))
    return edits.set_looseness(document, document.clip().name, Looseness(springs, 0.8))


@cache
def held() -> SolveResult:
    return edits.solve(edits.target(boxer(), "palm_r", frame=34, until=42, still=True).document)


def between(start: float, end: float) -> np.ndarray:
    """Every quarter frame."""
    return np.linspace(start, end, round((end - start) * 96) + 1)


def place(document: Document, times: np.ndarray) -> np.ndarray:
    return document.shown_motion().states(times, document.rig.point("palm_r"))[0]


def test_a_fist_stays_on_the_bag_between_frames_too() -> None:
    wish = boxer().motion().states([START], boxer().rig.point("palm_r"))[0][0]
    loose, now = (
        np.linalg.norm(place(each, between(START, END)) - wish, axis=1).max() for each in (boxer(), held().document)
    )
    assert loose > 0.1
    assert now < 1e-3
    (outcome,) = held().solution.outcomes
    assert outcome.reached
    assert outcome.after.distance == pytest.approx(now, rel=0.2)
    assert f"from {START:.2f} to {END:.2f} s: held to" in outcome.summary


def test_a_hold_is_one_layer_that_ends_with_its_bell() -> None:
    before, after = boxer(), held().document
    (layer,) = after.clip().layers
    assert layer.name == "palm_r hold"
    assert after.clip().curves is before.clip().curves
    outside = np.r_[np.linspace(0.0, START - 0.5, 9), np.linspace(END + 0.5, after.clip().end, 9)]
    assert np.allclose(after.motion().channels(outside), before.motion().channels(outside), atol=1e-12)


def test_what_holds_as_keyed_moves_as_keyed() -> None:
    document = edits.target(boxer(), "palm_r", frame=34, until=38, to="keyed").document
    after = edits.solve(document).document
    times = between(START, 38 / 24)
    path = boxer().motion().states(times, boxer().rig.point("palm_r"))[0]
    assert np.linalg.norm(path - path[0], axis=1).max() > 0.02
    assert np.linalg.norm(place(after, times) - path, axis=1).max() < 1e-3
    assert np.linalg.norm(place(boxer(), times) - path, axis=1).max() > 0.01


def test_a_fist_that_stays_with_its_keys_after_a_punch_does_not_sink() -> None:
    """Stopped for a moment it is left to its springs, which take it elsewhere; held as keyed it is not."""
    stop, stay = (
        edits.solve(edits.target(boxer(), "palm_r", frame=34, **wish).document).document
        for wish in ({"still": True}, {"until": 40, "to": "keyed"})
    )
    times = between(START, 40 / 24)
    path = boxer().motion().states(times, boxer().rig.point("palm_r"))[0]
    stopped, stayed = (np.linalg.norm(place(each, times) - path, axis=1).max() for each in (stop, stay))
    assert stayed < 2e-3
    assert stopped > 20 * stayed


def test_the_bends_along_a_stretch_make_any_smooth_curve_and_end_with_the_bell() -> None:
    shape = Shape.of(Bell(0.5, 0.5), 1.0, Clip("swing", 3.0, rate=24.0), 1.5)
    times = np.linspace(0.0, 3.0, 601)
    values = shape.motion(times)[:, :, 0]
    within = (times >= 1.0) & (times <= 1.5)
    assert np.allclose(values[within, 0], 1.0)
    assert np.abs(values[(times <= 0.5) | (times >= 2.0)]).max() < 1e-12
    # B-splines add up to one, and to any cubic.
    wanted = (times[within] - 1.2) ** 3
    fitted = values[within, 2:] @ np.linalg.lstsq(values[within, 2:], wanted, rcond=None)[0]
    assert np.allclose(values[within, 2:].sum(axis=1), 1.0, atol=1e-9)
    assert np.allclose(fitted, wanted, atol=1e-9)


def test_a_weight_on_a_spring_is_held_as_a_solver_of_its_equation_says() -> None:
    """ẍ = k (r − x) − c ẋ along the corrected keys, by scipy, which knows nothing of windows, steps or targets."""
    root, block = Joint("root", -1), Joint("block", 0)
    rig = Rig((root, block), joint_channels(block, "tx"))
    keys = smooth(Curve.sampled([0.0, 0.5, 1.0, 1.6, 2.2, 3.0], [0.0, 0.4, 0.1, 0.5, 0.0, 0.3]))
    clip, spring = Clip("slide", 3.0, rate=24.0, curves=Curves({"block.tx": keys})), Spring(2.0, 0.5)
    looseness = Looseness({"block.tx": spring}, window=2.0)
    motion = LooseMotion(Loosened(rig, looseness, 24.0), clip)
    target = PointTarget(1.25, rig.point("block"), (0.3, 0.0, 0.0), channels=frozenset({"block.tx"}), until=1.75)
    solution = solve(motion, [target])
    assert solution.reached
    keyed, (stiffness, damping) = Motion(rig, solution.applied(clip)), spring.rates

    def pulled(time: float, state: np.ndarray) -> list[float]:
        return [state[1], stiffness * (keyed.channels([time])[0, 0] - state[0]) - damping * state[1]]

    times = between(1.25, 1.75)
    swung = solve_ivp(pulled, (0.0, 1.75), [0.0, 0.0], t_eval=times, rtol=1e-8, atol=1e-10, max_step=0.01).y[0]
    assert np.abs(swung - 0.3).max() < 2.5e-3
    assert np.abs(motion.channels(times)[:, 0] - 0.3).max() > 0.05


@pytest.mark.parametrize(
    ("until", "velocity", "said"),
    [
        (START, None, "until a later time"),
        (np.inf, None, "until a later time"),
        (END, (0.0, 1.0, 0.0), "no velocity of its own"),
        (END, "keyed", "no velocity of its own"),
    ],
)
def test_what_cannot_be_held_is_refused(until: float, velocity: object, said: str) -> None:
    with pytest.raises(InvalidLooseness, match=said):
        PointTarget(START, boxer().rig.point("palm_r"), velocity=velocity, until=until)  # type: ignore[arg-type]


def test_soft_places_cannot_be_held() -> None:
    with pytest.raises(InvalidLooseness, match="something soft"):
        PointTarget(START, SoftPoint("hat", 3), until=END)
