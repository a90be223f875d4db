"""Build the gallery: `python -m gallery [NAME …] [--again]`."""

import argparse
import time

from gallery.build import FOLDER, built, kept
from gallery.exhibits import EXHIBITS, LEFT_OUT
from gallery.page import write_page
from gallery.record import fingerprint


def main() -> None:
    """Build all exhibits, or some, and the page of whatever there is."""
    parser = argparse.ArgumentParser(prog="python -m gallery")
    parser.add_argument("names", nargs="*", metavar="NAME", help="exhibits to build; all by default")
    parser.add_argument("--again", action="store_true", help="build what is fresh, too")
    wanted = parser.parse_args()
    known = [exhibit.name for exhibit in EXHIBITS]
    if unknown := set(wanted.names) - set(known):
        parser.error(f"no exhibit called {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    # All at the start: whoever changes the code while this runs gets it built the next time.
    now = {exhibit.name: fingerprint(exhibit) for exhibit in EXHIBITS}
    for exhibit in EXHIBITS:
        if not wanted.names or exhibit.name in wanted.names:
            started = time.perf_counter()
            record = built(exhibit, now[exhibit.name], again=wanted.again)
            missed = [figure.what for figure in record.figures if figure.holds is False]
            said = f"; DOES NOT HOLD: {', '.join(missed)}" if missed else ""
            print(f"{exhibit.name:<16} {time.perf_counter() - started:6.1f} s{said}", flush=True)
    if LEFT_OUT:
        print(f"left out, for the real files that they show are not beside the checkout: {', '.join(LEFT_OUT)}")
    write_page(FOLDER / "index.html", EXHIBITS, kept(EXHIBITS))
    print(FOLDER / "index.html")


if __name__ == "__main__":
    main()
