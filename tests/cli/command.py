"""The command `inbetweener`, in a process of its own as a person starts it, or in this one, where it costs no start."""

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from inbetweener.cli import main

Done = subprocess.CompletedProcess[str]


def run_apart(arguments: Sequence[str | Path], folder: Path) -> Done:
    """What a fresh process says and ends with; no traceback may ever reach the user."""
    done = subprocess.run(
        [sys.executable, "-m", "inbetweener", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done


def run_here(arguments: Sequence[str | Path], folder: Path) -> Done:
    """The same without the seconds that a start takes; what no verb foresaw is raised, and so is any warning."""
    words, out, err = ["inbetweener", *map(str, arguments)], io.StringIO(), io.StringIO()
    with (
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "argv", words),
        mock.patch.dict(os.environ, {"INBETWEENER_DEBUG": "1"}),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return Done(words, code, out.getvalue(), err.getvalue())
