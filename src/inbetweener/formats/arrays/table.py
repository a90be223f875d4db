"""`.csv`: a row a frame, the time and then the value of every channel by its name, in radians and metres.

A table has no rig: it is read onto a document that has the channels, as one more clip.
"""

import csv
import io
import itertools
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from inbetweener import formats
from inbetweener.arrays import Floats, read_only
from inbetweener.document import Document
from inbetweener.document.budget import Budget, OverBudget
from inbetweener.errors import FormatError, UnknownName
from inbetweener.formats.arrays.build import dense
from inbetweener.formats.arrays.samples import Samples
from inbetweener.formats.files import Reading, clear_file_errors, file_bytes, naming
from inbetweener.formats.names import called
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Rig
from inbetweener.rig.naming import free_name
from inbetweener.system import replacing

TIME = "time"
"""The name of the first column."""


def write(
    document: Document,
    path: Path | str,
    clip: str | None = None,
    rate: float | None = None,
    *,
    positions: bool = False,
) -> tuple[str, ...]:
    """Write the channels of a clip (the first by default), every digit of them, and return what is left out.

    `rate` in frames a second is the clip's own by default; with `positions`, the places of all joints in the world
    follow, as "JOINT.position.x".
    """
    path = Path(path)
    samples = Samples(path, document, document.clip(clip).name, rate)
    places = _place_names(samples.rig) if positions else []
    with clear_file_errors(path), replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        table = csv.writer(text, lineterminator="\n")
        table.writerow([TIME, *samples.channel_names, *places])
        along = samples.positions() if positions else itertools.repeat(np.empty((0, 0, 3)))
        for times, values, where in zip(samples.times_by_block(), samples.channels(), along, strict=False):
            rows = [times[:, None], values, *([where.reshape(len(times), -1)] if positions else [])]
            table.writerows(np.concatenate(rows, axis=1).tolist())
        text.detach()
    return (*samples.losses, "all but the values of channels: read them back onto a document with the same rig")


def _place_names(rig: Rig) -> list[str]:
    return [f"{joint.name}.position.{axis}" for joint in rig.joints for axis in "xyz"]


def read(
    path: Path | str, onto: Document | Path | str | None = None, rate: float | None = None, *, trust: bool = False
) -> Reading:
    """The document `onto` which a table is laid, or that file, with one more clip, which comes first: a key a row.

    Channels without a column keep what they are at rest. `rate` in frames a second is that of the rows by default.
    """
    path = Path(path)
    if onto is None:
        raise FormatError(path, "", "a table has no rig", "say with onto (--onto) which document has these channels")
    content = file_bytes(path)
    notes = Reading(onto) if isinstance(onto, Document) else formats.read(onto)
    onto = notes.document
    if rate is not None and not 1e-9 <= rate <= 1e9:
        raise FormatError(path, "", f"rate {rate:g} must be a positive number")
    names, table = _table(path, content, Budget(len(content), trust=trust))
    known, places = {channel.name for channel in onto.rig.channels}, set(_place_names(onto.rig))
    for name in names:
        if name not in known and name not in places:
            raise FormatError(path, "line 1", str(UnknownName("channel", name, known)))
    times = read_only(table[0].copy())
    curves = {name: dense(times, row) for name, row in zip(names, table[1:], strict=True) if name in known}
    if rate is None:
        rate = round((len(times) - 1) / (times[-1] - times[0]), 9) if len(times) > 1 else 30.0
    with naming(path):
        clip = Clip(
            free_name(called(path), {each.name for each in onto.clips}),
            float(times[-1]),
            float(times[0]),
            rate,
            Curves(curves),
        )
        made = replace(onto, clips=(clip, *onto.clips))
    left = len(names) - len(curves)
    losses = (f"{left} columns of positions are left out: channels move the joints",) if left else ()
    return replace(notes, document=made, losses=(*notes.losses, *losses))


def _table(path: Path, content: bytes, budget: Budget) -> tuple[list[str], Floats]:
    """The names of the columns after the time, and all columns (1 + C, F), in which times grow."""
    try:
        lines = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        header = [name.strip() for name in next(lines, [])]
        if header[:1] != [TIME]:
            raise FormatError(path, "line 1", f"the first column must be called {TIME!r}", "in seconds, a row a frame")
        for name, times in Counter(header).items():
            if times > 1:
                raise FormatError(path, "line 1", f"two columns are called {name!r}")
        most = content.count(b"\n") + content.count(b"\r") + 1
        budget.spend(16 * most * len(header))
        table = np.empty((len(header), most))
        count = 0
        for row in lines:
            if not row:
                continue
            place = f"line {lines.line_num}"
            if len(row) != len(header):
                raise FormatError(path, place, f"has {len(row)} columns, not {len(header)} as the first line")
            table[:, count] = [_number(path, place, *each) for each in zip(header, row, strict=True)]
            if count and table[0, count] <= table[0, count - 1]:
                raise FormatError(path, place, f"time {table[0, count]:g} s is not after the row before")
            count += 1
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(path, "", f"is no table of text ({error})") from error
    except OverBudget as error:
        raise FormatError(path, "", str(error)) from error
    if not count:
        raise FormatError(path, "", "has no rows")
    return header[1:], table[:, :count]


def _number(path: Path, place: str, name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FormatError(path, place, f"{text.strip()[:40]!r} of {name!r} is no finite number")
    return number
