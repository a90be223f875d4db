"""Keys copied over the system's clipboard, and posing in the mirror, with real mouse and keyboard."""

import json
from collections.abc import Callable

import numpy as np
import pytest

from inbetweener.document import edits
from inbetweener.studio.server.studio import Studio
from tests.browser.studio_page import Pixel, StudioPage

MODEL = "inbetweener.model"


def on_timeline(page: StudioPage, target: str) -> Pixel:
    return page.where(f"document.querySelector('ib-timeline').whereIs({target})")


def test_keys_go_over_the_clipboard_of_the_system(page: StudioPage, robot: Studio) -> None:
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    document = robot.session.editor.document
    clip = document.clips[0]
    page.click(on_timeline(page, "{kind: 'key', frame: 24}"))
    page.until(f"{MODEL}.selection.keys.value.length > 0")
    count = page.value(f"{MODEL}.selection.keys.value.length")
    page.press("Control+c")
    page.until(f"{MODEL}.clipboard.value !== null")
    page.until(f"navigator.clipboard.readText().then((text) => text === {MODEL}.clipboard.value)")
    copied = json.loads(page.value("navigator.clipboard.readText()"))
    assert (copied["format"], copied["version"], copied["span"]) == ("inbetweener-keys", 1, 0)
    assert sum(len(each["keys"]) for each in copied["channels"]) == count

    page.run(f"{MODEL}.playback.go(30)")
    page.press("Control+v")
    page.wait_for_steps(1)
    assert page.labels() == [f"Paste {count} keys at frame 30"]
    made = robot.session.editor.document
    for each in copied["channels"]:
        before, after = (edits.curve_of(one, clip.name, each["channel"]) for one in (document, made))
        at = np.abs(after.times - clip.start - 30 / clip.rate).argmin()
        assert len(after) == len(before) + 1
        assert after.values[at] == before.values[np.abs(before.times - clip.start - 24 / clip.rate).argmin()]

    # What somebody else left there is refused, and changes nothing.
    page.run("return navigator.clipboard.writeText('milk, bread, eggs')")
    page.press("Control+v")
    page.until(f"{MODEL}.notices.items.value.some(({{ text }}) => text.includes('text holds no keys'))")
    assert page.labels() == [f"Paste {count} keys at frame 30"]

    page.click(on_timeline(page, "{kind: 'key', frame: 24}"))
    page.until(f"{MODEL}.selection.keys.value.length > 0")
    page.press("Control+x")
    page.wait_for_steps(2)
    assert page.labels()[-1] == f"Cut {count} keys"


@pytest.mark.thorough
def test_the_other_arm_does_the_same(serve: Callable[[str], Studio], new_page: Callable[[], StudioPage]) -> None:
    studio = serve("waving")
    page = new_page().open(studio)
    page.press("q")
    page.page.locator("ib-pose-bar button", has_text="Mirror").click()
    page.until(f"{MODEL}.posing.symmetric.value")
    x, y = page.joint("hand_l")
    page.drag((x, y), (x + 40, y - 60))
    page.wait_for_steps(1)
    document = studio.session.editor.document
    clip, rig = document.clips[0], document.rig
    posed = rig.posed(document.motion(clip.name).channels([clip.start]))
    places = {name: posed.world_from_joint[0, rig.joint_index(name), :, 3] for name in ("hand_l", "hand_r", "chest")}
    turn = posed.world_from_joint[0, rig.joint_index("chest"), :, :3]
    left, right = (turn.T @ (places[name] - places["chest"]) for name in ("hand_l", "hand_r"))
    assert right == pytest.approx(left * [-1.0, 1.0, 1.0], abs=1e-6)
    before = rig.rest_world()[rig.joint_index("hand_r"), :, 3]
    assert np.linalg.norm(places["hand_r"] - before) > 0.05


