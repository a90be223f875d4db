"""The command `inbetweener`: its verbs, and how errors reach a person."""

import errno
import os
import sys
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
app.command("studio")(studio.studio)
app.command("demo")(demo.demo)
app.command("info")(source.reads_files(info.info))
app.command("examples")(info.examples)
app.command("convert")(source.reads_files(convert.convert))
app.command("clean")(source.reads_files(clean.clean))
app.command("retarget")(source.reads_files(retarget.retarget))
app.command("add")(source.reads_files(several.add))
app.command("remove")(source.reads_files(several.remove))
app.command("fit")(source.reads_files(convert.fit))
app.command("loop")(source.reads_files(convert.loop))
app.command("mirror")(source.reads_files(convert.mirror))
app.command("speed")(source.reads_files(convert.speed))
app.command("trim")(source.reads_files(convert.trim))
app.command("resample")(source.reads_files(convert.resample))
app.command("bend-path")(source.reads_files(path.bend_path))
app.command("travel")(source.reads_files(path.travel))
app.command("drag")(source.reads_files(points.drag))
app.command("pull")(source.reads_files(points.pull))
app.command("keep-pose")(source.reads_files(pose.keep_pose))
app.command("pose")(source.reads_files(pose.pose))
app.command("copy-keys")(source.reads_files(pose.copy_keys))
app.command("paste-keys")(source.reads_files(pose.paste_keys))
app.command("stagger")(source.reads_files(spacing.stagger))
app.command("chart")(source.reads_files(spacing.chart))
app.command("snap-keys")(source.reads_files(spacing.snap_keys))
app.command("time")(source.reads_files(points.time))
app.command("guide")(source.reads_files(guide.guide))
app.command("loosen")(source.reads_files(loosen.loosen))
app.command("sketch")(source.reads_files(sketch.sketch))
app.command("smooth-seam")(source.reads_files(convert.smooth_seam))
app.command("contacts")(source.reads_files(contacts.contacts))
app.command("layer")(source.reads_files(layers.layer))
app.command("merge")(source.reads_files(layers.merge))
app.command("sound")(source.reads_files(staging.sound))
app.command("camera")(source.reads_files(staging.camera))
app.command("picture")(source.reads_files(staging.picture))
app.command("recognise")(source.reads_files(rig.recognise))
app.command("prepare")(source.reads_files(rig.prepare))
app.command("stiffen")(source.reads_files(rig.stiffen))
app.command("free")(source.reads_files(rig.free))
app.command("handles")(source.reads_files(handles.handles))
app.command("switch")(source.reads_files(handles.switch))
app.command("skin")(source.reads_files(skin.skin))
app.command("render")(source.reads_files(render.render))
app.command("share")(source.reads_files(share.share))
app.command("check")(source.reads_files(info.check))
app.command("batch")(batch.batch)
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
