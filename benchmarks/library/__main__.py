"""`python -m benchmarks.library [FOLDER]`: BVH clips of a folder, ours beside other programs; docs/captured.md.

Ends with status 1 where a clip failed or a goal is missed.
"""

import argparse
import sys
from contextlib import redirect_stdout
from pathlib import Path

import msgspec
from threadpoolctl import threadpool_limits

from benchmarks import harness
from benchmarks.harness import keep, machine, print_table
from benchmarks.library import ours, plain
from benchmarks.library.judge import Row, judge
from benchmarks.library.peers import PEERS, Absent, Peer
from benchmarks.library.report import COLUMNS, Library, joined, line, markdown, read

TOLERANCES = (1.0, 5.0, 20.0)


def main(arguments: list[str]) -> int:
    """Judge what is asked for, or show what was judged before."""
    asked = _parser().parse_args(arguments)
    if asked.show:
        report = joined([read(path.read_bytes()) for path in asked.show])
    else:
        paths = _paths(asked.folder, asked.clips)
        if isinstance(paths, str):
            print(paths, file=sys.stderr)
            return 2
        with threadpool_limits(1):
            report = judged(paths, asked.tolerance, asked.peers, quiet=asked.json)
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode(report), indent=1).decode())
    else:
        if asked.show:
            print(COLUMNS, *map(line, report.rows), sep="\n")
        print_table(report)
    if asked.write:
        keep(asked.write, "clips", markdown(report))
        keep(asked.write, "goals", harness.markdown(report.figures))
    return int(any(figure.holds is False for figure in report.figures))


def judged(paths: list[Path], tolerances: list[float], names: list[str], *, quiet: bool) -> Library:
    """The report; rows are printed as they come, on the error stream where only the report is to be printed."""
    stream = sys.stderr if quiet else sys.stdout
    peers, versions = _installed(names)
    for name, version in versions.items():
        print(f"{name}: {version}", file=stream)
    print(COLUMNS, file=stream, flush=True)

    def told(row: Row) -> None:
        print(line(row), file=stream, flush=True)

    _warm_up(min(paths, key=lambda path: path.stat().st_size), tolerances[0] / 1000)
    results = [judge(path, [each / 1000 for each in tolerances], peers, told) for path in paths]
    clips = [clip for clip, _ in results if clip is not None]
    return joined([Library("library", machine(), [], versions, clips, [row for _, rows in results for row in rows])])


def _installed(names: list[str]) -> tuple[list[type[Peer]], dict[str, str]]:
    """Peers that are there or could be installed, and what is said of each."""
    found, told = [], {}
    for peer in PEERS:
        if peer.name not in names:
            continue
        try:
            with redirect_stdout(sys.stderr):
                told[peer.name] = peer.install()
            found.append(peer)
        except Absent as error:
            told[peer.name] = f"absent: {error}"
    return found, told


def _warm_up(path: Path, tolerance: float) -> None:
    """Compile what a fit needs, so that no clip pays for it; what fails here fails again where it is told."""
    try:
        take = ours.Take.of(path)
        ours.fitted(take, tolerance)
        ours.standing(take, ours.cleaned(take)[0], tolerance)
    except Exception as error:
        print(f"{path.stem}: {error}", file=sys.stderr)


def _paths(folder: Path | None, wanted: list[str] | None) -> list[Path] | str:
    """The files to judge, or why there are none."""
    listed = list(plain.CLIPS) if folder is None else sorted(folder.glob("*.bvh"))
    if not listed:
        where = folder or plain.REAL_FILES / "bvh"
        return f"no clips to judge: {where} is absent or holds no BVH files; name a folder that does"
    unknown = sorted(set(wanted or ()) - {path.stem for path in listed})
    if unknown:
        return f"no clip called {', '.join(unknown)}; there are {', '.join(path.stem for path in listed)}"
    return [path for path in listed if not wanted or path.stem in wanted]


def _parser() -> argparse.ArgumentParser:
    names = [peer.name for peer in PEERS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.library", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="BVH files; without it the real ones beside the checkout")
    parser.add_argument("--clips", nargs="+", metavar="NAME", help="only these files, without .bvh")
    parser.add_argument("--tolerance", nargs="+", type=float, default=list(TOLERANCES), metavar="MM")
    parser.add_argument("--peers", nargs="*", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="keep the figures on a page, as docs/captured.md")
    parser.add_argument("--show", nargs="+", type=Path, metavar="FILE", help="show what --json printed before instead")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
