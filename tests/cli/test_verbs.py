"""Each verb as a person would type it: once in a process of its own, and whatever more is asked of it in this one."""

import json
from pathlib import Path

import pytest

import inbetweener as ib
from tests.cli.conftest import Run


def test_without_a_verb_it_shows_help(run_alone: Run) -> None:
    shown = run_alone(expect=2)
    assert "Usage" in shown.stdout + shown.stderr


def test_version(run_alone: Run) -> None:
    assert run_alone("--version").stdout == f"inbetweener {ib.__version__}\n"


def test_examples_lists_every_example_on_a_line(run: Run) -> None:
    lines = run("examples").stdout.splitlines()
    assert [line.split()[0] for line in lines if line.strip()] == [each.name for each in ib.examples()]


def test_examples_as_json(run: Run) -> None:
    listed = json.loads(run("examples", "--json").stdout)["examples"]
    assert [each["name"] for each in listed] == [each.name for each in ib.examples()]


def test_info_agrees_with_the_document(run: Run) -> None:
    facts = json.loads(run("info", "flying-robot", "--json").stdout)
    robot = ib.example("flying-robot")
    assert facts["joints"] == len(robot.rig.joints)
    assert facts["clips"][0]["frames"] == len(robot.clip().frame_times)
    assert {prop["role"] for prop in facts["props"]} >= {"obstacle"}
    assert robot.name in run("info", "flying-robot").stdout


def test_convert_through_every_format_and_back(run: Run, run_alone: Run, tmp_path: Path) -> None:
    run_alone("convert", "flying-robot", "a.tween")
    run("convert", "a.tween", "b.glb")
    run("convert", "b.glb", "c.gltf")
    told = run("convert", "c.gltf", "d.bvh").stderr
    assert "mesh" in told  # what BVH cannot hold is said
    again = ib.read(tmp_path / "d.bvh").document
    assert len(again.clip().frame_times) == len(ib.example("flying-robot").clip().frame_times)


def test_fit_reports_what_it_measured(run: Run) -> None:
    run("convert", "waving", "wave.bvh")
    report = json.loads(run("fit", "wave.bvh", "-o", "wave.tween", "--tolerance", "3", "--json").stdout)
    assert 0 < report["max_error_m"] <= 3e-3
    assert report["key_share"] < 0.5


def test_render_a_picture_a_movie_and_a_plot(run: Run, tmp_path: Path) -> None:
    shown = run("render", "flying-robot", "-o", "robot.png", "--frame", "5", "--size", "160x90").stdout
    assert str(tmp_path / "robot.png") in shown
    assert (tmp_path / "robot.png").read_bytes().startswith(b"\x89PNG")
    run("render", "flying-robot", "-o", "new/folder/robot.gif", "--size", "96x54")
    assert (tmp_path / "new/folder/robot.gif").read_bytes().startswith(b"GIF89a")
    run("render", "flying-robot", "-o", "curves.svg", "--curves", "body.t*")
    assert "<svg" in (tmp_path / "curves.svg").read_text()


def test_check_finds_nothing_wrong_with_an_example(run: Run) -> None:
    assert json.loads(run("check", "flying-robot", "--json").stdout)["problems"] == []


@pytest.mark.parametrize("name", ["robot.blend", "missing.bvh", "flying-robt"])
def test_what_cannot_be_opened_is_said_in_one_line(run: Run, name: str) -> None:
    told = run("info", name, expect=1).stderr
    assert told.startswith("Error: ")
    assert name in told
    assert len(told.splitlines()) == 1


def test_wrong_usage_exits_with_two(run: Run) -> None:
    assert "960x540" in run("render", "flying-robot", "-o", "x.png", "--size", "large", expect=2).stderr


def test_a_bad_file_is_named_with_its_place(run_alone: Run, data: Path) -> None:
    told = run_alone("info", data / "bvh/malformed/13_bad_not_a_number.bvh", expect=1).stderr
    assert "13_bad_not_a_number.bvh" in told
    assert "line" in told
