"""What is heard and seen beside the motion, by a real mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest

from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import StudioPage
from tests.sounds import PNG, beep, video

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

    y = spot[0][1]
    page.click((page.where(f"{TIMELINE}.whereIs({{ kind: 'sound', frame: 0 }})")[0] - 60, y))
    page.wait_for_steps(3)
    assert page.value("inbetweener.model.sound.info.value.muted")
    for left in (2, 1, 0):
        page.press("Control+z")
        page.wait_for_steps(left)
    assert page.value("inbetweener.model.sound.info.value") is None


VIEWPORT = "document.querySelector('ib-viewport')"


def test_onion_skins_by_keys_and_by_steps(new_page: Callable[[], StudioPage], robot: Studio) -> None:
    page = new_page().open(robot)
    page.run("inbetweener.model.playback.go(30)")
    page.press("o")
    bar = page.page.locator("ib-onion-bar")
    bar.wait_for(state="visible")
    page.until(f"{VIEWPORT}.scenery.onion.shown.before.length > 0")
    keys = page.value("inbetweener.model.curves.all().next().value.keys.map(({ time }) => Math.round(time * 24))")
    shown = page.value(f"{VIEWPORT}.scenery.onion.shown")
    assert shown["before"] == [key for key in reversed(keys) if key < 30][:2]
    assert shown["after"] == [key for key in keys if key > 30][:2]
    bar.get_by_role("radio", name="Every").click()
    bar.get_by_label("Onion skins before and after").fill("3")
    bar.get_by_label("Frames between onion skins").fill("5")
    bar.get_by_label("Frames between onion skins").press("Enter")
    page.until(f"{VIEWPORT}.scenery.onion.shown.after.join() === '35,40,45'")
    assert page.value(f"{VIEWPORT}.scenery.onion.shown.before") == [25, 20, 15]


@pytest.mark.thorough
def test_another_version_is_seen_as_a_ghost_and_alone_while_a_key_is_held(
    new_page: Callable[[], StudioPage], robot: Studio
) -> None:
    page = new_page().open(robot)
    page.select("body", frame=30)
    tick = page.tick(30)
    page.drag(tick, (tick[0], tick[1] - 60))
    page.wait_for_steps(1)
    page.press("v")
    page.until(f"{VIEWPORT}.scenery.comparedGhost.isShown")
    joint = "inbetweener.model.jointIndex('body') * 12"
    shown, other = (
        page.value(f"[3, 7, 11].map((at) => inbetweener.model.{frames}.world(30)[{joint} + at])")
        for frames in ("frames", "comparing.frames")
    )
    assert sum((a - b) ** 2 for a, b in zip(shown, other, strict=True)) ** 0.5 > 0.05
    page.page.keyboard.down("`")
    page.until(f"inbetweener.model.comparing.alone.value && !{VIEWPORT}.scenery.comparedGhost.isShown")
    page.page.keyboard.up("`")
    page.until(f"!inbetweener.model.comparing.alone.value && {VIEWPORT}.scenery.comparedGhost.isShown")
    # Side by side: the other version at the left, from the same place, and no ghost over this one.
    page.press("Alt+b")
    earlier = "document.querySelector('ib-before-view')"
    page.until(f"{earlier}?.scenery?.isPosed && {earlier}.stage.drawn > 0 && !{VIEWPORT}.scenery.comparedGhost.isShown")
    boxes = [page.page.locator(tag).bounding_box() for tag in ("ib-before-view", "ib-viewport canvas")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1
    assert boxes[0]["width"] == pytest.approx(boxes[1]["width"], abs=2)
    assert page.value(f"{earlier}.textContent") == "0: Open"
    middle = (boxes[0]["x"] + boxes[0]["width"] / 2, boxes[0]["y"] + boxes[0]["height"] / 2)
    azimuth = page.value(f"{VIEWPORT}.scenery.viewpoints.orbit.standpoint.azimuth")
    page.drag(middle, (middle[0] + 60, middle[1]))
    page.until(f"{VIEWPORT}.scenery.viewpoints.orbit.standpoint.azimuth !== {azimuth}")
    page.until(f"{VIEWPORT}.stage.camera.position.distanceTo({earlier}.stage.camera.position) < 1e-6")
    page.press("Alt+b")
    page.until(f"{earlier} === null && {VIEWPORT}.scenery.comparedGhost.isShown")
    # Undone and done otherwise, there is another step with another name.
    page.press("v")
    page.until("!inbetweener.model.comparing.isOn")
    assert page.labels() == ["Drag body at frame 30"]


@pytest.mark.thorough
def test_four_views_pick_and_drag_the_same_motion(new_page: Callable[[], StudioPage], robot: Studio) -> None:
    page = new_page().open(robot)
    page.run("inbetweener.model.playback.go(20)")
    page.press("Shift+V")
    side = "document.querySelector('ib-side-view[aria-label$=side]')"
    page.until(f"{side}?.scenery?.isPosed && {side}.stage.drawn > 0")
    # Seen from +x and level: along z in the picture, y up.
    page.click(page.where(f"{side}.whereIsJoint('body')"))
    page.until("inbetweener.model.selection.activeJoint === 'body'")
    arc = "inbetweener.model.arcs.get(inbetweener.model.selection.active.arc)"
    page.until(f"{arc} !== null")
    where = "inbetweener.model.positionOf(inbetweener.model.selection.active.place, 20)"
    before = page.value(where)
    tick = page.where(f"{side}.whereIsTick(20)")
    page.drag(tick, (tick[0], tick[1] - 30))
    page.wait_for_steps(1)
    page.until(f"inbetweener.model.frames.isFresh(20) && {where}[1] > {before[1] + 0.02}")
    after = page.value(where)
    assert abs(after[0] - before[0]) < 0.01, "a drag stays in the plane of the view that it is made in"
    # A key turns the view that was touched last, and no other.
    main = page.value(f"{VIEWPORT}.scenery.viewpoints.orbit.standpoint.azimuth")
    page.press("1")
    page.until(f"Math.abs({side}.scenery.viewpoints.orbit.standpoint.azimuth) < 1e-6")
    assert page.value(f"{VIEWPORT}.scenery.viewpoints.orbit.standpoint.azimuth") == main
    page.press("Shift+V")
    page.until("document.querySelector('ib-side-view') === null")
    box = page.page.locator("ib-viewport canvas").first.bounding_box()
    whole = page.page.locator("ib-viewports").first.bounding_box()
    assert box is not None
    assert box == whole


@pytest.mark.thorough
def test_a_scene_camera_is_keyed_from_the_view_looked_through_and_undone(
    new_page: Callable[[], StudioPage], robot: Studio
) -> None:
    page = new_page().open(robot)
    orbit = f"{VIEWPORT}.scenery.viewpoints.orbit.standpoint"
    page.press("1")
    first = page.value(orbit)
    page.run("inbetweener.commands.run('camera-key')")
    page.wait_for_steps(1)
    page.run("inbetweener.model.playback.go(48)")
    page.press("3")
    second = page.value(orbit)
    page.run("inbetweener.commands.run('camera-key')")
    page.wait_for_steps(2)
    assert page.labels() == ["Key the scene camera at frame 0", "Key the scene camera at frame 48"]
    page.press("4")
    page.until(f"{VIEWPORT}.scenery.cameraMark.isShown")
    # The way it goes through the clip, from the eye of the first key to that of the second.
    page.until(f"{VIEWPORT}.scenery.cameraMark.path.length === 3 * inbetweener.model.clip.value.frames")
    way = page.value(f"{VIEWPORT}.scenery.cameraMark.path")
    told = page.value("inbetweener.model.camera.value.frames")
    for frame in (0, 24, 48):
        assert way[3 * frame : 3 * frame + 3] == pytest.approx(told[7 * frame : 7 * frame + 3], abs=1e-5)
    assert way[:3] != way[3 * 48 : 3 * 48 + 3]
    page.press("c")
    page.until(f"!{VIEWPORT}.scenery.cameraMark.isShown && {VIEWPORT}.scenery.cameraMark.path.length === 0")
    for frame, wanted in ((0, first), (48, second)):
        page.run(f"inbetweener.model.playback.go({frame})")
        seen = page.value(orbit)
        assert seen["azimuth"] == pytest.approx(wanted["azimuth"], abs=1e-3)
        assert seen["target"] == pytest.approx(wanted["target"], abs=1e-3)
    page.run("inbetweener.model.playback.go(24)")
    page.until(f"{orbit}.azimuth > 0.2")
    assert 0.2 < page.value(orbit)["azimuth"] < 1.4
    page.press("Control+z")
    page.wait_for_steps(1)
    assert page.value("inbetweener.model.camera.value.keys") == [0]


@pytest.mark.thorough
def test_a_reference_picture_stands_behind_the_clip(
    new_page: Callable[[], StudioPage], robot: Studio, tmp_path: Path
) -> None:
    page = new_page().open(robot)
    (tmp_path / "pose.png").write_bytes(PNG)
    with page.page.expect_file_chooser() as chooser:
        page.run("inbetweener.commands.run('picture')")
    chooser.value.set_files(tmp_path / "pose.png")
    page.until(f"{VIEWPORT}.scenery.reference.isShown")
    assert page.labels() == ["Picture pose.png"]
    page.unfold("Clip")
    field = page.page.locator("ib-inspector").get_by_label("Picture along z")
    field.fill("-150")
    field.press("Enter")
    page.wait_for_steps(2)
    assert page.value("inbetweener.model.picture.value.position[2]") == pytest.approx(-1.5)
    page.press("Control+z")
    page.press("Control+z")
    page.wait_for_steps(0)
    page.until(f"!{VIEWPORT}.scenery.reference.isShown")


@pytest.mark.thorough
def test_a_reference_video_keeps_step_with_the_frames(
    new_page: Callable[[], StudioPage], robot: Studio, tmp_path: Path
) -> None:
    page = new_page().open(robot)
    (tmp_path / "take.mp4").write_bytes(video())
    with page.page.expect_file_chooser() as chooser:
        page.run("inbetweener.commands.run('picture')")
    chooser.value.set_files(tmp_path / "take.mp4")
    plane = f"{VIEWPORT}.scenery.reference"
    page.until(f"{plane}.isShown")
    assert page.labels() == ["Video take.mp4"]
    # What the graphics card is given is the picture of that frame: grey, lighter with every one.
    grey = f"""(() => {{
        const canvas = new OffscreenCanvas(1, 1), context = canvas.getContext('2d');
        context.drawImage({plane}.shown.texture.image, 0, 0, 1, 1);
        return context.getImageData(0, 0, 1, 1).data[0];
    }})()"""
    for frame in (0, 12, 40, 7):
        page.run(f"inbetweener.model.playback.go({frame})")
        level = 16 + frame * (235 - 16) / 47
        page.until(f"Math.abs({grey} - {level}) < 3 && Math.abs({plane}.second - {frame / 24}) < 0.01")
    page.unfold("Clip")
    field = page.page.locator("ib-inspector").get_by_label("Frame at which the video begins")
    field.fill("5")
    field.press("Enter")
    page.wait_for_steps(2)
    page.until(f"Math.abs({plane}.second - 2 / 24) < 0.01")
    # It runs along while the clip plays.
    page.press("Space")
    page.until(f"{plane}.second > 0.5")
    page.press("Space")
    page.until(f"Math.abs({plane}.second - (inbetweener.model.playback.frame.value - 5) / 24) < 0.01")


def test_keys_of_the_scene_camera_have_a_lane(page: StudioPage) -> None:
    page.run("inbetweener.commands.run('camera-key')")
    page.wait_for_steps(1)
    spot = [page.where(f"{TIMELINE}.whereIs({{ kind: 'camera', frame: {frame} }})") for frame in (0, 12)]
    page.drag(spot[0], spot[1])
    page.wait_for_steps(2)
    assert page.labels()[-1] == "Move camera key from frame 0 to 12"
    page.until("inbetweener.model.camera.value.keys[0] === 0.5")
    page.click(spot[1])
    page.until("inbetweener.model.playback.frame.value === 12")
    page.page.mouse.click(*spot[1], button="right")
    page.page.get_by_role("menuitem", name="Remove this camera key").click()
    page.wait_for_steps(3)
    page.until(
        f"inbetweener.model.camera.value === null && {TIMELINE}.whereIs({{ kind: 'camera', frame: 0 }}) === null"
    )
