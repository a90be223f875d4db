"""The command `inbetweener`: its verbs, and how errors reach a person."""

import errno
import inspect
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from inbetweener.cli import (
    batch,
    clean,
    contacts,
    convert,
    demo,
    guide,
    handles,
    info,
    layers,
    loosen,
    path,
    points,
    pose,
    render,
    retarget,
    rig,
    several,
    share,
    sketch,
    skin,
    source,
    spacing,
    staging,
    studio,
)
from inbetweener.cli.console import note
from inbetweener.errors import InbetweenerError
from inbetweener.system import fall_silent

app = typer.Typer(
    name="inbetweener",
    help="Shape what happens between the keys.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
VERBS: tuple[Callable[..., None], ...] = (
    studio.studio, demo.demo, info.info, info.examples, convert.convert, clean.clean, retarget.retarget,
    several.add, several.remove, convert.fit, convert.loop, convert.mirror, convert.speed, convert.trim,
    convert.resample, path.bend_path, path.travel, points.drag, points.pull, pose.keep_pose, pose.pose,
    pose.copy_keys, pose.paste_keys, spacing.stagger, spacing.chart, spacing.snap_keys, points.time, guide.guide,
    loosen.loosen, sketch.sketch, convert.smooth_seam,
    contacts.contacts, layers.layer, layers.merge, staging.sound, staging.camera, staging.picture, rig.recognise,
    rig.prepare, rig.stiffen, rig.free, rig.twists, handles.handles, handles.switch, skin.skin, render.render,
    share.share, info.check, batch.batch,
)  # fmt: skip
"""In the order in which the help lists them."""
for verb in VERBS:
    reads = any(each.annotation == source.Source for each in inspect.signature(verb).parameters.values())
    app.command(verb.__name__.replace("_", "-"))(source.reads_files(verb) if reads else verb)
app.add_typer(batch.recipes, name="recipe")


def _print_version(wanted: bool) -> None:
    if wanted:
        from inbetweener import __version__

        typer.echo(f"inbetweener {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Open files even where they unfold to far more than their size explains.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Tell every place that a note is about, not the first of those alike.")
    ] = False,
) -> None:
    """Shape what happens between the keys."""
    source.trust_files(trust)
    source.tell_all(verbose)


_OF_THE_MACHINE = {
    errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EMFILE, errno.ENFILE,
}  # fmt: skip
"""What the system refuses for reasons that are not ours."""


def main() -> NoReturn:
    """Run a verb. Exit codes: 0 done, 1 could not be done, 2 wrong usage, 130 interrupted."""
    try:
        app()
    except InbetweenerError as error:
        _stop(1, f"Error: {error}")
    except KeyboardInterrupt:
        _stop(130, "Interrupted; nothing was left half-written.")
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing to say, and nobody to say it to.
        fall_silent()
        sys.exit(1)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
            where = f"{error.filename}: " if error.filename else ""
            _stop(1, f"Error: {where}{error.strerror}")
        if os.environ.get("INBETWEENER_DEBUG"):
            raise
        _stop(1, f"Error: {type(error).__name__}: {error}\nThis is a fault in Inbetweener; details: {_report(error)}")
    sys.exit(0)


def _stop(code: int, message: str) -> NoReturn:
    note(message)
    sys.exit(code)


def _report(error: Exception) -> Path | str:
    """Keep the traceback of an unforeseen error in a file, where a bug report can find it."""
    import traceback

    from platformdirs import user_log_path

    text = "".join(traceback.format_exception(error))
    try:
        folder = user_log_path("inbetweener", ensure_exists=True)
        path = folder / f"fault-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt"
        path.write_text(f"{sys.argv}\n{text}")
    except OSError:
        return "set INBETWEENER_DEBUG=1 to see them"
    return path
