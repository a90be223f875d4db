"""`inbetweener drag` as a person or a pipeline would type it."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import inbetweener as ib
from inbetweener.cli.app import app
from inbetweener.tangents.certificate import slope_error
from tests.cli.conftest import Run

ROBOT = ("drag", "flying-robot", "--point", "body")


def keys(document: ib.Document) -> dict[str, tuple[list[float], list[float]]]:
    return {name: (curve.times.tolist(), curve.values.tolist()) for name, curve in document.clip().curves.items()}


def test_a_point_goes_where_it_is_told_and_no_key_moves(run: Run, tmp_path: Path) -> None:
    told = run(*ROBOT, "--time", "1.5", "--to", "0,0.53,-0.1", "--lock", "14f", "-o", "out.tween").stdout
    assert "body at 1.5 s" in told
    assert "lock at 0.583333 s" in told
    before, after = ib.example("flying-robot"), ib.load(tmp_path / "out.tween")
    place = after.rig.point("body")
    assert np.linalg.norm(after.motion().states([1.5], place)[0][0] - [0, 0.53, -0.1]) < 2e-4
    assert after.motion().states([14 / 24], place)[0] == pytest.approx(
        before.motion().states([14 / 24], place)[0], abs=2e-4
    )
    assert keys(after) == keys(before)
    assert max(slope_error(curve) for curve in after.clip().curves.values()) < 1e-9


def test_frames_and_offsets_say_the_same_as_seconds_and_places(run: Run, tmp_path: Path) -> None:
    start = ib.example("flying-robot").motion().states([1.5], ib.example("flying-robot").rig.point("body"))[0][0]
    there = ",".join(str(float(x)) for x in start + np.array([0.0, -0.2, 0.1]))
    run(*ROBOT, "--time", "1.5", "--to", there, "-o", "a.tween")
    run(*ROBOT, "--frame", "36", "--by", "0,-0.2,0.1", "-o", "b.tween")
    assert ib.load(tmp_path / "a.tween") == ib.load(tmp_path / "b.tween")


def test_a_turn_is_in_degrees_about_the_axes_of_the_world(run: Run, tmp_path: Path) -> None:
    run(*ROBOT, "--frame", "36", "--turn", "0,0,20", "-o", "out.tween")
    before, after = ib.example("flying-robot"), ib.load(tmp_path / "out.tween")
    (old,), (new,) = (each.motion().states([1.5], each.rig.point("body"))[1] for each in (before, after))
    c, s = np.cos(np.radians(20)), np.sin(np.radians(20))
    assert new @ old.T == pytest.approx(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), abs=1e-3)


def test_json_tells_what_a_pipeline_needs(run: Run) -> None:
    result = json.loads(
        run(*ROBOT, "--frame", "36", "--by", "0,-0.2,0", "--pin", "hand_l@0:12f", "-o", "o.tween", "--json").stdout
    )
    assert result["reached"]
    assert result["keys_kept"]
    assert result["target_error_m"] < 2e-4
    assert result["position_m"][1] == pytest.approx(result["from_m"][1] - 0.2, abs=2e-4)
    (pin,) = result["constraints"]
    assert pin["name"] == "hand_l pin"
    assert pin["holds"]
    assert pin["error_m"] < 5e-4


def test_what_is_out_of_reach_is_written_as_near_as_it_goes_and_says_what_blocks(run: Run, tmp_path: Path) -> None:
    done = run(
        *("drag", "flying-robot", "--point", "hand_l", "--time", "1.2", "--by", "0,0.9,0", "--pin", "body+turn"),
        *("-o", "out.tween"),
        expect=1,
    )
    line = done.stderr.splitlines()[-1]  # the first run on a machine says before that it compiles
    assert line.startswith("hand_l: not reached; blocked by")
    assert "limit of upper_arm_l" in line
    before, after = ib.example("flying-robot"), ib.load(tmp_path / "out.tween")
    (start,), (end,) = (each.motion().states([1.2], each.rig.point("hand_l"))[0] for each in (before, after))
    wish = start + np.array([0.0, 0.9, 0.0])
    assert np.linalg.norm(end - wish) < np.linalg.norm(start - wish) - 0.1
    times = np.linspace(0, 3, 200)
    for kept in after.rig.point("body"), after.rig.point("head"):
        assert after.motion().states(times, kept)[0] == pytest.approx(before.motion().states(times, kept)[0], abs=1e-12)


def test_the_key_that_would_help_is_proposed_and_not_inserted(run: Run, tmp_path: Path) -> None:
    locks = ("--lock", "28f", "--lock", "30f", "--lock", "42f")
    result = json.loads(
        run(
            *ROBOT, "--frame", "36", "--by", "0,-0.3,0", *locks, "-o", "out.tween", "--suggest", "--json", expect=1
        ).stdout
    )
    assert result["suggestion"]["joint"] == "body"
    assert set(result["suggestion"]["values"]) == {"body.tx", "body.ty", "body.tz"}
    assert result["suggestion"]["error_m"] < 0.9 * result["target_error_m"]
    assert keys(ib.load(tmp_path / "out.tween")) == keys(ib.example("flying-robot"))


def test_a_contact_that_its_key_poses_contradict_is_told_by_how_much(run: Run) -> None:
    done = run(
        *("drag", "diver", "--point", "hips", "--frame", "20", "--by", "0,0.02,0", "--contact", "ball_l@17f:24f"),
        *("-o", "out.tween"),
        expect=1,
    )
    assert "ball_l contact does not hold" in done.stderr
    assert "its key poses alone 2" in done.stderr  # 29 mm: the foot has left the board on the key of take-off


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--point", "bodi", "--frame", "36", "--by", "0,0,0.1"), "body"),
        (("--point", "body", "--frame", "36", "--by", "0,0,0.1", "--clip", "flyy"), "fly"),
        (("--point", "body", "--frame", "36", "--by", "0,0,0.1", "--layer", "extra"), "no layer"),
        (("--point", "body", "--frame", "36", "--by", "0,0,0.1", "--pin", "hand"), "hand_l"),
        (("--point", "body", "--time", "9", "--by", "0,0,0.1"), "from 0 to 3 s"),
        (("--point", "body", "--time", "soon", "--by", "0,0,0.1"), "seconds as 1.2"),
        (("--point", "body", "--time", "nan", "--by", "0,0,0.1"), "seconds as 1.2"),
        (("--point", "body", "--by", "0,0,0.1"), "--time"),
        (("--point", "body", "--time", "1", "--frame", "24", "--by", "0,0,0.1"), "--frame"),
        (("--point", "body", "--frame", "36"), "--by"),
        (("--point", "body", "--frame", "36", "--by", "0,0,0.1", "--to", "0,0,0"), "not both"),
        (("--point", "body", "--frame", "36", "--by", "0,0.1"), "three numbers"),
        (("--point", "body", "--frame", "36", "--to", "0,up,1"), "three numbers"),
        (("--point", "body", "--frame", "36", "--turn", "0,inf,1"), "three numbers"),
        (("--point", "body", "--frame", "36", "--by", "0,0,0.1", "--contact", "hand_l"), "needs its times"),
        (("--point", "body", "--frame", "36", "--by", "0,0,0.1", "--pin", "hand_l@1"), "two times"),
        (("--point", "body", "--frame", "36", "--by", "0,0,0.1", "--pin", "hand_l@2:1"), "ends before"),
    ],
)
def test_wrong_usage_exits_with_two_and_says_what_to_write(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    # Within this process: so many starts would take most of a minute.
    done = CliRunner().invoke(app, ["drag", "flying-robot", *arguments, "-o", str(tmp_path / "out.tween")])
    assert done.exit_code == 2
    # The message is wrapped to the terminal's width.
    assert told in " ".join(done.stderr.replace("│", " ").split())
    assert not (tmp_path / "out.tween").exists()


def test_where_no_tangent_can_help_nothing_is_written(run: Run, tmp_path: Path) -> None:
    told = run(*ROBOT, "--time", "0", "--by", "0,0,0.1", "-o", "out.tween", expect=1).stderr
    assert told.splitlines()[-1].startswith("Error: body cannot be dragged at 0 s")
    assert not (tmp_path / "out.tween").exists()


def test_sampled_motion_is_dragged_by_a_layer_and_fitted_motion_by_its_tangents(run: Run, tmp_path: Path) -> None:
    run("convert", "waving", "wave.bvh")
    run("drag", "wave.bvh", "--point", "hand_r", "--time", "0.7", "--by", "0,0.03,0", "-o", "o.tween")
    before, after = ib.read(tmp_path / "wave.bvh").document, ib.load(tmp_path / "o.tween")
    assert [layer.name for layer in after.clip().layers] == ["by hand"]
    assert after.clip().curves == before.clip().curves
    places = [each.motion().states([0.7], each.rig.point("hand_r"))[0][0] for each in (before, after)]
    assert np.abs(places[1] - places[0] - [0.0, 0.03, 0.0]).max() < 1e-4
    run("fit", "wave.bvh", "-o", "wave.tween")
    run("drag", "wave.tween", "--point", "hand_r", "--time", "0.7", "--by", "0,0.03,0", "-o", "o.tween")


def test_a_hand_stays_on_the_guitar(run: Run, tmp_path: Path) -> None:
    guitar = next(prop for prop in ib.example("guitarist").props if prop.joint is not None)
    drag = ("drag", "guitarist", "--point", "forearm_l", "--frame", "12", "--by", "0,0.015,0.005", "--json")
    facts = json.loads(run(*drag, "--attach", f"hand_l={guitar.name}@8f:16f", "-o", "out.tween").stdout)
    assert facts["constraints"][0]["name"] == f"hand_l on {guitar.name}"
    assert facts["constraints"][0]["holds"]
    before, after = ib.example("guitarist"), ib.load(tmp_path / "out.tween")
    hand, carrier, elbow = (before.rig.point(name) for name in ("hand_l", guitar.joint, "forearm_l"))
    times = np.linspace(8 / 24, 16 / 24, 65)
    (at, _), (base, turn) = (after.motion().states(times, each) for each in (hand, carrier))
    seen = np.einsum("tji,tj->ti", turn, at - base)
    assert np.linalg.norm(seen - seen[0], axis=1).max() < 1e-3
    moved = after.motion().states(times, elbow)[0] - before.motion().states(times, elbow)[0]
    assert np.linalg.norm(moved, axis=1).max() > 0.01


def test_what_a_hand_cannot_be_attached_to_is_named(run: Run) -> None:
    drag = ("drag", "guitarist", "--point", "forearm_l", "--frame", "12", "--by", "0,0.03,0", "-o", "out.tween")
    assert "no prop or joint called 'drum'" in run(*drag, "--attach", "hand_l=drum@8f:16f", expect=2).stderr
    assert "needs its times" in run(*drag, "--attach", "hand_l=chest", expect=2).stderr
    assert "holds in the world" in run(*drag, "--contact", "hand_l=chest@8f:16f", expect=1).stderr
