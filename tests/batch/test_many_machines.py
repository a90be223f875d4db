"""The same batch on a real Dask cluster, in an object store and as a farm's job; what dies meanwhile costs nothing."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from inbetweener import __version__
from inbetweener.batch import BatchOutcome, Recipe, plan, records, run
from inbetweener.batch.store import Bucket, Unreachable
from inbetweener.batch.work import Job, do
from tests.batch.conftest import QUICK
from tests.cli.command import run_here

pytestmark = [
    pytest.mark.filterwarnings("ignore:::distributed", "ignore::DeprecationWarning", "ignore::ResourceWarning"),
    pytest.mark.thorough,
]
COPIES = 6


@pytest.fixture
def takes(library: Path) -> Path:
    """A library with a few more takes."""
    for number in range(COPIES):
        (library / f"take{number}.bvh").write_bytes((library / "a.bvh").read_bytes())
    return library


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def process(*words: str, folder: Path, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    with (folder / "dask.log").open("ab") as log:
        started = subprocess.Popen(
            [sys.executable, "-m", *words], stdout=log, stderr=log, cwd=folder, env={**os.environ, **environment}
        )
        try:
            yield started
        finally:
            started.kill()
            started.wait()


class Dask:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack, self.port = folder, stack, free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"

    def scheduler(self) -> "subprocess.Popen[bytes]":
        words = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        return self.stack.enter_context(process(*words, folder=self.folder))

    def worker(self, *more: str, **environment: str) -> "subprocess.Popen[bytes]":
        words = ("distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *more)
        return self.stack.enter_context(process(*words, folder=self.folder, **environment))


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    pytest.importorskip("distributed", reason="the extra inbetweener[batch] is not installed")
    with ExitStack() as stack:
        yield Dask(tmp_path, stack)


def in_background(work: Callable[[], BatchOutcome]) -> Callable[[], BatchOutcome]:
    found: list[Any] = []

    def follow() -> None:
        try:
            found.append(work())
        except Exception as error:
            found.append(error)

    thread = Thread(target=follow, daemon=True)
    thread.start()

    def answer() -> BatchOutcome:
        thread.join(timeout=90)
        assert found, "the batch never ended"
        if isinstance(found[0], Exception):
            raise found[0]
        assert isinstance(found[0], BatchOutcome)
        return found[0]

    return answer


def test_workers_that_die_join_late_are_slow_or_of_another_version(
    dask: Dask, takes: Path, quick: Recipe, tmp_path: Path
) -> None:
    (tmp_path / "old.py").write_text('import inbetweener\ninbetweener.__version__ = "0.0.9"\n')
    (tmp_path / "slow").mkdir()
    # A disk that takes its time to sync.
    late = "import os, time\nsync = os.fsync\nos.fsync = lambda each: (time.sleep(0.05), sync(each))[1]\n"
    (tmp_path / "slow" / "sitecustomize.py").write_text(late)
    dask.scheduler()
    old = dask.worker("--preload", str(tmp_path / "old.py"))
    events: list[dict[str, Any]] = []
    workers = [dask.worker()]

    def tell(event: dict[str, Any]) -> None:
        events.append(event)
        if [each["event"] for each in events].count("clip") == 2 and event["event"] == "clip":
            # It has the next clip in hand.
            workers[0].send_signal(signal.SIGKILL)
            path = f"{tmp_path / 'slow'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
            workers.append(dask.worker(PYTHONPATH=path))

    output = tmp_path / "out"
    found = in_background(lambda: run(quick, takes, output, on=dask.address, tell=tell))()
    assert (found.done + found.already, found.failed) == (COPIES + 3, ())
    assert plan(quick, takes, output).jobs == ()
    assert {each.status for each in records(takes, output)} == {"done"}
    assert old.poll() is None, "refused, not hurt"
    (note,) = [each["text"] for each in events if each["event"] == "note"]
    assert note.startswith("refused: worker tcp://127.0.0.1:")
    assert note.endswith(f"has inbetweener 0.0.9, not {__version__}")


def test_workers_of_this_machine_listen_to_nobody_else(takes: Path, quick: Recipe, tmp_path: Path) -> None:
    """Whoever reaches a port of Dask's may run anything; its pages, which it always has, are empty."""
    psutil = pytest.importorskip("psutil", reason="the extra inbetweener[batch] is not installed")
    here = psutil.Process()
    listening: list[list[Any]] = []
    pages: list[int] = []

    def tell(event: dict[str, Any]) -> None:
        everybody = [here, *here.children(recursive=True)]
        found = [each for process in everybody for each in process.net_connections("inet")]
        listening.append([each.laddr for each in found if each.status == psutil.CONN_LISTEN])
        pages.extend(httpx.get(f"http://127.0.0.1:{each.port}/info").status_code for each in listening[-1])

    before = len(here.children(recursive=True))
    found = run(quick, takes, tmp_path / "out", on="local:2", tell=tell)
    assert (found.done, found.failed) == (COPIES + 3, ())
    assert len(listening) > COPIES
    assert {each.ip for found in listening for each in found} <= {"127.0.0.1"}
    assert set(pages) <= {404}, "answers of HTTP, and no protocol of Dask's"
    assert len(here.children(recursive=True)) == before


