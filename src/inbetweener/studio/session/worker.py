"""One thread that does everything that touches the document, so that the event loop never waits for mathematics."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Condition, Thread

from inbetweener.errors import InbetweenerError

Task = Callable[[], None]
_log = logging.getLogger(__name__)


class Worker:
    """Does tasks in the order in which they came; a task renewed under the same key keeps its place, newest content.

    That is how a drag always answers the latest position of the pointer. Leisure tasks wait until nothing else does.
    """

    def __init__(self, name: str = "studio-session") -> None:
        self._ready = Condition()
        self._tasks: OrderedDict[Hashable, Task] = OrderedDict()
        self._leisure: OrderedDict[Hashable, Task] = OrderedDict()
        self._stopped = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, task: Task) -> None:
        """Do a task after all that came before."""
        self.renew(object(), task)

    def renew(self, key: Hashable, task: Task) -> None:
        """Do a task once: where one of this key still waits, it takes that one's place."""
        with self._ready:
            self._tasks[key] = task
            self._ready.notify()

    def at_leisure(self, key: Hashable, task: Task) -> None:
        """Do a task when nothing else waits; the newest of its key only."""
        with self._ready:
            self._leisure[key] = task
            self._ready.notify()

    def stop(self) -> None:
        """Finish what waits, at leisure or not, and end."""
        with self._ready:
            self._stopped = True
            self._ready.notify()
        self._thread.join()

    def _run(self) -> None:
        while (task := self._next()) is not None:
            try:
                task()
            except Exception:
                # Tasks answer their own errors; what arrives here is a fault of ours, and the next task must go on.
                _log.exception("a task of the session failed")

    def _next(self) -> Task | None:
        with self._ready:
            while not (self._tasks or self._leisure or self._stopped):
                self._ready.wait()
            if self._tasks:
                return self._tasks.popitem(last=False)[1]
            return self._leisure.popitem(last=False)[1] if self._leisure else None


class Refusal(InbetweenerError):
    """A request that is not carried out; `code` lets the page ask the animator and try again."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


def mistake(error: Exception) -> str:
    """How a fault of ours is called; the log has the rest."""
    return f"The Studio made a mistake ({type(error).__name__}); nothing was changed. The log has more."
