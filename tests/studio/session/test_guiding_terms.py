"""What a page may ask guidance to count, and to leave alone: balance, slide, style, gravity, frozen keys, layers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.dynamics import Body
from inbetweener.motion import Layer
from tests.studio.pages import PageForTests, page_of, place, session_of
from tests.studio.session.test_guiding import ARM, guidance, rest, settings, wait_until

TRUNK = ["hips.tx", "hips.tz", "chest.rx", "chest.rz"]


page = page_of(lambda: ib.example("waving"))


def term(name: str, weight: float = 1.0) -> dict[str, Any]:
    return {"name": name, "weight": weight}


def steered(page: PageForTests, **wish: Any) -> dict[str, Any]:
    """Steer the run and wait until it rests again."""
    count = len(guidance(page))
    page.done("steer-guidance", gesture=1, settings=settings(**wish))
    wait_until(page, lambda: len(guidance(page)) > count and guidance(page)[-1]["text"] != "")
    return guidance(page)[-1]


def off_balance(document: Document) -> float:
    """How far the centre of mass is from above the left foot, on the mean, in metres."""
    motion = document.motion()
    times = np.linspace(motion.clip.start, motion.clip.end, 100)
    foot = motion.joint_positions(times)[:, document.rig.joint_index("foot_l")]
    off = Body.of(document.rig).centre_path(motion, times) - foot
    return float(np.linalg.norm(off[:, [0, 2]], axis=1).mean())


def test_balance_and_slide_need_contacts_and_say_so(page: PageForTests) -> None:
    for name in ("balance", "slide"):
        wish = settings(terms=[term(name)])
        assert "no contact" in page.refused("begin", gesture=1, what={"kind": "guide", "settings": wish})
    page.begin("guide", settings=settings())
    steps = rest(page)["iterate"]
    assert "no contact" in page.refused("steer-guidance", gesture=1, settings=settings(terms=[term("balance")]))
    assert guidance(page)[-1]["iterate"] == steps, "the run is where it was"


def test_raising_balance_goes_on_from_what_is_shown(page: PageForTests) -> None:
    clip = page.session.editor.document.clip()
    page.done("add-contact", place=place("foot_l"), start=clip.start, end=clip.end)
    (contact,) = page.known.constraints
    page.done("switch-constraint", name=contact["name"], on=False)
    page.begin("guide", settings=settings(channels=TRUNK))
    eased = rest(page)
    before = off_balance(page.session.editor.shown)
    balanced = steered(page, channels=TRUNK, terms=[term("torque", 0.01), term("balance", 4.0)], regularise=0.02)
    assert balanced["costs"][: len(eased["costs"])] == eased["costs"], "the way so far is still there"
    assert {each["name"] for each in balanced["terms"]} >= {"torque", "balance"}
    assert off_balance(page.session.editor.shown) < 0.99 * before
    page.move(0)
    rest(page)
    # From the first iterate, which knew of no balance, it can go on with it.
    back = steered(page, channels=TRUNK, terms=[term("balance")], regularise=0.02)
    assert back["terms"][0]["name"] == "balance"


def test_style_draws_the_motion_back_to_what_it_was(page: PageForTests) -> None:
    before = page.session.editor.document
    page.begin("guide", settings=settings(regularise=0.0))
    rest(page)

    def away() -> float:
        times = np.linspace(before.clip().start, before.clip().end, 60)
        return float(np.abs(page.session.editor.shown.motion().channels(times) - before.motion().channels(times)).max())

    free = away()
    steered(page, regularise=0.0, terms=[term("torque", 0.01), term("style", 4.0)])
    assert away() < 0.5 * free
    assert "no clip" in page.refused(
        "steer-guidance", gesture=1, settings=settings(terms=[term("style")], style="another")
    )


def test_style_draws_the_motion_to_another_clip() -> None:
    document = ib.example("waving")
    (clip,) = document.clips
    reference = edits.guide(document, channels=ARM, regularise=0.0).document
    other = replace(reference.clip(), name="eased")
    session = session_of(replace(document, clips=(clip, other)))
    page = PageForTests(session)
    page.begin("guide", settings=settings(regularise=0.0, terms=[term("style")], style="eased"))
    rest(page)
    times = np.linspace(clip.start, clip.end, 60)
    wished, was, now = (each.motion(clip.name).channels(times) for each in (reference, document, session.editor.shown))
    assert np.abs(now - wished).max() < 0.1 * np.abs(was - wished).max()
    session.stop()


def test_gravity_counts_what_holds_the_body_up(page: PageForTests) -> None:
    page.begin("guide", settings=settings())
    rest(page)
    weightless = page.session.editor.shown
    steered(page, gravity=True)
    assert page.session.editor.shown != weightless


def test_frozen_keys_keep_their_tangents_and_others_do_not(page: PageForTests) -> None:
    before = page.session.editor.document.clip().curves[ARM[0]]
    page.begin("guide", settings=settings(frozen=[{"channel": ARM[0], "key": 1}]))
    rest(page)
    after = page.session.editor.shown.clip().curves[ARM[0]]
    np.testing.assert_array_equal(after.outs[1], before.outs[1])
    np.testing.assert_array_equal(after.ins[1], before.ins[1])
    assert (after.outs != before.outs).any()
    nowhere = settings(frozen=[{"channel": ARM[0], "key": 99}])
    assert "99" in page.refused("steer-guidance", gesture=1, settings=nowhere)


def test_freezing_all_there_is_does_not_cost_the_run(page: PageForTests) -> None:
    curve = page.session.editor.document.clip().curves[ARM[0]]
    alone = settings(channels=[ARM[0]])
    page.begin("guide", settings=alone)
    rest(page)
    shown = page.session.editor.shown
    every = [{"channel": ARM[0], "key": key} for key in range(len(curve))]
    page.done("steer-guidance", gesture=1, settings={**alone, "frozen": every})
    wait_until(page, lambda: any(each["type"] == "notice" for each in page.told))
    assert "frozen" in next(each["text"] for each in page.told if each["type"] == "notice")
    assert page.session.editor.shown == shown
    page.done("commit", gesture=1)


def test_a_layer_is_guided_alone() -> None:
    document = ib.example("waving")
    clip = document.clip()
    with_layer = edits.add_layer(document, clip.name, Layer("sway"))
    curve = clip.curves[ARM[0]]
    with_layer = edits.set_curves(with_layer, clip.name, {ARM[0]: curve}, layer="sway")
    session = session_of(with_layer)
    page = PageForTests(session)
    frozen = [{"channel": ARM[0], "key": 0}, {"channel": ARM[0], "key": 1, "layer": "sway"}]
    page.begin("guide", layer="sway", settings=settings(channels=[ARM[0]], frozen=frozen))
    rest(page)
    shown = session.editor.shown.clip()
    assert shown.curves == clip.curves
    led = shown.layers[0].curves[ARM[0]]
    np.testing.assert_array_equal(led.outs[1], curve.outs[1])
    assert (led.outs[0] != curve.outs[0]).any(), "what is frozen on the base is free here"
    session.stop()


def test_pages_are_told_what_joints_weigh(page: PageForTests) -> None:
    document = page.session.editor.document
    body = Body.of(document.rig)
    joints = page.known.scene["joints"]
    assert sum(joint["mass"] for joint in joints) == pytest.approx(body.total)
    # The centre of mass of any pose is the mean of these places.
    world = document.motion().rig.world_from_joint(document.motion().channels([1.0]))[0]
    centres = [world[j, :, :3] @ np.array(joint["centre"]) + world[j, :, 3] for j, joint in enumerate(joints)]
    mean = np.average(centres, axis=0, weights=[joint["mass"] for joint in joints])
    np.testing.assert_allclose(mean, body.centre_path(document.motion(), [1.0])[0], atol=1e-9)
