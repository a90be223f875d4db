"""Batches in the project folder: their clips with figures and pictures, opened, fixed by hand and marked as done."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from inbetweener.batch.hand import Hand, as_hand, keep, mark
from inbetweener.batch.report import rows_of
from inbetweener.batch.run import About
from inbetweener.batch.store import ABOUT, BASE, CLIPS, HAND, RECORD
from inbetweener.batch.store import Folder as Store
from inbetweener.batch.work import Record, as_record
from inbetweener.errors import FormatError
from inbetweener.formats.files import clear_file_errors
from inbetweener.studio.project.folder import Folder, Origin, download_url
from inbetweener.studio.project.journals import Kept
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.session import Page, Session
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.session.page_view import text
from inbetweener.system import is_text

_OPENED = (".tween", ".glb", ".gltf", ".fbx", ".usdz", ".usdc", ".usda", ".bvh")
"""Which of a clip's files is opened: the one that keeps most."""
_FACTS = ("file", "clip", "status", "problem", "shortfalls")


class Batches:
    """Shows batches of the folder, and keeps what is done to their clips by hand."""

    def __init__(self, session: Session, folder: Folder, opened: Callable[[], Kept], saved: Callable[[], None]) -> None:
        """`opened` is the document in front of the pages; `saved` is called when it has been."""
        self._session, self._folder, self._opened, self._saved = session, folder, opened, saved

    def show(self, page: Page, request: to_server.ShowBatch) -> Job:
        """Tell a page all clips of a batch."""
        root = self._root(request.folder)
        return self._session.jobs.start(
            f"Read batch {request.folder}".strip(),
            lambda progress: read_batch(root, request.folder, progress),
            lambda found: page.send([text(found)]),
            prompt=True,
        )

    def mark(self, _page: Page, request: to_server.MarkClip) -> Job:
        """Mark a clip as done, or not; what is open of it is kept with it."""
        self._root(request.folder)
        kept = self._opened()
        ours = kept.origin.path is not None and clip_of(self._folder.root, kept.origin.path)
        is_open = ours == (request.folder, request.name)
        if is_open:
            self._session.gestures.require_free()
        what = "Mark as done" if request.done else "Take the mark away"
        return self._keep(
            f"{what}: {request.name}", request.folder, request.name, kept if is_open else None, request.done
        )

    def save(self, kept: Kept) -> Job | None:
        """Save the open document beside what its batch made; None where it is of none."""
        found = None if kept.origin.path is None else clip_of(self._folder.root, kept.origin.path)
        if found is None:
            return None
        return self._keep(f"Save {found[1]}", *found, kept, None)

    def _keep(self, label: str, folder: str, name: str, kept: Kept | None, done: bool | None) -> Job:
        root = self._root(folder)
        place = self._folder.inside(_within(folder, CLIPS, name, RECORD))
        self._folder.inside(_within(folder, HAND, name))
        if not place.is_file():
            raise FormatError(name, "", f"is no clip of the batch {folder or self._folder.root}")
        document = kept.editor.document if kept is not None and not kept.is_safe else None
        path = "" if kept is None else kept.origin.path or ""

        def work(_progress: Progress) -> Hand:
            hand = as_hand(Store(root).hand(name), name)
            hand = hand if done is None else replace(hand, done=done)
            with clear_file_errors(root):
                return mark(root, hand) if document is None else keep(root, hand, document, self._folder.file(path))

        def then(hand: Hand) -> Ending:
            if kept is not None and document is not None:
                now = f"{folder}/{hand.edited}".lstrip("/") if hand.id else path
                kept.was_saved(document, Origin(path=now), self._folder.stamp(now))
            self._saved()
            said = "Saved" if done is None else "Marked as done" if done else "Not done any more"
            return Ending(f"{said}: {name}")

        return self._session.jobs.start(label, work, then, prompt=True)

    def _root(self, folder: str) -> Path:
        root = self._folder.inside(folder) if folder else self._folder.root
        if not (root / ABOUT).is_file():
            raise FormatError(folder or root, "", "is no folder of a batch", f"it would hold a {ABOUT}")
        for each in (CLIPS, HAND):
            # A stranger's batch may have links there that lead elsewhere.
            self._folder.inside(_within(folder, each))
        return root

    def listed(self) -> list[str]:
        """The folder itself, called "", and folders in it that a batch wrote."""
        root = self._folder.root
        inner = (each.parent.name for each in root.glob(f"*/{ABOUT}") if not each.parent.name.startswith("."))
        return [*([""] if (root / ABOUT).is_file() else []), *sorted(filter(is_text, inner))]

    def place(self, path: str | None) -> to_page.BatchPlace | None:
        """Which clip of which batch a file is."""
        found = None if path is None else clip_of(self._folder.root, path)
        if found is None:
            return None
        folder, name = found
        hand = as_hand(Store(self._root(folder)).hand(name), name)
        return to_page.BatchPlace(folder, name, hand.done)


