"""`inbetweener loosen` as a person or a pipeline would type it."""

import json
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import edits
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, PoseTarget, Spring, chain, preset
from inbetweener.rig import Point
from tests.cli.conftest import Run

TAIL = ("--tension", "tail_1=3..1.2,0.4", "--window", "0.4")


def test_a_tail_swings_and_hits_its_marks_and_no_key_moves(run: Run, tmp_path: Path) -> None:
    told = run(
        "loosen", "fox-tail", *TAIL, "--tight", "tail_1", "--target", "tail_9@0.5=keyed", "--still", "tail_9@24f",
        "--bell", "0.4,0.3", "--gravity", "0.5", "--drag", "0.25", "-o", "out.tween", "--report", "report.html",
        "--json",
    )  # fmt: skip
    facts = json.loads(told.stdout)
    assert set(facts["springs"]) == {f"tail_{n}" for n in range(2, 10)}
    swings = {name: spring["frequency_hz"] for name, spring in facts["springs"].items()}
    assert swings["tail_9"] / swings["tail_2"] == pytest.approx(0.4 ** (7 / 8))
    assert facts["window_s"] == pytest.approx([0.4, 0.4], abs=0.01)
    assert [each["reached"] for each in facts["targets"]] == [True, True]
    assert facts["targets"][0]["missed_before_m"] > 0.005

    before, after = ib.example("fox-tail"), ib.load(tmp_path / "out.tween")
    assert after.clip().curves == before.clip().curves
    loosening = after.loosening()
    assert (loosening.looseness.gravity, loosening.looseness.drag) == (0.5, 0.25)
    assert [aim.target for aim in loosening.aims] == [
        PointTarget(0.5, Point("tail_9"), bell=Bell(0.4, 0.3)),
        PointTarget(1.0, Point("tail_9"), velocity=(0.0, 0.0, 0.0), bell=Bell(0.4, 0.3)),
    ]
    shown = after.shown_motion().states([0.5, 1.0], Point("tail_9"))[0]
    np.testing.assert_allclose(shown, before.motion().states([0.5, 1.0], Point("tail_9"))[0], rtol=0, atol=1e-6)
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 5
    assert "tail_9 target" in page


def test_a_bake_is_a_layer_and_other_formats_are_baked_by_themselves(run: Run, tmp_path: Path) -> None:
    told = run("loosen", "fox-tail", *TAIL, "--bake", "--tolerance", "0.001", "-o", "out.tween").stdout
    assert "Baked into layer 'loose'" in told
    baked = ib.load(tmp_path / "out.tween")
    assert not baked.loosening().on
    rig = baked.rig
    seen = edits.set_looseness(
        ib.example("fox-tail"), "sweep", Looseness(chain(rig, "tail_1", Spring(3.0, 0.4), tip=0.4), window=0.4)
    ).shown_motion()
    times = baked.clip().frame_times
    off = np.linalg.norm(baked.shown_motion().joint_positions(times) - seen.joint_positions(times), axis=-1)
    assert off.max() <= 0.001

    told = run("loosen", "fox-tail", *TAIL, "-o", "out.bvh")
    assert "looseness of clip 'sweep' is baked" in told.stderr
    opened = ib.load(tmp_path / "out.bvh", unit=0.01, up="y")
    tips = (each.joint_positions(times)[:, rig.joint_index("tail_9")] for each in (opened.motion(), seen))
    np.testing.assert_allclose(*tips, rtol=0, atol=1e-6)


def test_what_a_file_says_stays_and_info_names_it(run: Run, tmp_path: Path) -> None:
    run("loosen", "fox-tail", *TAIL, "--pose", "0.75", "--masses", "human", "-o", "once.tween")
    run("loosen", "once.tween", "--tension", "ear_*=drunk", "--window", "adaptive", "-o", "twice.tween")
    loosening = ib.load(tmp_path / "twice.tween").loosening()
    assert loosening.looseness.springs["ear_l"] == preset("drunk")
    assert (
        loosening.looseness.springs["tail_1"]
        == ib.load(tmp_path / "once.tween").loosening().looseness.springs["tail_1"]
    )
    assert (loosening.looseness.window, loosening.looseness.masses) == ("adaptive", "human")
    assert [aim.target for aim in loosening.aims] == [PoseTarget(0.75)]
    facts = json.loads(run("info", "twice.tween", "--json").stdout)["clips"][0]
    assert (facts["springs"], facts["targets"]) == (11, 1)


def test_a_target_out_of_reach_is_named_and_the_nearest_motion_is_written(run: Run, tmp_path: Path) -> None:
    told = run("loosen", "fox-tail", *TAIL, "--target", "tail_9@0.5=0,3,0", "-o", "out.tween", expect=1)
    assert "tail_9 target cannot be hit. The nearest motion was written." in told.stderr
    assert "still" in told.stdout
    assert (tmp_path / "out.tween").exists()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("--tension", "tail_1=0"), "stiffness 0 Hz must lie above 0"),
        ((), "nothing is loose"),
        ((*TAIL[:2], "--window", "9"), "is longer than the clip"),
        ((*TAIL[:2], "--window", "soon"), "is no window"),
        ((*TAIL, "--target", "tail_9@9=keyed"), "lies outside the clip"),
        ((*TAIL, "--tolerance", "0.1"), "add --bake"),
    ],
)
def test_wrong_words_are_usage_errors(run: Run, tmp_path: Path, wrong: tuple[str, ...], words: str) -> None:
    told = " ".join(run("loosen", "fox-tail", *wrong, "-o", "out.tween", expect=2).stderr.replace("│", " ").split())
    assert words in told
    assert not (tmp_path / "out.tween").exists()


def test_what_blows_up_is_named_and_not_written(run: Run, tmp_path: Path) -> None:
    told = run("loosen", "fox-tail", *TAIL, "--gravity", "1e12", "-o", "out.tween", expect=1)
    assert "blew up; make it tighter or more damped" in told.stderr
    assert not (tmp_path / "out.tween").exists()


def test_contradicting_targets_are_an_error(run: Run, tmp_path: Path) -> None:
    run("loosen", "fox-tail", *TAIL, "--target", "tail_9@0.5=0,0.5,-1", "-o", "once.tween", expect=1)
    told = run("loosen", "once.tween", "--target", "tail_9@0.5=0,0.6,-1", "-o", "twice.tween", expect=1)
    assert "ask for different things of the same part at 0.5 s" in told.stderr
    assert not (tmp_path / "twice.tween").exists()
