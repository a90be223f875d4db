"""How batches scale: clips a minute by 1, 2 and 4 lanes, what a clip costs besides its work, and a cluster simulated.

`python -m benchmarks.batch [--json]`; captured clips of the folder of real files where it is there, else made ones. The
simulation is Dask's own scheduler with 200 workers in this process that wait as long as clips took, a hundred times
faster; it wants the extra inbetweener[batch].
"""

import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from importlib.util import find_spec
from pathlib import Path

import msgspec

import inbetweener as ib
from benchmarks.harness import Figure, main
from inbetweener import kernels
from inbetweener.batch import Recipe, parse_recipe, plan, records
from inbetweener.batch.lane import Lane
from inbetweener.batch.report import write_report
from inbetweener.batch.run import done_here
from inbetweener.batch.store import store_at
from inbetweener.batch.work import Job, Record
from inbetweener.formats import READABLE

REAL = Path(__file__).parents[2] / "shared" / "data" / "bvh" / "cmu" / "09_03_run.bvh"
CLIPS = 24
RECIPE = '[[step]]\nverb = "clean"\n[[step]]\nverb = "fit"\n[[export]]\nsuffix = ".tween"\n'
MANY = 3000
"""Records for the measure of planning and reporting."""
WORKERS = 200
SIMULATED = 3000
FASTER = 100.0


def measure() -> list[Figure]:
    if not kernels.is_warm():
        for _ in kernels.warm_up():
            pass
    recipe = parse_recipe(RECIPE)
    with tempfile.TemporaryDirectory(prefix="inbetweener-batch-bench-") as folder:
        root = Path(folder)
        library = _library(root / "library")
        figures, seconds, start = _throughput(root, library, recipe)
        figures += _bookkeeping(root, recipe)
    figures += _on_paper(figures, seconds, start)
    return figures


def _library(folder: Path) -> Path:
    folder.mkdir()
    if REAL.is_file():
        for number in range(CLIPS):
            shutil.copy(REAL, folder / f"take{number:02}.bvh")
        return folder
    warnings.simplefilter("ignore")
    document = ib.example("waving")
    for number in range(CLIPS):
        ib.save(document, folder / f"take{number:02}.bvh")
    return folder


def _throughput(root: Path, library: Path, recipe: Recipe) -> tuple[list[Figure], list[float], float]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    figures, rates = [], dict[int, float]()
    seconds: list[float] = []
    for lanes in (1, 2, 4):
        jobs = plan(recipe, library, root / f"out{lanes}").jobs
        started = time.perf_counter()
        found, moments = [], []
        for record in done_here(jobs, lanes):
            found.append(record)
            moments.append(time.perf_counter() - started)
        took = moments[-1]
        if any(each.status != "done" for each in found):
            raise SystemExit(f"failed: {[each.problem for each in found if each.problem][:1]}")
        # Once every lane has handed in a clip, all are up: what comes after is what a night consists of.
        rates[lanes] = 60 * (len(found) - lanes) / (took - moments[lanes - 1])
        busy = sum(each.total_seconds for each in found) / (lanes * took)
        seconds += [each.total_seconds for each in found] if lanes == 1 else []
        figures += [
            Figure(f"{lanes} at a time, start-up included", 60 * len(found) / took, "clips a minute"),
            Figure(f"{lanes} at a time, once all have begun", rates[lanes], "clips a minute"),
            Figure(f"{lanes} at a time: share of the lanes' time that clips took", busy, ""),
        ]
    within = min(2, cores)
    plain = _plain_rate(within) / (within * _plain_rate(1))
    figures += [
        Figure(f"efficiency at {within} of {cores} cores", rates[within] / (within * rates[1]), "", at_least=0.9),
        Figure("the same of plain arithmetic that shares nothing: what these cores give", plain, ""),
    ]
    start, overheads = _one_by_one(root, plan(recipe, library, root / "alone").jobs)
    typical = statistics.median(seconds)
    figures += [
        Figure("a clip's own work, median", typical, "s"),
        Figure("start of a lane", start, "s"),
        Figure("a clip besides its work: handing over, publishing", 1000 * overheads, "ms"),
        Figure("the same as a share of the clip", 100 * overheads / typical, "%", at_most=2.0),
    ]
    return figures, seconds, start


def _plain_rate(processes: int) -> float:
    """Rounds a second of a loop in so many processes at once: some machines' cores are halves of one."""
    code = (
        "import time\nend = time.perf_counter() + 3\nrounds = 0\n"
        "while time.perf_counter() < end: rounds += sum(range(20000)) > 0\nprint(rounds)"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(processes)
    ]
    return sum(int(each.communicate()[0]) for each in running) / 3


