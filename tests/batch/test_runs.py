"""Batches on this machine: what is missing is done, once; what is bad costs itself alone; what is written is whole."""

import csv
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.batch import Recipe, parse_recipe, plan, records, run
from inbetweener.batch.lane import Lane
from inbetweener.batch.recipe import Limits, Step
from inbetweener.batch.store import Folder
from inbetweener.batch.work import Job, MachineProblem, do
from inbetweener.errors import FormatError
from inbetweener.system import InUse, NotOurs
from tests.batch.conftest import QUICK, captured
from tests.cli.command import run_here
from torture.disks import NoMount, fill, mounted


def made_in(output: Path) -> dict[str, tuple[int, int]]:
    """Every file of every clip, with when it was made and which file it is."""
    found = [path for path in (output / "clips").rglob("*") if path.is_file()]
    return {str(path.relative_to(output)): (path.stat().st_mtime_ns, path.stat().st_ino) for path in found}


def test_a_batch_does_what_is_missing_and_nothing_twice(library: Path, quick: Recipe, tmp_path: Path) -> None:
    output, events = tmp_path / "out", list[dict[str, Any]]()
    first = run(quick, library, output, limit=2, jobs=1, tell=events.append)
    assert (first.done, first.already, first.failed) == (2, 0, ())
    # Where nothing is compiled yet, that is told first.
    told = [each["event"] for each in events if each["event"] != "compile"]
    assert told == ["begin", "clip", "clip", "end"]
    assert events[-2]["of"] == events[-2]["at"] == 2
    before = made_in(output)
    assert set(before) == {f"clips/{n}/{f}" for n, f in
                           [("a.bvh", "a.tween"), ("a.bvh", "record.json"), ("walks/b.bvh", "b.tween"),
                            ("walks/b.bvh", "record.json")]}  # fmt: skip
    second = run(quick, library, output, jobs=2)
    assert (second.done, second.already) == (1, 2)
    after = made_in(output)
    assert {name: after[name] for name in before} == before, "what was done was not touched"
    assert ib.load(output / "clips" / "walks" / "c.bvh" / "c.tween").clip().rate == 30
    assert list((output / ".work").iterdir()) == [output / ".work" / "lock"]

    # A touched file is the same file; a changed one, another recipe and another version are not.
    os.utime(library / "a.bvh")
    (job,) = plan(quick, library, output).jobs
    assert (job.name, do(job).status) == ("a.bvh", "unchanged")
    (library / "a.bvh").write_bytes((library / "walks" / "c.bvh").read_bytes())
    assert plan(quick, library, output).jobs == (job,)
    assert do(job).status == "done"
    assert plan(quick, library, output).jobs == ()
    other = replace(quick, steps=(Step("resample", {"rate": 24}),))
    assert len(plan(other, library, output).jobs) == 3
    kept = {each.name: each for each in records(library, output)}
    assert kept["a.bvh"].digest == kept["walks/c.bvh"].digest
    assert kept["a.bvh"].rows[0]["moved_mm"] < 1.0


@pytest.mark.thorough
def test_a_newer_version_does_it_again(library: Path, quick: Recipe, tmp_path: Path) -> None:
    job = Job(str(library), str(tmp_path / "out"), "a.bvh", quick)
    assert do(job).status == "done"
    assert do(job).status == "unchanged"
    assert do(replace(job, version="99.0")).status == "done"


def test_bad_files_cost_themselves_alone(library: Path, quick: Recipe, tmp_path: Path) -> None:
    (library / "bad.bvh").write_text("HIERARCHY\nnonsense")
    (library / "empty.glb").write_bytes(b"")
    output = tmp_path / "out"
    found = run(quick, library, output, jobs=2)
    assert (found.done, len(found.failed)) == (3, 2)
    told = dict(found.failed)
    assert told["bad.bvh"] == "line 2: expected ROOT after HIERARCHY, found 'nonsense'"
    assert "\n" not in told["empty.glb"]
    assert not list((output / "clips" / "bad.bvh").glob("*.tween"))
    # They are on record: left alone, and tried again where asked for.
    again = run(quick, library, output, jobs=1)
    assert (again.done, again.already, dict(again.failed)) == (0, 3, told)
    (library / "bad.bvh").write_bytes((library / "a.bvh").read_bytes())
    assert [job.name for job in plan(quick, library, output).jobs] == ["bad.bvh"], "another file by now"
    (job,) = plan(quick, library, output, only="failed").jobs
    when = made_in(output)["clips/empty.glb/record.json"]
    assert (job.name, do(job).status) == ("empty.glb", "failed")
    assert made_in(output)["clips/empty.glb/record.json"] != when, "tried once more"


