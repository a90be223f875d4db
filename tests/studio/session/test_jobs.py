"""Long work: beside the worker, told to pages, stopped on request."""

from collections.abc import Iterator
from threading import Event, current_thread
from typing import NamedTuple

import pytest

from inbetweener.errors import InbetweenerError
from inbetweener.maths.search import Search, Stepped
from inbetweener.studio.protocol import to_page
from inbetweener.studio.session import jobs as module
from inbetweener.studio.session.jobs import Cancelled, Ending, Jobs, Progress
from inbetweener.studio.session.worker import Refusal, Worker

PATIENCE = 20.0


class Bench:
    """A worker with jobs, and everything that was told."""

    def __init__(self) -> None:
        self.worker = Worker()
        self.told: list[to_page.Job] = []
        self.jobs = Jobs(self.worker, self.told.append)
        self.over = Event()

    def start(self, work, then=lambda _: None):
        """Start a job on the worker's thread, as a session does."""

        def begin() -> None:
            job = self.jobs.start("Bake", work, then)
            job.when_over.append(lambda _: self.over.set())

        self.worker.submit(begin)
        self.flush()

    def flush(self) -> None:
        done = Event()
        self.worker.submit(done.set)
        assert done.wait(PATIENCE)

    @property
    def states(self) -> list[str]:
        return [message.state for message in self.told]


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.jobs.stop()
    made.worker.stop()


def test_runs_beside_the_worker_and_ends_on_it(bench: Bench) -> None:
    threads = {}

    def work(_: Progress) -> int:
        threads["work"] = current_thread().name
        return 42

    def then(result: int) -> Ending:
        threads["then"] = current_thread().name
        return Ending(f"made {result}", path="out.glb", url="/files/out.glb")

    bench.start(work, then)
    assert bench.over.wait(PATIENCE)
    assert threads["then"] == "studio-session"
    assert threads["work"].startswith("studio-job")
    assert bench.states == ["running", "done"]
    last = bench.told[-1]
    assert (last.text, last.path, last.url, last.progress) == ("made 42", "out.glb", "/files/out.glb", 1.0)
    assert bench.jobs.running == ()


def test_the_worker_answers_while_work_goes_on(bench: Bench) -> None:
    release = Event()
    bench.start(lambda _: release.wait(PATIENCE))
    bench.flush()  # would time out if the work held the worker up
    assert bench.states == ["running"]
    release.set()
    assert bench.over.wait(PATIENCE)


def test_progress_is_told_and_kept_within_nought_and_one(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BETWEEN_UPDATES", 0.0)

    def work(progress: Progress) -> None:
        for share in (-1.0, 0.25, 7.0):
            progress(share)
            bench.flush()

    bench.start(work)
    assert bench.over.wait(PATIENCE)
    assert [message.progress for message in bench.told] == [None, 0.0, 0.25, 1.0, 1.0]


def test_cancelling_ends_at_once_and_stops_the_work(bench: Bench) -> None:
    go_on, stopped = Event(), Event()
    results = []

    def work(progress: Progress) -> None:
        assert go_on.wait(PATIENCE)
        try:
            progress(0.5)
        except Cancelled:
            stopped.set()
            raise

    bench.start(work, results.append)
    number = bench.told[0].job
    answers = []
    bench.worker.submit(lambda: answers.append(bench.jobs.cancel(number)))
    bench.flush()
    assert bench.states == ["running", "cancelled"]  # while the work still knows nothing of it
    go_on.set()
    assert stopped.wait(PATIENCE)
    bench.flush()
    bench.worker.submit(lambda: answers.append(bench.jobs.cancel(number)))
    bench.flush()
    assert answers == [True, False]
    assert bench.states == ["running", "cancelled"]
    assert results == []


class _Endless(NamedTuple):
    merit: float


def test_cancelling_stops_a_search_that_tells_nothing(bench: Bench) -> None:
    """What solvers do between two words of progress ends too, so that stopping the Studio never waits for it."""
    began, stopped = Event(), Event()

    def work(_: Progress) -> None:
        def step(place: _Endless, _damping: float) -> Stepped[_Endless]:
            began.set()
            return Stepped(_Endless(place.merit * 0.999))

        search = Search(_Endless(1.0), step, 1.0)
        try:
            while search.advance() is not None:
                pass
        except Cancelled:
            stopped.set()
            raise

    bench.start(work)
    assert began.wait(PATIENCE)
    bench.worker.submit(lambda: bench.jobs.cancel(1) and None)
    assert stopped.wait(PATIENCE)


def test_work_that_piles_up_is_refused(bench: Bench) -> None:
    go_on = Event()
    refused: list[str] = []

    def begin() -> None:
        for _ in range(module.MOST_JOBS + 2):
            try:
                bench.jobs.start("Bake", lambda _: go_on.wait(PATIENCE), lambda _: None)
            except Refusal as error:
                refused.append(str(error))

    bench.worker.submit(begin)
    bench.flush()
    go_on.set()
    assert refused == ["Bake: 16 pieces of work are waiting already; cancel some, or wait"] * 2


def test_the_result_of_cancelled_work_is_dropped(bench: Bench) -> None:
    go_on, results = Event(), []
    bench.start(lambda _: go_on.wait(PATIENCE), results.append)
    bench.worker.submit(lambda: bench.jobs.cancel(1) and None)
    bench.flush()
    go_on.set()
    bench.jobs.stop()
    bench.flush()
    assert results == []
    assert bench.states == ["running", "cancelled"]


@pytest.mark.parametrize("where", ["work", "then"])
def test_a_failure_says_why(bench: Bench, where: str) -> None:
    def fails(_: object) -> None:
        raise InbetweenerError("the disk is full; make room and export again")

    bench.start(fails if where == "work" else lambda _: None, fails)
    assert bench.over.wait(PATIENCE)
    assert bench.states == ["running", "failed"]
    assert bench.told[-1].text == "the disk is full; make room and export again"


def test_a_fault_of_ours_is_called_one(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.start(lambda _: 1 // 0)
    assert bench.over.wait(PATIENCE)
    assert bench.states == ["running", "failed"]
    assert "ZeroDivisionError" in bench.told[-1].text
    assert "Bake failed" in caplog.text
