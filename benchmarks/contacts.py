"""How well contacts are found in captured motion: precision and recall in frames against labels made by eye.

`python -m benchmarks.contacts [--json]`; wants the folder of real files beside the repository. Noise of 3 mm and a
drift of 2 cm are judged on the same labels.
"""

import sys
import tempfile
import warnings
from pathlib import Path

from benchmarks.harness import Figure, main
from inbetweener.contacts import suggest_contacts
from inbetweener.errors import RepairWarning
from inbetweener.formats.bvh.read import read
from tests.captured.labelled import LABELS, PATHS, Count, altered, by_group, judge

BOUNDS = {"walks": 0.95, "runs": 0.95}


def measure() -> list[Figure]:
    if set(PATHS) != set(LABELS):
        sys.exit(f"clips that were labelled are absent: {', '.join(sorted(set(LABELS) - set(PATHS)))}")
    warnings.simplefilter("ignore", RepairWarning)
    clean = {stem: _judged(stem, PATHS[stem]) for stem in LABELS}
    with tempfile.TemporaryDirectory() as folder:
        noisy = {stem: _judged(stem, altered(stem, Path(folder), jitter=0.003, drift=0.02)) for stem in LABELS}
    figures = [figure for stem in LABELS for figure in _figures(stem, sum(clean[stem].values(), Count()), None)]
    for name, count in by_group(clean).items():
        figures += _figures(f"all {name}", count, BOUNDS.get(name))
    for name, count in by_group(noisy).items():
        figures += _figures(f"all {name}, 3 mm noise", count, 0.9 if name in BOUNDS else None)
    return figures


def _judged(stem: str, path: Path) -> dict[str, Count]:
    document = read(path).document
    return judge(stem, suggest_contacts(document.motion(document.clip().name)))


def _figures(what: str, count: Count, bound: float | None) -> list[Figure]:
    return [Figure(f"{what}, {kind}", getattr(count, kind), "", at_least=bound) for kind in ("precision", "recall")]


if __name__ == "__main__":
    main("contacts", measure)
