"""Compiling or loading the kernels beside the server, so that the first drag does not wait and pages know of it."""

import logging
from collections.abc import Callable
from threading import Thread

from inbetweener import kernels
from inbetweener.studio.protocol import to_page

_log = logging.getLogger(__name__)
PATIENCE = 3
"""Seconds that the kernel under way gets when the server stops."""
Tell = Callable[[to_page.Warming], None]


class Warming:
    """A thread that makes all kernels ready once; `message` tells how far it is."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._ready, self._total = 0, 0
        self._stopped = False
        self._thread = Thread(target=self._run, name="studio-warming", daemon=True)
        self._thread.start()

    @property
    def message(self) -> to_page.Warming | None:
        """What a page that comes now should know; None when there is nothing to wait for."""
        return to_page.Warming(ready=self._ready, total=self._total) if self._ready < self._total else None

    def stop(self) -> None:
        """Go no further than the kernel under way, and wait a moment for that, so that no helper process is left."""
        self._stopped = True
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        # What was compiled before is only loaded: a moment, not worth a message or a partner process.
        compiled = kernels.is_warm()
        try:
            for done, total, _ in kernels.warm_up(from_the_end=compiled):
                if self._stopped:
                    return
                if not compiled:
                    self._say(done, total)
            if not compiled:
                self._say(self._total, self._total)
        except Exception:
            # Whoever needs a kernel will compile it then and meet the same error where it can be told.
            _log.exception("kernels could not be made ready")

    def _say(self, ready: int, total: int) -> None:
        self._ready, self._total = ready, total
        self._tell(to_page.Warming(ready=ready, total=total))
