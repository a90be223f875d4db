"""Known weaknesses of the Python and npm packages that our locks name; fails where there are any.

Where the lists of weaknesses cannot be asked, a line says so and why, and that is no failure: CI may run where nothing
can be reached.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = ("web/package-lock.json", "benchmarks/library/package-lock.json")


class Audit(NamedTuple):
    """How many of a lock's packages were looked up, what is known of them, and why any were not."""

    looked_up: int
    packages: int
    known: list[str]
    why_not: str

    def line(self, lock: str) -> str:
        """What there is to say of a lock."""
        if not self.looked_up:
            return f"{lock}: NOT AUDITED: {self.why_not}"
        line = f"{lock}: {self.looked_up} of {self.packages} looked up, {len(self.known)} known weaknesses"
        return f"{line}; NOT the others: {self.why_not}" if self.looked_up < self.packages else line


def python_audit(told: str, complaints: str) -> Audit:
    """What pip-audit has told, as JSON, and what it has complained about besides."""
    try:
        listed = json.loads(told)["dependencies"]
    except (ValueError, KeyError):
        return Audit(0, 0, [], _last(complaints))
    looked_up = [each for each in listed if "skip_reason" not in each]
    skipped = [each["skip_reason"] for each in listed if "skip_reason" in each]
    known = [
        f"{each['name']} {each['version']}: {weakness['id']}, mended in {' '.join(weakness['fix_versions']) or 'none'}"
        for each in looked_up
        for weakness in each["vulns"]
    ]
    return Audit(len(looked_up), len(listed), known, next(iter(skipped), "it names no package"))


def npm_audit(told: str, complaints: str) -> Audit:
    """The same of npm, which may have said before what it had to install."""
    try:
        said = json.loads(told[max(0, told.find("{")) :])
    except ValueError:
        return Audit(0, 0, [], _last(complaints))
    if "vulnerabilities" not in said:
        return Audit(0, 0, [], said.get("message") or _last(complaints))
    count = said["metadata"]["dependencies"]["total"]
    known = [f"{name} {facts['range']}: {facts['severity']}" for name, facts in said["vulnerabilities"].items()]
    return Audit(count, count, known, "it names no package")


def _last(complaints: str) -> str:
    return next((line.strip() for line in reversed(complaints.splitlines()) if line.strip()), "nothing was answered")


def _asked(*command: str) -> tuple[str, str]:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def main() -> int:
    """Look everything up and tell."""
    audits = {
        str(lock.relative_to(ROOT)): python_audit(
            *_asked(
                "-m", "pip_audit", "--requirement", str(lock), "--require-hashes", "--disable-pip", "--format", "json"
            )
        )
        for lock in sorted((ROOT / "requirements").glob("*.txt"))
    }
    for lock in PAGES:
        folder = str((ROOT / lock).parent)
        audits[lock] = npm_audit(*_asked(str(ROOT / "hatch_build.py"), "npm", "audit", "--json", "--prefix", folder))
    for lock, audit in audits.items():
        print(audit.line(lock))
    weak = list(dict.fromkeys(line for audit in audits.values() for line in audit.known))
    print(*weak, sep="\n", end="\n" if weak else "")
    return int(bool(weak))


if __name__ == "__main__":
    sys.exit(main())
