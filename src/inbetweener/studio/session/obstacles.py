"""How the shown motion passes the obstacles: measured beside the worker after every change.

While something moves, a few vertices stand for the skin; once it rests, all are looked at.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document, Prop
from inbetweener.document.clearance import Clearance
from inbetweener.maths.solids import Box
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Motion
from inbetweener.studio.protocol import to_page
from inbetweener.studio.session.page_view import text
from inbetweener.studio.session.worker import Worker
from inbetweener.studio.watched import watched_motion

if TYPE_CHECKING:
    from inbetweener.studio.session.session import Session

FEW = 1_000
"""Vertices that stand for the skin while something moves."""
PACE = 0.2
"""Seconds between two looks while something moves: as often as anybody reads, and the hand comes first."""
CHUNK = 16
"""Frames that are measured before looking whether the answer is still wanted."""
NONE = to_page.Obstacles(items=[], exact=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """What is to be measured."""

    document: Document
    clips: list[str]
    exact: bool


@dataclass(slots=True, eq=False)
class _Prepared:
    """Clearances of one scene, made when they are first needed."""

    document: Document
    few: Clearance | None = None
    all: Clearance | None = None

    def fits(self, document: Document) -> bool:
        """Whether another document has the same obstacles, skin and joints, and blends alike."""
        mine = self.document
        return (
            mine.props is document.props
            and mine.meshes is document.meshes
            and mine.rig.joints is document.rig.joints
            and mine.blending == document.blending
        )

    def clearance(self, exact: bool) -> Clearance:
        """What measures with all vertices, or with few."""
        if exact:
            self.all = self.all or Clearance(_with_ground(self.document))
            return self.all
        self.few = self.few or Clearance(_with_ground(self.document), vertices=FEW)
        return self.few


class ObstacleWatch:
    """Measures on a thread of its own, the newest document only, and tells the pages that show the clip."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self.measurer = Worker("studio-obstacles")
        self._wanted: _Question | None = None
        self._next_look = 0.0
        self._ended = Event()
        self._prepared: _Prepared | None = None
        self._sent: dict[int, to_page.Obstacles] = {}

    def look(self, *, exact: bool) -> None:
        """Measure what is shown now, when there is time; called on the session's worker."""
        document = self._session.shown
        clips = {page.view.clip for page in self._session.pages.values()}
        self._sent = {number: sent for number, sent in self._sent.items() if number in self._session.pages}
        self._wanted = _Question(document, sorted(clips), exact)
        if not any(prop.role == "obstacle" for prop in document.props):
            self._clear()
        elif clips:
            self.measurer.renew("measure", self._measure)

    def stop(self) -> None:
        """Give up what is being measured, and end."""
        self._wanted = None
        self._ended.set()
        self.measurer.stop()

    def _clear(self) -> None:
        """Only pages that were told of obstacles must hear that there are none."""
        for number in tuple(self._sent):
            self._session.pages[number].send([text(NONE)])
        self._sent = {}

    def _measure(self) -> None:
        """On the measuring thread: the newest question, after a pause while something moves."""
        if self._wanted is not None and not self._wanted.exact:
            self._ended.wait(max(0.0, self._next_look - time.monotonic()))
            self._next_look = time.monotonic() + PACE
        if (question := self._wanted) is None:
            return
        document, exact = question.document, question.exact
        if self._prepared is None or not self._prepared.fits(document):
            self._prepared = _Prepared(document)
        clearance = self._prepared.clearance(exact)
        for clip in question.clips:
            if not any(each.name == clip for each in document.clips):
                continue
            rows = []
            for distances in _chunks(clearance, watched_motion(document, clip)):
                # An exact answer to an old question helps nobody; a rough one is better than none while it moves.
                if exact and self._wanted is not question:
                    return
                rows.append(distances)
            message = _message(clearance.names, np.concatenate(rows), exact)
            self._session.worker.at_leisure(("obstacles", clip), lambda c=clip, m=message: self._tell(c, m))  # type: ignore[misc]
        # The few vertices are spread out now, while nothing moves: that takes longer than a drag should wait for.
        self._prepared.clearance(exact=False)

    def _tell(self, clip: str, message: to_page.Obstacles) -> None:
        for page in self._session.pages.values():
            if page.view.clip == clip and self._sent.get(page.number) != message:
                self._sent[page.number] = message
                page.send([text(message)])


GROUND, SINKS = "the ground", 0.02
"""Soles sink in a little, in metres, and nobody minds."""
DEEP = 1e3


def _with_ground(document: Document) -> Document:
    """The document with its ground as one more obstacle; none where the character rests below it by itself."""
    if not document.rig.joints or document.rig.rest_world()[:, 1, 3].min() < -SINKS:
        return document
    ground = Prop(GROUND, Box((DEEP, DEEP, DEEP)), Transform((0.0, -DEEP - SINKS, 0.0)), "obstacle")
    return replace(document, props=(*document.props, ground))


def _chunks(clearance: Clearance, motion: Motion) -> Iterator[Floats]:
    times = motion.clip.frame_times
    for first in range(0, len(times), CHUNK):
        yield clearance.measure(motion, times[first : first + CHUNK])


def _message(names: tuple[str, ...], distances: Floats, exact: bool) -> to_page.Obstacles:
    """Distances (F, O) in the page's words."""
    items = []
    for name, column in zip(names, distances.T, strict=True):
        least = float(column.min())
        # Without a skin, or scaled to nothing, an obstacle is never in the way; who stands on the ground is not in it.
        if np.isfinite(least) and (least < 0.0 or name != GROUND):
            items.append(to_page.ObstacleInfo(name, least, np.flatnonzero(column < 0.0).tolist()))
    return to_page.Obstacles(items=items, exact=exact)
