"""`inbetweener guide` as a person or a pipeline would type it."""

import json
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import edits
from inbetweener.formats import save
from inbetweener.motion import Curves, Layer
from tests.cli.conftest import Run

ARM = ("--channels", "upper_arm_r.*", "--channels", "forearm_r.*")


def test_an_arm_takes_less_effort_and_no_key_moves(run: Run, tmp_path: Path) -> None:
    told = run(
        "guide", "waving", *ARM, "--regularise", "0.1", "--joint", "forearm_r=5", "--kernel", "1.2:0.1", "-o",
        "out.tween", "--report", "report.html", "--json",
    )  # fmt: skip
    facts = json.loads(told.stdout)
    assert facts["costs"] == sorted(facts["costs"], reverse=True)
    assert facts["terms"][0]["after"] < 0.5 * facts["terms"][0]["before"]
    before, after = ib.example("waving").clip(), ib.load(tmp_path / "out.tween").clip()
    changed = [name for name in before.curves if before.curves[name] != after.curves[name]]
    assert changed
    assert all(name.startswith(("upper_arm_r", "forearm_r")) for name in changed)
    for name in changed:
        assert np.array_equal(before.curves[name].times, after.curves[name].times)
        assert np.array_equal(before.curves[name].values, after.curves[name].values)
    page = (tmp_path / "report.html").read_text()
    assert facts["summary"] in page
    assert page.count("<svg") == 3


def test_it_says_in_plain_words_what_it_did(run: Run) -> None:
    told = run("guide", "fox-tail", "--channels", "tail*", "-o", "out.tween").stdout
    assert "torque −" in told
    assert "cm at most" in told


def test_a_contact_that_cannot_hold_is_named(run: Run, tmp_path: Path) -> None:
    told = run("guide", "waving", *ARM, "--contact", "hand_r@0f:18f", "-o", "out.tween", expect=1)
    assert "hand_r contact" in told.stderr
    assert (tmp_path / "out.tween").exists()


def test_wrong_words_are_usage_errors(run: Run) -> None:
    for wrong in (
        ("--joint", "forearm_r"),
        ("--kernel", "1.2:0"),
        ("--term", "beauty=1"),
        ("--channels", "tentacle*"),
        ("--kernel", "1.2:0.1:0.5:3"),
        ("--freeze", "forearm_r.rx@0.1"),
        ("--mass", "hand_r"),
        ("--term", "balance=1"),
        ("--term", "obstacles=1"),
    ):
        assert run("guide", "waving", *wrong, "-o", "out.tween", expect=2).stderr


def test_a_clip_without_tangents_is_an_error_with_a_remedy(run: Run) -> None:
    told = run("guide", "waving", "--from", "65f", "-o", "out.tween", expect=1)
    assert told.stderr.startswith("Error: no tangent may change")


def test_frozen_tangents_stay_and_so_does_what_is_not_chosen(run: Run, tmp_path: Path) -> None:
    run("guide", "waving", *ARM, "--freeze", "forearm_r.*", "--freeze", "upper_arm_r.rx@26f", "-o", "out.tween")
    before, after = ib.example("waving").clip(), ib.load(tmp_path / "out.tween").clip()
    changed = {name for name in before.curves if before.curves[name] != after.curves[name]}
    assert {name.partition(".")[0] for name in changed} == {"upper_arm_r"}
    old, new = before.curves["upper_arm_r.rx"], after.curves["upper_arm_r.rx"]
    key = int(np.argmin(np.abs(old.times - 26 / 24)))
    assert np.array_equal(old.outs[key], new.outs[key])
    assert np.array_equal(old.ins[key], new.ins[key])
    assert not np.array_equal(old.outs, new.outs)


def test_a_loop_stays_seamless(run: Run, tmp_path: Path) -> None:
    run("guide", "spider-walk", "--regularise", "0.1", "--seamless", "-o", "out.tween")
    before, after = ib.example("spider-walk").clip().curves, ib.load(tmp_path / "out.tween").clip().curves
    assert any(before[name] != after[name] for name in before)
    for each in after.values():
        assert each.outs[0, 1] / each.outs[0, 0] == pytest.approx(each.ins[-1, 1] / each.ins[-1, 0], abs=1e-9)


def test_every_term_can_be_asked_for(run: Run) -> None:
    told = run(
        "guide", "flying-robot", "--term", "torque=1", "--term", "jerk=0.1", "--term", "acceleration=0.1", "--term",
        "limits=1", "--term", "obstacles=2", "--term", "balance=0.1", "--term", "slide=0.1", "--contact",
        "thruster_l@0f:2f", "--style", "flying-robot", "--gravity", "--held-root", "--masses", "mesh", "--mass",
        "head=2", "--kernel", "20f:0.1:0.5", "-o", "out.tween", "--json",
    )  # fmt: skip
    terms = {each["term"]: each for each in json.loads(told.stdout)["terms"]}
    assert list(terms) == ["torque", "jerk", "acceleration", "limits", "obstacles", "balance", "slide", "style"]
    assert terms["obstacles"]["after"] < terms["obstacles"]["before"]
    assert terms["style"]["before"] == 0.0 < terms["style"]["after"]


def test_a_layer_alone_changes(run: Run, tmp_path: Path) -> None:
    waving = ib.example("waving")
    clip, added = waving.clip(), waving.clip().curves["upper_arm_r.rz"]
    layer = Layer("sway", curves=Curves({"upper_arm_r.rz": added}))
    save(edits.add_layer(waving, clip.name, layer), tmp_path / "layered.tween")
    run("guide", "layered.tween", "--layer", "sway", "-o", "out.tween")
    after = ib.load(tmp_path / "out.tween").clip()
    assert after.curves == clip.curves
    assert after.layers[0].curves["upper_arm_r.rz"] != added
