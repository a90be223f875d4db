"""All clips together: what the figures come to, the goals, and tables for people."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

import msgspec
import numpy as np

from benchmarks.harness import Figure, Report
from benchmarks.library.judge import FIT, STANDING, Clip, Row

KEYS = 0.25
"""Goal: our keys for one of the best peer, at the same largest error; geometric mean over clips."""
STAND = 99.0
"""Goal: per cent of the contacts found that slide at most a millimetre."""
REAL_TIME = 20.0
"""Goal: seconds of motion fitted a second on one core, at FAST and full bodies."""
FAST, JOINTS = 115.0, 31


class Library(Report):
    """Figures and goals, and what they are made of; peers by name with their version, or why they are absent."""

    peers: dict[str, str]
    clips: list[Clip]
    rows: list[Row]

    def of(self, program: str, tolerance_mm: float) -> dict[str, Row]:
        """Rows by clip that hold something."""
        return {
            row.clip: row
            for row in self.rows
            if row.program == program and row.tolerance_mm == tolerance_mm and row.keys is not None
        }

    def programs(self) -> list[str]:
        """Those that have rows, ours first."""
        return list(dict.fromkeys(row.program for row in self.rows if row.tolerance_mm is not None))

    def tolerances(self) -> list[float]:
        return sorted({row.tolerance_mm for row in self.rows if row.tolerance_mm is not None})


def figures(report: Library) -> list[Figure]:
    """The goals at every tolerance, and what each peer comes to."""
    made = [Figure("clips that failed", len({row.clip for row in failed(report.rows)}), "", at_most=0)]
    names = [name for name in report.programs() if name not in (FIT, STANDING)]
    for tolerance in report.tolerances():
        said = f"{tolerance:g} mm: "
        fits, held = report.of(FIT, tolerance), report.of(STANDING, tolerance)
        made.append(
            Figure(f"{said}keys a channel and second", _mean(r.keys_a_channel_second for r in fits.values()), "")
        )
        for where, off in (("at joints and tips", "joints_mm"), ("beside bones too", "points_mm")):
            most = max((getattr(row, off).quarters_max for row in fits.values()), default=np.nan)
            made.append(Figure(f"{said}largest error {where}", most, "mm"))
        made += _against(report, tolerance, names)
        made.append(Figure(f"{said}contacts that stand", _standing(held.values()), "%", at_least=STAND))
        for name in names:
            made.append(
                Figure(f"{said}contacts that stand, {name}", _standing(report.of(name, tolerance).values()), "%")
            )
        made.append(Figure(f"{said}pops, standing", sum(row.pops or 0 for row in held.values()), "", at_most=0))
        full = {clip.name for clip in report.clips if clip.rate > FAST and clip.joints == JOINTS}
        times = [row.real_time for name, row in fits.items() if name in full and row.real_time]
        if times:
            made.append(Figure(f"{said}times real time, geometric mean", _geometric(times), ""))
            made.append(Figure(f"{said}times real time, slowest clip", min(times), "", at_least=REAL_TIME))
    return [each for each in made if np.isfinite(each.value)]


def _against(report: Library, tolerance: float, names: Sequence[str]) -> list[Figure]:
    """Our keys for one of each peer's and of the best one's, at equal error between frames and on frames alone."""
    fits, made = report.of(FIT, tolerance), []
    for what, keys in (("", attrgetter("keys")), (" on frames", attrgetter("keys_on_frames"))):
        theirs = {name: {row.clip: keys(row) for row in report.rows if _is(row, name, tolerance)} for name in names}
        for name in names:
            pairs = [keys(row) / theirs[name][clip] for clip, row in fits.items() if theirs[name].get(clip)]
            said = f"{tolerance:g} mm: keys for one of {name}, same error{what} ({len(pairs)} of {len(fits)} clips)"
            made.append(Figure(said, _geometric(pairs), ""))
        best = {clip: min((each[clip] for each in theirs.values() if each.get(clip)), default=None) for clip in fits}
        pairs = [keys(row) / best[clip] for clip, row in fits.items() if best[clip]]
        made.append(
            Figure(
                f"{tolerance:g} mm: keys for one of the best peer, same error{what}",
                _geometric(pairs),
                "",
                at_most=KEYS,
            )
        )
    return made


def _is(row: Row, program: str, tolerance: float) -> bool:
    return row.program == program and row.tolerance_mm == tolerance


def failed(rows: Iterable[Row]) -> list[Row]:
    """What went wrong with us."""
    return [row for row in rows if row.program in (FIT, STANDING) and row.problem]


def _standing(rows: Iterable[Row]) -> float:
    listed = list(rows)
    contacts = sum(row.contacts or 0 for row in listed)
    return 100 * sum(row.standing or 0 for row in listed) / contacts if contacts else np.nan


def _mean(values: Iterable[float | None]) -> float:
    listed = [each for each in values if each is not None]
    return float(np.mean(listed)) if listed else np.nan


def _geometric(ratios: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(ratios)))) if ratios else np.nan


COLUMNS = (
    "clip                                 mm program            keys  on frames  a ch·s  frames max  mean"
    "  quarters max  mean  joints max  slide mm was  is  stand  pops  seconds"
)


def line(row: Row) -> str:
    """A row of the table."""
    begin = f"{row.clip[:34]:<34} {row.tolerance_mm or 0:>4g} {row.program:<17}"
    if row.keys is None or row.points_mm is None or row.joints_mm is None:
        also = f"; on frames {row.keys_on_frames} keys" if row.keys_on_frames else ""
        return f"{begin} {row.problem}{also}"
    off, on_frames = row.points_mm, "–" if row.keys_on_frames is None else row.keys_on_frames
    return (
        f"{begin} {row.keys:>6} {on_frames:>9} {row.keys_a_channel_second:>8.2f}"
        f" {off.frames_max:>10.2f} {off.frames_mean:>6.2f} {off.quarters_max:>12.2f} {off.quarters_mean:>6.2f}"
        f" {row.joints_mm.quarters_max:>10.2f} {row.slide_before_mm:>11.1f} {row.slide_mm:>5.1f}"
        f" {row.standing:>3}/{row.contacts:<3} {row.pops:>4} {row.seconds:>7.2f} {row.setting}"
    )


def markdown(report: Library) -> str:
    """Keys of every program by clip and tolerance, and how our standing clip does, for the documentation."""
    names = [name for name in report.programs() if name != STANDING]
    head = f"| clip | seconds | mm | {' | '.join(names)} | ours for one | on frames | slid | slides | stand | pops |"
    lines = [head, "|---|" + "--:|" * (head.count("|") - 2)]
    for clip in report.clips:
        for tolerance in report.tolerances():
            found = {row.program: row for row in report.rows if row.clip == clip.name and row.tolerance_mm == tolerance}
            lines.append(f"| {clip.name} | {clip.seconds:.1f} | {tolerance:g} | {_cells(found, names)} |")
    return "\n".join(lines)


def _cells(found: dict[str, Row], names: Sequence[str]) -> str:
    fit, held = found.get(FIT), found.get(STANDING)
    if fit is None or fit.keys is None or held is None or held.slide_mm is None:
        return "failed"
    keys = [f"{row.keys:,}" if (row := found.get(name)) and row.keys else "–" for name in names]
    others = [row for name, row in found.items() if name not in (FIT, STANDING)]
    best = [min(filter(None, map(attrgetter(what), others)), default=None) for what in ("keys", "keys_on_frames")]
    shares = [f"{fit.keys / each:.2f}" if each else "–" for each in best]
    feet = [f"{held.slide_before_mm:.0f} mm", f"{held.slide_mm:.1f} mm", f"{held.standing} of {held.contacts}"]
    return " | ".join([*keys, *shares, *feet, str(held.pops)])


def joined(reports: Sequence[Library]) -> Library:
    """Reports of several runs as one, with the figures of all; the machine is the first one's, and so is what several
    have: runs beside different programs judge the same clips."""
    clips = list({clip.name: clip for report in reversed(reports) for clip in reversed(report.clips)}.values())[::-1]
    peers = {name: version for report in reports for name, version in report.peers.items()}
    every = [row for report in reports for row in report.rows]
    rows = list({(row.clip, row.program, row.tolerance_mm): row for row in reversed(every)}.values())[::-1]
    made = Library(reports[0].name, reports[0].machine, [], peers, clips, rows)
    made.figures = figures(made)
    return made


def read(content: bytes) -> Library:
    """A report that was printed with --json."""
    return msgspec.json.decode(content, type=Library)
