"""A lane: one process that does clips one after another, on one core, under limits of memory and time.

Whatever a clip does to its process, nothing else is hurt: it is ended, on record, and the lane goes on with another.
The process ends by itself when whoever started it is gone.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from threading import Timer
from typing import IO, Self

import msgspec

from inbetweener.batch.work import Job, MachineProblem, Record, encoded, fail

TRIES = 3
"""How often a clip is begun whose process is killed from outside before it is a failure."""
ONE_CORE = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
MACHINE = b"machine "
"""How a worker begins its answer where the machine is at fault."""


class Lane:
    """Does jobs in a process of its own, which is started when there is something to do."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._memory = 0.0
        self._said: IO[bytes] | None = None
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def do(self, job: Job) -> Record:
        """What became of a job; raises MachineProblem where the machine is at fault."""
        for _ in range(TRIES):
            answer, late = self._asked(job)
            if answer.startswith(MACHINE):
                raise MachineProblem(answer.removeprefix(MACHINE).decode().strip())
            if answer.endswith(b"\n"):
                return msgspec.json.decode(answer, type=Record)
            how = self._how_it_ended()
            if self._ended:
                raise MachineProblem("the batch was stopped")
            if late:
                return fail(job, f"took longer than {job.recipe.limits.seconds:g} s")
            if "memory" in how:
                return fail(job, f"needs more than {job.recipe.limits.memory_gb:g} GB of memory")
        return fail(job, f"its process ended {TRIES} times: {how}")

    def close(self) -> None:
        """End the process, also in the middle of a clip."""
        self._ended = True
        self._stop()

    def _asked(self, job: Job) -> tuple[bytes, bool]:
        """The answer, if there is a whole one, and whether time ran out."""
        process = self._running(job.recipe.limits.memory_gb)
        assert process.stdin is not None
        assert process.stdout is not None
        late: list[bool] = []

        def give_up() -> None:
            late.append(True)
            process.kill()

        timer = Timer(job.recipe.limits.seconds, give_up)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(encoded(job))
            process.stdin.flush()
            return process.stdout.readline(), bool(late)
        except BrokenPipeError:
            return b"", bool(late)
        finally:
            timer.cancel()

    def _running(self, memory_gb: float) -> "subprocess.Popen[bytes]":
        if self._process is not None and (self._process.poll() is not None or self._memory != memory_gb):
            self._stop()
        if self._process is None:
            self._said = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the process
            self._process = subprocess.Popen(
                [sys.executable, "-m", "inbetweener.batch.worker", str(int(memory_gb * 1e9))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                env={**os.environ, **ONE_CORE},
            )
            self._memory = memory_gb
        return self._process

    def _how_it_ended(self) -> str:
        process, said = self._process, self._said
        if process is None or said is None:
            return "it is gone"
        code = process.wait()
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines()
        self._stop()
        if any(word in line for line in lines[-5:] for word in ("MemoryError", "bad_alloc", "out of memory")):
            return "out of memory"
        return f"by signal {-code}" if code < 0 else (lines[-1] if lines else f"with code {code}")

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, self._said):
                # What was still to be written to a process that is gone is written to nobody.
                with suppress(BrokenPipeError):
                    if pipe is not None:
                        pipe.close()
