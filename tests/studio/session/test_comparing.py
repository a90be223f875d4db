"""Another step of the history beside the shown one: its poses at the shown frames."""

import numpy as np
import pytest

from inbetweener.document import edits
from tests.studio.documents import arm
from tests.studio.pages import PageForTests, session_of


def test_frames_of_another_step_are_those_of_its_document():
    session = session_of(arm())
    try:
        page = PageForTests(session)
        page.ask("set-clip-rate", rate=48.0)
        page.ask("delete-keys", keys=[{"channel": "elbow.rz", "key": 1}])
        page.ask("fetch-poses", first=3, count=100, step=0)
        before = arm()
        frames = page.known.compared
        assert sorted(frames) == list(range(3, 49))
        # At the times of the frames that the page shows now, by whatever rate the step was seen.
        channels = before.motion("swing").channels(np.arange(3, 49) / 48)
        for frame, values, world in zip(range(3, 49), channels, before.rig.world_from_joint(channels), strict=True):
            np.testing.assert_allclose(frames[frame][0], world, atol=1e-6)
            np.testing.assert_allclose(frames[frame][1], values, atol=1e-6)
        assert not np.allclose(frames[12][0], page.known.poses[12][0], atol=1e-3)
    finally:
        session.stop()


@pytest.mark.parametrize(
    ("step", "problem"),
    [(1, "other joints or channels"), (0, "no clip 'sway'"), (99, "no such step")],
)
def test_a_step_that_cannot_be_compared_is_refused(step, problem):
    session = session_of(arm())
    try:
        page = PageForTests(session)
        page.ask("rename-clip", name="sway")
        session.worker.submit(
            lambda: session.editor.apply("Rename", lambda document: edits.rename_joint(document, "hand", "paw"))
        )
        answer = page.ask("fetch-poses", first=0, count=10, step=step)
        assert answer["type"] == "refused"
        assert problem in answer["text"]
    finally:
        session.stop()
