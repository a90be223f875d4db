"""Verbs hold points in the space of others, in words; and every constraint has a tolerance of its own."""

import numpy as np
import pytest

from inbetweener.contacts import NothingToHold
from inbetweener.document import Document, edits
from inbetweener.document.edits.words import held
from inbetweener.errors import InvalidDocument, InvalidEdit, UnknownName
from inbetweener.guidance import GuideRequest, build, guide
from inbetweener.motion import Attach, Constraint, Pin
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import Point, chains
from inbetweener.tangents import Drag, DragRequest
from tests.tangents.test_attach import PALM, body, carrying, farthest, with_cup

HAND = Point("hand_l")
CUP = "palm=cup@0:1.5"


@pytest.fixture(scope="module")
def document() -> Document:
    return edits.switch_constraint(with_cup(), "palm on cup", False)


def lost(document: Document, result: edits.Result, start: float = 0.0, end: float = 1.5) -> float:
    """How far the palm left the hand that carries the cup, in heights."""
    return farthest(document.motion(), result.document.motion(), start, end) / chains.size(document.rig)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("palm=cup@0.5:1", Attach(PALM, "hand_l", 0.5, 1.0, prop="cup")),
        ("palm+turn=chest@12f:24f", Attach(PALM, "chest", 0.5, 1.0, "both")),
        ("palm on cup", Attach(PALM, "hand_l", 0.0, 1.5, prop="cup")),
        (Attach(PALM, "hips", 0.0, 1.0), Attach(PALM, "hips", 0.0, 1.0)),
    ],
)
def test_the_words_for_it(document: Document, said: str | Attach, meant: Attach) -> None:
    assert held(document, "carry", attachments=[said]) == (meant,)


