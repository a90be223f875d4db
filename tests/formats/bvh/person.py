"""A person of plain numbers, and BVH files of it in any unit and with any axis up; scipy turns, nobody of ours."""

import numpy as np
from scipy.spatial.transform import Rotation

JOINTS = [
    ("Hips", -1, (0.0, 0.0, 0.0)),
    ("Spine", 0, (0.0, 0.12, 0.0)),
    ("Neck", 1, (0.0, 0.42, 0.0)),
    ("Head", 2, (0.0, 0.12, 0.02)),
    ("LeftArm", 1, (0.18, 0.36, 0.0)),
    ("LeftForeArm", 4, (0.29, 0.0, 0.0)),
    ("LeftHand", 5, (0.26, 0.0, 0.0)),
    ("RightArm", 1, (-0.18, 0.36, 0.0)),
    ("RightForeArm", 7, (-0.29, 0.0, 0.0)),
    ("RightHand", 8, (-0.26, 0.0, 0.0)),
    ("LeftUpLeg", 0, (0.09, -0.05, 0.0)),
    ("LeftLeg", 10, (0.0, -0.42, 0.0)),
    ("LeftFoot", 11, (0.0, -0.42, 0.0)),
    ("LeftToeBase", 12, (0.0, -0.06, 0.14)),
    ("RightUpLeg", 0, (-0.09, -0.05, 0.0)),
    ("RightLeg", 14, (0.0, -0.42, 0.0)),
    ("RightFoot", 15, (0.0, -0.42, 0.0)),
    ("RightToeBase", 16, (0.0, -0.06, 0.14)),
]
"""Names, parents and offsets in metres, y up, facing z: 1.72 m by the bones."""

RATE = 60.0

FROM_OURS = {
    "x": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
    "-x": [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
    "y": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "-y": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
    "z": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    "-z": [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
}
"""The file's coordinates of our axes, as columns; turns about x for y and z, about z for x."""


def walk(frames: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Root places (F, 3) in metres and local rotation vectors (F, J, 3) of somebody who walks and turns."""
    t = np.arange(frames) / RATE
    root = np.stack([0.3 * np.sin(t), 0.97 + 0.02 * np.sin(9 * t), 1.2 * t], axis=1)
    turns = np.zeros((frames, len(JOINTS), 3))
    turns[:, 0] = np.stack([0.05 * np.sin(9 * t), 0.6 * t, 0.03 * np.cos(9 * t)], axis=1)
    for side, phase in ((10, 0.0), (14, np.pi)):
        turns[:, side, 0] = 0.5 * np.sin(9 * t + phase)
        turns[:, side + 1, 0] = 0.4 + 0.4 * np.sin(9 * t + phase)
    turns[:, 4, 2], turns[:, 7, 2] = -1.2, 1.2
    turns[:, 5, 1] = 0.3 * np.sin(9 * t)
    return root, turns


def places(root: np.ndarray, turns: np.ndarray, scale: float = 1.0) -> np.ndarray:
    """Where the joints are (F, J, 3), in metres."""
    world: list[tuple[np.ndarray, Rotation]] = []
    for j, (_, parent, offset) in enumerate(JOINTS):
        local = Rotation.from_rotvec(turns[:, j])
        if parent < 0:
            world.append((scale * root, local))
        else:
            place, turned = world[parent]
            world.append((place + turned.apply(scale * np.array(offset)), turned * local))
    return np.stack([place for place, _ in world], axis=1)


def file_text(
    root: np.ndarray,
    turns: np.ndarray,
    unit: float = 0.01,
    up: str = "y",
    *,
    scale: float = 1.0,
    names: list[str] | None = None,
    rate: float = RATE,
) -> str:
    """The same as a BVH file, `scale` times as large."""
    axes = np.array(FROM_OURS[up], np.float64)
    called = names or [name for name, _, _ in JOINTS]
    lines, path = ["HIERARCHY"], []
    for j, (_, parent, offset) in enumerate(JOINTS):
        while path and path[-1] != parent:
            path.pop()
            lines.append("}")
        lines.append(f"{'JOINT' if path else 'ROOT'} {called[j]}")
        lines.append("{")
        path.append(j)
        lines.append("OFFSET " + " ".join(f"{v:.9g}" for v in axes @ np.array(offset) * scale / unit))
        moves = "6 Xposition Yposition Zposition" if parent < 0 else "3"
        lines.append(f"CHANNELS {moves} Zrotation Xrotation Yrotation")
    lines += ["}"] * len(path)
    turn = Rotation.from_matrix(axes)
    angles = [(turn * Rotation.from_rotvec(turns[:, j]) * turn.inv()).as_euler("ZXY", True) for j in range(len(JOINTS))]
    rows = np.concatenate([root @ axes.T * scale / unit, *angles], axis=1)
    lines += ["MOTION", f"Frames: {len(rows)}", f"Frame Time: {1 / rate!r}"]
    lines += [" ".join(f"{value:.9g}" for value in row) for row in rows]
    return "\n".join(lines) + "\n"
