"""A Studio that a script or a notebook has opened: code and hands on the same document."""

import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, TypeVar

from inbetweener.document import Document, write_native
from inbetweener.document.edits.result import Result
from inbetweener.studio.project.folder import Folder, Origin
from inbetweener.studio.project.project import NATIVE, file_name
from inbetweener.studio.project.workspace import Workspace
from inbetweener.studio.server.studio import Studio
from inbetweener.system import has_display

T = TypeVar("T")
_LONGEST = 30.0
"""Seconds that a server gets to stop."""


class LiveStudio:
    """The page's document, in Python's hands too. What code does is one step of the history, as what a hand does.

    Without a folder it lives in one of its own, which is gone with `close`; `document` is still there afterwards.
    """

    def __init__(
        self, document: Document, folder: Path | str | None = None, *, port: int = 0, show: bool = True
    ) -> None:
        self._own_folder = tempfile.mkdtemp(prefix="inbetweener-") if folder is None else None
        workspace = Workspace(Path(folder or self._own_folder or ""))
        try:
            path = Folder(workspace.folder).free(f"{file_name(document.name)}{NATIVE}")
            write_native(document, workspace.folder / path)
            self._studio = Studio(workspace, Origin(path=path), port=port)
        except BaseException:
            self._remove_folder()
            raise
        self._thread = Thread(target=self._studio.serve, name="studio", daemon=True)
        self._thread.start()
        self._is_open = True
        if show and has_display():
            import webbrowser

            webbrowser.open(self.address)

    @property
    def address(self) -> str:
        """Where a browser finds it; every address opens the door once."""
        return self._studio.invitation()

    @property
    def document(self) -> Document:
        """The document that pages show, as far as it is committed; what is put here is a step of the history."""
        return self._studio.session.editor.document

    @document.setter
    def document(self, document: Document) -> None:
        self._step("Edit from Python", lambda _: (document, None))

    @property
    def selection(self) -> tuple[str, ...]:
        """Joints, points and controls that are selected on the page that was used last; the active one is last."""
        return self._studio.session.selection

    def edit(self, verb: Callable[..., T], *wishes: Any, **words: Any) -> T:
        """Let a verb work on the document that is shown: `studio.edit(edits.drag, "hand_r", frame=30, by=…)`.

        What the verb answers comes back; pages show it at once, under the verb's name.
        """

        def made(document: Document) -> tuple[Document, T]:
            answer = verb(document, *wishes, **words)
            return (answer.document if isinstance(answer, Result) else answer), answer  # type: ignore[return-value]

        name = getattr(verb, "__name__", "edit").strip("_").replace("_", " ")
        return self._step(f"{name[:1].upper()}{name[1:]} from Python", made)

    def close(self) -> None:
        """End it; every page is told."""
        if not self._is_open:
            return
        self._is_open = False
        self._studio.stop()
        self._thread.join(_LONGEST)
        self._studio.close()
        self._remove_folder()

    def __enter__(self) -> "LiveStudio":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = f"at {self._studio.address}" if self._is_open else "closed"
        return f"<Studio of {self.document.name}, {state}>"

    def _step(self, label: str, edit: Callable[[Document], tuple[Document, T]]) -> T:
        """Edit on the session's own thread, and hand over what came of it, or what was raised."""
        session, found = self._studio.session, Future[T]()

        def do() -> None:
            try:
                session.gestures.require_free()
                before = session.editor.document
                after, answer = edit(before)
                if not isinstance(after, Document):
                    raise TypeError(f"an edit makes a document of a document, not a {type(after).__name__}")
                if after is not before:
                    session.editor.apply(label, lambda _: after)
            except BaseException as error:
                found.set_exception(error)
            else:
                found.set_result(answer)

        session.worker.submit(do)
        return found.result()

    def _remove_folder(self) -> None:
        if self._own_folder is not None:
            shutil.rmtree(self._own_folder, ignore_errors=True)
