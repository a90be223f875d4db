"""Dense motion becomes arcs that can be dragged, as one step."""

import numpy as np

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.document.edits import Result, set_curves
from inbetweener.motion import is_dense
from tests.studio.pages import PageForTests, page_of


def captured() -> Document:
    """The waving figure as a motion capture would have it: a sample on every frame."""
    document = ib.example("waving")
    clip = document.clip()
    times = clip.frame_times
    values = document.motion().channels(times)
    index = document.rig.channel_index
    samples = {name: Curve.sampled(times, values[:, index(name)]) for name in clip.curves}
    return set_curves(document, clip.name, samples)


page = page_of(captured)


def test_a_fit_leaves_few_keys_and_the_motion(page: PageForTests) -> None:
    before = page.session.editor.document
    said = page.done("fit-keys", tolerance=0.003)
    after = page.session.editor.document
    assert page.known.history["labels"][-1] == "Fit keys"
    assert "keys" in said
    assert not is_dense(after.clip())
    times = before.clip().frame_times
    off = after.motion().joint_positions(times) - before.motion().joint_positions(times)
    assert np.linalg.norm(off, axis=-1).max() <= 0.003
    page.done("undo")
    assert page.session.editor.document is before


def test_keys_are_counted_before_they_are_fitted(page: PageForTests) -> None:
    before = page.session.editor.document
    counted = page.done("fit-keys", tolerance=0.003, align="joint", keep=False)
    assert page.session.editor.document is before
    assert page.known.history["labels"] == ["Open"]
    assert page.done("fit-keys", tolerance=0.003, align="joint") == counted
    times = page.session.editor.document.clip().curves
    assert np.array_equal(times["upper_arm_r.rx"].times, times["upper_arm_r.rz"].times)


def test_a_job_says_when_less_came_of_it_than_was_wished(page: PageForTests) -> None:
    page.session.carry_out("Try", lambda document, _: _Short(document))
    page.session.carry_out("Do", lambda document, _: _Done(document))
    page.wait_for_jobs()
    ended = [each for each in page.told if each["type"] == "job" and each["state"] == "done"]
    assert {each["label"]: each["short"] for each in ended} == {"Try": True, "Do": False}


class _Done(Result):
    lines = ("as wished",)


class _Short(_Done):
    problem = "half of it"
