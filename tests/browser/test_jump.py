"""The tutorial "From nothing to a jump" with a real mouse: what it promises comes out of it, and of its file."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from docs.jump_tutorial import BREAKDOWNS, CROUCH, FEET, HOP_TOP, LAND, STANCES, STAND, TAKE_OFF, TOP, Jump
from docs.tutorial_hand import Hand
from inbetweener import formats
from inbetweener.motion import Contact
from inbetweener.studio.server.studio import Studio
from tests.browser.story import Story
from tests.browser.studio_page import StudioPage


@pytest.mark.thorough
def test_a_bouncing_jump_with_anticipation_is_made_on_the_page_alone(
    serve: Callable[[str], Studio], new_page: Callable[[], StudioPage]
) -> None:
    studio = serve("waving")
    page = new_page().open(studio)
    jump = Jump(Hand(page, None))
    jump.follow()
    document = studio.session.editor.document
    clip, rig = document.clip("clip 1"), document.rig
    motion = document.motion("clip 1")
    # Six poses made by hand, the others copied or mixed.
    assert page.clicks <= 70
    assert jump.drags <= 18

    times = np.arange(0.0, STAND + 0.01, 0.25) / clip.rate
    places = motion.joint_positions(times)
    at = {name: places[:, rig.joint_index(name)] for name in ("hips", *FEET, "hand_l", "hand_r")}
    height = {frame: at["hips"][4 * frame, 1] for frame in (0, CROUCH, TAKE_OFF, TOP, LAND, HOP_TOP, STAND)}
    # Anticipation, jump, hop, and standing again.
    assert height[CROUCH] < height[0] - 0.08
    assert height[TOP] > height[0] + 0.3
    assert height[0] + 0.03 < height[HOP_TOP] < height[TOP] - 0.1
    assert height[STAND] == pytest.approx(height[0], abs=0.02)
    # The arc of the jump is one round hill.
    flight = at["hips"][4 * TAKE_OFF : 4 * LAND + 1, 1]
    turns = np.flatnonzero(np.diff(np.sign(np.diff(flight))))
    assert len(turns) == 1
    # Both sides alike while they are in the air.
    for one, other in (FEET, ("hand_l", "hand_r")):
        left, right = (at[name] - at["hips"] for name in (one, other))
        assert np.abs(left * [-1.0, 1.0, 1.0] - right)[4 * TAKE_OFF + 1 : 4 * LAND].max() < 0.05
    # Feet stand, between frames too, wherever a contact says so; and are off the ground at the top.
    planted = [each for each in document.rules("clip 1") if isinstance(each, Contact)]
    assert len(planted) == len(FEET) * len(STANCES)
    for contact in planted:
        stands = (times >= contact.start) & (times <= contact.end)
        spots = motion.states(times[stands], contact.point)[0]
        assert np.linalg.norm(spots - spots.mean(axis=0), axis=1).max() < 1e-3
    ground = min(at[foot][0, 1] for foot in FEET)
    assert all(at[foot][4 * TOP, 1] > ground + 0.2 for foot in FEET)
    assert all(at[foot][:, 1].min() > ground - 0.02 for foot in FEET)
    # Few keys, all of poses that the tutorial names.
    frames = {round(time * clip.rate) for curve in clip.curves.values() for time in curve.times}
    assert len(frames) == 11 + len(BREAKDOWNS)
    assert all(later > sooner for curve in clip.curves.values() for sooner, later in pairwise(curve.times))

    story = Story(page, studio)
    story.export("FBX", "jump.fbx", keys="curves")
    again = formats.read(studio.workspace.folder / "jump.fbx").document
    back = again.motion(next(each.name for each in again.clips if "clip 1" in each.name)).joint_positions(times)
    for name in at:
        assert np.abs(back[:, again.rig.joint_index(name)] - at[name]).max() < 1e-3
    told = page.value("inbetweener.model.notices.told.value")
    assert [each["text"] for each in told if each["level"] == "error"] == []
