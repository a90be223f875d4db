"""How every driver is run and reports: a count and a seed go in, figures come out; `--write` keeps them in the docs."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from benchmarks.harness import Figure, Report, keep, machine, markdown, print_table

PAGE = Path(__file__).parents[1] / "docs" / "reliability.md"
LONGEST = 2000
"""Letters of a problem that are said."""
Driver = Callable[[int, int], list[Figure]]
"""Takes how often and which seed."""


def main(name: str, drive: Driver, count: int) -> None:
    """Run one driver from the command line; exit 1 when a bound does not hold."""
    parser = argparse.ArgumentParser(prog=f"python -m torture.{name}")
    parser.add_argument("--count", type=int, default=count, help=f"how often; {count} by default")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same choices")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--write", action="store_true", help="keep the figures in docs/reliability.md")
    wanted = parser.parse_args()
    started = time.perf_counter()
    figures = drive(wanted.count, wanted.seed)
    figures.append(Figure("time taken", (time.perf_counter() - started) / 60, "min"))
    report = Report(name, machine(), figures)
    if wanted.json:
        print(json.dumps(msgspec.to_builtins(report), indent=2))
    else:
        print_table(report)
    if wanted.write:
        keep(PAGE, name, markdown(figures))
    sys.exit(0 if all(figure.holds is not False for figure in figures) else 1)


def told(problems: Iterable[str]) -> int:
    """How many there are; each is said, for a count alone mends nothing."""
    found = list(problems)
    for problem in found:
        # The beginning says where it was found, the end what it is.
        half = LONGEST // 2
        print(problem if len(problem) < LONGEST else f"{problem[:half]} … {problem[-half:]}", file=sys.stderr)
    return len(found)
