"""What the graphics card makes of plans and differentials, read back vertex by vertex, is what the server has."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from inbetweener import formats
from inbetweener.document import Document
from inbetweener.skinning import BLENDINGS, Skin
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.studio.served import served
from tests.studio.session.test_skins import twisted_bar

AGREEMENT = 1e-4
"""Of the character's size."""


def shown(page: StudioPage, mesh: str, frame: int) -> np.ndarray:
    """Where the vertices of a mesh are drawn on a frame, once all that it takes has arrived."""
    page.run(f"inbetweener.model.playback.go({frame})")
    page.until("document.querySelector('ib-viewport').isUpToDate()")
    found = page.page.evaluate("(mesh) => document.querySelector('ib-viewport').vertices(mesh)", mesh)
    return np.array(found).reshape(-1, 3)


def farthest(page: StudioPage, document: Document, frame: int) -> float:
    """How far the drawn vertices are from the skin's, in sizes of the character."""
    mesh = max(document.meshes, key=lambda each: len(each.vertices))
    poses = document.motion().channels(document.clip().frame_times)
    wanted = Skin(mesh, document.rig, document.blending, poses=poses).vertices(poses[frame])
    return float(np.abs(shown(page, mesh.name, frame) - wanted).max() / np.ptp(wanted, axis=0).max())


def test_a_bent_bar_of_three_turns(new_page: Callable[[], StudioPage], tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    formats.save(twisted_bar(bent=True), tmp_path / "project" / "bar.tween")
    with served(tmp_path, Origin(path="bar.tween")) as studio:
        page = new_page().open(studio)
        for blending in BLENDINGS:
            page.page.evaluate("(way) => inbetweener.model.ask({ type: 'set-blending', blending: way })", blending)
            assert studio.session.editor.document.blending == blending
            for frame in (4, 9):
                assert farthest(page, studio.session.editor.document, frame) < AGREEMENT, (blending, frame)
        page.page.close()


@pytest.mark.thorough
def test_the_diver_by_the_view_menu(new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]) -> None:
    studio = serve("diver")
    page = new_page().open(studio)
    for step, blending in enumerate(("dual-quaternion", "differential", "linear"), 1):
        page.run(f"inbetweener.commands.run('blend.{blending}')")
        page.wait_for_steps(step)
        assert page.value("inbetweener.model.scene.value.blending") == blending
        for frame in (0, 27):
            assert farthest(page, studio.session.editor.document, frame) < AGREEMENT, (blending, frame)
    page.press("Control+z")
    page.wait_for_steps(2)
    assert studio.session.editor.document.blending == "differential"
