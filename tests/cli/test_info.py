"""What `inbetweener info` says a body weighs, and whose it is."""

import json
from pathlib import Path
from typing import Any

import pytest

import inbetweener as ib
from inbetweener.dynamics import Body
from tests.cli.conftest import Run
from tests.formats.gltf.build import Build


def test_what_a_body_weighs_and_by_what(run: Run) -> None:
    fox = ib.example("fox-tail")
    told = {each["from"]: each for each in json.loads(run("info", "fox-tail", "--json").stdout)["masses"]}
    assert next(iter(told)) == "boxes"
    for body in (Body.of(fox.rig), Body.from_meshes(fox.rig, fox.meshes)):
        assert told[body.source]["kg"] == pytest.approx(body.total)
        assert told[body.source]["centre_m"] == pytest.approx(body.centre_of_mass(fox.rig.defaults[None])[0], abs=1e-12)
    assert told["human table"]["kg"] is None
    assert "tail" in told["human table"]["why_not"]
    said = run("info", "fox-tail").stdout
    assert f"weighs {told['boxes']['kg']:.4g} kg by boxes, {told['mesh volume']['kg']:.4g} kg by mesh volume" in said
    assert "centre of mass at rest: " in said


def test_a_file_without_meshes_is_weighed_by_its_bones(run: Run) -> None:
    run("convert", "waving", "person.bvh")
    told = json.loads(run("info", "person.bvh", "--json").stdout)["masses"]
    assert [each["from"] for each in told] == ["boxes", "human table"]
    assert all(each["kg"] > 20 for each in told)


def test_a_file_is_told_its_unit_and_up_axis(run: Run) -> None:
    run("convert", "waving", "person.bvh")
    inside = json.loads(run("info", "person.bvh", "--json").stdout)
    assert inside["source"] == {"format": "bvh", "unit_m": 0.01, "up": "y"}
    assert not any("taken as" in note for note in inside["notes"])
    told = json.loads(run("info", "person.bvh", "--json", "--unit", "in", "--up", "-z").stdout)
    assert told["source"] == {"format": "bvh", "unit_m": 0.0254, "up": "-z"}
    assert json.loads(run("info", "person.bvh", "--json", "--unit", "0.3").stdout)["source"]["unit_m"] == 0.3


def test_what_no_file_has_or_needs_is_refused(run: Run) -> None:
    run("convert", "waving", "person.bvh")
    assert "one of m, dm, cm, mm, in, ft" in run("info", "person.bvh", "--unit", "furlong", expect=1).stderr
    assert "only BVH files have to be told" in run("info", "waving", "--up", "z", expect=2).stderr


@pytest.mark.parametrize(
    ("name", "meta"),
    [
        ("VRM", {"title": "Bo", "author": "A, B", "licenseName": "CC0"}),
        ("VRMC_vrm", {"name": "Bo", "authors": ["A", "B"], "licenseUrl": "CC0"}),
    ],
)
def test_the_licence_of_a_vrm_file_is_shown(name: str, meta: dict[str, Any], run: Run, tmp_path: Path) -> None:
    build = Build()
    build.triangle()
    build.json |= {"extensions": {name: {"meta": meta}}, "extensionsUsed": [name]}
    path = build.save(tmp_path).rename(tmp_path / "bo.vrm")
    facts = json.loads(run("info", str(path), "--json").stdout)
    assert facts["licence"] == {"title": "Bo", "authors": "A, B", "licence": "CC0"}
    assert "title: Bo; authors: A, B; licence: CC0" in run("info", str(path)).stdout