def _within(folder: str, *parts: str) -> str:
    return "/".join((folder, *parts) if folder else parts)


def clip_of(root: Path, path: str) -> tuple[str, str] | None:
    """The batch within the folder and the name of its clip that a file is of: a result, or what was kept by hand."""
    parts = PurePosixPath(path).parts
    for at, part in enumerate(parts):
        if part in (CLIPS, HAND) and root.joinpath(*parts[:at], ABOUT).is_file():
            inner = parts[at + 1 : -1 if part == CLIPS else -2]
            return ("/".join(parts[:at]), "/".join(inner)) if inner else None
    return None


def read_batch(root: Path, folder: str, progress: Callable[[float], Any] = lambda share: None) -> to_page.Batch:
    """All clips of a batch, as its records tell them."""
    try:
        about = msgspec.json.decode((root / ABOUT).read_bytes(), type=About)
    except msgspec.MsgspecError as error:
        raise FormatError(root / ABOUT, "", f"cannot be read: {error}", "run the batch once more") from error
    store = Store(root)
    found = (each.parent.relative_to(root / CLIPS).as_posix() for each in (root / CLIPS).rglob(RECORD))
    names = sorted(filter(is_text, found))
    hands = {name: as_hand(kept, name) for name, kept in store.hands().items()}
    clips: list[to_page.BatchClip] = []
    for number, (name, kept) in enumerate(zip(names, store.records(names), strict=True)):
        progress(number / len(names))
        if (record := as_record(kept, name)) is not None:
            clips += _clips(f"{folder}/" if folder else "", record, hands.get(name, Hand(name)))
    return to_page.Batch(
        folder=folder, recipe=about.recipe, about=about.about, steps=about.steps, worst=about.worst, clips=clips
    )


def worst_first(batch: to_page.Batch) -> list[to_page.BatchClip]:
    """Clips that can be opened, those that nobody has marked first, and of these the worst."""
    shown = [clip for clip in batch.clips if clip.path is not None]
    return sorted(shown, key=lambda clip: (clip.done, -clip.figures.get(batch.worst, -math.inf), clip.name))


def _clips(prefix: str, record: Record, hand: Hand) -> Iterator[to_page.BatchClip]:
    below = f"{prefix}{CLIPS}/{record.name}/"
    own = [each for each in record.files if each != BASE]
    opened = [f"{below}{each}" for suffix in _OPENED for each in own if each.endswith(suffix)]
    if hand.id and record.hand != hand.id:
        # The batch has not seen it yet.
        opened = [prefix + hand.edited]
    # What plays is shown rather than what stands.
    pictures = [*record.sheets, *(each for suffix in (".gif", ".png") for each in own if each.endswith(suffix))]
    for row in rows_of(record):
        figures = {key: float(value) for key, value in row.items() if key not in _FACTS and _counts(value)}
        yield to_page.BatchClip(
            name=record.name,
            clip=str(row["clip"]),
            failed=record.status == "failed",
            problem=record.problem or "; ".join(record.shortfalls),
            done=hand.done,
            edited=bool(hand.id),
            figures=figures,
            path=opened[0] if opened else None,
            picture=download_url(f"{below}{pictures[0]}") if pictures else None,
            moments=record.sheets.get(pictures[0], 1) if pictures else 1,
        )


def _counts(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
