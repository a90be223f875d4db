"""Weights as colours: what is seen on the skin is what the document has, before and after they are found anew."""

import io
from collections.abc import Callable

import numpy as np
from PIL import Image

from inbetweener.document import Document
from inbetweener.skinning import Skin
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage

JOINT, FRAME = "forearm_r", 20
STOPS = np.array([(0.33, 0.27, 0.6), (0.22, 0.44, 0.71), (0.15, 0.62, 0.62), (0.47, 0.8, 0.4), (0.98, 0.92, 0.36)])
"""The legend's colours from 0 to 1, as they are displayed."""


def vertices(document: Document) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where vertices are on the frame, which way they face, and how much of each the joint carries."""
    mesh = max(document.meshes, key=lambda each: len(each.vertices))
    at, facing = Skin(mesh, document.rig, document.blending).posed(document.motion().channels([FRAME / 24.0])[0])
    weights = np.where(mesh.influences == mesh.joints.index(JOINT), mesh.weights, 0.0).sum(axis=1)
    return np.asarray(at, np.float64), np.asarray(facing, np.float64), weights


def colours(page: StudioPage, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Displayed colours (n, 3), 0 to 1, where points of the world are seen, and the pixels (n, 2)."""
    script = """(points) => { const { stage } = document.querySelector('ib-viewport');
        const box = stage.canvas.getBoundingClientRect(), V = stage.camera.position.constructor;
        return points.map((point) => { const at = stage.toPixels(new V(...point));
            return [box.left + at.x, box.top + at.y]; }); }"""
    pixels = np.array(page.page.evaluate(script, points.tolist()))
    picture = np.asarray(Image.open(io.BytesIO(page.page.screenshot())).convert("RGB"), np.float64) / 255.0
    x, y = np.clip(pixels.astype(int).T, 0, [[picture.shape[1] - 1], [picture.shape[0] - 1]])
    return picture[y, x], pixels


def told(colour: np.ndarray) -> np.ndarray:
    """The weights (n,) whose legend's colours are most like the displayed ones, however brightly lit."""
    along = np.linspace(0.0, 1.0, 101)
    scale = np.stack([np.interp(along, np.linspace(0.0, 1.0, 5), STOPS[:, i]) for i in range(3)], axis=1) ** 2.2
    linear = colour**2.2
    unit = linear / np.linalg.norm(linear, axis=1, keepdims=True)
    return along[(unit @ (scale / np.linalg.norm(scale, axis=1, keepdims=True)).T).argmax(axis=1)]


def off(page: StudioPage, document: Document) -> float:
    """By how much, on the mean, colours of vertices that face the eye tell another weight than theirs."""
    at, facing, weights = vertices(document)
    colour, pixels = colours(page, at)
    eye = np.array(page.value("document.querySelector('ib-viewport').stage.camera.position.toArray()"))
    towards = eye - at
    seen = np.einsum("vi,vi->v", towards / np.linalg.norm(towards, axis=1, keepdims=True), facing) > 0.8
    # Gizmo and arc are drawn over the elbow and beside it.
    away = np.linalg.norm(pixels - np.array(page.joint(JOINT)), axis=1) > 30.0
    chosen = seen & away & (weights > 0.3)
    grey = seen & away & (weights == 0.0) & (at[:, 1] < 1.0)
    assert chosen.sum() > 10
    assert np.ptp(colour[grey], axis=1).max() < 0.05, "what it does not carry is grey"
    return float(np.abs(told(colour[chosen]) - weights[chosen]).mean())


def test_the_selected_joint_s_weights_are_seen_and_found_anew(
    new_page: Callable[[], StudioPage], serve: Callable[[str], Studio]
) -> None:
    studio = serve("waving")
    page = new_page().open(studio)
    page.watch()
    page.select(JOINT, FRAME)
    page.unfold("Skin")
    show = page.page.locator("ib-inspector").get_by_role("button", name="Show weights")
    show.click()
    legend = page.page.get_by_label("Colours of the skin: weight")
    legend.wait_for(state="visible")
    assert show.get_attribute("aria-pressed") == "true"
    assert f"weight of {JOINT}" in legend.inner_text()
    before = studio.session.editor.document
    assert off(page, before) < 0.03
    page.page.locator("ib-inspector").get_by_role("button", name="Find weights").click()
    page.wait_for_steps(1)
    page.until("document.querySelector('ib-viewport').isUpToDate()")
    assert page.labels() == ["Find skin weights"]
    after = studio.session.editor.document
    assert np.abs(vertices(after)[2] - vertices(before)[2]).max() > 0.2
    assert off(page, after) < 0.03
    # In the display's own place too, and back.
    page.page.get_by_role("radio", name="Shaded").click()
    legend.wait_for(state="hidden")
    assert show.get_attribute("aria-pressed") == "false"
