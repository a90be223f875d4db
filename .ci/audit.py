"""Known weaknesses of the Python and npm packages that our locks name; fails where there are any.

Where the lists of weaknesses cannot be reached, a line says so, and that is no failure: CI may run where nothing is.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ("web/package-lock.json", "benchmarks/library/package-lock.json")


def python_packages(lock: Path) -> tuple[int, list[str]]:
    """How many packages of a lock could be looked up, and what is known of them."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(lock), "--require-hashes", "--disable-pip"]
    done = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=False)
    try:
        listed = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return 0, []
    looked_up = [each for each in listed if "skip_reason" not in each]
    return len(looked_up), [
        f"{each['name']} {each['version']}: {weakness['id']}, mended in {' '.join(weakness['fix_versions']) or 'none'}"
        for each in looked_up
        for weakness in each["vulns"]
    ]


def npm_packages(lock: Path) -> tuple[int, list[str]]:
    """The same for what npm installs."""
    command = [sys.executable, str(ROOT / "hatch_build.py"), "npm", "audit", "--json", "--prefix", str(lock.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)
        found = told["vulnerabilities"]
        return told["metadata"]["dependencies"]["total"], [
            f"{name} {facts['range']}: {facts['severity']}" for name, facts in found.items()
        ]
    except (ValueError, KeyError):
        return 0, []


def main() -> int:
    """Look everything up and tell."""
    weak: list[str] = []
    locks = sorted((ROOT / "requirements").glob("*.txt"))
    audits = [(lock, python_packages(lock)) for lock in locks]
    audits += [(ROOT / lock, npm_packages(ROOT / lock)) for lock in PAGES]
    for lock, (count, known) in audits:
        what = lock.relative_to(ROOT)
        print(
            f"{what}: {count} looked up, {len(known)} known weaknesses"
            if count
            else f"{what}: NOT AUDITED, no list of weaknesses can be reached from here"
        )
        weak += [line for line in known if line not in weak]
    print(*weak, sep="\n", end="\n" if weak else "")
    return int(bool(weak))


if __name__ == "__main__":
    sys.exit(main())
