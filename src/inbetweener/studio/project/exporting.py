"""Exports: other formats, movies and pictures, each a job that writes a new file or none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.formats import write
from inbetweener.studio.project import notices
from inbetweener.studio.project.folder import Folder, download_url
from inbetweener.studio.protocol import to_server
from inbetweener.studio.session import Page, Session
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.studio.sharing import share

_FORMATS = (".glb", ".gltf", ".fbx", ".usdz", ".usda", ".usdc", ".vrm", ".bvh", ".vrma", ".npz", ".csv")
_OF_A_CLIP = (".bvh", ".vrma", ".npz", ".csv")
_MOVIES = (".mp4", ".gif")
SUFFIXES = (*_FORMATS, *_MOVIES, ".png", ".html")
"""What can be exported; the native file is saved instead."""


class Exporting:
    """Writes what the pages see into the folder, under a name that nothing has yet."""

    def __init__(self, session: Session, folder: Folder, tell_files: Callable[[], None]) -> None:
        self._session, self._folder, self._tell_files = session, folder, tell_files
        self._under_way: set[str] = set()

    def export(self, page: Page, request: to_server.Export) -> Job:
        """Begin an export of the document as committed; losses are told by a notice when it is done."""
        suffix = Path(request.path).suffix.lower()
        if suffix not in SUFFIXES:
            raise InbetweenerError(f"{request.path!r} cannot be exported; give it one of  {'  '.join(SUFFIXES)}")
        path = self._folder.free(request.path, self._under_way)
        place = self._folder.place(path)
        document, clip = self._session.editor.document, page.view.clip
        if not document.clips and suffix not in _FORMATS:
            document = self._session.document

        def work(progress: Progress) -> tuple[str, ...]:
            if suffix in _FORMATS:
                of_a_clip: dict[str, Any] = {"clip": clip if document.clips else None}
                return write(document, place, **(of_a_clip if suffix in _OF_A_CLIP else {"sampled": request.sampled}))
            if suffix == ".html":
                share(document).save(place)
                return ()
            _draw(document, clip, place, request, progress)
            return ()

        def then(losses: tuple[str, ...]) -> Ending:
            for notice in notices.exported(path, losses):
                self._session.tell(notice)
            self._tell_files()
            return Ending(f"Wrote {path}", path=path, url=download_url(path))

        job = self._session.jobs.start(f"Export {path}", work, then)
        self._under_way.add(path)
        job.when_over.append(lambda _: self._under_way.discard(path))
        return job


def _draw(document: Document, clip: str, place: Path, request: to_server.Export, progress: Progress) -> None:
    from inbetweener.render import render_frame, render_movie, save_png

    size, camera = (request.width, request.height), "scene" if request.scene_camera else None
    if place.suffix.lower() == ".png":
        save_png(render_frame(document, request.time, clip=clip, size=size, camera=camera), place)
    else:
        render_movie(
            document, place, clip=clip, size=size, camera=camera, progress=lambda done, total: progress(done / total)
        )
