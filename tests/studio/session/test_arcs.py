"""Motion curves: what a page draws is the motion, also where only a part was sampled anew."""

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.maths import quaternions
from inbetweener.studio.places import to_place
from inbetweener.studio.protocol import parts
from tests.studio.documents import arm, smooth
from tests.studio.pages import PageForTests, place, session_of

BLEND = {
    "parts": [
        {"joint": "hand_l", "offset": [0.1, 0.0, 0.0], "weight": 3.0},
        {"joint": "head", "offset": [0.0, 0.1, 0.0], "weight": 1.0},
    ],
    "name": "between",
}


def told(page: PageForTests) -> dict[str, np.ndarray]:
    return page.known.arcs[5]


def check(page: PageForTests, wish: dict) -> None:
    """The motion curve as told, against the motion itself evaluated on the whole rig."""
    motion = page.session.editor.shown.motion()
    clip, arc = motion.clip, told(page)
    named = parts.Place([parts.Part(p["joint"], tuple(p["offset"]), p["weight"]) for p in wish["parts"]], wish["name"])
    spot = to_place(motion.rig, named)
    times = clip.start + np.arange(len(arc["positions"])) / (int(arc["per_frame"][0]) * clip.rate)
    positions, turns = motion.states(times, spot)
    assert times[-1] == pytest.approx(clip.frame_times[-1])
    assert arc["positions"] == pytest.approx(positions.astype(np.float32), abs=1e-6)
    apart = np.abs(quaternions.to_matrix(arc["turns"].astype(np.float64)) - turns).max()
    assert apart < 1e-5
    assert arc["keys"] == pytest.approx(motion.key_times(spot), abs=1e-6)
    assert arc["key_positions"] == pytest.approx(motion.states(motion.key_times(spot), spot)[0], abs=1e-5)
    fine = np.linalg.norm(motion.states(times + 1e-5, spot)[0] - motion.states(times - 1e-5, spot)[0], axis=1) / 2e-5
    assert np.median(np.abs(arc["speeds"] - fine)) < 0.05 * fine.max()


@pytest.mark.parametrize("wish", [place("hand_l"), place("hand_l", (0.05, 0.1, 0.0)), BLEND])
def test_it_is_the_motion_before_during_and_after_a_drag(wish: dict) -> None:
    session = session_of(ib.example("diver"))
    page = PageForTests(session)
    page.done("show-arcs", arcs=[{"arc": 5, "place": wish, "turns": True}, {"arc": 6, "place": place("foot_l")}])
    check(page, wish)
    start = session.editor.document.motion().states([0.2], session.editor.document.rig.point("hand_l"))[0][0]
    page.begin("drag-arc", place=place("hand_l"), time=0.2)
    for down in (0.02, 0.05, -0.03):
        page.move(*(start - np.array([0.0, down, 0.0])))
        check(page, wish)
    page.done("cancel", gesture=1)
    check(page, wish)
    session.stop()


def between_frames(document: Document) -> Document:
    """A bump that begins after one frame and ends before the next."""
    bump = smooth([0.0, 10.2 / 24, 10.5 / 24, 10.8 / 24, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0])
    return edits.set_curves(document, "swing", {"elbow.rx": bump})


def test_a_change_between_two_frames_is_drawn() -> None:
    session = session_of(between_frames(arm()))
    page = PageForTests(session)
    page.done("show-arcs", arcs=[{"arc": 5, "place": place("hand", (0.0, 0.2, 0.0)), "turns": True}])
    before = told(page)["positions"]
    page.begin("move-keys", keys=[{"channel": "elbow.rx", "key": 2}])
    page.move(0.0, 1.0, 1.0, 1.0, 0.0, 0.0)
    changed = [message for message in page.told if message["type"] == "changed"][-1]
    assert changed["last"] < changed["first"]
    moved = np.flatnonzero(np.abs(told(page)["positions"] - before).max(axis=1) > 1e-4)
    assert moved.tolist() == [41, 42, 43]
    check(page, place("hand", (0.0, 0.2, 0.0)))
    session.stop()


def test_a_place_that_is_gone_is_drawn_no_more() -> None:
    session = session_of(arm())
    page = PageForTests(session)
    page.done("show-arcs", arcs=[{"arc": 5, "place": place("elbow")}])
    assert len(told(page)["positions"]) == 4 * 24 + 1
    session.worker.submit(
        lambda: session.editor.apply("Rename", lambda d: edits.rename_joint(d, "elbow", "knee")) and None
    )
    page.flush()
    assert len(told(page)["positions"]) == 0
    page.done("undo")
    assert len(told(page)["positions"]) == 4 * 24 + 1
    session.stop()


def test_long_clips_are_sampled_less_finely() -> None:
    session = session_of(edits.set_clip_range(arm(), "swing", 0.0, 20.0))
    page = PageForTests(session)
    page.done("show-arcs", arcs=[{"arc": 5, "place": place("hand")}])
    assert told(page)["per_frame"] == [2]
    page.done("set-clip-range", start=0.0, end=100.0)
    assert told(page)["per_frame"] == [1]
    assert len(told(page)["positions"]) == 2401
    session.stop()
