"""Soft meshes on the page: vertices that swing by themselves are drawn where the server has them."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.kinodynamics import LooseMotion, SoftPoint
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

HAT = "{ kind: 'elastic', mesh: 'cartoon', joint: 'hat_1', frequency: 2 }"


@pytest.mark.thorough
def test_a_soft_hat_is_drawn_as_it_swings(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]):
    studio = serve("hat-and-door")
    page = new_page().open(studio)
    page.page.evaluate(f"() => inbetweener.model.loosening.set({{ soft: [{HAT}] }})")
    document = studio.session.editor.document
    clip = document.clip()
    motion = document.shown_motion(clip.name)
    assert isinstance(motion, LooseMotion)
    ((mesh, vertices),) = page.value("[...inbetweener.model.soft.meshes].map(([mesh, soft]) => [mesh, [...soft]])")
    farthest = 0.0
    for frame in (20, 30):
        page.run(f"inbetweener.model.playback.go({frame})")
        page.until(f"inbetweener.model.frames.isFresh({frame}) && inbetweener.model.soft.get({frame}).size === 1")
        page.until("document.querySelector('ib-viewport').isUpToDate()")
        drawn = np.array(page.value("document.querySelector('ib-viewport').vertices('cartoon')")).reshape(-1, 3)
        for vertex in vertices[:: len(vertices) // 7]:
            time = clip.start + frame / clip.rate
            at = motion.soft_states([time], SoftPoint("cartoon", vertex))[0][0]
            np.testing.assert_allclose(drawn[vertex], at, atol=2e-4)
        keyed = page.value(
            f"Array.from(inbetweener.model.soft.get({frame}).get({mesh}).by)"
            ".reduce((most, each) => Math.max(most, Math.abs(each)), 0)"
        )
        farthest = max(farthest, keyed)
    assert farthest > 0.03, "it swings"
    # Tight again, the hat is where its joints carry it.
    page.press("Control+z")
    page.wait_for_steps(0)
    page.until("inbetweener.model.soft.get(30).size === 0")
    page.page.close()
