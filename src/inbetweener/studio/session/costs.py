"""What the motion that a page shows costs over time: told when it asks, and after every change from then on."""

import numpy as np

from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.guidance import Costs, Meter
from inbetweener.guidance.terms.own import OWN
from inbetweener.motion import Motion
from inbetweener.studio.gestures.guide import request_of
from inbetweener.studio.protocol import guidance
from inbetweener.studio.session.changes import changed_span

MOMENTS = 120
"""How finely costs are seen."""

_COMPARED = ("rig", "meshes", "props", "constraints", "loosenings")
"""Parts of a document that say what a term measures."""


def _goes_by_motion(term: str) -> bool:
    """Whether a term compares with the motion itself, and so is another when that is; one's own may do anything."""
    return term in ("follow-through", "slide", "style") or term in OWN


class CostMap:
    """One page's map; on the session's worker. What has not changed is not measured again."""

    def __init__(self) -> None:
        self._settings: guidance.GuidanceSettings | None = None
        self._meter: Meter | None = None
        self._last: tuple[Document, Motion, Costs] | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether the page wants to be told."""
        return self._settings is not None

    def wish(self, settings: guidance.GuidanceSettings | None) -> None:
        """Measure the first of these terms from now on; None: nothing any more."""
        self._settings, self._meter = settings, None

    def message(self, document: Document, motion: Motion | None) -> guidance.CostsOverTime | None:
        """What the page is told of a document whose clip moves so; None where it does not wish to know.

        Nor is it told anything where the two are of different rigs: a stroke has bent or straightened a bone, and the
        page is about to be shown the other motion.
        """
        settings = self._settings
        if settings is None or motion is None or motion.rig != document.rig:
            return None
        term = settings.terms[0].name
        try:
            found = self._measured(settings, document, motion)
        except InbetweenerError as error:
            # A body that weighs nothing, say: the map has nothing to show, and says why.
            self._meter = None
            return guidance.CostsOverTime(term=term, problem=str(error))
        values = found.values.round(5).tolist()
        rows = [guidance.CostRow(label, row) for label, row in zip(found.labels, values, strict=True)]
        return guidance.CostsOverTime(term=term, unit=found.unit, times=found.times.tolist(), rows=rows)

    def _measured(self, settings: guidance.GuidanceSettings, document: Document, motion: Motion) -> Costs:
        clip, last = motion.clip, self._last
        if self._meter is None or last is None or not _measures_alike(settings, last, document, motion):
            request = request_of(document, clip.name, settings, None)
            self._meter, last = Meter(document.rig, request.terms[0].term, request.kernels), None
        if last is None or (last[1].clip.start, last[1].clip.end) != (clip.start, clip.end):
            times = clip.start + (clip.end - clip.start) * (np.arange(MOMENTS) + 0.5) / MOMENTS
            costs = self._meter.measure(motion, times)
        else:
            span = changed_span(last[1].clip, clip)
            costs = last[2] if span is None else self._meter.measured_again(last[2], motion, span)
        self._last = document, motion, costs
        return costs


def _measures_alike(
    settings: guidance.GuidanceSettings, last: tuple[Document, Motion, Costs], document: Document, motion: Motion
) -> bool:
    before, moved = last[0], last[1].clip
    if moved.name != motion.clip.name or (_goes_by_motion(settings.terms[0].name) and moved is not motion.clip):
        return False
    return all(getattr(before, part) is getattr(document, part) for part in _COMPARED)
