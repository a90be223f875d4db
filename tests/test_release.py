"""What a release hands out: one version, a bill of all that is in it, and the same bytes whoever builds it."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import inbetweener
from extension import build as extension
from release.__main__ import CannotRelease, check_changelog, version_of
from release.bill import bill

ROOT = Path(__file__).parents[1]
WHEN = "2026-01-01T00:00:00+00:00"


def test_one_version() -> None:
    assert version_of(ROOT) == inbetweener.__version__ == extension.library_version()
    said = subprocess.run(["git", "grep", "--count", "--fixed-strings", f'"{inbetweener.__version__}"'],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()  # fmt: skip
    ours = [line for line in said if re.match(r"(src|extension|web/package\.json)", line)]
    assert ours == ["src/inbetweener/__init__.py:1"]


def test_the_changelog_says_what_is_released() -> None:
    check_changelog(ROOT, inbetweener.__version__)
    with pytest.raises(CannotRelease, match=r"no section 99\.0"):
        check_changelog(ROOT, "99.0")


def test_the_bill_names_all_that_is_installed_and_built_in() -> None:
    told = bill(ROOT, "1.2.3", WHEN)
    assert told == bill(ROOT, "1.2.3", WHEN)
    assert told["serialNumber"] != bill(ROOT, "1.2.4", WHEN)["serialNumber"]
    purls = {
        part["purl"].partition("@")[0] if "npm" not in part["purl"] else part["purl"] for part in told["components"]
    }
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {f"pkg:pypi/{re.split(r'[^a-z0-9-]', need)[0]}" for need in asked} <= purls
    # What those bring along, and nothing that only builds.
    assert {"pkg:pypi/llvmlite", "pkg:pypi/anyio"} <= purls
    assert not {"pkg:pypi/hatchling", "pkg:pypi/pytest"} & purls
    page = json.loads((ROOT / "web" / "package.json").read_text())["dependencies"]
    assert all(any(purl.startswith(f"pkg:npm/{name.replace('@', '%40')}@") for purl in purls) for name in page)
    known = {part["bom-ref"] for part in told["components"]}
    assert all(set(each["dependsOn"]) <= known for each in told["dependencies"])


@pytest.mark.thorough
def test_built_twice_in_two_places_it_is_the_same_to_the_bit(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "release", "--twice", "--pure", "--output", str(tmp_path), "--extension"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the same to the bit" in done.stdout
    version = inbetweener.__version__
    wheel = tmp_path / f"inbetweener-{version}-py3-none-any.whl"
    assert {path.name for path in tmp_path.iterdir()} == {
        wheel.name, f"inbetweener-{version}.tar.gz", f"inbetweener-{version}.cdx.json", "SHA256SUMS",
    }  # fmt: skip
    with zipfile.ZipFile(wheel) as held:
        names = held.namelist()
    assert "inbetweener/studio/bundle/index.html" in names
    assert not [name for name in names if name.startswith(("tests/", "release/"))]
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)
