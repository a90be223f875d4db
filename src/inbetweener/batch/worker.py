"""The process behind a lane: a job a line comes in, a record a line goes out; it ends when nobody listens any more."""

import os
import queue
import sys
import threading

import msgspec


def main() -> None:
    """Do jobs until there are no more."""
    from inbetweener.batch.lane import MACHINE
    from inbetweener.batch.work import Job, MachineProblem, do, encoded
    from inbetweener.system import limit_memory

    limit_memory(int(sys.argv[1]))
    # Whatever prints goes with the errors: the answers are nobody else's.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    while True:
        job = msgspec.json.decode(lines.get(), type=Job)
        try:
            answer = encoded(do(job))
        except MachineProblem as problem:
            answer = MACHINE + str(problem).replace("\n", " ").encode() + b"\n"
        answers.write(answer)


def _listen(lines: "queue.SimpleQueue[bytes]") -> None:
    for line in sys.stdin.buffer:
        lines.put(line)
    # Whoever asked is gone, perhaps killed: a clip that is under way would be done by nobody's wish, or twice.
    os._exit(0)


if __name__ == "__main__":
    main()
