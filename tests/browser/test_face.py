"""A press on a face takes hold of a vertex that blend shapes move: dragging its arc moves their curves."""

from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.skinning import Skin
from inbetweener.studio.places import place_of
from inbetweener.studio.protocol.parts import Part, Place
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

FRAME, TIME, CORNER = 60, 2.5, 3525


@pytest.mark.thorough
def test_a_corner_of_the_mouth_is_dragged_by_its_arc(
    new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]
) -> None:
    studio = serve("talking-face")
    page = new_page().open(studio)
    page.run(f"inbetweener.model.playback.go({FRAME})")
    page.until("document.querySelector('ib-viewport').isUpToDate()")
    before = studio.session.editor.document
    mesh, pose = before.meshes[0], before.motion().channels([TIME])[0]
    corner = Skin(mesh, before.rig).vertices(pose)[CORNER].astype(np.float64)
    page.click(page.pixel(tuple(corner.tolist())))
    page.until("inbetweener.model.selection.active?.place.name.startsWith('face vertex')")
    page.until("inbetweener.model.arcs.get(inbetweener.model.selection.active.arc) !== null")
    told = page.value("inbetweener.model.selection.active.place")
    parts = [
        Part(each["joint"], tuple(each["offset"]), each["weight"], [(n, tuple(m)) for n, m in each["shapes"]])
        for each in told["parts"]
    ]
    place = place_of(Place(parts, told["name"]))
    assert {"smile", "wide", "open"} <= {name for point, _ in place.parts for name, _ in point.shapes}
    vertex = int(told["name"].split()[-1])
    seen = Skin(mesh, before.rig).vertices(pose)[vertex].astype(np.float64)
    assert np.linalg.norm(seen - corner) < 0.01
    # The vertex is where the skin has it, on the server and on the page, and its arc knows the keys of the shapes.
    assert np.linalg.norm(before.motion().states([TIME], place)[0][0] - seen) < 1e-6
    here = page.value(f"inbetweener.model.positionOf(inbetweener.model.selection.active.place, {FRAME})")
    assert np.linalg.norm(np.array(here) - seen) < 1e-5
    tick = page.tick(FRAME)
    end = (tick[0] - 22.0, tick[1] - 16.0)
    page.drag(tick, end)
    page.wait_for_steps(1)
    after = studio.session.editor.document
    curves, changed = before.clip().curves, after.clip().curves
    shapes = {shape.channel for shape in mesh.shapes}
    assert {name for name in shapes & set(curves) if curves[name] != changed[name]}
    reached = page.tick(FRAME)
    assert np.hypot(reached[0] - end[0], reached[1] - end[1]) < 2.0
    now = Skin(mesh, after.rig).vertices(after.motion().channels([TIME])[0])[vertex]
    assert np.linalg.norm(now - seen) > 0.004