def _one_by_one(root: Path, jobs: tuple[Job, ...]) -> tuple[float, float]:
    """Seconds that the first clip took longer than its work, and the median of the others."""
    besides = []
    with Lane() as lane:
        for job in jobs[:8]:
            started = time.perf_counter()
            record = lane.do(job)
            besides.append(time.perf_counter() - started - record.total_seconds)
    return besides[0], statistics.median(besides[1:])


def _bookkeeping(root: Path, recipe: Recipe) -> list[Figure]:
    """Planning and reporting: what one process does for all clips."""
    library, output = root / "many", root / "many-out"
    library.mkdir()
    job = Job(str(library), str(output), "", recipe)
    row = {
        "clip": "walk",
        "frames": 344,
        "keys": 1256,
        "moved_mm": 4.4,
        "fit.max_error_m": 0.0047,
        "fit.key_share": 0.03,
    }
    for number in range(MANY):
        (library / f"take{number:05}.bvh").write_bytes(b"x")
    for name, stamp in store_at(library).library(READABLE):
        folder = output / "clips" / name
        folder.mkdir(parents=True)
        kept = Record(name, "done", job.key, "0" * 64, stamp, rows=(row,), files={"a.tween": 1})
        (folder / "record.json").write_bytes(msgspec.json.encode(kept))
    started = time.perf_counter()
    if plan(recipe, library, output).done != MANY:
        raise SystemExit("records were not found")
    planned = time.perf_counter()
    write_report(store_at(output), recipe, records(library, output))
    reported = time.perf_counter()
    return [
        Figure("planning, a thousand clips", 1e6 * (planned - started) / MANY / 1000, "s"),
        Figure("report, a thousand clips", 1e6 * (reported - planned) / MANY / 1000, "s"),
    ]


def _on_paper(figures: list[Figure], seconds: list[float], start: float) -> list[Figure]:
    """Where 10,000 and 1,000,000 clips spend their time on 200 workers: the simulation, and what one process does."""
    if find_spec("distributed") is None:
        return [Figure("simulation left out: pip install 'inbetweener[batch]'", 0, "")]
    each, took = asyncio.run(_simulated(seconds))
    ideal = sum(seconds[n % len(seconds)] for n in range(SIMULATED)) / FASTER / WORKERS
    known = {figure.what: figure.value for figure in figures}
    made = [
        Figure(f"Dask's scheduler and {WORKERS} workers in one process: an empty task", 1000 * each, "ms"),
        Figure(f"{SIMULATED} clips replayed {FASTER:g} times faster: tasks a second", SIMULATED / took, ""),
        Figure("the same, of the time that work alone would take", took / ideal, "times"),
    ]
    work = statistics.mean(seconds)
    for count in (10_000, 1_000_000):
        parts = {
            "planning": known["planning, a thousand clips"] * count / 1000,
            "start of workers": start,
            "work": work * count / WORKERS,
            "scheduling, hidden behind the work while it is less": each * count,
            "report": known["report, a thousand clips"] * count / 1000,
        }
        made += [
            Figure(f"{count:,} clips on {WORKERS} workers: {what}", took / 60, "min") for what, took in parts.items()
        ]
    made.append(Figure("workers that one scheduler keeps busy with such clips", work / each, ""))
    made.append(Figure("core hours for a thousand clips", work * 1000 / 3600, "h"))
    return made


async def _simulated(seconds: list[float]) -> tuple[float, float]:
    """Seconds that an empty task costs, and those that the replay took."""
    import dask
    from distributed import Client, Scheduler, Worker

    dask.config.set({"distributed.admin.tick.limit": "1h", "distributed.worker.profile.enabled": False})
    async with Scheduler(protocol="inproc://", dashboard=False, port=0) as scheduler:
        workers = await asyncio.gather(
            *(Worker(scheduler.address, nthreads=1, dashboard=False) for _ in range(WORKERS))
        )
        async with Client(scheduler.address, asynchronous=True) as client:
            await client.gather(client.map(_wait, [0.0] * WORKERS, key="warm", pure=False))
            started = time.perf_counter()
            await client.gather(client.map(_wait, [0.0] * SIMULATED, key="empty", pure=False))
            each = (time.perf_counter() - started) / SIMULATED
            waits = [seconds[n % len(seconds)] / FASTER for n in range(SIMULATED)]
            started = time.perf_counter()
            await client.gather(client.map(_wait, waits, key="replay", pure=False))
            took = time.perf_counter() - started
        await asyncio.gather(*(worker.close() for worker in workers))
    return each, took


async def _wait(seconds: float) -> None:
    await asyncio.sleep(seconds)


if __name__ == "__main__":
    main("batch", measure)
