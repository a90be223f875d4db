"""`inbetweener skin`, as a person would type it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import inbetweener as ib
from inbetweener.builtin.characters.bar import bar
from tests.cli.conftest import Run


def test_the_method_is_kept_in_the_file_and_compared_in_a_picture(run: Run, tmp_path: Path) -> None:
    ib.save(bar(), tmp_path / "bar.tween")
    told = run("skin", "bar.tween", "--method", "db", "-o", "out.tween", "--compare", "ways.png", "--json")
    facts = json.loads(told.stdout)
    assert facts["blending"] == "differential"
    assert facts["written"] == ["out.tween", "ways.png"]
    assert ib.load(tmp_path / "out.tween").blending == "differential"
    with Image.open(tmp_path / "ways.png") as picture:
        assert picture.size == (4 * 480, 480)


def test_glb_says_that_others_will_blend_linearly(run: Run, tmp_path: Path) -> None:
    ib.save(bar(), tmp_path / "bar.tween")
    told = run("skin", "bar.tween", "--method", "dqs", "-o", "out.glb")
    assert "other programs will blend the skin linearly" in told.stderr


def test_what_cannot_be_done_is_said_and_nothing_written(run: Run, tmp_path: Path) -> None:
    ib.save(bar(), tmp_path / "bar.tween")
    assert "is no way of blending" in run("skin", "bar.tween", "--method", "quick", "-o", "x.tween", expect=2).stderr
    assert "say where to write" in run("skin", "bar.tween", "--method", "db", expect=2).stderr
    assert not (tmp_path / "x.tween").exists()


def test_rigid_parts_are_remarked_upon(run: Run, tmp_path: Path) -> None:
    document = bar(2, 0.0)
    ib.save(replace(document, name="hard"), tmp_path / "hard.tween")
    told = run("skin", "hard.tween", "--method", "db", "-o", "out.tween")
    assert "every vertex follows a single joint" in told.stderr


def test_render_blends_as_asked(run: Run, tmp_path: Path) -> None:
    shown = {}
    for way in ("lbs", "differential"):
        run("render", "boxer", "--blending", way, "--frame", "12", "--size", "240x180", "-o", f"{way}.png")
        with Image.open(tmp_path / f"{way}.png") as picture:
            shown[way] = np.asarray(picture).astype(int)
    assert np.abs(shown["lbs"] - shown["differential"]).max() > 30


def test_automatic_weights_soften_a_hard_skin(run: Run, tmp_path: Path) -> None:
    ib.save(bar(2, 0.0), tmp_path / "hard.tween")
    told = run("skin", "hard.tween", "--method", "db", "--weights", "auto", "-o", "soft.tween")
    assert "weights of bar found" in told.stdout
    mesh = ib.load(tmp_path / "soft.tween").meshes[0]
    shared = (mesh.weights > 0.05).sum(axis=1) > 1
    assert 0.05 < shared.mean() < 0.95
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-5)
