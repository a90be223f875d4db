"""Dense motion becomes arcs that can be dragged, as one step."""

from collections.abc import Iterator

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.document.edits import set_curves
from inbetweener.motion import is_dense
from tests.studio.pages import PageForTests, session_of


def captured() -> Document:
    """The waving figure as a motion capture would have it: a sample on every frame."""
    document = ib.example("waving")
    clip = document.clip()
    times = clip.frame_times
    values = document.motion().channels(times)
    index = document.rig.channel_index
    samples = {name: Curve.sampled(times, values[:, index(name)]) for name in clip.curves}
    return set_curves(document, clip.name, samples)


@pytest.fixture
def page() -> Iterator[PageForTests]:
    session = session_of(captured())
    yield PageForTests(session)
    session.stop()


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
