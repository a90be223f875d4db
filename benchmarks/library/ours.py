"""Our own keys, and the dense curves that everybody starts from; evaluated by `plain`, not by our kernels."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np

from benchmarks.library.plain import Angles, Capture, Keys, read, without_first_frame
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.formats import bvh
from inbetweener.formats.bvh.hierarchy import OUR_AXIS
from inbetweener.motion import Clip, Contact


@dataclass(frozen=True)
class Take:
    """A clip to be judged: what `plain` reads of the file, in metres, and what we read of it, without and with
    the contacts that we find.

    A pose set in front of the motion is cut, for everybody.
    """

    name: str
    capture: Capture
    document: Document
    planted: Document
    contacts: tuple[Contact, ...]
    is_cut: bool

    @classmethod
    def of(cls, path: Path) -> Self:
        document, capture = bvh.read(path).document, read(path)
        source = document.source
        assert source is not None
        is_cut = capture.begins_with_a_set_pose
        if is_cut:
            with TemporaryDirectory() as folder:
                rest = Path(folder) / path.name
                without_first_frame(path, rest)
                document, capture = bvh.read(rest, unit=source.unit, up=source.up).document, read(rest)
        found = edits.suggest_contacts(document)
        return cls(path.stem, capture.in_metres(source.unit), document, found.document, found.chosen, is_cut)

    @property
    def dense(self) -> Clip:
        return self.document.clip()

    @property
    def moving(self) -> list[str]:
        """Channels whose value changes: the only ones that are counted."""
        return [name for name, curve in self.dense.curves.items() if len(curve) > 1]

    @property
    def angles(self) -> Angles:
        """How our channels pose the file's joints."""
        rig, source = self.document.rig, self.document.source
        assert source is not None
        rests = np.array([joint.rest.translation for joint in rig.joints])
        names, orders = [joint.name for joint in rig.joints], [joint.order for joint in rig.joints]
        return Angles(names, orders, rests, OUR_AXIS[source.up])

    def spans(self) -> list[tuple[int, int, int]]:
        """Of each contact: its point among joints and ends, and its first and last quarter frame."""
        rig, rate = self.document.rig, self.dense.rate
        names = [*(joint.name for joint in rig.joints), *map(str, rig.points)]
        return [
            (names.index(str(each.point)), int(np.ceil(4 * rate * each.start - 1e-6)), int(4 * rate * each.end + 1e-6))
            for each in self.contacts
        ]


@dataclass(frozen=True)
class Fitted:
    """A clip of ours as somebody else evaluates it."""

    take: Take
    clip: Clip

    @property
    def keys(self) -> int:
        return sum(len(self.clip.curves[name]) for name in self.take.moving)

    def locals(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        times = at / self.clip.rate
        values = {name: keys_of(curve).at(times) for name, curve in self.clip.curves.items()}
        return self.take.angles.posed(values, len(at))


def keys_of(curve: Curve) -> Keys:
    places = np.stack([curve.times, curve.values], axis=1)
    return Keys(curve.times, curve.values, places - curve.ins, places + curve.outs, curve.interpolations)


def fitted(take: Take, tolerance: float, rounds: int = 1) -> tuple[Fitted, float]:
    """The clip fitted, and the best seconds of some rounds."""
    result, seconds = timed(lambda: edits.fit(take.document, tolerance=tolerance), rounds)
    return Fitted(take, result.document.clip()), seconds


def cleaned(take: Take) -> tuple[Document, float]:
    """The document without the slide of its contacts, and the seconds that took."""
    if not take.contacts:
        return take.planted, 0.0
    result, seconds = timed(lambda: edits.remove_slide(take.planted), 1)
    return result.document, seconds


def standing(take: Take, clean: Document, tolerance: float) -> tuple[Fitted, float]:
    """A cleaned clip fitted with its contacts, and the seconds of the fit."""
    result, seconds = timed(lambda: edits.fit(clean, tolerance=tolerance), 1)
    return Fitted(take, result.document.clip()), seconds


def timed(run: Callable[[], Any], rounds: int) -> tuple[Any, float]:
    """What a function makes, and the least seconds of one core that it took."""
    best = np.inf
    for _ in range(rounds):
        began = time.process_time()
        made = run()
        best = min(best, time.process_time() - began)
    return made, best
