"""Clips that people edited or marked: the batch leaves them alone, and lays their edits over whatever it makes anew."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.batch import Recipe, plan, run
from inbetweener.batch.hand import BY_HAND, Hand, as_hand, keep, laid_over, mark
from inbetweener.batch.recipe import Export, Step
from inbetweener.batch.store import Folder
from inbetweener.batch.work import do
from inbetweener.curves import Curve
from inbetweener.document import Document, edits, read_native
from inbetweener.motion import Curves, Layer, Pin
from inbetweener.rig import Point
from tests.cli.command import run_here

TOLERANCE = 2e-4
"""Of two sums, each within a ten-thousandth of a metre or radian."""


def by_hand(document: Document) -> Document:
    """A key's value and the tangents of a few curves, one pin more, and a layer."""
    clip = document.clip()
    name, curve = next((name, curve) for name, curve in clip.curves.items() if len(curve) > 4)
    moved = edits.move_key(document, clip.name, name, 2, value=float(curve.values[2]) + 0.3)
    other = [each for each in clip.curves if each != name][3]
    nod = Curve.sampled(clip.start + np.array([0.0, 0.1, 0.3]), np.array([0.0, 0.2, 0.0]))
    layered = edits.add_layer(moved, clip.name, Layer("nod", Curves({other: nod}), weight=0.8))
    tip = document.rig.joints[-1].name
    return edits.add_constraint(layered, clip.name, Pin(Point(tip, name="tip")))


def channels(document: Document, times: np.ndarray) -> np.ndarray:
    return document.motion().channels(times)


def catch_up(recipe: Recipe, library: Path, output: Path) -> int:
    """Do what is missing, here, and say how many that were."""
    jobs = plan(recipe, library, output).jobs
    for job in jobs:
        do(job)
    return len(jobs)


@pytest.fixture
def batch(library: Path, quick: Recipe, tmp_path: Path) -> Path:
    catch_up(quick, library, tmp_path / "out")
    return tmp_path / "out"


def test_what_is_marked_is_left_alone_and_counted(library: Path, quick: Recipe, batch: Path) -> None:
    mark(batch, Hand("a.bvh", done=True))
    found = plan(quick, library, batch)
    assert (found.done, found.marked, found.jobs) == (2, 1, ())
    outcome = run(quick, library, batch)
    assert (outcome.done, outcome.already, outcome.marked) == (0, 2, 1)
    assert "1 marked as done were left alone" in str(outcome)
    # A failure that somebody has settled is neither told nor tried again.
    (library / "bad.bvh").write_text("HIERARCHY\nnonsense")
    assert catch_up(quick, library, batch) == 1
    assert len(plan(quick, library, batch).failed) == 1
    mark(batch, Hand("bad.bvh", done=True))
    assert plan(quick, library, batch, only="failed").jobs == ()
    assert run(quick, library, batch).failed == ()
    mark(batch, Hand("bad.bvh"))
    assert len(plan(quick, library, batch, only="failed").jobs) == 1


