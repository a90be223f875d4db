"""`make torture`: all drivers, one after another, each in a fresh process; `--short` for minutes instead of hours."""

import argparse
import subprocess
import sys

SHORT = {
    "kills": 50, "power_cuts": 200, "noise": 5000, "files": 500, "disks": 6, "names": 4, "crowd": 20, "endurance": 60,
    "batches": 15,
}  # fmt: skip
"""Every driver, and how often in a short run; each knows itself how often in a long one."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m torture")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"drivers to run, all by default: {', '.join(SHORT)}")
    parser.add_argument("--short", action="store_true", help="small counts: minutes instead of an hour and a half")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same choices")
    parser.add_argument("--write", action="store_true", help="keep the figures in docs/reliability.md")
    wanted = parser.parse_args()
    if unknown := set(wanted.names) - SHORT.keys():
        parser.error(f"no driver called {', '.join(sorted(unknown))}; there are {', '.join(SHORT)}")
    failed = []
    for name in wanted.names or SHORT:
        options = ["--seed", str(wanted.seed), *(["--write"] if wanted.write else [])]
        options += ["--count", str(SHORT[name])] if wanted.short else []
        if subprocess.run([sys.executable, "-m", f"torture.{name}", *options]).returncode:
            failed.append(name)
    for name in failed:
        print(f"{name}: a bound does not hold", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