@pytest.mark.thorough
def test_an_endless_clip_is_given_up_and_the_next_one_done(library: Path, quick: Recipe, tmp_path: Path) -> None:
    job = Job(str(library), str(tmp_path / "out"), "a.bvh", replace(quick, limits=Limits(seconds=0.05)))
    with Lane() as lane:
        # Nothing starts in a twentieth of a second.
        late = lane.do(job)
        assert (late.status, late.problem) == ("failed", "took longer than 0.05 s")
        assert lane.do(replace(job, name="walks/b.bvh", recipe=quick)).status == "done"
    assert do(job).problem == "took longer than 0.05 s", "on record"


@pytest.mark.thorough
def test_a_huge_clip_meets_its_limit_of_memory(library: Path, quick: Recipe, tmp_path: Path) -> None:
    with pytest.warns():
        captured(library / "a.bvh", 0.0, 60.0)
    huge = replace(quick, steps=(Step("resample", {"rate": 1e4}), *quick.steps), limits=Limits(memory_gb=0.3))
    job = Job(str(library), str(tmp_path / "out"), "a.bvh", huge)
    with Lane() as lane:
        found = lane.do(job)
        assert (found.status, found.problem) == ("failed", "needs more than 0.3 GB of memory")


def test_a_killed_process_costs_a_second_try(library: Path, quick: Recipe, tmp_path: Path) -> None:
    job = Job(str(library), str(tmp_path / "out"), "a.bvh", quick)
    with Lane() as lane:
        assert lane.do(job).status == "done"
        assert lane._process is not None
        lane._process.kill()
        assert lane.do(replace(job, name="walks/b.bvh")).status == "done"


def test_two_batches_at_one_place_are_refused(library: Path, quick: Recipe, tmp_path: Path) -> None:
    with Folder(tmp_path / "out").begin(), pytest.raises(InUse, match="is in use by process"):
        run(quick, library, tmp_path / "out")


def test_a_torn_record_is_made_again(library: Path, quick: Recipe, tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert do(Job(str(library), str(output), "a.bvh", quick)).status == "done"
    (output / "clips" / "a.bvh" / "record.json").write_text('{"name": "a.b')
    assert "a.bvh" in [job.name for job in plan(quick, library, output).jobs]


@pytest.mark.parametrize("link", [".work", "clips", "clips/walks", "batch.json", "report.html"])
def test_no_link_in_an_output_is_followed(library: Path, quick: Recipe, tmp_path: Path, link: str) -> None:
    """It may be a stranger's: what lies where a link leads is neither overwritten nor cleared away."""
    precious, inside = tmp_path / "precious", "b.bvh/years of work"
    (precious / inside).parent.mkdir(parents=True)
    (precious / inside).write_text("mine")
    (precious / "file").write_text("mine")
    at = tmp_path / "out" / link
    at.parent.mkdir(parents=True)
    at.symlink_to(precious / "file" if at.suffix else precious)
    with pytest.raises(NotOurs, match=f"{re.escape(str(at))} is a link"):
        run(quick, library, tmp_path / "out", jobs=1)
    assert (precious / inside).read_text() == (precious / "file").read_text() == "mine"
    assert sorted(each.name for each in precious.iterdir()) == ["b.bvh", "file"]


def test_a_name_that_is_no_text_is_told_before_anything_is_done(library: Path, quick: Recipe, tmp_path: Path) -> None:
    (library / os.fsdecode(b"b\xff.bvh")).write_text("HIERARCHY")
    with pytest.raises(FormatError, match=r"b\\udcff\.bvh: its name is no text in UTF-8; rename the file"):
        run(quick, library, tmp_path / "out", jobs=1)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("[" * 200_000, "failed"),
        # Nothing needs that buffer.
        ('{"asset": {"version": "2.0"}, "buffers": [{"uri": "' + "x" * 5000 + '", "byteLength": 3}]}', "done"),
        ('{"asset": {"version": "2.0"}, "buffers": [{"uri": "x\\u0000", "byteLength": 3}, {"uri": 5}]}', "failed"),
    ],
    ids=["deep", "long", "odd"],
)
def test_odd_names_beside_a_file_are_no_fault_of_ours(quick: Recipe, tmp_path: Path, text: str, status: str) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "a.gltf").write_text(text)
    record = do(Job(str(tmp_path / "library"), str(tmp_path / "out"), "a.gltf", quick))
    assert (record.status, record.fault) == (status, "")


