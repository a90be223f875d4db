"""How every benchmark measures and reports: warm up, interleave with the peer, take medians, say whether it holds."""

import argparse
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np


@dataclass(frozen=True)
class Timing:
    """Seconds of repeated runs."""

    seconds: np.ndarray

    @property
    def median(self) -> float:
        return float(np.median(self.seconds))

    @property
    def p95(self) -> float:
        return float(np.percentile(self.seconds, 95))


class Figure(msgspec.Struct, omit_defaults=True):
    """One measured number and the bound it should keep."""

    what: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None
    holds: bool | None = None

    def __post_init__(self) -> None:
        # Measures are often numpy's numbers, which JSON does not know.
        self.value = float(self.value)
        if self.at_most is not None:
            self.at_most = float(self.at_most)
            self.holds = self.value <= self.at_most
        if self.at_least is not None:
            self.at_least = float(self.at_least)
            self.holds = self.value >= self.at_least

    @property
    def number(self) -> str:
        """The value for people: counts in full, all else to four digits."""
        return f"{self.value:.0f}" if self.value.is_integer() else f"{self.value:.4g}"


class Report(msgspec.Struct):
    name: str
    machine: str
    figures: list[Figure]


def interleaved(runs: Sequence[Callable[[], Any]], rounds: int = 15, warm_up: int = 2) -> list[Timing]:
    """Time several functions turn by turn, so that a noisy moment hits all of them alike."""
    for _ in range(warm_up):
        for run in runs:
            run()
    seconds = np.empty((len(runs), rounds))
    for r in range(rounds):
        for i, run in enumerate(runs):
            started = time.perf_counter()
            run()
            seconds[i, r] = time.perf_counter() - started
    return [Timing(row) for row in seconds]


def machine() -> str:
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as lines:
            model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass  # not Linux: the architecture will do
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"


def markdown(figures: Sequence[Figure]) -> str:
    """Figures and their bounds as a table for a page of the documentation."""

    def missed(figure: Figure) -> str:
        return ": **does not hold**" if figure.holds is False else ""

    rows = (
        f"| {figure.what} | {figure.number} {figure.unit} | {_bound(figure)}{missed(figure)} |" for figure in figures
    )
    return "\n".join(["| | | bound |", "|---|---|---|", *rows])


def _bound(figure: Figure) -> str:
    words = f"at most {figure.at_most:g}" if figure.at_most is not None else ""
    return f"at least {figure.at_least:g}" if figure.at_least is not None else words


def keep(page: Path, name: str, table: str) -> None:
    """Put a table where a page has that of the last run, between <!-- name --> and <!-- end -->."""
    text = page.read_text()
    place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if place.search(text) is None:
        raise ValueError(f"{page}: no place for the figures of {name}; add <!-- {name} --><!-- end -->")
    page.write_text(place.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text))


def main(name: str, measure: Callable[[], list[Figure]]) -> None:
    """Run one benchmark from the command line; exit 1 when a bound does not hold."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    report = Report(name, machine(), measure())
    if wanted.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    else:
        print_table(report)
    sys.exit(0 if all(figure.holds is not False for figure in report.figures) else 1)


def print_table(report: Report) -> None:
    print(f"{report.name} on {report.machine}")
    width = max(len(figure.what) for figure in report.figures)
    for figure in report.figures:
        bound = _bound(figure)
        verdict = {True: "holds", False: "DOES NOT HOLD", None: ""}[figure.holds]
        print(f"  {figure.what:<{width}}  {figure.number:>10} {figure.unit:<8} {bound:<16} {verdict}")
