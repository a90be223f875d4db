"""`python -m interop.fbx [--written] [NAME …]`: files of FBX, or our scenes written as such, beside ufbx; a table."""

import sys
import tempfile
from pathlib import Path

from inbetweener.errors import FormatError
from inbetweener.formats import read, write
from interop.blender.cases import FILES, Case, cases
from interop.fbx.judge import JudgeFailed, Verdict, judged

HEAD = (
    "| {} | joints | clips | joints on frames | between | vertices on frames | between |\n|---|--:|--:|--:|--:|--:|--:|"
)


def main(arguments: list[str]) -> int:
    """Print a line for every file or scene; figures are parts of the character's height."""
    wanted = [each for each in arguments if not each.startswith("--")]
    if "--written" in arguments:
        return _written(wanted)
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