def test_everything_is_found_by_name_and_has_the_key_that_one_likes(page: StudioPage) -> None:
    page.press("F3")
    page.page.keyboard.type("onion")
    page.page.locator("ib-palette li").first.wait_for()
    assert page.page.locator("ib-palette li").first.inner_text().startswith("Onion skins")
    page.press("Enter")
    page.until(f"{MODEL}.onionSkins.value && !document.querySelector('ib-palette')")

    # The keys of another program, and one of one's own on top; both are there after the page is loaded again.
    page.press("?")
    page.page.locator("ib-shortcuts select").select_option("blender")
    page.page.locator("ib-shortcuts button", has_text="Change keys").click()
    page.page.get_by_label("Key of Onion skins").click()
    page.press("Shift+o")
    page.press("Escape")
    page.until("!document.querySelector('ib-shortcuts')")
    page.press("r")
    page.until(f"{MODEL}.tool.value.name === 'rotate'")
    page.page.reload()
    page.ready()
    page.settle()
    page.press("g")
    page.until(f"{MODEL}.tool.value.name === 'move'")
    before = page.value(f"{MODEL}.onionSkins.value")
    page.press("o")
    page.press("Shift+o")
    page.until(f"{MODEL}.onionSkins.value === {str(not before).lower()}")
    assert page.page.locator("ib-bar [title^='Move (G)']").count() == 1


@pytest.mark.sweep
@pytest.mark.parametrize("scale", [1, 1.3])
def test_a_light_page_draws_light_sheets_and_menus_stay_on_it(page: StudioPage, scale: float) -> None:
    page.press("F3")
    page.page.keyboard.type("light")
    page.press("Enter")
    page.until("document.documentElement.dataset.theme === 'light'")
    while page.value("Number(document.documentElement.style.getPropertyValue('--scale'))") < scale:
        page.press("Control+Alt+=")
    # The panel's ground, where nothing else is drawn, is what the style sheet says.
    page.until(
        """(() => {
            const canvas = document.querySelector('ib-timeline canvas');
            const [r, g, b] = canvas.getContext('2d').getImageData(canvas.width - 3, canvas.height - 3, 1, 1).data;
            return r > 200 && g > 200 && b > 200;
        })()"""
    )
    page.page.locator("ib-menu", has_text="View").click()
    box = page.page.locator("ib-menu [role=menu]").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1280
    assert box["y"] + box["height"] <= 720
    page.press("Escape")
    # A key of the timeline is still where the eye and the hand meet.
    page.click(on_timeline(page, "{kind: 'key', frame: 24}"))
    page.until(f"{MODEL}.selection.keys.value.length > 0")


def test_keys_are_nudged_and_a_chain_follows_by_keys(page: StudioPage, robot: Studio) -> None:
    curve = "inbetweener.model.curves.get(inbetweener.model.channelIndex('antenna_2.rz'), 0)"

    def frames() -> list[int]:
        return page.value(f"{curve}.keys.map(({{ time }}) => Math.round(100 * time * 24) / 100)")

    before = frames()
    page.run("inbetweener.model.selection.keys.value = [{ channel: 'antenna_2.rz', key: 1 }]")
    page.press("Alt+ArrowRight")
    page.wait_for_steps(1)
    page.press("Alt+ArrowRight")
    page.wait_for_steps(2)
    page.until(f"{curve}.keys.length === {len(before)}")
    assert frames() == [before[0], before[1] + 2, *before[2:]]
    assert page.value("inbetweener.model.selection.keys.value[0].key") == 1
    page.press("Control+z")
    page.press("Control+z")
    page.wait_for_steps(0)
    page.select("antenna_1")
    page.press("Alt+Shift+ArrowRight")
    page.wait_for_steps(1)
    assert page.labels() == ["Stagger antenna_1 by 1 frames"]
    document = robot.session.editor.document
    late = {
        name: document.clip().curves[f"{name}.rz"].times[1] * 24 for name in ("antenna_1", "antenna_2", "antenna_3")
    }
    assert late == pytest.approx({f"antenna_{i}": before[1] + i - 1 for i in (1, 2, 3)})
