"""`inbetweener contacts`, as a person would type it."""

import json
from pathlib import Path

import pytest

import inbetweener as ib
from inbetweener.contacts import suggest_contacts
from inbetweener.motion import Motion
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
    assert "Fitting" in done.stderr
    cleaned = json.loads(done.stdout)["cleaned"]
    assert (
        max(each["after"] for each in cleaned["slide_cm"]) < 0.1 < min(each["before"] for each in cleaned["slide_cm"])
    )
    again = json.loads(run("contacts", "clean.tween", "--point", "LeftToeBase", "--json").stdout)["contacts"]
    assert min(each["slide_cm"] for each in again) < 2.0
    assert ib.load(tmp_path / "clean.tween").clip().curves["Hips.tx"] is not None


def test_nothing_still_is_said(run: Run) -> None:
    assert "No point is nearly still" in run("contacts", "flying-robot", "--point", "body").stdout


def test_wrong_usage_is_told(run: Run) -> None:
    assert "belong together" in run("contacts", "boxer", "--clean", expect=2).stderr
    assert "belong together" in run("contacts", "boxer", "-o", "x.tween", expect=2).stderr
    assert "no point or joint" in run("contacts", "boxer", "--point", "wing", expect=1).stderr
