"""`python -m release`: everything that a release hands out, from the last commit, into dist/.

The source archive, the pure wheel, a wheel with machine code for this platform and Python, the Blender extension for
every platform whose parts can be had, a CycloneDX bill of materials and the checksums of all that. `--twice` makes it
again somewhere else and compares, bit by bit. Times in archives are that of the commit.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from release.bill import bill

ROOT = Path(__file__).parents[1]
PLATFORMS = ("linux-x64", "windows-x64", "macos-arm64")
"""For which the extension is made."""


class CannotRelease(Exception):
    """One line that says what is missing."""


def version_of(root: Path) -> str:
    """The one number that all else is named by."""
    found = re.search(r'^__version__ = "([^"]+)"', (root / "src/inbetweener/__init__.py").read_text(), re.MULTILINE)
    if found is None:
        raise CannotRelease("src/inbetweener/__init__.py has no __version__")
    return found[1]


def check_changelog(root: Path, version: str) -> None:
    """Nobody is told of what is not written down."""
    if not re.search(rf"^## {re.escape(version)}\b", (root / "CHANGELOG.md").read_text(), re.MULTILINE):
        raise CannotRelease(f"CHANGELOG.md has no section {version}")


def checked_out(folder: Path) -> None:
    """The last commit, and nothing else that may lie in the working tree."""
    archive = folder.with_suffix(".tar")
    _run(["git", "archive", "--output", str(archive), "HEAD"], ROOT)
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    archive.unlink()
    packages = ROOT / "web" / "node_modules"
    if packages.is_dir():
        # Those that the lock names, or they are fetched: `hatch_build` looks.
        shutil.copytree(packages, folder / "web" / "node_modules", symlinks=True, ignore=_bundle)


def _bundle(_: str, names: list[str]) -> list[str]:
    return [name for name in names if name in (".bundle", ".vite")]


def make(root: Path, output: Path, machine_code: bool, platforms: Sequence[str]) -> list[str]:
    """Everything, into an empty folder; a line for what could not be made."""
    moment = int(_told(["git", "log", "-1", "--format=%ct"], ROOT))
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment), "PYTHONHASHSEED": "0"}
    built = [sys.executable, "-m", "hatchling", "build", "--directory", str(output)]
    _run([*built, "--target", "sdist"], root, environment)
    _run([*built, "--target", "wheel"], root, environment)
    if machine_code:
        _run([*built, "--target", "wheel"], root, {**environment, "INBETWEENER_MACHINE_CODE": "1"})
    missing = []
    for platform in platforms:
        done = subprocess.run(
            [sys.executable, "-m", "extension.build", platform], cwd=root, capture_output=True, text=True, check=False
        )
        if done.returncode:
            missing.append(f"no extension for {platform}: {done.stderr.strip().splitlines()[-1]}")
    for made in sorted((root / "dist").glob("*.zip")):
        shutil.move(made, output / made.name)
    when = datetime.datetime.fromtimestamp(moment, datetime.UTC).isoformat()
    version = version_of(root)
    told = json.dumps(bill(root, version, when), indent=1) + "\n"
    (output / f"inbetweener-{version}.cdx.json").write_text(told)
    return missing


def checksums(folder: Path) -> dict[str, str]:
    """By name, the SHA-256 of every file but the list of them."""
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and path.name != "SHA256SUMS"]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def release(output: Path, machine_code: bool, platforms: Sequence[str], twice: bool) -> list[str]:
    """Make all of it; lines of what there is, and of what is not the same twice."""
    version = version_of(ROOT)
    check_changelog(ROOT, version)
    with tempfile.TemporaryDirectory(prefix="release-") as scratch:
        folders = [Path(scratch) / name for name in (("first", "other place") if twice else ("first",))]
        made = []
        for folder in folders:
            for each in ("tree", "made"):
                (folder / each).mkdir(parents=True)
            checked_out(folder / "tree")
            missing = make(folder / "tree", folder / "made", machine_code, platforms)
            made.append(checksums(folder / "made"))
        if differing := [name for name in sorted(set().union(*made)) if len({each.get(name) for each in made}) > 1]:
            raise CannotRelease(f"not the same twice: {', '.join(differing)}")
        output.mkdir(parents=True, exist_ok=True)
        for name in made[0]:
            shutil.move(folders[0] / "made" / name, output / name)
    (output / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in made[0].items()))
    sizes = [f"{name}: {(output / name).stat().st_size / 1e6:.2f} MB" for name in made[0]]
    return [*sizes, *missing, *(["the same to the bit when made again elsewhere"] if twice else [])]


def _run(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRelease(f"{' '.join(command[:5])} failed: {(done.stderr or done.stdout).strip()[-2000:]}")


def _told(command: Sequence[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--twice", action="store_true", help="make everything again elsewhere and compare")
    parser.add_argument("--pure", action="store_true", help="no wheel with machine code, which takes minutes")
    parser.add_argument("--extension", nargs="*", default=PLATFORMS, metavar="PLATFORM", help="none: no extension")
    wanted = parser.parse_args(arguments)
    if changed := _told(["git", "status", "--porcelain"], ROOT):
        print(f"{len(changed.splitlines())} changed files are not in the last commit, which is what is released")
    try:
        print(*release(wanted.output, not wanted.pure, wanted.extension, wanted.twice), sep="\n")
    except CannotRelease as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
