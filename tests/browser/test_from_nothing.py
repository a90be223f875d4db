"""A whole shot from nothing, with a real mouse: a character without a clip waves, in a handful of drags."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import edits
from inbetweener.formats import write
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.studio.served import served

MODEL = "inbetweener.model"
HAND = "mixamorig:RightHand"
NAMES = {
    "hips": "Hips", "chest": "Spine", "head": "Head", "upper_arm_l": "LeftArm", "forearm_l": "LeftForeArm",
    "hand_l": "LeftHand", "upper_arm_r": "RightArm", "forearm_r": "RightForeArm", "hand_r": "RightHand",
    "thigh_l": "LeftUpLeg", "shank_l": "LeftLeg", "foot_l": "LeftFoot", "thigh_r": "RightUpLeg",
    "shank_r": "RightLeg", "foot_r": "RightFoot",
}  # fmt: skip


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """On a glTF file with a character of Mixamo's names and without any motion."""
    document = replace(ib.example("waving"), clips=(), constraints=())
    for old, new in NAMES.items():
        document = edits.rename_joint(document, old, f"mixamorig:{new}")
    (tmp_path / "project").mkdir()
    write(document, tmp_path / "project" / "bare.glb")
    with served(tmp_path, Origin(path="bare.glb")) as studio:
        yield studio


def test_a_wave(studio: Studio, new_page: Callable[[], StudioPage]) -> None:
    page = new_page().open(studio)
    assert page.value(f"{MODEL}.scene.value.joints.some(({{ name }}) => name === '{HAND}')")
    drags = 0

    def pull(dx: float, dy: float) -> None:
        nonlocal drags
        drags += 1
        x, y = page.joint(HAND)
        page.drag((x, y), (x + dx, y + dy))
        page.wait_for_steps(drags)

    # Q, and the right hand goes up on frame 0: the clip is begun, the feet stay, the pose is keyed.
    page.press("q")
    page.click(page.joint(HAND))
    page.until(f"{MODEL}.selection.activeJoint === '{HAND}'")
    feet = [_position(page, f"mixamorig:{side}Foot") for side in ("Left", "Right")]
    pull(-20, -120)
    # To and fro: two more poses.
    for frame, dx in ((8, 60), (16, -60)):
        _go(page, frame)
        pull(dx, 0)
    assert page.labels() == [f"Pose {HAND} at frame {frame}" for frame in (0, 8, 16)]
    assert page.value(f"{MODEL}.clip.value.name") == "clip 1"
    xs = [_position(page, HAND, frame)[0] for frame in (0, 8, 16)]
    assert abs(xs[1] - xs[0]) > 0.05
    assert abs(xs[2] - xs[1]) > 0.05
    for side, before in zip(("Left", "Right"), feet, strict=True):
        for frame in (0, 8, 16):
            assert _position(page, f"mixamorig:{side}Foot", frame) == pytest.approx(before, abs=2e-3)
    assert page.clicks <= 12
    assert drags <= 6
    assert page.notices() == []


def _go(page: StudioPage, frame: int) -> None:
    """Click a frame on the ruler."""
    page.click(page.where(f"document.querySelector('ib-timeline').whereIs({{ kind: 'frame', frame: {frame} }})"))
    page.until(f"{MODEL}.playback.frame.value === {frame}")


def _position(page: StudioPage, joint: str, frame: int = 0) -> list[float]:
    page.until(f"{MODEL}.frames.isFresh({frame})")
    place = f"{{ parts: [{{ joint: '{joint}', offset: [0, 0, 0], weight: 1 }}], name: '' }}"
    return np.array(page.value(f"{MODEL}.positionOf({place}, {frame})")).tolist()


@pytest.mark.thorough
def test_a_shot_is_blocked_mirrored_broken_down_and_kept(studio: Studio, new_page: Callable[[], StudioPage]) -> None:
    page = new_page().open(studio)
    steps = 0

    def done() -> None:
        nonlocal steps
        steps += 1
        page.wait_for_steps(steps)

    # A pose on frame 0, mirrored onto frame 12, and a breakdown between them.
    page.press("q")
    x, y = page.joint(HAND)
    page.drag((x, y), (x - 20, y - 110))
    done()
    page.press("Escape")
    page.run(f"{MODEL}.selection.clear()")
    page.press("Control+c")
    _go(page, 12)
    page.press("Control+Shift+v")
    done()
    left, right = (_position(page, f"mixamorig:{side}Hand", 12) for side in ("Left", "Right"))
    before = _position(page, HAND, 0)
    assert left == pytest.approx([-before[0], *before[1:]], abs=1e-3)
    assert right[1] < left[1] - 0.2
    _go(page, 6)
    box = page.page.locator("ib-pose-bar input[type=range]").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.drag((box["x"] + box["width"] / 2, middle), (box["x"] + 0.25 * box["width"], middle))
    done()
    assert page.labels()[-1] == "Breakdown at frame 6"
    raised = _position(page, HAND, 6)[1]
    # A quarter of the way: nearer to the pose before.
    assert abs(raised - before[1]) < 0.3 * abs(raised - right[1])
    # A ring turns a joint alone, and on a key so does E.
    page.click(page.joint("mixamorig:Head"))
    page.until(f"{MODEL}.selection.activeJoint === 'mixamorig:Head'")
    for key in ("q", "e"):
        page.press(key)
        x, y = page.where("document.querySelector('ib-viewport').whereIsGizmo('rz')")
        page.drag((x, y), (x + 25, y + 25))
        done()
        assert page.labels()[-1] == "Turn mixamorig:Head at frame 6"
    # Three points, one P: all are pinned.
    for joint in ("mixamorig:LeftFoot", "mixamorig:RightFoot"):
        page.click(page.joint(joint), modifiers=["Shift"])
    page.until(f"{MODEL}.selection.points.value.length === 3")
    page.press("p")
    steps += 3
    page.wait_for_steps(steps)
    assert page.value(f"{MODEL}.constraints.value.length") == 3
    # A page that is loaded again looks at the same frame with the same selection.
    page.page.reload()
    page.ready()
    page.until(f"{MODEL}.selection.points.value.length === 3")
    assert page.value(f"{MODEL}.playback.frame.value") == 6
    assert page.value(f"{MODEL}.tool.value.name") == "rotate"
    # What was told can be read again.
    page.run("window.inbetweener.model.notices.add('warning', 'gone before anybody read it')")
    page.run("window.inbetweener.commands.run('notices')")
    assert "Gone before anybody read it" in page.page.get_by_role("dialog").inner_text()
