"""Compiling what a drag needs beside a host that must not wait."""

import threading

from inbetweener import kernels

NEEDED = ("curves", "maths", "motion", "rig", "tangents")
"""The packages whose kernels a drag needs."""


class WarmUp:
    """A thread that compiles what a drag needs: at once where that has been done before.

    A host asks `progress` now and then, and `error` when it is not `alive` any more.
    """

    def __init__(self, packages: tuple[str, ...] = NEEDED) -> None:
        self.done, self.total = 0, 0
        self.error: Exception | None = None
        self._packages = packages
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="inbetweener warm-up", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether it still compiles."""
        return self._thread.is_alive()

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        return self.done / self.total if self.total else float(not self.alive)

    def stop(self) -> None:
        """End after the kernel that is being compiled."""
        self._stopped.set()

    def wait(self) -> None:
        """Until all is compiled, or it has been stopped."""
        self._thread.join()

    def _run(self) -> None:
        try:
            for done, total, _ in kernels.warm_up(*self._packages):
                self.done, self.total = done, total
                if self._stopped.is_set():
                    return
            self.done = self.total
        except Exception as error:  # told to whoever asks: a thread has no caller
            self.error = error
