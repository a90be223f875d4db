"""Compiling what a drag needs beside a host that must not wait."""

import threading

from inbetweener import kernels

NEEDED = ("curves.kernels", "curves.limit_kernels", "maths.kernels", "rig.kernels", "tangents.kernels")
"""Where the kernels are that a drag needs."""
LATER = ("curves", "maths", "motion")
"""Where those are that a host may need besides: fits."""


def load_compiler() -> None:
    """Import all that compiling takes, about a second, where nobody may import in another thread: hosts whose other
    parts look through all modules."""
    from inbetweener.kernels import machine

    machine.load_compiler()


class WarmUp:
    """A thread that compiles what a drag needs, then the rest of what hosts need: at once where that has been done.

    A host asks whether it is `ready` now and then, shows its `progress` until then, and its `error` where there is one.
    """

    def __init__(self, needed: tuple[str, ...] = NEEDED, later: tuple[str, ...] = LATER) -> None:
        self.done, self.total = 0, 0
        self.ready = False
        self.error: Exception | None = None
        self._homes = (needed, later)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="inbetweener warm-up", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether it still compiles."""
        return self._thread.is_alive()

    @property
    def progress(self) -> float:
        """How much of what a drag needs is ready, from 0 to 1."""
        return 1.0 if self.ready else self.done / max(1, self.total)

    def stop(self) -> None:
        """End after the kernel that is being compiled."""
        self._stopped.set()

    def wait(self) -> None:
        """Until all is compiled, or it has been stopped."""
        self._thread.join()

    def _run(self) -> None:
        try:
            for homes in self._homes:
                for done, total, _ in kernels.warm_up(*homes) if homes else ():
                    if not self.ready:
                        self.done, self.total = done, total
                    if self._stopped.is_set():
                        return
                self.ready = True
        except Exception as error:  # told to whoever asks: a thread has no caller
            self.error = error