@pytest.mark.parametrize(
    ("said", "error", "why"),
    [
        ("palm=drum@0:1", UnknownName, "no prop or joint called 'drum'"),
        ("palm=cup", InvalidEdit, "needs its times"),
        ("palm@0:1", InvalidEdit, "attached to nothing"),
        ("palm=hand_r@0:1", InvalidEdit, "sits on 'hand_r' itself"),
    ],
)
def test_words_that_mean_nothing(document: Document, said: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        held(document, "carry", attachments=[said])


def test_a_contact_or_a_pin_holds_in_the_world(document: Document) -> None:
    for words in ({"contacts": ["palm=cup@0:1"]}, {"pins": ["palm=cup"]}):
        with pytest.raises(InvalidDocument, match="holds in the world"):
            held(document, "carry", **words)


def test_a_drag_keeps_it(document: Document) -> None:
    free = edits.drag(document, HAND, time=0.7, by=(0.02, 0.03, 0.01))
    kept = edits.drag(document, HAND, time=0.7, by=(0.02, 0.03, 0.01), attachments=[CUP])
    own = edits.drag(with_cup(), HAND, time=0.7, by=(0.02, 0.03, 0.01))
    assert lost(document, free) > 5e-3
    assert kept.reached
    assert lost(document, kept) < 1e-4
    assert own.document.clip() == kept.document.clip()


def test_a_pull_keeps_it(document: Document) -> None:
    free = edits.pull(document, HAND, time=0.5, by=(0.04, 0.03, 0.02))
    kept = edits.pull(document, HAND, time=0.5, by=(0.04, 0.03, 0.02), attachments=[CUP])
    rule = Attach(PALM, "hand_l", 0.5, 0.5)
    before, loose, tight = (
        rule.states(each.motion(), [0.5])[0][0] for each in (document, free.document, kept.document)
    )
    assert kept.reached
    assert np.linalg.norm(loose - before) > 0.01
    assert np.linalg.norm(tight - before) < 1e-4 * chains.size(document.rig)


def test_guidance_keeps_it(document: Document) -> None:
    free = edits.guide(document, terms="jerk", regularise=0.01, channels=["arm_*", "hips.*"])
    kept = edits.guide(document, terms="jerk", regularise=0.01, channels=["arm_*", "hips.*"], attachments=[CUP])
    assert kept.report.held[0].name == "palm on cup"
    assert not kept.problem
    assert lost(document, kept) < 2e-4
    assert free.document != document


def test_holding_brings_back_what_left_and_slide_is_of_the_world_alone(document: Document) -> None:
    left = edits.drag(document, HAND, time=0.7, by=(0.02, 0.03, 0.01)).document
    for contacts in (["palm on cup"], ["palm=cup@0.5:1"]):
        brought = edits.hold(left, contacts)
        assert lost(left, brought, 0.5, 1.0) < 1e-3
    on = edits.switch_constraint(left, "palm on cup", True)
    (slide,) = edits.hold(on).slides
    assert slide.before > 0.01
    assert slide.after < 1e-3
    for verb in (edits.agree_poses, edits.remove_slide):
        with pytest.raises(NothingToHold):
            verb(on)
        with pytest.raises(NothingToHold, match="palm on cup is no contact"):
            verb(on, ["palm on cup"])


ROOMY = 0.02
"""Metres."""


def moved(rule: Constraint) -> float:
    """How far a drag takes a hand that is pinned itself."""
    drag = Drag(carrying(body()), DragRequest(HAND, 0.7, constraints=(rule,)))
    drag.to(drag.start_position + np.array([0.0, 0.08, 0.0]))
    assert drag.certificate().constraints[0].holds
    return drag.certificate().constraints[0].distance


def test_a_drag_uses_the_tolerance_that_a_pin_has() -> None:
    assert moved(Pin(HAND)) < 2e-4
    assert 0.25 * ROOMY < moved(Pin(HAND, tolerance=ROOMY)) <= ROOMY
    assert moved(Pin(HAND, tolerance=1e-6)) <= 1e-6


def test_a_pull_uses_the_tolerance_that_a_pin_has() -> None:
    rig = body()
    pose, found = carrying(rig).channels([0.5])[0], []
    for rule in (Pin(HAND), Pin(HAND, tolerance=ROOMY)):
        drag = PoseDrag(rig, pose, PoseRequest((Pull(HAND),), (rule,)))
        start = drag.start[0].position
        assert start is not None
        solution = drag.to(State(start + np.array([0.0, 0.08, 0.0])))
        found.append(float(np.linalg.norm(solution.positions[0] - start)))
    assert found[0] < 2e-4
    assert 0.25 * ROOMY < found[1] <= ROOMY


def test_guidance_uses_the_tolerance_that_a_pin_has() -> None:
    motion, costs, offs = carrying(body()), [], []
    left = frozenset(
        channel.name for channel in motion.rig.channels if channel.name.startswith(("hips", "arm_l", "hand_l"))
    )
    for rule in (Pin(HAND), Pin(HAND, tolerance=ROOMY)):
        run = guide(build(motion, GuideRequest(left, constraints=(rule,), regularise=0.01)))
        last = run.finish()
        costs.append(last.cost)
        times = np.linspace(0.0, 1.5, 200)
        gaps = last.motion.states(times, HAND)[0] - motion.states(times, HAND)[0]
        offs.append(float(np.linalg.norm(gaps, axis=1).max()))
    assert costs[1] < costs[0]
    assert offs[0] < 3e-4
    assert offs[0] * 5 < offs[1] < 2 * ROOMY


def test_a_drags_answer_measures_each_by_its_own_tolerance(document: Document) -> None:
    """A contradiction by 5 mm holds for whom that is near enough, and for nobody else."""
    far = edits.drag(document, HAND, time=0.7, by=(0.0, 0.08, 0.0), pins=[Pin(HAND, tolerance=ROOMY)], own=False)
    assert far.facts["constraints"][0]["holds"]
    assert far.facts["constraints"][0]["error_m"] > 5e-4 * chains.size(document.rig)
