"""Scenes of looseness: what is loose misses, what is solved for hits, and no key is touched."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.gestures import boxer, control_panel, drummer, four_letters, hat_and_door, talking_face
from benchmarks.gestures.upper_body import keyed, seen, upper_body
from benchmarks.gestures.worked import Worked
from inbetweener.arrays import Floats
from inbetweener.builtin import example
from inbetweener.document import Document
from inbetweener.document.edits import add_target, solve
from inbetweener.kinodynamics import PointTarget
from inbetweener.kinodynamics.settling import Settling

SCENES = {
    "boxer": boxer.worked,
    "drummer": drummer.worked,
    "control-panel": control_panel.worked,
    "four-letters": four_letters.worked,
    "hat-and-door": hat_and_door.worked,
    "talking-face": talking_face.worked,
}


@cache
def worked(name: str) -> Worked:
    return SCENES[name]()


LONG = ("drummer", "control-panel", "four-letters")
"""Those that take several seconds."""


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.thorough] * (name in LONG)) for name in SCENES])
def scene(request: pytest.FixtureRequest) -> Worked:
    return worked(request.param)


def test_every_bound_holds(scene: Worked) -> None:
    assert any(figure.at_most is not None for figure in scene.figures)
    assert [figure for figure in scene.figures if figure.holds is False] == []


def test_solving_adds_one_layer_a_target_and_touches_no_key(scene: Worked) -> None:
    _, loose, *solved = scene.versions.values()
    assert solved
    for document in solved:
        assert document.clip().curves == loose.clip().curves
        aims = [aim.name for aim in document.loosening().aims]
        assert [layer.name for layer in document.clip().layers] == aims
        assert loose.clip().layers == ()


def test_without_its_layers_a_solved_scene_is_the_loose_one(scene: Worked) -> None:
    _, loose, solved, *_ = scene.versions.values()
    bare = replace(solved, clips=(replace(solved.clip(), layers=()),))
    times = loose.clip().frame_times[::3]
    assert np.array_equal(bare.shown_motion().channels(times), loose.shown_motion().channels(times))


def test_a_narrow_bell_wants_more_of_the_keys() -> None:
    versions = worked("boxer").versions
    wide, narrow = (boxer.largest(versions[name]) for name in ("on target", "narrow bell"))
    assert narrow > 1.2 * wide


def test_a_narrow_bell_leaves_the_rest_alone() -> None:
    """Its correction is nought beyond its width, so only windows that reach into that stretch see it."""
    versions = worked("boxer").versions
    drunk, narrow = versions["drunk"], versions["narrow bell"]
    jab = boxer.PUNCHES["jab"][0]
    times = np.linspace(0.0, jab - boxer.NARROW.before, 9)
    assert np.allclose(narrow.motion().channels(times), drunk.motion().channels(times), atol=1e-15)


@pytest.mark.thorough
def test_presses_two_at_once_and_coupled_in_time_come_to_rest() -> None:
    versions = worked("control-panel").versions
    pushed, tapped = (max(control_panel.speeds(versions[name]).values()) for name in ("on target", "tapping"))
    assert pushed > 100
    assert tapped < 1e-4
    depths = [control_panel.depth(versions[name]) for name in ("relaxed", "on target", "tapping")]
    assert max(depths[1:]) < 0.6 * depths[0]


@pytest.mark.parametrize(
    ("punch", "spring", "sinks", "strays"),
    [("cross", "relaxed", 0.025, 0.05), ("cross", "drunk", 0.14, 0.17), ("jab", "loose", 0.01, 0.05)],
)
def test_a_fist_that_is_stopped_neither_sinks_nor_strays_right_after(
    punch: str, spring: str, sinks: float, strays: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Off its keys within half a second, of a body whose fists sink by 13 to 19 cm unstopped; left to its springs once
    it is stopped, the drunk cross sank by 25 cm and strayed by 37.
    """
    document = upper_body(example("boxer"), spring)
    time, palm = boxer.PUNCHES[punch]
    point, times = document.rig.point(palm), time + np.arange(25) / 48
    stop = PointTarget(time, point, velocity=(0.0, 0.0, 0.0))

    def off() -> Floats:
        result = solve(add_target(document, boxer.CLIP, stop), clip=boxer.CLIP)
        assert result.solution.reached
        return keyed(document, times, point) - seen(result.document, times, point)

    let_go = off()
    assert let_go[:, 1].max() < sinks
    assert np.linalg.norm(let_go, axis=1).max() < strays
    monkeypatch.setattr(Settling, "settled", lambda self, coefficients, limits: (coefficients, 0, 0))
    assert np.linalg.norm(off(), axis=1).max() > 1.2 * strays


@pytest.mark.thorough
def test_the_bar_of_the_drummer_still_loops() -> None:
    document = worked("drummer").versions["on target"]
    ends = document.shown_motion().channels([document.clip().start, document.clip().end])
    turns = [n for n, channel in enumerate(document.rig.channels) if channel.kind != "translation"]
    assert np.abs(ends[0, turns] - ends[1, turns]).max() < 1e-6


def test_the_gentleman_bows_and_his_hat_is_not_bent_by_keys() -> None:
    document = worked("hat-and-door").versions["under the door"]
    changed = {name.split(".")[0] for name in document.clip().layers[0].curves}
    assert changed <= set(hat_and_door.POSTURE)
    assert hat_and_door.swing(document) > 0.05


def test_feet_stay_where_they_are_planted() -> None:
    for name in ("boxer", "control-panel", "four-letters"):
        tight, *others = worked(name).versions.values()
        for document in others:
            assert feet(document) == feet(tight)


def feet(document: Document) -> list[float]:
    """Where the heels are seen to be, on a few frames."""
    times = document.clip().frame_times[::6]
    heels = [document.rig.point(f"heel_{side}") for side in "lr"]
    return document.shown_motion().point_positions(times, heels).ravel().tolist()
