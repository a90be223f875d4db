"""Opening FBX beside Blender's own importer: a character of 100 joints and 10,000 frames.

`python -m benchmarks.fbx [--json]`; Blender runs in the environment that `make blender` makes, or in that of the Python
that BLENDER_PYTHON names.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import inbetweener as ib
from benchmarks.foundation import dancer
from benchmarks.harness import Figure, main
from inbetweener.formats import read
from interop.blender import environment

JOINTS, FRAMES, ROUNDS = 100, 10_000, 3
INSIDE = """
import sys, time, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
started = time.process_time()
bpy.ops.import_scene.fbx(filepath=sys.argv[1])
print("seconds", time.process_time() - started)
rig = next(each for each in bpy.data.objects if each.type == "ARMATURE")
bag = rig.animation_data.action.layers[0].strips[0].channelbags[0]
print("bones", len(rig.data.bones), "keys", sum(len(curve.keyframe_points) for curve in bag.fcurves))
"""


def measure() -> list[Figure]:
    """Processor time of both, one after the other, in the same run."""
    python = os.environ.get("BLENDER_PYTHON", str(environment.PYTHON))
    if not Path(python).is_file():
        sys.exit("Blender is not installed: `make blender` does, into .venv-blender (1 GB)")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.fbx"
        # What programs write: straight keys on every frame.
        ib.formats.write(dancer(JOINTS, FRAMES, 60.0), path, sampled=True)
        size = path.stat().st_size / 2**20
        _read(path)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(_read(path))
            theirs.append(_imported(python, path))
    mine, peer = statistics.median(ours), statistics.median(theirs)
    return [
        Figure(f"opening an FBX of {JOINTS} joints × {FRAMES:,} frames, size", size, "MiB"),
        Figure("the same, median", mine, "s"),
        Figure("the same, Blender's importer", peer, "s"),
        Figure("the same, times faster than Blender", peer / mine, "×", at_least=3),
    ]


def _read(path: Path) -> float:
    started = time.process_time()
    document = read(path).document
    seconds = time.process_time() - started
    if len(document.rig.joints) != JOINTS or len(document.clip().frame_times) != FRAMES:
        raise SystemExit("the file did not come back whole")
    return seconds


def _imported(python: str, path: Path) -> float:
    done = subprocess.run((python, "-c", INSIDE, str(path)), capture_output=True, text=True)
    words = dict(zip((said := done.stdout.split())[::1], said[1:], strict=False))
    if "seconds" not in words or words.get("bones") != str(JOINTS):
        raise SystemExit(f"Blender did not open the file:\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}")
    return float(words["seconds"])


if __name__ == "__main__":
    main("fbx", measure)
