"""One thread that does all: in order, newest content, leisure last, whatever fails."""

from collections.abc import Iterator
from threading import Event

import pytest

from inbetweener.studio.session import Worker

PATIENCE = 20.0


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.stop()


class Busy:
    """Keeps a worker busy until released, so that what is submitted meanwhile waits."""

    def __init__(self, worker: Worker) -> None:
        self.began, self._go_on = Event(), Event()
        worker.submit(self._wait)
        assert self.began.wait(PATIENCE)

    def _wait(self) -> None:
        self.began.set()
        assert self._go_on.wait(PATIENCE)

    def release(self) -> None:
        self._go_on.set()


def flush(worker: Worker) -> None:
    reached = Event()
    worker.at_leisure("flush", reached.set)
    assert reached.wait(PATIENCE)


def test_tasks_are_done_in_order(worker: Worker) -> None:
    done: list[int] = []
    busy = Busy(worker)
    for number in range(100):
        worker.submit(lambda number=number: done.append(number))
    busy.release()
    flush(worker)
    assert done == list(range(100))


def test_a_renewed_task_keeps_its_place_with_the_newest_content(worker: Worker) -> None:
    done: list[str] = []
    busy = Busy(worker)
    worker.renew("move", lambda: done.append("move 1"))
    worker.submit(lambda: done.append("commit"))
    worker.renew("move", lambda: done.append("move 2"))
    worker.renew("move", lambda: done.append("move 3"))
    busy.release()
    flush(worker)
    assert done == ["move 3", "commit"]


def test_a_task_that_is_done_can_be_renewed_again(worker: Worker) -> None:
    done: list[int] = []
    for number in range(3):
        worker.renew("move", lambda number=number: done.append(number))
        flush(worker)
    assert done == [0, 1, 2]


def test_leisure_waits_for_everything_else(worker: Worker) -> None:
    done: list[str] = []
    busy = Busy(worker)
    worker.at_leisure("obstacles", lambda: done.append("old obstacles"))
    worker.at_leisure("obstacles", lambda: done.append("obstacles"))
    worker.submit(lambda: done.append("edit"))
    worker.renew("move", lambda: done.append("move"))
    busy.release()
    flush(worker)
    assert done == ["edit", "move", "obstacles"]


def test_a_task_that_fails_does_not_stop_the_next(worker: Worker, caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []
    worker.submit(lambda: [][0])
    worker.submit(lambda: done.append("next"))
    flush(worker)
    assert done == ["next"]
    assert "IndexError" in caplog.text


def test_stopping_finishes_what_waits() -> None:
    worker, done = Worker(), []
    busy = Busy(worker)
    worker.submit(lambda: done.append("task"))
    worker.at_leisure("late", lambda: done.append("leisure"))
    busy.release()
    worker.stop()
    assert done == ["task", "leisure"]
