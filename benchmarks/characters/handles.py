"""Characters on IK handles: how far their joints are from where they were, on frames and between.

`python -m benchmarks.characters.handles` prints the table of docs/rigs.md. Joints are placed by scipy's rotations, on
every frame, at quarters of frames and, as keys may lie on those, at eighths.
"""

import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.characters.stretch import DATA, characters
from benchmarks.harness import Figure
from inbetweener import formats
from inbetweener.document import Document, edits
from inbetweener.errors import InbetweenerError
from inbetweener.rig import Rig, chains

NEAR = 1e-4
PARTS = 8


@dataclass(frozen=True)
class Row:
    """What became of one file: metres on frames, at quarters and at eighths; the share of frames turned by joints.

    `switched` is the same at quarters where one limb turns by its joints in the middle third of the longest clip.
    """

    name: str
    height: float
    handles: int
    frames: int
    keys: int
    added: int
    near: tuple[float, float, float]
    switched: float
    by_joints: float
    seconds: float


def places(rig: Rig, dofs: np.ndarray) -> np.ndarray:
    """Joint origins (T, J, 3) of degrees of freedom (T, 9J), by scipy's rotations."""
    linear, origin = [], []
    for j, joint in enumerate(rig.joints):
        shift, angles, scale = np.split(dofs[:, 9 * j : 9 * j + 9], 3, axis=1)
        w, x, y, z = joint.rest.rotation
        turn = Rotation.from_euler(joint.order, angles[:, ["XYZ".index(axis) for axis in joint.order]])
        own = (Rotation.from_quat([x, y, z, w]) * turn).as_matrix() * scale[:, None, :]
        if joint.parent >= 0:
            origin.append(origin[joint.parent] + np.einsum("tij,tj->ti", linear[joint.parent], shift))
            own = linear[joint.parent] @ own
        else:
            origin.append(shift)
        linear.append(own)
    return np.stack(origin, axis=1)


def parted(document: Document, clip: str, parts: int) -> np.ndarray:
    """Times of frames and so many parts of each."""
    frames = document.clip(clip).frame_times
    return np.interp(np.arange(parts * (len(frames) - 1) + 1) / parts, np.arange(len(frames)), frames)


def apart(one: Document, other: Document, clip: str, times: np.ndarray) -> np.ndarray:
    """Metres (T,) by which any joint of two documents is apart."""
    seen = [places(each.rig, each.rig.dof_map.dofs(each.motion(clip).channels(times))) for each in (one, other)]
    return np.asarray(np.linalg.norm(seen[0] - seen[1], axis=2).max(axis=1))


def judged(name: str, document: Document) -> Row:
    began = time.process_time()
    result = edits.give_handles(document)
    seconds = time.process_time() - began
    given, near, keys = result.document, np.zeros(3), 0
    for clip in document.clips:
        gaps = apart(document, given, clip.name, parted(document, clip.name, PARTS))
        near = np.maximum(near, [gaps[::PARTS].max(), gaps[:: PARTS // 4].max(), gaps.max()])
        keys += sum(len(given.clip(clip.name).curves[handle.channels[0]]) for handle in given.rig.handles)
    switched = 0.0
    if document.clips:
        longest = max(document.clips, key=lambda each: len(each.frame_times))
        third = len(longest.frame_times) // 3
        if third > 0:
            limb = given.rig.handles[0].name
            fk = edits.switch_limb(given, limb, "fk", frames=(third, 2 * third), clip=longest.name).document
            ik = edits.switch_limb(fk, limb, "ik", frames=(third, 2 * third), clip=longest.name).document
            times = parted(given, longest.name, 4)
            switched = max(float(apart(given, each, longest.name, times).max()) for each in (fk, ik))
    frames = sum(len(clip.frame_times) for clip in document.clips)
    share = sum(result.joints.values()) / max(1, frames * len(given.rig.handles))
    height = chains.height(document.rig)
    on, quarters, eighths = near.tolist()
    return Row(
        name,
        height,
        len(given.rig.handles),
        frames,
        keys,
        result.keys,
        (on, quarters, eighths),
        switched,
        share,
        seconds,
    )


def rows() -> Iterator[Row]:
    """Of every character whose limbs are recognised; one of the many clips on one skeleton stands for all."""
    for path in characters():
        if path.parent.name == "cmu" and "09_03" not in path.stem:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                yield judged(path.relative_to(DATA).as_posix(), formats.load(path))
            except InbetweenerError as error:
                print(f"{path.name}: {error}", file=sys.stderr)


def measure() -> list[Figure]:
    """How near joints stay at quarters of frames, and how long it takes."""
    figures = []
    for row in rows():
        stem = Path(row.name).stem
        figures += [
            Figure(
                f"{stem}: on {row.handles} handles, at quarters of {row.frames} frames",
                1e3 * row.near[1],
                "mm",
                at_most=1e3 * NEAR,
            ),
            Figure(f"{stem}: at eighths", 1e3 * row.near[2], "mm"),
            Figure(
                f"{stem}: switched to joints and back within a third of a clip",
                1e3 * row.switched,
                "mm",
                at_most=2e3 * NEAR,
            ),
            Figure(f"{stem}: frames by joints", row.by_joints, ""),
            Figure(f"{stem}: processor time", row.seconds, "s"),
        ]
    return figures


def _mm(metres: float) -> str:
    return "< 0.001 mm" if 0 < metres < 1e-6 else f"{1e3 * metres:.2g} mm"


def main() -> None:
    print("| file | height | handles | frames | keys | added | on frames | quarters | eighths | switched | by joints |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for row in rows():
        told = (
            row.name, f"{row.height:.3g} m", row.handles, row.frames, row.keys, row.added,
            *map(_mm, row.near), _mm(row.switched), f"{100 * row.by_joints:.0f} %",
        )  # fmt: skip
        print("| " + " | ".join(map(str, told)) + " |", flush=True)


if __name__ == "__main__":
    main()
