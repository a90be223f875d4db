"""Contacts by dragging on the timeline, handles in the graph, timing on the arc, playback in real time."""

import numpy as np
import pytest

from inbetweener.studio.server.studio import Studio
from inbetweener.tangents import Contact, Pin
from tests.browser.studio_page import Pixel, StudioPage


def on_timeline(page: StudioPage, target: str) -> Pixel:
    return page.where(f"document.querySelector('ib-timeline').whereIs({target})")


def on_graph(page: StudioPage, spot: str) -> Pixel:
    return page.where(f"document.querySelector('ib-graph').whereIs({spot})")


def test_a_contact_is_made_by_dragging_on_the_timeline(page: StudioPage, robot: Studio):
    page.select("hand_l")
    lane = on_timeline(page, "{kind: 'contact-lane', frame: 10}")
    end = on_timeline(page, "{kind: 'contact-lane', frame: 20}")
    page.drag(lane, end)
    page.wait_for_steps(1)
    (made,) = robot.session.editor.document.constraints
    assert isinstance(made.rule, Contact)
    assert (made.rule.start * 24, made.rule.end * 24) == (pytest.approx(10), pytest.approx(20))
    page.press("Control+z")
    page.wait_for_steps(0)
    assert robot.session.editor.document.constraints == ()


@pytest.mark.thorough
def test_a_pin_range_is_made_with_shift(page: StudioPage, robot: Studio):
    page.select("hand_l")
    start = on_timeline(page, "{kind: 'contact-lane', frame: 30}")
    end = on_timeline(page, "{kind: 'contact-lane', frame: 44}")
    page.page.keyboard.down("Shift")
    page.drag(start, end)
    page.page.keyboard.up("Shift")
    page.wait_for_steps(1)
    (made,) = robot.session.editor.document.constraints
    assert isinstance(made.rule, Pin)
    assert (made.rule.start * 24, made.rule.end * 24) == (pytest.approx(30), pytest.approx(44))


@pytest.mark.thorough
def test_keys_are_retimed_on_the_timeline(page: StudioPage, robot: Studio):
    page.select("body")
    key = on_timeline(page, "{kind: 'key', frame: 24}")
    frame = on_timeline(page, "{kind: 'frame', frame: 27}")
    page.drag(key, (frame[0], key[1]))
    page.wait_for_steps(1)
    times = robot.session.editor.document.clip().curves["body.ty"].times * 24
    np.testing.assert_allclose(times, [0, 27, 48, 72], atol=1e-6)


def test_a_handle_is_dragged_in_the_graph(page: StudioPage, robot: Studio):
    before = robot.session.editor.document.clip().curves["body.ty"]
    page.select("body")
    page.click(on_graph(page, "{channel: 'body.ty', key: 1, part: 'key'}"))
    x, y = on_graph(page, "{channel: 'body.ty', key: 1, part: 'out'}")
    page.drag((x, y), (x + 12, y - 25))
    page.wait_for_steps(1)
    after = robot.session.editor.document.clip().curves["body.ty"]
    assert after.outs[1, 1] > before.outs[1, 1]
    assert after.outs[1, 0] > before.outs[1, 0]
    # Tied: the other side turned with it.
    assert after.ins[1, 1] / after.ins[1, 0] == pytest.approx(after.outs[1, 1] / after.outs[1, 0])
    np.testing.assert_array_equal(after.values, before.values)


@pytest.mark.thorough
def test_the_wheel_over_an_arc_changes_its_timing(page: StudioPage, robot: Studio):
    before = robot.session.editor.document.clip().curves["body.ty"]
    page.select("body")
    page.press("r")
    page.page.mouse.move(*page.tick(36))
    for _ in range(4):
        page.page.mouse.wheel(0, -120)
    page.wait_for_steps(1)
    after = robot.session.editor.document.clip().curves["body.ty"]
    assert after.outs[1, 0] != before.outs[1, 0]
    np.testing.assert_array_equal(after.values, before.values)
    assert page.labels()[0].startswith("Timing of")


def test_playback_keeps_real_time(page: StudioPage):
    """However seldom it is drawn, every frame shown is the one that the clock says; slow pages leave frames out."""
    shown, behind = page.page.evaluate(
        """async () => {
            const { playback } = window.inbetweener.model;
            playback.go(0);
            // The moment that playback itself was told: others who follow the frame may come before us, and take long.
            const { clock } = playback, tell = clock.now;
            let told = 0;
            clock.now = () => (told = tell());
            playback.play();
            const began = performance.now(), first = told, shown = [];
            const stop = playback.frame.subscribe((frame) => shown.push([frame, told - first]));
            while (performance.now() - began < 2500) await new Promise((next) => requestAnimationFrame(next));
            playback.pause();
            stop();
            clock.now = tell;
            return [shown, Math.abs(told - performance.now())];
        }"""
    )
    assert len(shown) > 4  # the first is where it stood
    assert behind < 2500, "it is the real clock"
    for frame, passed_ms in shown:
        assert (passed_ms / 1000 * 24 - frame + 1e-3) % 73 < 1.01
