# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m extension.build [PLATFORM …] [--python 3.14]`: the extension as a zip for each platform, with its needs.

Blender unpacks the wheels that a manifest names and looks for no others: ours, and what we need besides numpy, which
Blender has. Large ones are packed anew, which makes them a quarter to a third smaller; what they hold stays.
"""

import argparse
import base64
import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "extension" / "blender"
LIBRARY = ROOT / "src" / "inbetweener"
OUTPUT = ROOT / "dist"

PYTHON = "3.13"
"""Of Blender 5.2 as its makers build it; distributions of Linux may use another."""
NEEDED = (
    "numba==0.68.1", "llvmlite==0.50.0", "daqp==0.10.3", "msgspec==0.22.0", "platformdirs==4.14.5", "scipy==1.18.1",
    "threadpoolctl==3.8.0",
)  # fmt: skip
"""What a drag needs, and scipy with threadpoolctl for contacts, guidance and looseness."""
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_14_0_arm64",),
}
"""Blender's names, and those of wheels."""
LARGEST = 80e6
"""Bytes of a zip."""
LARGE = 5e6
"""Bytes of a wheel that is worth packing anew."""
NOT_OURS = ("__pycache__", "bundle")
WHEN = (2026, 1, 1, 0, 0, 0)
"""A zip of the same files is the same to the bit."""


class CannotBuild(Exception):
    """One line that says what is missing."""


def build(platform: str, output: Path = OUTPUT, python: str = PYTHON) -> Path:
    """The zip for one platform."""
    if platform not in PLATFORMS:
        raise CannotBuild(f"no platform called {platform!r}; there are {', '.join(PLATFORMS)}")
    version = library_version()
    manifest = re.sub(r"^version = .*$", f'version = "{version}"', _manifest(), count=1, flags=re.MULTILINE)
    folder = ROOT / "build" / "extension" / f"{platform}-{python}"
    folder.mkdir(parents=True, exist_ok=True)
    wheels = [library(folder, version), *map(packed, downloaded(platform, folder, python))]
    listed = "".join(f'  "./wheels/{wheel.name}",\n' for wheel in sorted(wheels))
    # Keys of the whole must come before the first table.
    told, table, permissions = manifest.partition("[permissions]")
    manifest = f'{told}platforms = ["{platform}"]\nwheels = [\n{listed}]\n\n{table}{permissions}'
    output.mkdir(exist_ok=True)
    made = output / f"inbetweener-{version}-{platform}.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "blender_manifest.toml", manifest.encode())
        for path in sorted([*SOURCE.glob("*.py"), SOURCE / "LICENSE"]):
            _put(archive, path.name, path.read_bytes())
        for wheel in sorted(wheels):
            # Packed already.
            _put(archive, f"wheels/{wheel.name}", wheel.read_bytes(), zipfile.ZIP_STORED)
    if made.stat().st_size > LARGEST:
        raise CannotBuild(f"{made.name} has {made.stat().st_size / 1e6:.0f} MB, more than {LARGEST / 1e6:.0f}")
    return made


def library_version() -> str:
    """The library's, which is the extension's too."""
    return re.findall(r'^__version__ = "([^"]+)"', (LIBRARY / "__init__.py").read_text(), re.MULTILINE)[0]


def _manifest() -> str:
    return (SOURCE / "blender_manifest.toml").read_text()


def library(folder: Path, version: str) -> Path:
    """Our own wheel, pure Python, without the Studio's page."""
    name = f"inbetweener-{version}"
    files = {
        path.relative_to(LIBRARY.parent).as_posix(): path.read_bytes()
        for path in sorted(LIBRARY.rglob("*"))
        if path.is_file() and not set(path.parts) & set(NOT_OURS)
    }
    about = f"{name}.dist-info"
    files[f"{about}/METADATA"] = f"Metadata-Version: 2.4\nName: inbetweener\nVersion: {version}\n".encode()
    files[f"{about}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: inbetweener\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{about}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(f"{each},sha256={_digest(content)},{len(content)}\n" for each, content in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    made = folder / f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in files.items():
            _put(archive, each, content)
    return made


def downloaded(platform: str, folder: Path, python: str) -> list[Path]:
    """The wheels of what a drag needs, from the registry, kept for the next time."""
    names = [need.partition("==")[0] for need in NEEDED]
    versions = [need.replace("==", "-") for need in NEEDED]
    if not all(list(folder.glob(f"{version}-*.whl")) for version in versions):
        tags = [option for tag in PLATFORMS[platform] for option in ("--platform", tag)]
        command = (
            sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps",
            "--only-binary=:all:", "--python-version", python, "--implementation", "cp", *tags, "--dest", str(folder),
            *NEEDED,
        )  # fmt: skip
        if subprocess.run(command).returncode:
            raise CannotBuild(f"the registry has no wheels of {', '.join(names)} for {platform}; see above")
    return [next(folder.glob(f"{version}-*.whl")) for version in versions]


def packed(wheel: Path) -> Path:
    """The same wheel, smaller where it is large: with LZMA, which Python and so Blender unpacks as any other."""
    if wheel.stat().st_size < LARGE:
        return wheel
    folder = wheel.parent / "packed"
    folder.mkdir(exist_ok=True)
    made = folder / wheel.name
    if not made.is_file():
        part = made.with_suffix(".part")
        with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(part, "w") as archive:
            for each in before.infolist():
                _put(archive, each.filename, before.read(each), zipfile.ZIP_LZMA)
        part.replace(made)
    return made


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _put(archive: zipfile.ZipFile, name: str, content: bytes, how: int = zipfile.ZIP_DEFLATED) -> None:
    entry = zipfile.ZipInfo(name, WHEN)
    entry.external_attr, entry.compress_type = 0o644 << 16, how
    archive.writestr(entry, content)


def main() -> int:
    """Build for all platforms, or those named."""
    parser = argparse.ArgumentParser(prog="python -m extension.build")
    parser.add_argument("platforms", nargs="*", help=f"of {', '.join(PLATFORMS)}; all by default")
    parser.add_argument("--python", default=PYTHON, help=f"the Python that Blender was built with; {PYTHON} by default")
    wanted = parser.parse_args()
    for platform in wanted.platforms or PLATFORMS:
        made = build(platform, python=wanted.python)
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotBuild as error:
        sys.exit(str(error))
