"""`python -m interop.usd [NAME …]`: our scenes and characters written as USD, and how far usd-core is from us."""

import sys
import tempfile
from pathlib import Path

from inbetweener.formats import write
from inbetweener.formats.files import baked
from inbetweener.formats.straighten import straightened
from interop.blender.cases import cases
from interop.usd.judge import judged

ALLOWED = 1e-5
"""Of the height, for joints; points of skins whose scales UsdSkel rounds may be farther off, which is told."""


def main(arguments: list[str]) -> int:
    """Print a line for every scene; figures are parts of the character's height, on frames."""
    print("| scene | joints | clips | errors | joints | points |\n|---|--:|--:|--:|--:|--:|", flush=True)
    failed = 0
    for case in cases():
        if arguments and case.name not in arguments:
            continue
        document = case.document()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ours.usdc"
            losses = write(document, path)
            verdict = judged(path, straightened(baked(document)[0]).document)
        mark = " (scales rounded)" if any("half precision" in line for line in losses) else ""
        counts = f"{len(document.rig.joints)} | {len(document.clips)} | {len(verdict.errors)}"
        print(f"| {case.name} | {counts} | {verdict.joints:.1e} | {verdict.points:.1e}{mark} |", flush=True)
        failed += bool(verdict.errors) or verdict.joints > ALLOWED or (verdict.points > ALLOWED and not mark)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
