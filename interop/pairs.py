"""`python -m interop.pairs [NAME …]`: files of every format as every other, and how far joints come off."""

import sys
import tempfile
from pathlib import Path

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.formats import read, write
from interop.blender.cases import FILES

SOURCES = (
    "bvh/cmu/02_01_walk.bvh",
    "gltf/khronos-samples/Fox.glb",
    "gltf/khronos-samples/InterpolationTest.glb",
    "gltf/vrm/polygonalmind_Polybot.vrm",
    "gltf/vrm/chatvrm_idle_loop.vrma",
    "fbx/ufbx/maya_interpolation_modes_7500_binary.fbx",
    "fbx/characters/polygonalmind_EggBoy.fbx",
    "usd/CesiumMan.usdz",
    "usd/InterpolationTest.usdz",
    "robots/unitree_h1/h1.xml",
)
SUFFIXES = (".tween", ".bvh", ".glb", ".fbx", ".usdc", ".npz", ".csv")
SAMPLES = 24
"""Moments of a clip that are looked at, on frames and as many between."""


def main(arguments: list[str]) -> int:
    """Print a line a file, of its first clip: the largest error of a joint in parts of the height."""
    print("| file | " + " | ".join(f"`{each}` frames | between" for each in SUFFIXES) + " |")
    print("|---|" + "--:|--:|" * len(SUFFIXES), flush=True)
    for name in SOURCES:
        if arguments and Path(name).name not in arguments:
            continue
        document = read(FILES / name).document
        figures = []
        for suffix in SUFFIXES:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"a{suffix}"
                try:
                    write(document, path)
                except InbetweenerError:
                    # A file of motion needs some.
                    figures += ["–", "–"]
                    continue
                again = read(path, **({"onto": document} if suffix == ".csv" else {})).document
            figures += [f"{each:.0e}" for each in apart(document, again)]
        print(f"| {Path(name).name} | " + " | ".join(figures) + " |", flush=True)
    return 0


def apart(document: Document, again: Document) -> tuple[float, float]:
    """How far joints of the same names are apart in the first clip, on frames and between; at rest without one."""
    places = {joint.name: n for n, joint in enumerate(again.rig.joints)}
    own = [(n, places[joint.name]) for n, joint in enumerate(document.rig.joints) if joint.name in places]
    if not own:
        raise SystemExit("no joint came back under its name")
    if not document.clips:
        here, there = document.rig.rest_world()[:, :, 3], again.rig.rest_world()[:, :, 3]
        height = float(np.ptp(here, axis=0).max()) or 1.0
        return max(float(np.abs(here[n] - there[m]).max()) for n, m in own) / height, 0.0
    clip = document.clips[0]
    frames = clip.frame_times
    chosen = frames[np.unique(np.linspace(0, len(frames) - 1, SAMPLES).astype(int))]
    between = chosen[:-1] + 0.37 / clip.rate

    def off(times: Floats) -> float:
        # BVH begins at nought.
        later = times - clip.start + again.clips[0].start
        here, there = document.motion(clip.name).joint_positions(times), again.motion().joint_positions(later)
        height = float(np.ptp(here, axis=1).max()) or 1.0
        return max(float(np.abs(here[:, n] - there[:, m]).max()) for n, m in own) / height

    return off(chosen), off(between)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
