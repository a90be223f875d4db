"""`make bench`: all benchmarks, one after another, each in a fresh process."""

import pkgutil
import subprocess
import sys

import benchmarks

NOT_BENCHMARKS = {"blender", "fbx", "gestures", "harness", "__main__", "library"}
"""What others are made of; the library of captured clips, which takes hours, and what runs beside Blender."""


def names() -> list[str]:
    return sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in NOT_BENCHMARKS)


def main() -> int:
    failed = [name for name in names() if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"]).returncode]
    for name in failed:
        print(f"{name}: a bound does not hold", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
