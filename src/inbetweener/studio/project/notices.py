"""What is told of opening and exporting: one card each, with everything exact in its fold."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from inbetweener.document.journal import LOST
from inbetweener.formats.files import Reading
from inbetweener.motion import is_dense
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.project.journals import Kept, Left
from inbetweener.studio.protocol.to_page import Notice, Reread

MOST_LEFT = 3
"""Journals that are asked about one by one."""
MOST = 100
"""Lines of a fold; who has more of them needs the command line."""


def recovered(kept: Kept) -> list[Notice]:
    """That work was left behind, and is here again; and what of it could not be read."""
    if kept.is_safe:
        return []
    count = kept.unsaved
    what = f"1 edit of {kept.origin} that was" if count == 1 else f"{count} edits of {kept.origin} that were"
    recovery = kept.editor.recovery
    if recovery is None or recovery.aside is None:
        return [Notice(level="info", text=f"Recovered {what} not saved")]
    count -= recovery.lost
    text = f"The journal of {kept.origin} was damaged: {count} edits are recovered, {recovery.lost} could not be read"
    steps = [f"step {n} of the history" for n, step in enumerate(kept.editor.history.steps) if step.label == LOST]
    return [
        Notice(
            level="error",
            text=f"{text}; the journal as it was is kept",
            more=[f"it lies at {recovery.aside}", f"not read: {', '.join(steps)}"],
            url=f"/aside/{quote(recovery.aside.name)}",
        )
    ]


def left_behind(left: Iterable[Left]) -> list[Notice]:
    """Journals that came with the folder: what they are, and that they can be opened."""
    made = []
    for each in left:
        whose = f"Work on {each.note.origin} of {each.when}" if each.note else f"Work of {each.when} on an unknown file"
        why = "this machine did not write it, so it is not opened by itself"
        made.append(Notice(level="error", text=f"{whose} lies in this folder; {why}", left=each.path.name))
    rest = len(made) - MOST_LEFT
    if rest > 0:
        made[MOST_LEFT:] = [Notice(level="error", text=f"{rest} more journals of other machines lie in this folder")]
    return made


def opened(origin: Origin, reading: Reading) -> list[Notice]:
    """What had to be mended or guessed, whether the motion can be shaped yet, and what the animator knows better."""
    told = _opened(origin, reading)
    if (question := reading.question) is not None:
        choices = [Reread(each.label, each.unit, each.up) for each in question.choices]
        told.append(Notice(level="warning", text=f"{origin}: {question.text}", choices=choices))
    return told


def _opened(origin: Origin, reading: Reading) -> list[Notice]:
    clips = reading.document.clips
    counted = [
        _counted(reading.losses, "was left out", "were left out") if reading.losses else "",
        _counted(reading.repairs, "was mended or guessed", "were mended or guessed") if reading.repairs else "",
    ]
    noted = ", ".join(filter(None, counted))
    if not (clips and is_dense(clips[0])):
        return _notice(str(origin), reading.notes, noted)
    text = f"{origin} has a key on nearly every frame; Edit ▸ Fit keys makes arcs of it that can be dragged"
    if not noted:
        return [Notice(level="info", text=text)]
    return [Notice(level="warning", text=f"{text}. {noted} in reading it", more=_cut(reading.notes))]


def exported(path: str, losses: Sequence[str]) -> list[Notice]:
    """What the format could not hold."""
    return _notice(path, losses, _counted(losses, "was left out or changed", "were left out or changed"))


def _notice(subject: str, lines: Sequence[str], counted: str) -> list[Notice]:
    if not lines:
        return []
    if len(lines) == 1:
        return [Notice(level="warning", text=f"{subject}: {lines[0]}")]
    return [Notice(level="warning", text=f"{subject}: {counted}", more=_cut(lines))]


def _counted(lines: Sequence[str], one: str, several: str) -> str:
    return f"1 thing {one}" if len(lines) == 1 else f"{len(lines)} things {several}"


def _cut(lines: Sequence[str]) -> list[str]:
    rest = len(lines) - MOST
    return list(lines) if rest <= 0 else [*lines[:MOST], f"and {rest} more"]
