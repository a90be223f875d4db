"""Does any bone of a character change its length when a hand pulls and drags its ends?

Every character of `../shared/data` with three joints or more is pulled by some of its ends, far beyond its reach, on a
key and dragged between keys. Lengths are those of joints from their parents, before and after, at frames and between
them; only what carries a body, or is a handle without a skin, may come farther from its parent.
"""

import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.harness import Figure
from inbetweener import formats
from inbetweener.curves import Curve, set_interpolation, tangent_presets
from inbetweener.document import Document, edits
from inbetweener.errors import InbetweenerError
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Point, Rig, chains
from inbetweener.tangents import NothingToDrag

DATA = Path(__file__).parents[3] / "shared" / "data"
FOLDERS = (
    "gltf/characters",
    "gltf/khronos-samples",
    "gltf/vrm",
    "gltf/hands",
    "gltf/exporter-quirks",
    "bvh/clips",
    "bvh/cmu",
)
UNLIKE = ("RecursiveSkeletons",)
"""No character: 84 skins on one another."""
STRETCH = 1e-6


def characters(data: Path = DATA) -> Iterator[Path]:
    """All files of characters."""
    for folder in FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if path.suffix.lower() in formats.SUFFIXES and path.stem not in UNLIKE:
                yield path


def opened(path: Path) -> Document:
    """A character with a clip of Bezier curves; one that has none is keyed at rest, twice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = formats.load(path)
    if not document.clips:
        rest = {c.name: Curve.sampled(np.array([0.0, 1.0]), np.full(2, c.default)) for c in document.rig.channels}
        document = edits.add_clip(document, Clip("rest", 1.0, curves=Curves(rest)))
    clip = max(document.clips, key=lambda each: (each.end - each.start < 2.0, each.end - each.start))
    smooth = {
        name: tangent_presets.smooth(set_interpolation(curve, "bezier").curve) for name, curve in clip.curves.items()
    }
    return replace(document, clips=(replace(clip, curves=Curves(smooth)),))


def ends(rig: Rig, most: int = 3) -> list[str]:
    """Some ends of limbs, far apart in the list; the farthest from the root first."""
    above = {joint.parent for joint in rig.joints}
    depth = [0] * len(rig.joints)
    for j, joint in enumerate(rig.joints):
        depth[j] = depth[joint.parent] + 1 if joint.parent >= 0 else 0
    leaves = [j for j in range(len(rig.joints)) if j not in above and depth[j] > 1]
    deepest = sorted(leaves, key=lambda j: -depth[j])
    return [rig.joints[j].name for j in deepest[:: max(1, len(deepest) // most)][:most]]


def stretched(document: Document, names: Iterable[str]) -> tuple[float, str, int]:
    """The largest relative change of a bone's length by pulls and drags, whose it is, and how many edits were done."""
    clip = document.clips[0].name
    motion, worst, where, count = document.motion(clip), 0.0, "", 0
    for name in names:
        keys = motion.key_times(Point(name))
        middle = min(len(keys) // 2, len(keys) - 2)
        if middle < 0:
            continue
        key, between = float(keys[middle]), float(keys[middle : middle + 2].mean())
        away = motion.states([key], Point(name))[0][0] + 0.3 * chains.size(document.rig) * np.array([0.6, 0.5, 0.62])
        times = np.linspace(key - 0.1, between + 0.1, 9)
        for verb, time in ((edits.pull, key), (edits.drag, between)):
            try:
                after = verb(document, name, time=time, to=away).document
            except NothingToDrag:
                continue
            count += 1
            changed, bone = changed_lengths(document, after, times)
            if changed > worst:
                worst, where = changed, bone
    return worst, where, count


def changed_lengths(before: Document, after: Document, times: np.ndarray) -> tuple[float, str]:
    """The largest relative change of the length of a bone, and whose."""
    rig, clip = before.rig, before.clips[0].name
    free = {c.drives[0].joint for c in rig.channels if c.kind == "translation" and c.free}
    bones = [j for j, joint in enumerate(rig.joints) if joint.parent >= 0 and joint.name not in free]
    if not bones:
        return 0.0, ""
    parents = [rig.joints[j].parent for j in bones]
    long, now = (_lengths(each.motion(clip).world_from_joint(times), bones, parents) for each in (before, after))
    off = np.abs(now - long) / np.maximum(long, 1e-3 * chains.size(rig))
    worst = off.max(axis=0)
    return float(worst.max()), rig.joints[bones[int(worst.argmax())]].name


def _lengths(world: np.ndarray, bones: list[int], parents: list[int]) -> np.ndarray:
    """(T, B) lengths in metres; where clips scale a parent unevenly, by the mean of its scales, however bones turn."""
    matrices = world[:, parents][..., :3]
    along = world[..., 3][:, bones] - world[..., 3][:, parents]
    # A scale of nought has no inverse: what hangs on it has no length.
    seen = np.einsum("tbij,tbj->tbi", np.linalg.pinv(matrices), along)
    return np.linalg.norm(seen, axis=2) * np.cbrt(np.abs(np.linalg.det(matrices)))


def measure() -> list[Figure]:
    """Of every character, the worst bone."""
    figures = []
    for path in characters():
        try:
            document = opened(path)
        except InbetweenerError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            continue
        if len(document.rig.joints) < 3 or not (names := ends(document.rig)):
            continue
        worst, where, count = stretched(document, names)
        what = f"{path.stem}: bones stretched by {count} edits{f', {where}' if where else ''}"
        figures.append(Figure(what, worst, "", at_most=STRETCH))
    return figures
