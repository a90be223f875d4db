"""Commits edits until it is killed. Forks one worker at a time, so that starting one takes milliseconds.

Each line of input is `STEP JOURNAL`: a worker recovers the journal and goes on with that step. It answers with its
process number, then with the number of every step as soon as that is acknowledged; `ended` follows its death.
"""

import os
import sys
import traceback
from pathlib import Path

from inbetweener.document import Editor
from tests.document.random_edits import edited

SMALLEST_OUTGROWN = 1
"""Rewrite the journal often, so that kills hit that as well."""


def take(editor: Editor, step: int) -> None:
    """Step number `step`: mostly an edit, sometimes undo or redo; the same for the same number and history."""
    if step % 7 == 5 and editor.history.undo_label:
        editor.undo()
    elif step % 7 == 6 and editor.history.redo_label and step % 2:
        editor.redo()
    else:
        editor.apply(f"Step {step}", lambda document: edited(document, step))


def work(step: int, path: Path) -> None:
    editor = Editor.recover(path, smallest_outgrown=SMALLEST_OUTGROWN)
    while True:
        take(editor, step)
        os.write(1, b"%d\n" % step)
        step += 1


def main() -> None:
    for line in sys.stdin:
        step, path = line.rstrip("\n").split(" ", 1)
        worker = os.fork()
        if worker == 0:
            try:
                os.write(1, b"%d\n" % os.getpid())
                work(int(step), Path(path))
            finally:
                # Only an error gets here; it is printed, and must not fall back into the loop of the parent.
                traceback.print_exc()
                os._exit(1)
        os.waitpid(worker, 0)
        os.write(1, b"ended\n")


if __name__ == "__main__":
    main()