def test_a_full_disk_stops_the_batch_in_one_line(library: Path, tmp_path: Path) -> None:
    try:
        with mounted(tmp_path / "disk") as disk:
            fill(disk)
            done = run_here(["batch", _file(tmp_path), library, "-o", disk / "out", "-j", "1"], tmp_path)
    except NoMount as why:
        pytest.skip(f"no small disk can be mounted here: {why}")
    assert done.returncode == 1
    assert re.fullmatch(r"Error: .*: No space left on device", done.stderr.strip().splitlines()[-1])


def test_a_disk_that_fills_meanwhile_leaves_nothing_half_written(library: Path, quick: Recipe, tmp_path: Path) -> None:
    try:
        with mounted(tmp_path / "disk") as disk:
            job = Job(str(library), str(disk), "a.bvh", quick)
            assert do(job).status == "done"
            (filler,) = fill(disk)
            with pytest.raises(MachineProblem, match="No space left on device"):
                do(replace(job, name="walks/b.bvh"))
            assert not (disk / "clips" / "walks" / "b.bvh").exists()
            filler.unlink()
            assert do(replace(job, name="walks/b.bvh")).status == "done"
    except NoMount as why:
        pytest.skip(f"no small disk can be mounted here: {why}")


def _file(folder: Path, text: str = QUICK) -> Path:
    (folder / "quick.toml").write_text(text)
    return folder / "quick.toml"


def test_the_command(library: Path, tmp_path: Path) -> None:
    recipe, output = _file(tmp_path), tmp_path / "out"
    dry = run_here(["batch", recipe, library, "-o", output, "--dry-run"], tmp_path)
    assert dry.stdout.splitlines() == ["a.bvh", "walks/b.bvh", "walks/c.bvh", "3 to do, 0 done, 0 failed before"]
    assert not output.exists(), "dry"
    (library / "bad.bvh").write_text("nonsense")
    done = run_here(["batch", recipe, library, "-o", output, "-j", "1"], tmp_path)
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if "bad.bvh" in line] == [
        "failed: bad.bvh: line 1: expected HIERARCHY at the start of a BVH file, found 'nonsense'"
    ]
    told = run_here(["batch", recipe, library, "-o", output, "--json"], tmp_path)
    assert told.returncode == 1
    assert '"already":3' in told.stdout.splitlines()[-1]
    assert run_here(["recipe", "check", recipe], tmp_path).stdout == "quick: resample → write .tween\n"
    assert run_here(["recipe", "show", "clean-feet"], tmp_path).stdout.startswith('name = "clean-feet"')
    assert run_here(["batch", recipe, library, "-o", output, "--shard", "3"], tmp_path).returncode == 2
    wrong = run_here(["batch", _file(tmp_path, "step = 1"), library, "-o", output], tmp_path)
    assert (wrong.returncode, wrong.stderr.strip()) == (1, f"Error: {recipe}: line 1: step: must be [[step]]")
    assert run_here(["batch", "thumbnails", tmp_path / "none", "-o", output], tmp_path).stderr.endswith(
        "is no folder\n"
    )


def test_shards_part_a_library_without_overlap(library: Path, quick: Recipe, tmp_path: Path) -> None:
    parts = [plan(quick, library, tmp_path / "out", shard=(n, 3)).jobs for n in range(3)]
    assert sorted(job.name for part in parts for job in part) == ["a.bvh", "walks/b.bvh", "walks/c.bvh"]


