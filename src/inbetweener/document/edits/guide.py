"""Guidance as an edit: the tangents of a clip led to less cost, keys left where they are."""

from inbetweener.document.document import Document
from inbetweener.document.edits.curves import curves_of, set_curves
from inbetweener.guidance import Guide, GuideRequest, Report, build, report


def guide(document: Document, clip: str, request: GuideRequest) -> tuple[Document, Report]:
    """A clip whose chosen tangents cost less, and what changed; a run that is worth nothing changes nothing."""
    run = Guide(build(document.motion(clip), request))
    run.finish()
    return guided(document, clip, run), report(run.path)


def guided(document: Document, clip: str, run: Guide, number: int | None = None) -> Document:
    """The clip as an iterate of a run has it: the last one, or any on its path."""
    layer = run.problem.request.layer
    iterate = run.last if number is None else run.path[number]
    before, after = curves_of(document, clip, layer), iterate.curves
    changed = {name: after[name] for name in run.problem.names if after[name] != before[name]}
    return set_curves(document, clip, changed, layer=layer)
