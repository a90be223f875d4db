"""Sketching with a real mouse: choose bones by a stroke, draw the wish, read the pose back, undo."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest

from inbetweener.posing.sketch.bones import Bones
from inbetweener.skinning import Skin
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import Pixel, StudioPage

FRAME = 10
TAIL = [f"tail_{n}" for n in range(1, 11)]


@pytest.fixture
def dino(serve: Callable[[str], Studio]) -> Studio:
    return serve("dino-punch")


@pytest.fixture
def page(new_page: Callable[[], StudioPage], dino: Studio) -> StudioPage:
    """On the dinosaur with the sketch tool, seen from the side, on a frame where it stands still."""
    page = new_page().open(dino)
    page.run(f"inbetweener.model.playback.go({FRAME})")
    page.press("b")
    page.until("inbetweener.model.sketching.shapes.value?.time > 0.41")
    return page


def bone(page: StudioPage, joint: str, place: float = 0.5) -> Pixel:
    return page.where(f"document.querySelector('ib-viewport').whereIsBone('{joint}', {place})")


def draw(page: StudioPage, points: Sequence[Pixel], *, release: bool = True) -> None:
    """Press, go through all points, and let go."""
    page.page.mouse.move(*points[0])
    page.page.mouse.down()
    for point in points[1:]:
        page.page.mouse.move(*point)
    if release:
        page.page.mouse.up()


def chosen(page: StudioPage) -> list[str]:
    return list(page.value("inbetweener.model.sketching.bones.value"))


def shapes(studio: Studio, joints: Sequence[str]) -> np.ndarray:
    """Points along bones of the document as the server has it, on the frame that is sketched."""
    document = studio.session.editor.document
    bones = Bones.of(document.rig, document.motion().channels([FRAME / 24.0])[0])
    samples = bones.samples({document.rig.joint_index(name): 10 for name in joints})
    return samples.positions


def seen(page: StudioPage, points: np.ndarray) -> np.ndarray:
    """Where points of the world are on the page."""
    script = """(points) => { const { stage } = document.querySelector('ib-viewport');
        const box = stage.canvas.getBoundingClientRect(), V = stage.camera.position.constructor;
        const pixel = ({ x, y }) => [box.left + x, box.top + y];
        return points.map((point) => pixel(stage.toPixels(new V(...point)))); }"""
    return np.array(page.page.evaluate(script, points.tolist()))


def choose_tail(page: StudioPage) -> list[Pixel]:
    way = [bone(page, name, place) for name in TAIL for place in (0.1, 0.9)]
    draw(page, way)
    page.until("inbetweener.model.sketching.bones.value.length > 0")
    return way


def curl(way: Sequence[Pixel], turn: float) -> list[Pixel]:
    """An arc as long as a way, which sets out in its direction."""
    points = np.array(way)
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    along = points[1] - points[0]
    angles = np.arctan2(along[1], along[0]) + np.linspace(0.0, turn, 30)
    steps = length / 30 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return [tuple(map(float, point)) for point in points[0] + np.concatenate([[[0.0, 0.0]], np.cumsum(steps, axis=0)])]  # type: ignore[misc]


def test_a_tail_takes_the_shape_of_a_stroke(page: StudioPage, dino: Studio) -> None:
    document = dino.session.editor.document
    way = choose_tail(page)
    assert chosen(page) == TAIL
    stroke = curl(way, -1.8)
    draw(page, stroke)
    page.wait_for_steps(1)
    assert page.labels() == [f"Sketch 10 bones at frame {FRAME}"]
    found = seen(page, shapes(dino, TAIL))
    fine = np.concatenate([np.linspace(a, b, 8) for a, b in pairwise(stroke)])
    away = np.linalg.norm(found[:, None] - fine[None], axis=2).min(axis=1)
    assert away.max() < 4.0, "pixels"
    # Where the pose around is keyed, and elsewhere on the body, nothing has changed.
    after = dino.session.editor.document
    np.testing.assert_allclose(
        after.motion().world_from_joint([0.0]), document.motion().world_from_joint([0.0]), atol=1e-9
    )
    head = document.rig.joint_index("head")
    times = document.clip().frame_times
    np.testing.assert_allclose(
        after.motion().world_from_joint(times)[:, head], document.motion().world_from_joint(times)[:, head], atol=1e-9
    )
    page.press("Control+z")
    page.wait_for_steps(0)
    assert dino.session.editor.document is document


@pytest.mark.thorough
def test_the_whole_body_follows_a_line_of_action_and_is_refined(page: StudioPage, dino: Studio) -> None:
    document = dino.session.editor.document
    page.page.locator("ib-sketch-bar").get_by_role("radio", name="All").click()
    assert len(chosen(page)) == len(document.rig.joints)
    low, high = bone(page, "foot_l", 0.0), bone(page, "head", 0.5)
    for lean in (60.0, -40.0):
        line = [
            (low[0] + lean * np.sin(0.5 * np.pi * s) + s * (high[0] - low[0]), low[1] + s * (high[1] - low[1]))
            for s in np.linspace(0.0, 1.0, 24)
        ]
        draw(page, line)
        page.until("inbetweener.model.hand.value === null")
    page.wait_for_steps(2)
    after = dino.session.editor.document
    assert len(after.rig.bends) == 1
    time = FRAME / 24.0
    moved = after.motion().joint_positions([time])[0] - document.motion().joint_positions([time])[0]
    assert np.linalg.norm(moved[document.rig.joint_index("head")]) > 0.03
    for step in (1, 0):
        page.press("Control+z")
        page.wait_for_steps(step)
    assert dino.session.editor.document is document


def test_clicks_choose_single_bones_and_escape_lets_go(page: StudioPage) -> None:
    page.click(bone(page, "tail_3"))
    assert chosen(page) == ["tail_3"]
    page.click(bone(page, "tail_4"), modifiers=["Shift"])
    assert chosen(page) == ["tail_3", "tail_4"]
    page.click(bone(page, "tail_3"), modifiers=["Shift"])
    assert chosen(page) == ["tail_4"]
    page.press("Escape")
    assert chosen(page) == []


def test_escape_in_the_middle_of_a_stroke_leaves_nothing(page: StudioPage, dino: Studio) -> None:
    document = dino.session.editor.document
    way = choose_tail(page)
    draw(page, curl(way, 1.0), release=False)
    page.until("inbetweener.model.answer.value?.reached === true")
    page.press("Escape")
    page.page.mouse.up()
    page.until("inbetweener.model.changed.value.kind === 'cancel'")
    assert dino.session.editor.document is document
    assert page.labels() == []


@pytest.mark.thorough
def test_strokes_that_mean_nothing_are_told_and_change_nothing(page: StudioPage, dino: Studio) -> None:
    document = dino.session.editor.document
    box = page.page.locator("ib-viewport canvas").first.bounding_box()
    assert box is not None
    corner = (box["x"] + 12.0, box["y"] + box["height"] - 12.0)
    draw(page, [corner, (corner[0] + 30.0, corner[1])])
    page.until("inbetweener.model.notices.items.value.length === 1")
    assert "meets no bone" in page.notices()[0]
    page.click(bone(page, "tail_9"))
    draw(page, [corner, (corner[0] + 40.0, corner[1]), (corner[0] + 80.0, corner[1] - 4.0)])
    page.until("inbetweener.model.notices.items.value.length === 2")
    assert "away from the bones" in page.notices()[-1]
    assert dino.session.editor.document is document


@pytest.mark.thorough
def test_a_tail_is_twisted_on_the_bone(page: StudioPage, dino: Studio) -> None:
    choose_tail(page)
    page.page.locator("ib-sketch-bar").get_by_role("radio", name="Twist").click()
    x, y = bone(page, "tail_6", 0.8)
    page.drag((x, y), (x + 200.0, y))
    page.wait_for_steps(1)
    screws = dino.session.editor.document.rig.bends[0].screws
    assert set(screws) == set(TAIL[:6])
    turned = sum(float(np.linalg.norm(steps.sum(axis=0)[:3])) for steps in screws.values())
    assert np.degrees(turned) == pytest.approx(200.0, abs=3.0)


@pytest.mark.thorough
def test_a_line_of_action_bends_the_pose_where_that_is_wished(page: StudioPage, dino: Studio) -> None:
    document = dino.session.editor.document
    joints = [joint.name for joint in document.rig.joints]
    bar = page.page.locator("ib-sketch-bar")
    bar.get_by_role("radio", name="All").click()
    # A straight line right through the bones as they are, as a least-squares fit of its own finds it.
    points = seen(page, shapes(dino, joints))
    middle, way = points.mean(axis=0), np.linalg.svd(points - points.mean(axis=0))[2][0]
    reach = (points - middle) @ way
    line = [tuple(middle + s * way) for s in np.linspace(reach.min(), reach.max(), 20)]
    moved = {}
    for support in ("pose", "rest"):
        bar.get_by_role("button", name="From pose").click()
        assert page.value("inbetweener.model.sketching.options.value.support") == support
        draw(page, line)
        page.wait_for_steps(1)
        moved[support] = np.linalg.norm(seen(page, shapes(dino, joints)) - points, axis=1).max()
        page.press("Control+z")
        page.wait_for_steps(0)
    assert moved["pose"] < 20.0 < 100.0 < moved["rest"], "pixels"
    assert dino.session.editor.document is document
    bar.get_by_role("radio", name="Direct").click()
    assert bar.get_by_role("button", name="From pose").is_disabled()


@pytest.mark.thorough
def test_the_edge_of_a_tail_is_drawn(page: StudioPage, dino: Studio) -> None:
    way = choose_tail(page)
    page.page.locator("ib-sketch-bar").get_by_role("radio", name="Outline").click()
    # Above the tail, where its skin ends, and from there up in a gentle curl.
    tail = np.array(way)
    upper = tail + np.outer(np.linspace(-62.0, -6.0, len(tail)), [0.0, 1.0])
    rise = np.outer(np.linspace(0.0, 1.0, len(tail)) ** 2, [0.0, -90.0])
    drawn = upper + rise
    draw(page, [tuple(map(float, point)) for point in drawn[2:]])
    page.wait_for_steps(1)
    # Seen from the side, the highest skin above every spot of the outer tail is where the stroke was drawn.
    document = dino.session.editor.document
    mesh, pose = document.meshes[0], document.motion().channels([FRAME / 24.0])
    skin = seen(page, Skin(mesh, document.rig, document.blending, poses=pose).vertices(pose[0]))
    outer = drawn[len(drawn) // 2 : -2]
    highest = [skin[np.abs(skin[:, 0] - x) < 8.0, 1].min() for x in outer[:, 0]]
    assert np.abs(highest - outer[:, 1]).max() < 8.0, "pixels"
