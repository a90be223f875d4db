"""`python -m interop.blender [NAME …]`: all cases, or those named, there and back; a table, and 1 when one fails."""

import sys
import tempfile
import time
from pathlib import Path

from interop.blender import environment
from interop.blender.cases import FILES, cases
from interop.blender.compare import Apart
from interop.blender.trip import MADE, TOLERANCE, Trip


def main(wanted: list[str]) -> int:
    """Print a line for every case; figures are parts of the character's height."""
    known = {case.name: case for case in cases()}
    unknown = [name for name in wanted if name not in known and name not in MADE]
    if unknown:
        print(f"no case called {', '.join(unknown)}; there are {', '.join([*known, *MADE])}", file=sys.stderr)
        return 2
    if not FILES.is_dir():
        print(f"The folder of real files is absent, only built-in scenes are shown: {FILES}")
    environment.make()
    print("| scene | clips | frames | joints | vertices | there: joints | vertices | back: joints | vertices | s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    failed = []
    for name in wanted or [*known, *MADE]:
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            trip = Trip.from_blender(name, place) if name in MADE else Trip.of(known[name], place)
        counts = f"{trip.clips} | {trip.frames} | {trip.joints} | {trip.vertices}"
        ways = f"{_figures(trip.there)} | {_figures(trip.back)}"
        print(f"| {name} | {counts} | {ways} | {time.perf_counter() - begun:.1f} |", flush=True)
        if not trip.holds:
            failed.append(trip)
    for trip in failed:
        missing = [*(trip.there.missing if trip.there else ()), *trip.back.missing]
        lost = f"; missing: {', '.join(missing)}" if missing else ""
        print(f"{trip.name} is not within {TOLERANCE:g} of its height{lost}", file=sys.stderr)
    return 1 if failed else 0


def _figures(apart: Apart | None) -> str:
    return "– | –" if apart is None else f"{apart.joints:.1e} | {apart.vertices:.1e}"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except environment.BlenderFailed as error:
        sys.exit(str(error))
