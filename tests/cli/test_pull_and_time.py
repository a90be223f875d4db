"""`inbetweener pull` and `inbetweener time` as a person or a pipeline would type them."""

import json
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.tangents import Contact
from tests.cli.conftest import Run

BOXER = ("time", "boxer", "--point", "hand_r", "--frame", "31")


def at(document: Document, point: str, time: float) -> np.ndarray:
    return document.motion().states([time], document.rig.point(point))[0][0]


def test_a_pose_is_pulled_on_its_key_and_nowhere_else(run: Run, tmp_path: Path) -> None:
    told = run("pull", "diver", "--point", "hand_l", "--frame", "34", "--by", "0,0.05,0", "-o", "out.tween").stdout
    assert "hand_l at 1.41667 s: now at" in told
    before, after = ib.example("diver"), ib.load(tmp_path / "out.tween")
    higher = at(before, "hand_l", 34 / 24) + np.array([0.0, 0.05, 0.0])
    assert at(after, "hand_l", 34 / 24) == pytest.approx(higher, abs=1e-3)
    for key in (24 / 24, 44 / 24):
        assert at(after, "hand_l", key) == pytest.approx(at(before, "hand_l", key), abs=1e-6)


def test_what_cannot_be_reached_says_what_blocks(run: Run) -> None:
    words = ("--point", "hand_l", "--frame", "34", "--by", "0,3,0", "--pin", "hips", "-o", "out.tween", "--json")
    done = run("pull", "diver", *words, expect=1)
    assert "hand_l: not reached; blocked by hips pin" in done.stderr
    facts = json.loads(done.stdout)
    assert not facts["reached"]
    assert "hips pin" in [each["name"] for each in facts["blockers"]]
    assert facts["held_error_m"] < 1e-3


def test_between_keys_there_is_no_pose(run: Run) -> None:
    told = run("pull", "diver", "--point", "hand_l", "--frame", "34.5", "--by", "0,0.05,0", "-o", "o.tween", expect=1)
    assert "there is no key on frame 34.5: key the pose first, or pull it on frame 34" in told.stderr


def test_time_runs_faster_and_the_keys_stay(run: Run, tmp_path: Path) -> None:
    facts = json.loads(run(*BOXER, "--faster", "0.1", "-o", "out.tween", "--json").stdout)
    assert facts["reached"]
    assert facts["amount"] == pytest.approx(0.1)
    before, after = ib.example("boxer").clip().curves, ib.load(tmp_path / "out.tween").clip().curves
    assert before != after
    for name, curve in before.items():
        assert np.array_equal(after[name].times, curve.times)
        assert np.array_equal(after[name].values, curve.values)


def test_a_tick_moves_as_far_as_its_path_goes(run: Run, tmp_path: Path) -> None:
    boxer = ib.example("boxer")
    target = at(boxer, "hand_r", 31.2 / 24)
    run(*BOXER, "--to", ",".join(map(repr, target.tolist())), "-o", "out.tween")
    assert at(ib.load(tmp_path / "out.tween"), "hand_r", 31 / 24) == pytest.approx(target, abs=0.01)
    assert "allow no more" in run(*BOXER, "--by", "0,9,0", "-o", "out.tween", expect=1).stderr


def test_planted_feet_stand_unless_left_out(run: Run, tmp_path: Path) -> None:
    boxer = ib.example("boxer")
    toe = Contact(boxer.rig.point("toe_r"), 0.0, boxer.clip().end)
    ib.save(edits.add_constraint(boxer, boxer.clip().name, toe), tmp_path / "planted.tween")
    run(*BOXER, "--faster", "0.1", "-o", "free.tween")
    for more, moves in ((), False), (("--no-own",), True):
        run("time", "planted.tween", *BOXER[2:], "--faster", "0.1", "-o", "out.tween", *more)
        after = ib.load(tmp_path / "out.tween")
        times = boxer.clip().frame_times
        paths = [each.motion().states(times, toe.point)[0] for each in (boxer, after)]
        assert np.array_equal(*paths) != moves
    assert after.clip() == ib.load(tmp_path / "free.tween").clip()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("pull", "diver", "--point", "hand_l", "--frame", "34"), "'--to' / '--by' / '--turn'"),
        (("pull", "diver", "--point", "hand_l", "--by", "0,0,0"), "'--time' / '--frame'"),
        (("pull", "diver", "--point", "hand_l", "--frame", "34", "--turn-to", "1,0,0"), "four numbers"),
        (BOXER, "--faster"),
        ((*BOXER, "--faster", "0.1", "--to", "0,0,0"), "--faster"),
    ],
)
def test_wrong_usage_says_what_to_write(run: Run, words: tuple[str, ...], told: str) -> None:
    said = run(*words, "-o", "out.tween", expect=2).stderr
    assert told in " ".join(said.replace("│", " ").split())


def test_where_there_are_several_clips_one_must_be_said(run: Run, tmp_path: Path) -> None:
    boxer = ib.example("boxer")
    ib.save(edits.duplicate_clip(boxer, boxer.clip().name, "again"), tmp_path / "two.tween")
    words = ("two.tween", "--point", "hand_r", "--frame", "31", "--faster", "0.1", "-o", "out.tween")
    assert "several clips" in " ".join(run("time", *words, expect=2).stderr.replace("│", " ").split())
    run("time", *words, "--clip", "again")
    assert ib.load(tmp_path / "out.tween").clip(boxer.clip().name) == boxer.clip()