@pytest.mark.thorough
def test_pictures_and_the_report(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INBETWEENER_BACKEND", "software")
    (library / "<b>&.bvh").write_text("</script>")
    looks = 'size = [48, 32]\nbackend = "software"\n'
    text = (
        f'{QUICK}\n[[picture]]\nkind = "sheet"\ncount = 3\n{looks}[[picture]]\nkind = "movie"\nsuffix = ".gif"\n{looks}'
    )
    output = tmp_path / "out"
    found = run(parse_recipe(text), library, output, jobs=1, limit=2)
    assert found.report == str(output / "report.html")
    from PIL import Image

    with Image.open(output / "clips" / "a.bvh" / "a-1.png") as sheet:
        assert sheet.size == (3 * 48, 32)
    with Image.open(output / "clips" / "a.bvh" / "a-2.gif") as movie:
        assert movie.n_frames > 5  # type: ignore[attr-defined]
    with (output / "report.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["status"] for row in rows] == ["failed", "done"], "the worst first"
    assert float(rows[1]["frames"]) == 16
    page = (output / "report.html").read_text()
    assert "clips/a.bvh/a-1.png" in page
    assert page.count("</script>") == 1, "names end no script"
    assert "http" not in page


def test_a_worker_ends_when_nobody_listens(tmp_path: Path) -> None:
    import sys

    with subprocess.Popen([sys.executable, "-m", "inbetweener.batch.worker", str(10**10)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:  # fmt: skip
        assert worker.stdin is not None
        worker.stdin.close()
        assert worker.wait(timeout=60) == 0


@pytest.mark.thorough
def test_clips_go_onto_another_character(library: Path, tmp_path: Path) -> None:
    ib.save(ib.example("boxer"), tmp_path / "hero.tween")
    recipe = parse_recipe(
        '[[step]]\nverb = "retarget"\nonto = "hero.tween"\n[[export]]\nsuffix = ".tween"\n', tmp_path / "mine.toml"
    )
    with Lane() as lane:
        done = lane.do(Job(str(library), str(tmp_path / "out"), "a.bvh", recipe))
    assert done.status == "done"
    made = ib.read(tmp_path / "out/clips/a.bvh/a.tween").document
    assert made.rig == ib.example("boxer").rig
    assert len(made.clips) == 1, "the hero's own clips stay at home"
    assert made.clip().curves


def test_arrays_and_tables_are_taken_where_a_recipe_names_them(tmp_path: Path) -> None:
    """Numbers may be anybody's: only who asks for them gets them. A table is laid onto the file that is named."""
    library, waving = tmp_path / "numbers", ib.example("waving")
    library.mkdir()
    with pytest.warns():
        ib.save(waving, library / "arm.npz", rate=30)
    with pytest.warns():
        ib.save(waving, library / "arm.csv", rate=30)
    ib.save(waving, tmp_path / "body.tween")
    named = '[open]\nsuffixes = [".npz", ".csv"]\nonto = "body.tween"\n'
    (tmp_path / "mine.toml").write_text(named + QUICK)
    assert plan(parse_recipe(QUICK), library, tmp_path / "out").jobs == ()
    done = run_here(["batch", "mine.toml", library, "-o", "out", "-j", "1"], tmp_path)
    assert done.returncode == 0, done.stderr
    times = np.arange(0.0, waving.clip().end, 1 / 30)
    wanted = waving.motion().joint_positions(times)
    for name in ("arm.npz", "arm.csv"):
        made = ib.load(tmp_path / "out" / "clips" / name / "arm.tween")
        assert np.abs(made.motion().joint_positions(times) - wanted).max() < 1e-6, name
    assert {each.name for each in records(library, tmp_path / "out")} == {"arm.npz", "arm.csv"}

    with pytest.raises(FormatError, match=r"line 2: open: suffixes: a table has no rig; say onto which file"):
        parse_recipe('[open]\nsuffixes = [".csv"]\n' + QUICK)
    with pytest.raises(FormatError, match=r"line 2: open: suffixes: each must be one of .* not '\.txt'"):
        parse_recipe('[open]\nsuffixes = [".txt"]\n' + QUICK)
