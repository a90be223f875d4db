"""Props and obstacles: where they are, and whether the character is inside them."""

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document import Prop
from inbetweener.maths import transforms
from inbetweener.render import colour, shapes
from inbetweener.render.batch import Batch
from inbetweener.render.body import Pose
from inbetweener.rig import Rig


def world_from_prop(prop: Prop, rig: Rig, pose: Pose) -> Floats:
    """Where a prop is in a pose (3, 4)."""
    placed = prop.transform.matrix()
    if prop.joint is None:
        return placed
    return transforms.product(pose.world_from_joint[rig.joint_index(prop.joint)], placed)


def prop_vertices(prop: Prop, rig: Rig, pose: Pose) -> Floats:
    """The surface of a prop in the world (n, 3)."""
    return transforms.apply(world_from_prop(prop, rig, pose), shapes.solid(prop.solid)[0])


def draw_prop(prop: Prop, rig: Rig, pose: Pose, body: Floats) -> Batch:
    """A prop in its own colour; an obstacle in a quiet warm one, red when a point of the body (n, 3) is inside it."""
    placed = world_from_prop(prop, rig, pose)
    if prop.role == "obstacle":
        painted = colour.linear(colour.ALARM if is_inside(prop, placed, body) else colour.OBSTACLE)
    else:
        painted = np.asarray(prop.colour)
    return Batch.painted(*shapes.copies(shapes.solid(prop.solid), placed[None, :, :3], placed[None, :, 3]), painted)


def is_inside(prop: Prop, placed: Floats, body: Floats) -> bool:
    """Whether any point of the body is inside the prop; never for what the body itself carries."""
    if prop.joint is not None or not len(body):
        return False
    return bool(np.min(prop.solid.distance(transforms.apply(transforms.inverse(placed), body))) < 0)
