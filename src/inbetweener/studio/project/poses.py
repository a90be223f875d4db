"""The poses that a project keeps: one small file each in its folder `poses`, and a picture beside it."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document, edits
from inbetweener.document.pose import SUFFIX, Pose, read_pose, write_pose
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.rig import Point, chains
from inbetweener.studio.gestures.hand import require_sane
from inbetweener.studio.project.folder import Folder, OutsideFolder, download_url
from inbetweener.studio.protocol import to_page, to_server
from inbetweener.studio.session import Page, Refusal, Session
from inbetweener.studio.session.jobs import Ending, Job, Progress
from inbetweener.system import is_text, move_file

FOLDER = "poses"
MOST = 2000
"""Poses that are listed."""
PICTURE = (240, 240)
CLOSE = 0.35
"""Of the body's height: what reaches no farther is shown from near."""


class Poses:
    """Saves, names and draws poses; everything but drawing happens on the session's worker."""

    def __init__(self, session: Session, folder: Folder) -> None:
        self._session, self._folder = session, folder
        session.poses = self.read
        session.handle_with(
            {
                to_server.ShowPoses: self._show,
                to_server.SavePose: self._save,
                to_server.RenamePose: self._rename,
                to_server.DeletePose: self._delete,
            }
        )

    def read(self, name: str) -> Pose:
        """A pose by its name, which is that of its file: whoever renames the file renames the pose."""
        if name not in self.names():
            raise UnknownName("pose", name, self.names())
        return replace(read_pose(self._folder.file(_file(name))), name=name)

    def names(self) -> list[str]:
        """All poses, as people sort them."""
        found = []
        # A folder that may not be looked into, or that leads elsewhere, has nothing to offer.
        with suppress(OSError, OutsideFolder):
            root = self._folder.inside(FOLDER)
            found = [each.stem for each in root.iterdir() if each.suffix == SUFFIX and not each.name.startswith(".")]
        return sorted(filter(is_text, found), key=str.casefold)[:MOST]

    def listing(self) -> to_page.KeptPoses:
        """What pages show."""
        return to_page.KeptPoses(items=[to_page.PoseInfo(name, self._url(name)) for name in self.names()])

    def _url(self, name: str) -> str | None:
        try:
            stamp = self._folder.stamp(_picture(name))
        except InbetweenerError:
            return None
        return None if stamp is None else f"{download_url(_picture(name))}?{stamp[0]}"

    def _tell(self) -> None:
        self._session.tell(self.listing())

    def _show(self, _page: Page, _request: to_server.ShowPoses) -> Job | None:
        """Tell all poses; those without a picture, such as a colleague's, get one of the character at hand."""
        self._tell()
        bare = [name for name in self.names() if self._url(name) is None]
        if not bare:
            return None
        document = self._session.document

        def work(progress: Progress) -> None:
            for done, name in enumerate(bare):
                progress(done / len(bare))
                with suppress(InbetweenerError):  # told when somebody wants to use it
                    self._draw(document, self.read(name))

        def then(_: None) -> Ending:
            self._tell()
            return Ending("")

        return self._session.jobs.start("Draw poses", work, then)

    def _save(self, page: Page, request: to_server.SavePose) -> Job:
        require_sane("a time", request.time)
        document, clip = self._session.document, page.view.clip
        if "/" in request.name:
            raise Refusal(f"a pose cannot be called {request.name!r}: names hold no /")
        place = self._folder.place(_file(request.name))
        if place.exists() and not request.replace:
            raise Refusal(f"there is a pose {request.name!r} already; replace it, or choose another name", "exists")

        def work(progress: Progress) -> None:
            progress()
            if place.exists() and not request.replace:
                # Another page was quicker.
                raise Refusal(f"there is a pose {request.name!r} already; choose another name", "exists")
            pose = Pose.of(document, request.name, clip, request.time, request.channels)
            write_pose(pose, place)
            self._draw(document, pose)

        def then(_: None) -> Ending:
            self._tell()
            return Ending(f"Saved pose {request.name}")

        return self._session.jobs.start(f"Save pose {request.name}", work, then, prompt=True)

    def _rename(self, _page: Page, request: to_server.RenamePose) -> None:
        pose = self.read(request.name)
        if "/" in request.to:
            raise Refusal(f"a pose cannot be called {request.to!r}: names hold no /")
        target = self._folder.place(_file(request.to))
        if target.exists() and request.to != request.name:
            raise Refusal(f"there is a pose {request.to!r} already; choose another name", "exists")
        write_pose(replace(pose, name=request.to), target)
        if request.to != request.name:
            if self._url(request.name) is not None:
                move_file(self._folder.file(_picture(request.name)), self._folder.place(_picture(request.to)))
            self._folder.file(_file(request.name)).unlink()
        self._tell()

    def _delete(self, _page: Page, request: to_server.DeletePose) -> None:
        if request.name not in self.names():
            raise UnknownName("pose", request.name, self.names())
        self._folder.file(_file(request.name)).unlink()
        if self._url(request.name) is not None:
            self._folder.file(_picture(request.name)).unlink()
        self._tell()

    def _draw(self, document: Document, pose: Pose) -> None:
        from inbetweener.render import Camera, render_frame, save_png

        alone = edits.new_clip(replace(document, clips=(), constraints=(), loosenings=(), props=(), view=None))
        clip = alone.clips[0]
        shown = edits.apply_pose(alone, pose, time=clip.start).document
        places = _looked_at(shown, pose)
        camera: Camera | str = "three-quarter"
        if places is not None:
            size = max(float(np.ptp(places, axis=0).max()), CLOSE / 2 * chains.height(shown.rig))
            middle = places.mean(axis=0)
            eye = middle + 4.0 * size * np.array([0.55, 0.25, 0.8])
            camera = Camera(tuple(map(float, eye)), tuple(map(float, middle)))  # type: ignore[arg-type]
        save_png(
            render_frame(shown, clip.start, clip=clip.name, size=PICTURE, camera=camera),
            self._folder.place(_picture(pose.name)),
        )


def _looked_at(document: Document, pose: Pose) -> Floats | None:
    """Where the joints (n, 3) of a pose of a small part of the body are; None where all of it is looked at."""
    rig = document.rig
    names = {joint.name for joint in pose.joints} & {joint.name for joint in rig.joints}
    listed = [Point(joint.name) for joint in rig.joints if joint.name in names]
    if not listed:
        return None
    channels = document.motion(document.clips[0].name).channels([document.clips[0].start])
    places: Floats = rig.posed(channels).positions(listed)[0]
    return places if np.ptp(places, axis=0).max() < CLOSE * chains.height(rig) else None


def _file(name: str) -> str:
    return f"{FOLDER}/{name}{SUFFIX}"


def _picture(name: str) -> str:
    return str(Path(_file(name)).with_suffix(".png").as_posix())
