"""What verbs share when they speak: progress, notes, tables, JSON."""

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter
from typing import TYPE_CHECKING, Any

import typer

from inbetweener.cli.source import Json, Output, Source, open_source

if TYPE_CHECKING:
    from pathlib import Path

    from inbetweener.document import Document
    from inbetweener.document.edits.result import Result

Progress = Callable[[int, int], None]
"""Called with (done, total) as long work goes on."""


# And halves of letters, which names of files have that are no text: no terminal takes them.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """Text whose control characters are written out: names come from files, and a terminal would obey them."""
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def say(message: str, *, err: bool = False, fg: str | None = None, bold: bool = False) -> None:
    """A line of the result, on stdout, perhaps in a colour or bold."""
    typer.echo(typer.style(plain(message), fg=fg, bold=bold) if fg or bold else plain(message), err=err)


def note(message: str) -> None:
    """A line for the person at the terminal; on stderr, so that it never mixes with results."""
    say(message, err=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[str], title: str = "") -> None:
    """Rows under their columns; those named in `left` begin at the left."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=None, header_style="dim")
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", no_wrap=True)
    for row in rows:
        # As text, so that brackets in a name are no markup.
        table.add_row(*(Text(plain(each)) for each in row))
    # As wide as its names are: a terminal may break lines, but nobody should have to guess the end of a name.
    wide = Console(width=1 << 16).measure(table).maximum
    console = Console()
    Console(width=max(wide, console.width)).print(table)


def print_json(value: Any) -> None:
    """One JSON object on stdout."""
    _print_encoded(value, 2)


def _print_encoded(value: Any, indent: int | None = None) -> None:
    import json

    import msgspec

    try:
        made = msgspec.json.encode(value)
        text = (made if indent is None else msgspec.json.format(made, indent=indent)).decode()
    except UnicodeEncodeError:
        # The name of a file may be no text: its bytes are escaped, as Python does.
        text = json.dumps(msgspec.to_builtins(value), indent=indent)
    # JSON escapes only the first of the control characters.
    typer.echo(_CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


@contextmanager
def understood() -> Iterator[None]:
    """Wishes that cannot be understood are wrong usage, told with the options they are about."""
    from inbetweener.errors import InvalidEdit, UnknownName

    try:
        yield
    except InvalidEdit as error:
        options = [f"--{word.replace('_', '-')}" for word in error.words]
        raise typer.BadParameter(plain(str(error)), param_hint=options or None) from error
    except UnknownName as error:
        raise typer.BadParameter(plain(str(error))) from error


def verb(change: "Callable[..., Result]") -> Callable[..., None]:
    """The command of a function from a document, and what was said, to a result.

    It opens SOURCE for it, writes OUTPUT and tells; ends with 1 where less came of it than was wished.
    """

    @wraps(change)
    def command(*, source: str, output: "Path", json: bool, **said: Any) -> None:
        edit(source, output, lambda document: change(document, **said), json=json)

    _, *own = inspect.signature(change).parameters.values()
    needed = {each.name: (each.annotation, each.default) for each in own if each.default is Parameter.empty}
    asked = {"source": (Source, Parameter.empty), **needed, "output": (Output, Parameter.empty)}
    asked |= {each.name: (each.annotation, each.default) for each in own} | {"json": (Json, False)}
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=usual) for name, (kind, usual) in asked.items()
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def edit(source: str, output: "Path", change: "Callable[[Document], Result]", *, json: bool) -> None:
    """Open a source, change it, write it and tell; ends with 1 where less came of it than was wished."""
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes, understood():
        result = change(open_source(source))
        save(result.document, output)
    if json:
        print_json({"output": str(output), **result.facts, "notes": notes})
    else:
        say("\n".join((*result.lines, f"Wrote {output}")))
    if result.problem:
        note(f"{result.problem}. The nearest motion was written.")
        raise typer.Exit(1)


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A progress bar on stderr; a single line where there is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        note(f"{title} …")
        yield lambda done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def progress_of(title: str, json: bool) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Takes events of a batch: as lines of JSON, or as a bar with rate and time left and a line for each failure."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    if json:
        yield lambda event: _print_encoded(event)
        return
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(escape(title), total=None, rate="")

        def tell(event: dict[str, Any]) -> None:
            if event["event"] == "begin":
                bar.update(task, total=event["to_do"])
                note(f"{title}: {event['to_do']} to do, {event['done']} done already")
            elif event["event"] == "note":
                note(f"Note: {event['text']}")
            elif event["event"] == "clip":
                rate = f"{event['per_minute']:g} a minute, {event['left_s']:.0f} s left"
                bar.update(task, completed=event["at"], rate=rate)
                if event["status"] == "failed":
                    note(f"failed: {event['name']}: {event['problem']}")

        yield tell


def prepare_kernels() -> None:
    """Let kernels compile as they are needed, with a line when the first of them does: only once on this machine."""
    from inbetweener import kernels

    if problem := kernels.cache_problem():
        note(f"Note: {problem}")
    else:
        kernels.on_compiling = _tell_compiling


def _tell_compiling() -> None:
    note("Compiling what this needs, once on this machine …")


@contextmanager
def printed_warnings() -> Iterator[list[str]]:
    """Turn our warnings — what was mended, what was left out — into notes; also yields them, for JSON results."""
    from inbetweener.errors import LossWarning

    told: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield told
    # What is lost matters most.
    for warning in sorted(caught, key=lambda each: not issubclass(each.category, LossWarning)):
        if issubclass(warning.category, UserWarning):
            told.append(str(warning.message))
            note(f"Note: {warning.message}")
        else:
            sys.stderr.write(
                warnings.formatwarning(warning.message, warning.category, warning.filename, warning.lineno)
            )
