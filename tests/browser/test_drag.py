"""Select, drag, pin, undo, redo: the first minute, with a real mouse, read back from the server."""

import numpy as np
import pytest

from inbetweener.rig import Point
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

FRAME = 36


def path(studio: Studio, joint: str) -> np.ndarray:
    """Where a joint is on every half frame of the document as the server has it."""
    clip = studio.session.editor.document.clip()
    times = np.linspace(clip.start, clip.end, 2 * len(clip.frame_times) - 1)
    return studio.session.editor.document.motion().states(times, Point(joint))[0]


def key_counts(studio: Studio) -> dict[str, int]:
    return {name: len(curve) for name, curve in studio.session.editor.document.clip().curves.items()}


def test_a_hand_is_dragged_and_its_keys_stay(page: StudioPage, robot: Studio):
    before, keys = path(robot, "hand_l"), key_counts(robot)
    page.select("hand_l")
    x, y = page.tick(FRAME)
    page.drag((x, y), (x, y - 60))
    page.wait_for_steps(1)
    after = path(robot, "hand_l")
    assert after[2 * FRAME, 1] - before[2 * FRAME, 1] > 0.1
    assert key_counts(robot) == keys
    for frame in (0, 24, 48, 72):
        np.testing.assert_allclose(after[2 * frame], before[2 * frame], atol=1e-9)
    assert page.labels() == [f"Drag hand_l at frame {FRAME}"]


@pytest.mark.thorough
def test_undo_and_redo_walk_the_history(page: StudioPage, robot: Studio):
    document = robot.session.editor.document
    page.select("body")
    x, y = page.tick(FRAME)
    page.drag((x, y), (x + 40, y + 50))
    page.wait_for_steps(1)
    dragged = robot.session.editor.document
    assert dragged.clips != document.clips
    page.press("Control+z")
    page.wait_for_steps(0)
    assert robot.session.editor.document is document
    page.press("Control+Shift+z")
    page.wait_for_steps(1)
    assert robot.session.editor.document is dragged


def test_a_pinned_head_stays_while_a_hand_is_dragged(page: StudioPage, robot: Studio):
    page.select("head")
    page.press("p")
    page.wait_for_steps(1)
    assert [each.name for each in robot.session.editor.document.constraints] == ["head pin"]
    before, hand = path(robot, "head"), path(robot, "hand_l")
    page.press("Escape")
    page.select("hand_l")
    x, y = page.tick(FRAME)
    page.drag((x, y), (x - 10, y - 25))
    page.wait_for_steps(2)
    height = 0.78
    assert np.abs(path(robot, "head") - before).max() < 2e-4 * height
    assert np.abs(path(robot, "hand_l") - hand).max() > 0.02


@pytest.mark.thorough
def test_escape_cancels_a_drag(page: StudioPage, robot: Studio):
    document = robot.session.editor.document
    page.select("body")
    x, y = page.tick(FRAME)
    page.drag((x, y), (x, y - 50), release=False)
    page.until("inbetweener.model.answer.value !== null")
    page.press("Escape")
    page.page.mouse.up()
    page.until("inbetweener.model.changed.value.kind === 'cancel'")
    assert robot.session.editor.document is document
    assert page.labels() == []


@pytest.mark.thorough
def test_a_drag_that_is_blocked_says_by_what(page: StudioPage, robot: Studio):
    page.select("head")
    page.press("p")
    page.wait_for_steps(1)
    page.press("Escape")
    page.select("body")
    x, y = page.tick(FRAME)
    page.drag((x, y), (x, y - 150), release=False)
    page.until("document.querySelector('ib-viewport').blockedText() !== ''")
    said = page.value("document.querySelector('ib-viewport').blockedText()")
    page.page.mouse.up()
    assert "head pin" in said
    assert "cm" in said
    page.until("inbetweener.model.hand.value === null")
    assert np.isfinite(path(robot, "body")).all()