def test_hand_edits_stay_when_the_recipe_and_the_source_change(library: Path, quick: Recipe, batch: Path) -> None:
    file = batch / "clips" / "a.bvh" / "a.tween"
    base = read_native(file)
    edited = by_hand(base)
    hand = keep(batch, Hand("a.bvh", done=True), edited, file)
    assert as_hand(Folder(batch).hand("a.bvh"), "a.bvh") == hand
    assert read_native(batch / hand.edited) == edited
    assert read_native(batch / hand.base) == base

    # The same recipe: files are written with the edits, once, and the document is exactly what the hand left.
    (job,) = plan(quick, library, batch).jobs
    assert job.name == "a.bvh"
    assert catch_up(quick, library, batch) == 1
    assert read_native(file) == edited
    assert read_native(file.with_name("base.tween")) == base
    assert plan(quick, library, batch).marked == 1

    # Another recipe: its result is the base, and what the hand added is a layer of its own.
    times = base.clip().frame_times
    added = channels(edited, times) - channels(base, times)
    assert np.abs(added).max() > 0.1
    other = replace(quick, steps=(Step("fit", {"tolerance": 0.02}),), exports=(Export(".tween"), Export(".glb")))
    assert catch_up(other, library, batch) == 3
    new, fresh = read_native(file), read_native(file.with_name("base.tween"))
    assert [layer.name for layer in new.clip().layers] == [BY_HAND]
    assert fresh.clip().layers == ()
    assert fresh.clip().curves != base.clip().curves
    assert new.clip().curves == fresh.clip().curves
    assert channels(new, times) == pytest.approx(channels(fresh, times) + added, abs=TOLERANCE)
    assert len(new.constraints) == len(fresh.constraints) + 1
    assert (batch / "clips" / "a.bvh" / "a.glb").stat().st_size > 0
    assert plan(other, library, batch).marked == 1

    # Another source, with the first recipe again.
    (library / "a.bvh").write_bytes((library / "walks" / "c.bvh").read_bytes())
    catch_up(quick, library, batch)
    newer, base_now = read_native(file), read_native(file.with_name("base.tween"))
    assert base_now.clip().curves == read_native(batch / "clips" / "walks" / "c.bvh" / "c.tween").clip().curves
    assert channels(newer, times) == pytest.approx(channels(base_now, times) + added, abs=TOLERANCE)

    # Edited once more from there: the new base counts. Back to what the batch made: nothing is kept.
    again = keep(batch, hand, by_hand(newer), file)
    assert read_native(batch / again.base) == base_now
    assert not (batch / hand.edited).exists()
    assert keep(batch, again, base_now, batch / again.edited).id == ""
    assert not (batch / again.edited).exists()


def test_what_finds_no_place_is_told(library: Path, quick: Recipe, batch: Path) -> None:
    base = read_native(batch / "clips" / "a.bvh" / "a.tween")
    edited = by_hand(base)
    robot = ib.example("flying-robot")
    made, lost = laid_over(robot, base, edited)
    assert made.clips == robot.clips
    assert lost[0] == f"clip {edited.clip().name!r} of the hand edits is in no result of the batch"
    renamed = replace(base, clips=(replace(base.clip(), name=robot.clip().name),))
    made, lost = laid_over(robot, renamed, replace(edited, clips=(replace(edited.clips[0], name=robot.clip().name),)))
    assert "the body has none of these" in lost[0]


def test_a_torn_note_is_no_mark_and_a_crash_before_it_loses_nothing(batch: Path, library: Path, quick: Recipe) -> None:
    file = batch / "clips" / "a.bvh" / "a.tween"
    hand = keep(batch, Hand("a.bvh"), by_hand(read_native(file)), file)
    # As a crash leaves it: a second version is there, and the note still names the first.
    half = batch / "hand" / "a.bvh" / "ffff"
    half.mkdir()
    (half / "base.tween").write_bytes(b"half")
    assert as_hand(Folder(batch).hand("a.bvh"), "a.bvh") == hand
    catch_up(quick, library, batch)
    assert read_native(file) == read_native(batch / hand.edited)
    mark(batch, replace(hand, done=True))
    assert not half.exists()
    (batch / "hand" / "a.bvh" / "hand.json").write_bytes(b"{torn")
    assert Folder(batch).hands() == {}


def test_the_command_says_how_many_are_marked(library: Path, batch: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "quick.toml"
    recipe.write_text('[[step]]\nverb = "resample"\nrate = 30\n[[export]]\nsuffix = ".tween"\n')
    mark(batch, Hand("walks/b.bvh", done=True))
    answer = run_here(["batch", recipe, library, "-o", batch, "--dry-run"], tmp_path)
    assert "0 to do, 2 done, 1 marked as done, 0 failed before" in answer.stdout
