"""Opening and storing files, with one clear line when the system refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from inbetweener.choices import Up
from inbetweener.document import Document, edits
from inbetweener.errors import FormatError, InbetweenerError
from inbetweener.kinodynamics.bake import dense_layer
from inbetweener.motion import Clip


@contextmanager
def clear_file_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says about `path` into a FormatError."""
    if "\0" in str(path):
        raise FormatError(path, "", "not a possible file name")
    try:
        yield
    except FileNotFoundError as error:
        if path.parent.is_dir():
            raise FormatError(path, "", "no such file") from error
        raise FormatError(path, "", f"there is no folder {path.parent}", "make it first") from error
    except IsADirectoryError as error:
        raise FormatError(path, "", "is a folder, not a file") from error
    except PermissionError as error:
        raise FormatError(path, "", "permission denied") from error
    except OSError as error:
        raise FormatError(path, "", error.strerror or str(error)) from error


@contextmanager
def naming(path: Path, remedy: str = "") -> Iterator[None]:
    """Let whatever is refused name the file, where it does not by itself."""
    try:
        yield
    except FormatError:
        raise
    except InbetweenerError as error:
        raise FormatError(path, "", str(error), remedy) from error


def file_bytes(path: Path | str) -> bytes:
    """The content of a file."""
    path = Path(path)
    with clear_file_errors(path):
        return path.read_bytes()


@dataclass(frozen=True, slots=True)
class Choice:
    """Another way to read a file: what a person would call it, and the options of `read` that say so."""

    label: str
    unit: float | None = None
    up: Up | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A guess that somebody should look at, and what else it may be, the likelier first."""

    text: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A document and one line for everything that was repaired or guessed, and for what was left out, each naming its
    place in the file, or the first of many places.

    What is doubtful among them is a question too. `each` has a line for every single place.
    """

    document: Document
    repairs: tuple[str, ...] = ()
    question: Question | None = None
    losses: tuple[str, ...] = ()
    each: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Losses, then repairs."""
        return (*self.losses, *self.repairs)


def baked(document: Document, clip: str | None = None, rate: float | None = None) -> tuple[Document, list[str]]:
    """The document with its loose clips, or one of them, baked; and a line for each.

    At `rate` frames a second, where that is not the clip's own, what is written is exact at those frames.
    """
    lines = []
    for loosening in document.loosenings:
        if clip not in (None, loosening.clip) or not document.is_loose(loosening.clip):
            continue
        name = loosening.clip
        if loosening.looseness.soft:
            softened = ", ".join(str(part) for part in loosening.looseness.soft)
            lines.append(f"soft parts of clip {name!r} ({softened}) are left out: they are in no joint")
        if loosening.looseness.springs:
            lines.append(f"the looseness of clip {name!r} is baked, exactly at frames: the file knows keys only")
            document = _baked(document, document.clip(name), rate)
    return document, lines


def _baked(document: Document, clip: Clip, rate: float | None) -> Document:
    motion = document.loose_motion(clip.name)
    times = (clip if rate is None else Clip(clip.name, clip.end, clip.start, rate)).frame_times
    # No two layers have the same name.
    layer = dense_layer(motion, times, f"loose {len(clip.layers)} of {clip.name}")
    document = edits.replace_clip(document, clip.name, replace(clip, layers=(*clip.layers, layer)))
    return edits.switch_looseness(document, clip.name, False)