def test_a_scheduler_that_is_started_anew(dask: Dask, takes: Path, quick: Recipe, tmp_path: Path) -> None:
    schedulers = [dask.scheduler()]
    dask.worker()
    events: list[dict[str, Any]] = []

    def tell(event: dict[str, Any]) -> None:
        events.append(event)
        if [each["event"] for each in events].count("clip") == 2 and event["event"] == "clip":
            schedulers[0].kill()
            schedulers[0].wait()
            schedulers.append(dask.scheduler())
            dask.worker()

    output = tmp_path / "out"
    found = in_background(lambda: run(quick, takes, output, on=dask.address, tell=tell))()
    assert (found.done + found.already, found.failed) == (COPIES + 3, ())
    assert {each.status for each in records(takes, output)} == {"done"}
    names = [each["name"] for each in events if each["event"] == "clip"]
    assert sorted(names) == sorted(set(names)), "each clip is told once"


def test_a_scheduler_that_is_not_there(
    dask: Dask, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inbetweener.batch import cluster

    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    (tmp_path / "quick.toml").write_text(QUICK)
    done = run_here(["batch", "quick.toml", library, "-o", "out", "--on", dask.address], tmp_path)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith(f"Error: no scheduler answers at {dask.address}: ")
    assert last.endswith("is it started?")


@pytest.fixture
def memory() -> str:
    """A store in this process, for which fsspec alone is enough."""
    fsspec = pytest.importorskip("fsspec", reason="the extra inbetweener[batch] is not installed")
    fsspec.filesystem("memory").store.clear()
    return "memory://takes"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that speaks S3, on this machine."""
    pytest.importorskip("s3fs", reason="s3fs is not installed: pip install s3fs 'moto[server]'")
    server = pytest.importorskip("moto.server", reason="moto is not installed").ThreadedMotoServer(port=0)
    server.start()
    _, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir("takes")
    yield "s3://takes"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


@pytest.mark.parametrize("kind", ["memory", "s3"])
def test_an_object_store(
    kind: str, request: pytest.FixtureRequest, library: Path, quick: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = request.getfixturevalue(kind)
    import fsspec

    store, root = fsspec.core.url_to_fs(bucket)
    for path in library.rglob("*.*"):
        store.pipe_file(f"{root}/library/{path.relative_to(library).as_posix()}", path.read_bytes())
    source, output = f"{bucket}/library", f"{bucket}/out"
    first, second, third = plan(quick, source, output).jobs
    assert do(first).status == do(second).status == "done"
    if kind == "s3":
        # Another process sees it too.
        found = run(quick, source, output, jobs=1)
        assert (found.done, found.already, found.failed) == (1, 2, ())
    else:
        found = run(quick, source, output, limit=0)
    assert found.report == f"{output}/report.html"
    made = {path.removeprefix(f"{root}/out/") for path in store.find(f"{root}/out")}
    assert {"clips/a.bvh/a.tween", "clips/a.bvh/record.json", "report.csv", "report.html"} <= made

    # Cut off before the record came: not done, and done when started again.
    other = replace(quick, steps=())
    job = replace(third, recipe=other)
    put = Bucket.publish

    def cut_off(self: Bucket, name: str, folder: Path) -> None:
        (folder / "record.json").unlink()
        put(self, name, folder)
        raise ConnectionError("cut off")

    with monkeypatch.context() as patch:
        patch.setattr(Bucket, "publish", cut_off)
        with pytest.raises(ConnectionError):
            do(job)
    assert store.exists(f"{root}/out/clips/{job.name}/c.tween")
    assert job in plan(other, source, output).jobs
    assert do(job).status == "done"
    assert do(job).status == "unchanged"
    store.pipe_file(f"{root}/library/a.bvh", b"nonsense")
    assert "a.bvh" in [each.name for each in plan(quick, source, output).jobs]
    assert do(Job(source, output, "a.bvh", quick)).status == "failed"
    assert store.find(f"{root}/out/clips/a.bvh") == [f"{root}/out/clips/a.bvh/record.json"], "what was there is gone"


def test_a_store_that_is_not_there(quick: Recipe, tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="the extra inbetweener[batch] is not installed")
    with pytest.raises(Unreachable, match="nowhere://x"):
        run(quick, "nowhere://x", tmp_path / "out")


def test_a_farm_runs_the_bundle(library: Path, tmp_path: Path) -> None:
    pytest.importorskip("openjd.cli", reason="openjd-cli is not installed")
    (tmp_path / "quick.toml").write_text(QUICK)
    (library / "bad.bvh").write_text("nonsense")
    words = ["batch", "quick.toml", library, "-o", "out", "--openjd", "bundle", "--shards", "2"]
    assert run_here(words, tmp_path).returncode == 0
    template = tmp_path / "bundle" / "template.json"
    done = subprocess.run(
        [sys.executable, "-m", "openjd", "run", template, "--step", "Report", "--run-dependencies"],
        capture_output=True, text=True, cwd=tmp_path, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    rows = (tmp_path / "out" / "report.csv").read_text().splitlines()
    assert len(rows) == 5
    assert json.loads(template.read_text())["specificationVersion"] == "jobtemplate-2023-09"
