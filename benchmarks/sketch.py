"""How fast a stroke on the cartoon character becomes a pose, and how near the bones come to it.

`python -m benchmarks.sketch [--json]`
"""

import numpy as np

from benchmarks.harness import Figure, interleaved, main
from inbetweener.builtin.characters.cartoon import cartoon
from inbetweener.document import Document, edits
from inbetweener.motion import Clip
from inbetweener.posing.sketch import Sketch, ViewPlane, select, sketch, twist
from inbetweener.posing.strokes import StrokeCurve, fit_stroke
from inbetweener.skinning import Mesh, Skin

FRAME = 1000.0 / 60.0
"""Milliseconds."""
ARM = ("upper_arm_l", "forearm_l")
FRONT = ViewPlane.named("front")


def measure() -> list[Figure]:
    document = Document("cartoon", cartoon().rig, cartoon().meshes, clips=(Clip("pose", 1.0),))
    rig, pose = document.rig, document.rig.defaults
    everything = tuple(joint.name for joint in rig.joints)
    t = np.linspace(0.0, 1.0, 200)
    noise = np.random.default_rng(2).normal(0.0, 0.002, (200, 2))
    body = np.stack([0.35 * np.sin(2.5 * t), 1.6 * t], axis=1) + noise
    arm = np.stack([0.095 + 0.5 * t, 1.13 + 0.2 * np.sin(5.0 * t)], axis=1) + noise
    curves = [fit_stroke(points) for points in (body, arm)]

    def whole() -> Sketch:
        return sketch(rig, pose, everything, curves[0], FRONT, mode="line-of-action")

    def limb() -> Sketch:
        return sketch(rig, pose, ARM, curves[1], FRONT)

    # A whole stroke as the hand feels it: fit, bend, key, joints in their new places.
    def felt() -> np.ndarray:
        drawn = sketch(rig, pose, everything, fit_stroke(body), FRONT, mode="line-of-action")
        return edits.sketch_pose(document, "pose", 0.5, drawn).motion().world_from_joint([0.5])

    runs = [whole, limb, lambda: twist(rig, pose, ARM, 4 * np.pi), lambda: select(body, rig, pose, FRONT), felt]
    names = [
        f"line of action, {len(everything)} bones", "direct, an arm", "two turns of twist, an arm",
        "select by a stroke of 200 points", "from 200 points to joints in place, all bones",
    ]  # fmt: skip
    bounds = [FRAME] * len(runs)
    figures = [
        Figure(f"{name}, median", 1e3 * timing.median, "ms", at_most=bound)
        for name, timing, bound in zip(names, interleaved(runs), bounds, strict=True)
    ]
    made = limb()
    off = 1e3 * _off(document, made, curves[1])
    figures.append(Figure("direct: wrist off the stroke", off, "mm", at_most=0.5))
    figures.append(Figure("direct: length kept", abs(made.length_ratio - 1.0), "", at_most=1e-4))
    sketched = edits.sketch_pose(document, "pose", 0.5, whole())
    channels = sketched.motion().channels([0.5])[0]
    mesh = sketched.meshes[0]
    skin = Skin(mesh, sketched.rig, "differential", poses=channels)
    longer = _drawn_out(mesh, skin, channels)
    figures.append(Figure("line of action: longest edge of the skin, times as at rest", longer, "", at_most=1.5))
    return figures


def _off(document: Document, made: Sketch, curve: StrokeCurve) -> float:
    """Metres in the view plane from the wrist to the stroke."""
    done = edits.sketch_pose(document, "pose", 0.5, made)
    wrist = done.motion().states([0.5], done.rig.point("hand_l"))[0][0, :2]
    drawn = curve.positions(np.linspace(0.0, curve.length, 20_001))
    return float(np.linalg.norm(wrist - drawn, axis=1).min())


def _drawn_out(mesh: Mesh, skin: Skin, channels: np.ndarray) -> float:
    """By how much the skin is stretched where it is stretched most."""
    edges = mesh.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    both = mesh.vertices[edges], skin.vertices(channels)[edges]
    was, now = (np.linalg.norm(np.diff(ends, axis=1), axis=2).max() for ends in both)
    return float(now / was)


if __name__ == "__main__":
    main("sketch", measure)
