"""The spider walks one step in two key poses, the second the mirror of the first, which returns to close the loop.

Four feet stand in each half of the step: those of legs 1 and 3 on one side with 2 and 4 on the other. The feet that
swing are on the ground on every key, so nothing lifts them in between yet: their arcs are for the animator to shape.
"""

from inbetweener.builtin.characters.spider import LEGS, spider
from inbetweener.builtin.posing import Pose, keyed, mirrored_pose, posed, staged
from inbetweener.document import Document, View

STRIDE = 0.2
"""How far the body moves in half a step, in metres."""

BODY: Pose = {
    "body": (1.5, 4, 2.5), "head": (-4, 8, -6), "abdomen": (4, -8, 0),
    "eye_l": (0, 6, 0), "eye_r": (0, 6, 0), "palp_l": (-14, 0, 0), "palp_r": (10, 0, 0),
}  # fmt: skip

# Degrees of coxa, femur, tibia and tarsus that put each foot half a stride ahead of its place at rest, or behind it.
LEFT_LEGS = {
    1: (-15.8, -6.6, 20.5, -13.4),  # ahead
    2: (9.3, 1.8, -8.0, 3.9),  # behind
    3: (-22.3, 0.6, -6.5, 3.5),  # ahead
    4: (4.4, -10.6, 19.7, -11.7),  # behind
}
RIGHT_LEGS = {
    1: (-19.8, -13.4, 15.1, -4.7),  # behind
    2: (7.5, -1.3, -12.2, 10.6),  # ahead
    3: (-16.9, 1.6, -13.4, 10.6),  # behind
    4: (9.2, -9.6, 15.8, -7.0),  # ahead
}


def spider_walk() -> Document:
    """Two key poses and the return of the first: a whole step, 0.4 m forward."""
    character = spider()
    first = posed(BODY, _legs("l", LEFT_LEGS), _legs("r", RIGHT_LEGS))
    second = mirrored_pose(first)
    poses: dict[float, Pose] = {
        0: posed(first, _place(0.012, -STRIDE)),
        14: posed(second, _place(-0.012, 0.0)),
        28: posed(first, _place(0.012, STRIDE)),
    }
    # Flat everywhere: then body and legs ease alike, and standing feet hardly slip before anybody pins them.
    clip = keyed(character.rig, "walk", poses, tangents="flat", loops=True)
    return staged(character, "spider-walk", clip, View((0.72, 0.85, 1.85), (0.0, 0.08, 0.03), 0.51))


def _legs(side: str, turns: dict[int, tuple[float, float, float, float]]) -> Pose:
    pose: dict[str, float] = {}
    for pair in LEGS:
        coxa, femur, tibia, tarsus = turns[pair]
        pose |= {
            f"coxa_{pair}_{side}.ry": coxa,
            f"femur_{pair}_{side}.rz": femur,
            f"tibia_{pair}_{side}.rz": tibia,
            f"tarsus_{pair}_{side}.rz": tarsus,
        }
    return pose


def _place(x: float, z: float) -> Pose:
    return {"body.at": (x, -0.012, z)}
