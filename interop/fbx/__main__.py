"""`python -m interop.fbx [--written | --blender] [NAME …]`: a table of how far apart we are from others.

Files of FBX as ufbx reads them; our scenes written as FBX and read by ufbx; or sampled, and imported by Blender.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from inbetweener.errors import FormatError
from inbetweener.formats import read, write
from interop.blender import environment
from interop.blender.cases import FILES, Case, cases
from interop.blender.trip import TOLERANCE
from interop.fbx.judge import JudgeFailed, Verdict, judged, seen_in_blender

HEAD = (
    "| {} | joints | clips | joints on frames | between | vertices on frames | between |\n|---|--:|--:|--:|--:|--:|--:|"
)


def main(arguments: list[str]) -> int:
    """Print a line for every file or scene; figures are parts of the character's height."""
    wanted = [each for each in arguments if not each.startswith("--")]
    if "--written" in arguments:
        return _written(wanted)
    if "--blender" in arguments:
        return _imported(wanted)
    print(HEAD.format("file"), flush=True)
    failed = 0
    for path in sorted((FILES / "fbx").rglob("*.fbx")):
        if path.parent.name == "malformed" or (wanted and path.stem not in wanted):
            continue
        try:
            document = Case(path.stem, lambda path=path: read(path).document).document()
        except FormatError as error:
            print(f"| {path.stem} | – | – | {error.problem} | | | |", flush=True)
            continue
        try:
            _show(path.stem, len(document.rig.joints), len(document.clips), judged(document, path))
        except JudgeFailed as error:
            print(f"| {path.stem} | {error} |")
            failed += 1
    return 1 if failed else 0


def _written(wanted: list[str]) -> int:
    print(HEAD.format("scene"), flush=True)
    for case in cases():
        if wanted and case.name not in wanted:
            continue
        document = case.document()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ours.fbx"
            write(document, path)
            _show(case.name, len(document.rig.joints), len(document.clips), judged(document, path))
    return 0


def _imported(wanted: list[str]) -> int:
    """Our scenes as real Blender shows them, on frames; it has one clip of a file in place at a time: the first."""
    environment.make()
    print("| scene | joints | vertices |\n|---|--:|--:|", flush=True)
    failed = 0
    for case in cases():
        if wanted and case.name not in wanted:
            continue
        document = case.document()
        apart = seen_in_blender(replace(document, clips=document.clips[:1]))
        print(f"| {case.name} | {apart.joints:.1e} | {apart.vertices:.1e} |", flush=True)
        failed += apart.joints > TOLERANCE or bool(apart.missing)
    return 1 if failed else 0


def _show(name: str, joints: int, clips: int, verdict: Verdict) -> None:
    figures = " | ".join(
        f"{each:.1e}"
        for each in (
            verdict.on.joints, verdict.between.joints, verdict.on.vertices, verdict.between.vertices,
        )
    )  # fmt: skip
    missing = f" (missing: {', '.join(verdict.missing[:4])})" if verdict.missing else ""
    print(f"| {name} | {joints} | {clips} | {figures} |{missing}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
