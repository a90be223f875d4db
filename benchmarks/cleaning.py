"""How captured clips come out of cleaning: contacts that stand, pops, seconds; judged by plain numpy and scipy.

`python -m benchmarks.cleaning [--clips NAME ...] [--json] [--write docs/contacts.md]`; wants the folder of real files
beside the repository.
"""

import argparse
import sys
import warnings
from pathlib import Path

import msgspec

from benchmarks.harness import Figure, Report, keep, machine, print_table
from inbetweener.errors import RepairWarning
from tests.captured import plain
from tests.captured.cleaned import SINKS, Cleaned, table, totals


def main(words: list[str]) -> int:
    """Clean all clips, or some, and print one table and what it comes to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cleaning", description=__doc__)
    parser.add_argument("--clips", nargs="+", metavar="NAME", help="only these files, without .bvh")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="keep the table on a page, as docs/contacts.md")
    asked = parser.parse_args(words)
    paths = [path for path in plain.CLIPS if not asked.clips or path.stem in asked.clips]
    if not paths:
        sys.exit(
            "no clips to clean: the folder of real files beside the repository is absent, or has none of that name"
        )
    warnings.simplefilter("ignore", RepairWarning)
    made = []
    Cleaned.of(paths[0])  # compiles
    for path in paths:
        made.append(Cleaned.of(path))
        print(table([made[-1]]).splitlines()[2], file=sys.stderr, flush=True)
    report = Report("cleaning", machine(), _figures(made))
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    else:
        print(table(made))
        print_table(report)
    if asked.write:
        keep(asked.write, "cleaning", table(made))
    return int(any(figure.holds is False for figure in report.figures))


def _figures(made: list[Cleaned]) -> list[Figure]:
    found = totals(made)
    return [
        Figure("contacts that are trusted", found["contacts"], ""),
        Figure("of these stand within 1 mm, between frames too", found["standing"], "", at_least=0.99),
        Figure("found that slip too far to be planted", found["slipping"], ""),
        Figure("pops", found["pops"], "", at_most=0),
        Figure("farther into the ground", 1000 * found["sunk"], "mm", at_most=1000 * SINKS),
        Figure("times real time, all clips", found["times"], "", at_least=5.0),
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
