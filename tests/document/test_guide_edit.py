"""Guidance as an edit: only what changed is new, and any iterate can be taken."""

from inbetweener.builtin import example
from inbetweener.document import edits
from inbetweener.guidance import Guide, build

DOCUMENT = example("fox-tail")
CLIP = DOCUMENT.clip().name
TAIL = frozenset(name for name in DOCUMENT.clip().curves if name.startswith("tail"))


def test_a_guided_clip_shares_all_that_did_not_change() -> None:
    result = edits.guide(DOCUMENT, channels=TAIL)
    changed, report = result.document, result.report
    assert changed.rig is DOCUMENT.rig
    before, after = DOCUMENT.clip().curves, changed.clip().curves
    assert all(after[name] is before[name] for name in before if not name.startswith("tail"))
    assert report.costs[-1] < 0.8 * report.costs[0]
    assert report.terms[0].after < report.terms[0].before


def test_any_iterate_of_a_run_makes_a_document() -> None:
    run = Guide(build(DOCUMENT.motion(CLIP), edits.guide_request(DOCUMENT, channels="tail*")))
    run.finish()
    assert edits.guided(DOCUMENT, CLIP, run, 0).clip() == DOCUMENT.clip()
    assert edits.guided(DOCUMENT, CLIP, run, 2).clip().curves == run.path[2].curves
    assert edits.guided(DOCUMENT, CLIP, run).clip().curves == run.last.curves
