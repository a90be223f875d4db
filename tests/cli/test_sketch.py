"""`inbetweener sketch` as a person or a pipeline would type it."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from tests.cli.conftest import Run

ARM = ("upper_arm_r", "forearm_r", "hand_r")


@pytest.fixture
def stroke(tmp_path: Path) -> Path:
    """Up and out from the right shoulder of the stick figure, as the front view sees it on frame 34."""
    document = ib.example("waving")
    shoulder = document.motion().states([34 / 24], document.rig.point("upper_arm_r"))[0][0]
    t = np.linspace(0.0, 1.0, 60)
    points = shoulder[:2] + np.stack([-0.5 * t, 0.12 * np.sin(4.0 * t)], axis=1)
    path = tmp_path / "stroke.json"
    path.write_text(json.dumps(points.tolist()))
    return path


def test_the_arm_lies_on_the_stroke_at_that_frame_only(run: Run, tmp_path: Path, stroke: Path) -> None:
    told = run(
        "sketch", "waving", "--stroke", stroke, "--bones", ",".join(ARM), "--frame", "34", "-o", "out.tween", "--json"
    )
    facts = json.loads(told.stdout)
    assert facts["bones"] == list(ARM)
    assert facts["length_ratio"] == pytest.approx(1.0, abs=1e-6)
    assert facts["stroke_error_m"] < 0.01
    before, after = ib.example("waving"), ib.load(tmp_path / "out.tween")
    assert after.blending == "differential"
    hand = after.motion().states([34 / 24], after.rig.point("hand_r"))[0][0]
    drawn = np.array(json.loads(stroke.read_text()))
    assert np.linalg.norm(drawn - hand[:2], axis=1).min() < 0.01
    there, was = (d.motion().joint_positions(np.array([18, 26, 42, 50]) / 24) for d in (after, before))
    np.testing.assert_allclose(there, was, atol=1e-9)
    assert after.clip().curves[facts["bend"]].values.tolist() == [0.0, 1.0, 0.0]


def test_a_twist_joins_the_stroke_in_one_bend(run: Run, tmp_path: Path, stroke: Path) -> None:
    run(
        "sketch", "waving", "--stroke", stroke, "--bones", ",".join(ARM), "--frame", "34", "--twist",
        "forearm_r:1:540", "--name", "curl", "-o", "out.tween",
    )  # fmt: skip
    (bend,) = ib.load(tmp_path / "out.tween").rig.bends
    assert bend.name == "curl"
    steps = bend.screws["forearm_r"][:, :3]
    assert np.linalg.norm(steps, axis=1).max() <= math.radians(36) + 1e-9
    assert np.linalg.norm(steps, axis=1).sum() > math.radians(540)


def test_line_of_action_takes_all_bones(run: Run, tmp_path: Path) -> None:
    t = np.linspace(0.0, 1.0, 40)
    path = tmp_path / "line.json"
    path.write_text(json.dumps(np.stack([0.3 * t**2, 1.5 * t], axis=1).tolist()))
    told = run(
        "sketch",
        "waving",
        "--stroke",
        path,
        "--bones",
        "all",
        "--mode",
        "line-of-action",
        "--frame",
        "0",
        "-o",
        "o.tween",
    )
    assert "bones: " in told.stdout
    document = ib.load(tmp_path / "o.tween")
    assert set(document.rig.bends[0].screws) == {joint.name for joint in document.rig.joints}


@pytest.mark.parametrize(
    ("points", "bones", "says"),
    [
        ("[[0, 1]]", ",".join(ARM), "stroke"),
        ("[[5, 5], [6, 5.5], [6.5, 6]]", ",".join(ARM), "away from the bones"),
        ("[[0, 1], [0.2, 1.2], [0.3, 1]]", ",", "no bones are chosen"),
        ("[[0, 1], [0.2, 1.2], [0.3, 1]]", "upper_arm_rr", "did you mean upper_arm_r"),
        ("[[0, 1], [0.2, 1.2], [0.3, 1]]", "upper_arm_r,upper_arm_l", "do not follow one another"),
        ("[0, 1]", ",".join(ARM), "holds no stroke"),
    ],
)
def test_bad_strokes_are_told_and_nothing_is_written(
    run: Run, tmp_path: Path, points: str, bones: str, says: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(points)
    words = ("--stroke", path, "--bones", bones, "--mode", "direct", "--frame", "34")
    told = run("sketch", "waving", *words, "-o", "out.tween", expect=1)
    assert says in told.stderr
    assert len(told.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out.tween").exists()


def test_wrong_usage_is_told(run: Run, stroke: Path) -> None:
    common = ("sketch", "waving", "--bones", "hand_r", "-o", "o.tween")
    when = " ".join(run(*common, "--stroke", stroke, expect=2).stderr.replace("│", " ").split())
    assert "--frame" in when
    assert "say when: with a frame or with a time in seconds, one of them" in when
    assert "lies outside clip" in run(*common, "--stroke", stroke, "--frame", "900", expect=2).stderr
    assert "give a stroke, a twist or both" in run(*common, "--frame", "3", expect=2).stderr
    assert "is no twist" in run(*common, "--frame", "3", "--twist", "hand_r", expect=2).stderr
