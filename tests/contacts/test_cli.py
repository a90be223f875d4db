"""`inbetweener contacts`, as a person would type it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.contacts import poses_apart, sliding, suggest_contacts
from inbetweener.document import edits
from inbetweener.motion import Motion
from inbetweener.tangents import Contact, Pin
from tests.cli.conftest import Run, run

__all__ = ["run"]  # the fixture


def test_lists_what_the_library_suggests(run: Run) -> None:
    document = ib.example("spider-walk")
    expected = suggest_contacts(Motion(document.rig, document.clip()))
    listed = json.loads(run("contacts", "spider-walk", "--json").stdout)["contacts"]
    assert [each["point"] for each in listed] == [str(each.point) for each in expected]
    assert listed[0]["slide_cm"] == pytest.approx(expected[0].slide * 100, abs=1e-3)
    assert listed[0]["last_frame"] == round(expected[0].end * 24)
    shown = run("contacts", "spider-walk").stdout
    assert all(str(each.point) in shown for each in expected)


def test_clean_writes_a_clip_that_stands_still(run: Run, tmp_path: Path, data: Path) -> None:
    walk = data / "bvh" / "cmu" / "02_01_walk.bvh"
    done = run("contacts", walk, "--clean", "-o", "clean.tween", "--json")
    cleaned = json.loads(done.stdout)["cleaned"]
    assert (
        max(each["after"] for each in cleaned["slide_cm"]) < 0.1 < min(each["before"] for each in cleaned["slide_cm"])
    )
    again = json.loads(run("contacts", "clean.tween", "--point", "LeftToeBase", "--json").stdout)["contacts"]
    assert min(each["slide_cm"] for each in again) < 2.0
    assert ib.load(tmp_path / "clean.tween").clip().curves["Hips.tx"] is not None


def test_agree_brings_key_poses_together_and_touches_no_tangent(run: Run, tmp_path: Path) -> None:
    boxer = ib.example("boxer")
    contact = Contact(boxer.rig.point("toe_r"), 0.0, 54 / 24)
    before = poses_apart(boxer.motion(), contact).distance
    done = run("contacts", "boxer", "--contact", "toe_r@0:54f", "--agree", "-o", "agreed.tween", "--json")
    facts = json.loads(done.stdout)["agreed"]
    (told,) = facts["apart_cm"]
    assert told == {"point": "toe_r", "before": pytest.approx(100 * before), "after": pytest.approx(0.0, abs=2e-4)}
    agreed = ib.load(tmp_path / "agreed.tween")
    assert poses_apart(agreed.motion(), contact).distance < 2e-6
    for name, curve in boxer.clip().curves.items():
        assert replace(agreed.clip().curves[name], values=curve.values) == curve


def test_contacts_and_pins_of_the_document_are_what_it_works_on(run: Run, tmp_path: Path) -> None:
    boxer = ib.example("boxer")
    toe, pin = Contact(boxer.rig.point("toe_l"), 0.0, 54 / 24), Pin(boxer.rig.point("foot_l"))
    clip = boxer.clip().name
    planted = edits.add_constraint(edits.add_constraint(boxer, clip, toe), clip, pin)
    ib.save(planted, tmp_path / "planted.tween")
    said = run("contacts", "planted.tween", "--agree", "-o", "agreed.tween").stdout
    assert "1 contact: key poses were up to 0.99 mm apart" in said
    after = ib.load(tmp_path / "agreed.tween")
    times = boxer.clip().frame_times
    paths = [document.motion().states(times, pin.point)[0] for document in (boxer, after)]
    np.testing.assert_array_equal(*paths)
    told = run("contacts", "planted.tween", "--clean", "-o", "pinned.tween", expect=1).stderr
    assert "slides still: toe_l 0.00–2.25 s by 35 mm" in told
    paths[1] = ib.load(tmp_path / "pinned.tween").motion().states(times, pin.point)[0]
    assert np.linalg.norm(paths[1] - paths[0], axis=1).max() < 4e-4, "toes on a pinned ankle give way"
    run("contacts", "planted.tween", "--clean", "--no-own", "--contact", "toe_l contact", "-o", "clean.tween")
    cleaned = ib.load(tmp_path / "clean.tween")
    assert sliding(cleaned.motion(), toe.point, toe.start, toe.end) < 1e-3


def test_nothing_still_is_said(run: Run) -> None:
    assert "No point is nearly still" in run("contacts", "flying-robot", "--point", "body").stdout


def test_wrong_usage_is_told(run: Run) -> None:
    for wrong in (["--clean"], ["--agree"], ["-o", "x.tween"], ["--clean", "--agree", "-o", "x.tween"]):
        assert "belongs together" in run("contacts", "boxer", *wrong, expect=2).stderr
    assert (
        "needs its times" in run("contacts", "boxer", "--contact", "toe_l", "--agree", "-o", "x.tween", expect=2).stderr
    )
    assert "no point or joint" in run("contacts", "boxer", "--point", "wing", expect=1).stderr


def test_hands_that_slip_are_named_and_left_alone(run: Run, tmp_path: Path, data: Path) -> None:
    cartwheel = data / "bvh" / "cmu" / "49_06_cartwheel.bvh"
    done = run("contacts", cartwheel, "--clean", "-o", "clean.tween", expect=1)
    assert "slips too far to be planted: RightHand" in done.stderr
    assert "6 contacts: the worst slid" in done.stdout
    (row,) = (line for line in done.stdout.splitlines() if line.split()[:1] == ["LeftHand"] and "slips" in line)
    assert "44." in row
    run("contacts", cartwheel, "--add", "-o", "added.tween")
    assert {each.rule.point.joint for each in ib.load(tmp_path / "added.tween").constraints} == {
        "LeftToeBase",
        "RightToeBase",
    }
