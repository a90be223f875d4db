"""What a batch does to one file: open, steps, check, exports, pictures; then all of it appears at once, with a record.

The record says what it was made of: digests of the file and the recipe, and the version. Where these are the same as
before, nothing is done again.
"""

import errno
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from inbetweener import __version__
from inbetweener.batch import steps
from inbetweener.batch.hand import Hand, as_hand, laid_over
from inbetweener.batch.recipe import Picture, Recipe
from inbetweener.batch.store import BASE, RECORD, Store, digest, store_at
from inbetweener.document import Document, write_native
from inbetweener.errors import InbetweenerError
from inbetweener.formats import function_for, read, save
from inbetweener.system import peak_memory, replace_file

if TYPE_CHECKING:
    from inbetweener.motion import Clip

_OF_THE_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EMFILE}


class MachineProblem(InbetweenerError):
    """The machine, not the clip, is at fault: a full disk. The batch stops, and goes on when started again."""


class StepRefused(InbetweenerError):
    """A verb that cannot be done to a clip; says which, and why."""


@contextmanager
def machine_problems(place: str) -> Iterator[None]:
    """Turn what the system refuses for reasons that are no clip's into a MachineProblem that says where."""
    try:
        yield
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        raise MachineProblem(f"{error.filename or place}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Job:
    """One file of a batch, in words that travel: places, a recipe, and the version that is asked for.

    again  whether a failure that is on record is tried once more
    """

    source: str
    output: str
    name: str
    recipe: Recipe
    version: str = __version__
    again: bool = False

    @property
    def key(self) -> str:
        """What outputs depend on, but for the file itself."""
        return f"{self.version} {self.recipe.key}"


@dataclass(frozen=True, slots=True)
class Record:
    """What became of one file; kept beside its outputs.

    key        version and digest of the recipe; `digest` is of the file, `stamp` changes whenever that may
    status     "done", "failed", or in answers only "unchanged": done already, by what is in the file
    problem    one line on why it failed; `fault` the traceback, where that was ours
    shortfalls what steps could not do as wished, one line each; `notes` what was mended or lost
    files      names and sizes of outputs; `sheets` how many moments those have that are sheets
    hand       which hand edits are in them (`Hand.id`)
    seconds    by what was done
    rows       figures, one row a clip of the file
    """

    name: str
    status: str
    key: str = ""
    digest: str = ""
    stamp: str = ""
    problem: str = ""
    fault: str = ""
    shortfalls: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    files: dict[str, int] = field(default_factory=dict)
    sheets: dict[str, int] = field(default_factory=dict)
    hand: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    memory_mb: float = 0.0
    rows: tuple[dict[str, Any], ...] = ()

    @property
    def total_seconds(self) -> float:
        """All of it."""
        return sum(self.seconds.values())


def as_record(kept: dict[str, Any] | None, name: str) -> Record | None:
    """A record as it was kept of the file called so; None for none, and for one that nobody understands, which is made
    again.
    """
    try:
        return None if kept is None else replace(msgspec.convert(kept, Record), name=name)
    except msgspec.ValidationError:
        return None


@lru_cache(maxsize=8)
def _store(place: str) -> Store:
    return store_at(place)


def do(job: Job) -> Record:
    """Do one job, unless it is done; a clip that cannot be done is on record as failed, and raises nothing."""
    source, output = _store(job.source), _store(job.output)
    watch = _Watch()
    with machine_problems(output.root), output.workspace() as made, output.workspace() as fetched:
        with watch("fetch"):
            stamp = source.stamp(job.name)
            path = source.fetched(job.name, fetched)
            content = digest(path)
        before = as_record(output.records([job.name])[0], job.name)
        hand = as_hand(output.hand(job.name), job.name)
        same = before is not None and (before.key, before.digest, before.hand) == (job.key, content, hand.id)
        if before is not None and same and (before.status == "done" or not job.again):
            return replace(before, status="unchanged") if before.status == "done" else before
        edited = _edits(output, hand, fetched)
        record = replace(_made(job, path, made, watch, edited), key=job.key, digest=content, stamp=stamp, hand=hand.id)
        return _published(output, record, made, watch)


def _edits(output: Store, hand: Hand, fetched: Path) -> tuple[Path, Path] | None:
    """Where the edited document and its base are on this machine."""
    return (output.fetched(hand.edited, fetched), output.fetched(hand.base, fetched)) if hand.id else None


def fail(job: Job, problem: str) -> Record:
    """Put on record that a job failed whose process is gone."""
    source, output = _store(job.source), _store(job.output)
    with output.workspace() as made, output.workspace() as fetched:
        stamp, content = source.stamp(job.name), digest(source.fetched(job.name, fetched))
        hand = as_hand(output.hand(job.name), job.name)
        record = Record(job.name, "failed", job.key, content, stamp, problem, hand=hand.id)
        return _published(output, record, made, _Watch())


def _published(output: Store, record: Record, made: Path, watch: "_Watch") -> Record:
    files = {each.name: each.stat().st_size for each in sorted(made.iterdir())}
    record = replace(record, files=files, seconds=watch.rounded, memory_mb=round(peak_memory() / 1e6, 1))
    replace_file(made / RECORD, msgspec.json.format(msgspec.json.encode(record)))
    output.publish(record.name, made)
    return record


class _Watch:
    """Seconds, by what was done meanwhile."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[what] = self.seconds.get(what, 0.0) + time.perf_counter() - started

    @property
    def rounded(self) -> dict[str, float]:
        return {what: round(seconds, 4) for what, seconds in self.seconds.items()}


def _made(job: Job, path: Path, made: Path, watch: _Watch, edited: tuple[Path, Path] | None) -> Record:
    """What comes of a file; outputs are in `made`, and nothing is there of one that failed."""
    shortfalls: list[str] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rows = _cook(job, path, made, watch, shortfalls, edited)
        notes = [str(each.message) for each in caught if issubclass(each.category, UserWarning)]
        notes = [note.replace(f"{made}/", "").replace(f"{path.parent}/", "") for note in notes]
        sheets = {each: picture.count for each, picture in _pictures(job) if picture.kind == "sheet"}
        told = tuple(shortfalls), tuple(dict.fromkeys(notes))
        return Record(job.name, "done", shortfalls=told[0], notes=told[1], sheets=sheets, rows=rows)
    except InbetweenerError as error:
        problem, fault = str(error).removeprefix(f"{path}: ").replace(str(path), job.name), ""
        cause = error.__cause__
        if isinstance(cause, OSError) and cause.errno in _OF_THE_MACHINE:
            # Told as the format's; but every other clip would meet the same.
            raise MachineProblem(f"{job.output}: {cause.strerror}") from error
    except MemoryError:
        problem, fault = f"needs more than {job.recipe.limits.memory_gb:g} GB of memory", ""
    except OSError:
        raise
    except Exception as error:
        problem, fault = f"{type(error).__name__}: {error}: a fault in Inbetweener", traceback.format_exc()
    for each in made.iterdir():
        each.unlink()
    return Record(job.name, "failed", problem=" ".join(problem.split()), fault=fault)


def _pictures(job: Job) -> list[tuple[str, Picture]]:
    """What each picture is called."""
    stem = PurePosixPath(job.name).stem
    return [(f"{stem}-{number}{each.suffix}", each) for number, each in enumerate(job.recipe.pictures, 1)]


def _cook(
    job: Job, path: Path, made: Path, watch: _Watch, shortfalls: list[str], edited: tuple[Path, Path] | None
) -> tuple[dict[str, Any], ...]:
    recipe, stem = job.recipe, PurePosixPath(job.name).stem
    with watch("open"):
        known = function_for(path, "read", {}).__annotations__
        reading = read(path, **{name: value for name, value in recipe.open.items() if name in known})
        for line in reading.notes:
            warnings.warn(line, stacklevel=1)
    source = document = reading.document
    rows: dict[str, dict[str, Any]] = {clip.name: {} for clip in document.clips}
    for step in recipe.steps:
        with watch(step.verb):
            document = _stepped(document, source, step, rows, shortfalls)
    if edited is not None:
        with watch("by hand"):
            write_native(document, made / BASE)
            document, lost = laid_over(document, read(edited[1]).document, read(edited[0]).document)
            shortfalls += lost
    with watch("write"):
        for number, export in enumerate(recipe.exports):
            clash = any(each.suffix == export.suffix for each in recipe.exports[:number])
            name = f"{stem}-{number + 1}" if clash else stem
            for ending, options in _parts(document, export.suffix):
                save(document, made / f"{name}{ending}{export.suffix}", **options, **export.options)
    with watch("draw"):
        for name, picture in _pictures(job):
            draw(document, picture, made / name)
    with watch("measure"):
        return tuple(
            {"clip": name, **_measured(source, document, name), **row}
            for name, row in rows.items()
            if name in {clip.name for clip in document.clips}
        ) or ({"clip": ""},)


def _stepped(
    document: Document, source: Document, step: Any, rows: dict[str, dict[str, Any]], shortfalls: list[str]
) -> Document:
    verb: Callable[..., Any] = steps.verbs()[step.verb]
    hints = steps.keys(verb)
    words = {n: read(v).document if steps.is_document(hints[n]) else v for n, v in step.words.items()}
    words |= {"source": source} if steps.takes_source(verb) else {}
    clips = [clip.name for clip in document.clips] if steps.takes_clip(verb) else [None]
    for clip in clips:
        try:
            result = verb(document, **words, **({"clip": clip} if clip is not None else {}))
        except InbetweenerError as error:
            if not step.go_on:
                raise StepRefused(f"{step.verb.replace('_', ' ')}: {error}") from error
            shortfalls.append(f"{step.verb.replace('_', ' ')}: {error}")
            continue
        document = result.document
        found = {f"{step.verb}.{name}": value for name, value in steps.figures(result.facts).items() if name != "clip"}
        for each in rows if clip is None else [clip]:
            rows.setdefault(each, {}).update(found)
        if result.problem:
            shortfalls.append(f"{step.verb.replace('_', ' ')}: {result.problem}")
    return document


def _parts(document: Document, suffix: str) -> list[tuple[str, dict[str, Any]]]:
    """What each file of a format holds: all clips, or one where the format knows but one."""
    if suffix != ".bvh" or len(document.clips) < 2:
        return [("", {})]
    return [(f"-{n + 1}", {"clip": clip.name}) for n, clip in enumerate(document.clips)]


def _measured(source: Document, document: Document, name: str) -> dict[str, Any]:
    """What every clip is measured by, whatever the steps; how far joints moved, where they are the same ones."""
    clip = document.clip(name)
    row: dict[str, Any] = {
        "frames": len(clip.frame_times),
        "length_s": round(clip.end - clip.start, 4),
        "keys": sum(len(curve) for curve in clip.curves.values()),
    }
    if document is source or document.rig != source.rig or name not in {each.name for each in source.clips}:
        return row
    times = clip.frame_times
    moved = np.linalg.norm(
        document.motion(name).joint_positions(times) - source.motion(name).joint_positions(times), axis=-1
    )
    return {
        **row,
        "moved_mm": round(1000 * float(moved.max()), 4),
        "moved_mean_mm": round(1000 * float(moved.mean()), 4),
    }


def draw(document: Document, picture: Picture, path: Path) -> None:
    """A picture, a sheet or a movie of a document's first clip, or of its rest pose."""
    from inbetweener.render import Look, Renderer, render_movie, save_png

    look: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in picture.look.items()
    }
    clip: Clip | None = document.clips[0] if document.clips else None
    if picture.kind == "movie" and clip is not None:
        render_movie(document, path, clip=clip.name, **look)
        return
    size, backend = look.pop("size", (480, 270)), look.pop("backend", "auto")
    start, end = (clip.start, clip.end) if clip else (0.0, 0.0)
    shares = (np.arange(picture.count) + 0.5) / picture.count if picture.kind == "sheet" else np.array([picture.at])
    with Renderer(document, clip.name if clip else None, Look(**look), size, backend) as renderer:
        frames = [renderer.frame(float(start + share * (end - start))) for share in shares]
    save_png(np.ascontiguousarray(np.concatenate(frames, axis=1)), path.with_suffix(".png"))


def encoded(value: Job | Record) -> bytes:
    """A job or a record as one line."""
    return msgspec.json.encode(asdict(value)) + b"\n"
