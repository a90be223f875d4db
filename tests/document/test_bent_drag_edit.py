"""A drag of a sketched body reaches what is seen: the bent hand, not where it would be without the sketch."""

from dataclasses import replace

import numpy as np
import pytest

from inbetweener.builtin import example
from inbetweener.document import Document, edits
from inbetweener.posing.sketch import ViewPlane, sketch
from inbetweener.posing.strokes import fit_stroke
from inbetweener.tangents import Contact

SKETCHED, DRAGGED = 34 / 24, 31 / 24


@pytest.fixture(scope="module")
def arched() -> Document:
    """The boxer with its trunk bent by a line of action, which has faded in by half where it is dragged."""
    document = example("boxer")
    view, trunk = ViewPlane.named("side"), ("spine_1", "spine_2", "chest")
    joints = [document.rig.joint_index(name) for name in (*trunk, "neck")]
    seen = view.project(document.motion().joint_positions([SKETCHED])[0, joints])[0]
    share = np.linspace(0.0, 1.0, 40)[:, None]
    stroke = seen[0] + share * (seen[-1] - seen[0]) + np.concatenate([0.12 * share**2, 0.0 * share], axis=1)
    pose = document.motion().channels([SKETCHED])[0]
    made = sketch(document.rig, pose, trunk, fit_stroke(stroke), view, mode="line-of-action")
    return edits.sketch_pose(document, document.clip().name, SKETCHED, made)


def place(document: Document, point: str, time: float = DRAGGED) -> np.ndarray:
    return document.motion().states([time], document.rig.point(point))[0][0]


def test_the_hand_that_is_seen_comes_to_the_wish(arched: Document) -> None:
    straight = replace(arched, rig=replace(arched.rig, bends=()))
    assert np.linalg.norm(place(arched, "palm_r") - place(straight, "palm_r")) > 0.005, "the sketch moves it"
    wish = place(arched, "palm_r") + np.array([0.03, 0.04, 0.0])
    result = edits.drag(arched, "palm_r", time=DRAGGED, to=wish, locks=[SKETCHED])
    dragged, certificate = result.document, result.certificate
    assert certificate.reached
    assert certificate.keys_kept
    assert np.linalg.norm(place(dragged, "palm_r") - wish) < 3e-4
    assert certificate.target_distance == pytest.approx(np.linalg.norm(place(dragged, "palm_r") - wish), abs=1e-9)
    assert dragged.clip().curves[arched.rig.bends[0].channel] is arched.clip().curves[arched.rig.bends[0].channel]


def test_the_proof_is_about_the_body_that_is_seen(arched: Document) -> None:
    wish = place(arched, "palm_r") + np.array([0.02, 0.0, 0.02])
    rule = Contact(arched.rig.point("head_top"), 1.2, 1.35)
    result = edits.drag(arched, "palm_r", time=DRAGGED, to=wish, contacts=[rule])
    dragged, certificate = result.document, result.certificate
    times = np.linspace(rule.start, rule.end, 30)
    strayed = dragged.motion().states(times, rule.point)[0] - place(arched, "head_top", rule.start)
    (held,) = certificate.constraints
    assert held.distance == pytest.approx(np.linalg.norm(strayed, axis=1).max(), rel=0.05, abs=1e-5)
