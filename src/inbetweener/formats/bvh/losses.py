"""What a BVH file cannot hold of a document: one line each."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import LINEAR
from inbetweener.document import Document
from inbetweener.formats.bvh.bake import end_points
from inbetweener.motion import Clip


def losses(document: Document, clip: Clip | None, times: Floats, names: list[str]) -> tuple[str, ...]:
    """What is left out or changed when `clip` is written at `times` with the joint `names`."""
    rig = document.rig
    found = []
    for what, count in (("mesh", len(document.meshes)), ("prop", len(document.props))):
        if count:
            found.append(
                f"{count} {what}{'' if count == 1 else 'es' if what == 'mesh' else 's'}: BVH holds joints only"
            )
    shapes = [channel.name for channel in rig.channels if channel.kind == "shape"]
    if shapes:
        found.append(f"{len(shapes)} blend-shape channels ({_some(shapes)}): BVH holds joints only")
    moved = (
        {name for curves in (clip.curves, *(each.curves for each in clip.layers)) for name in curves} if clip else {}
    )
    scaled = [c.name for c in rig.channels if c.name in moved and any(drive.axis[0] == "s" for drive in c.drives)]
    if scaled:
        found.append(f"scale channels ({_some(scaled)}): kept only in where the joints below are")
    controls = [channel.name for channel in rig.channels if channel.kind == "control"]
    if controls:
        found.append(f"controls ({_some(controls)}): baked into the joints they drive")
    if any(np.isfinite([channel.lower, channel.upper]).any() for channel in rig.channels if channel.drives):
        found.append("limits of channels: BVH has none")
    lost = len(rig.points) - sum(point in rig.points for ends in end_points(document) for point in ends)
    if lost:
        found.append(f"{lost} points: BVH has one End Site a leaf")
    renamed = [(j.name, name) for j, name in zip(rig.joints, names, strict=True) if j.name != name]
    if renamed:
        found.append(
            f"joint names that BVH cannot write: {_some([f'{old!r} is written {new!r}' for old, new in renamed])}"
        )
    others = [each.name for each in document.clips if each is not clip]
    if others:
        found.append(f"other clips ({_some(others)}): a BVH file holds one; write each to its own file")
    if clip is not None:
        found.extend(_clip_losses(clip, times))
    return tuple(found)


def _clip_losses(clip: Clip, times: Floats) -> list[str]:
    found = []
    if clip.layers:
        found.append(f"layers ({_some([layer.name for layer in clip.layers])}): baked into the motion")
    if clip.start != 0:
        found.append(f"the start at {clip.start:g} s: BVH starts at 0")
    if clip.loops:
        found.append("that the clip loops: BVH cannot say so")
    # A sampled curve is one that straight lines between its values at the frames make again.
    shaped = [name for name, curve in clip.curves.items() if not _is_sampled(curve.times, curve.interpolations, times)]
    if shaped:
        found.append(f"keys and tangents ({_some(shaped)}): BVH holds a sample a frame")
    return found


def _is_sampled(keys: Floats, interpolations: np.typing.NDArray[np.uint8], times: Floats) -> bool:
    if len(keys) == 1:
        return True
    return bool((interpolations[:-1] == LINEAR).all()) and np.array_equal(keys, times)


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
