"""What is heard and seen beside the motion, by a real mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.sounds import beep

TIMELINE = "document.querySelector('ib-timeline')"


def test_a_sound_is_brought_in_seen_dragged_heard_and_muted(
    new_page: Callable[[], StudioPage], robot: Studio, tmp_path: Path
) -> None:
    page = new_page().open(robot)
    (tmp_path / "take.wav").write_bytes(beep(3.0, at=1.0, lasts=0.5))
    with page.page.expect_file_chooser() as chooser:
        page.run("inbetweener.commands.run('sound')")
    chooser.value.set_files(tmp_path / "take.wav")
    page.until("inbetweener.model.sound.wave.value !== null")
    assert page.labels() == ["Sound take.wav"]
    assert page.value("inbetweener.model.sound.wave.value.lasts") == pytest.approx(3.0)
    high = page.value("[...inbetweener.model.sound.wave.value.high]")
    assert max(high[:195]) < 0.01 < 0.4 < max(high[200:300])

    spot = [page.where(f"{TIMELINE}.whereIs({{ kind: 'sound', frame: {frame} }})") for frame in (20, 32)]
    page.drag(spot[0], spot[1])
    page.wait_for_steps(2)
    assert page.value("inbetweener.model.sound.info.value.start") == pytest.approx(0.5)
    assert page.labels()[-1] == "Sound from frame 12 on"

    # Scrubbed, a piece of it is heard; played, it keeps step with the pictures.
    ruler = [page.where(f"{TIMELINE}.whereIs({{ kind: 'frame', frame: {frame} }})") for frame in (20, 40)]
    page.drag(ruler[0], ruler[1])
    assert page.value("inbetweener.model.sound.pieces") > 0
    page.press("Space")
    page.until("inbetweener.model.sound.position !== null")
    apart = page.page.evaluate(
        """async () => {
            const { model } = window.inbetweener, found = [];
            while (found.length < 15) {
                await new Promise((next) => requestAnimationFrame(next));
                const at = model.sound.position;
                if (at !== null) found.push(at - model.timeOf(model.playback.frame.value));
            }
            return found.sort((a, b) => a - b)[7];
        }"""
    )
    assert -0.07 < apart < 1 / 24 + 0.07
    page.press("Space")
    assert page.value("inbetweener.model.sound.position") is None

    x, y = spot[0]
    page.click((page.where(f"{TIMELINE}.whereIs({{ kind: 'sound', frame: 0 }})")[0] - 60, y))
    page.wait_for_steps(3)
    assert page.value("inbetweener.model.sound.info.value.muted")
    for left in (2, 1, 0):
        page.press("Control+z")
        page.wait_for_steps(left)
    assert page.value("inbetweener.model.sound.info.value") is None
