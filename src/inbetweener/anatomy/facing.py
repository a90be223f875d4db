"""Where a body looks."""

import numpy as np

from inbetweener.anatomy.part import Anatomy, Role
from inbetweener.arrays import Floats
from inbetweener.rig import Rig

_PAIRS: tuple[Role, ...] = ("thigh", "upper_arm", "clavicle", "foot", "hand", "eye", "ear")


def ahead(rig: Rig, anatomy: Anatomy) -> Floats:
    """Forwards (3,) at rest, on the ground: square to the line from the right limbs to the left ones; Z without any."""
    places = rig.rest_world()[:, :, 3]
    for role in _PAIRS:
        across = np.zeros(3)
        for part in anatomy.find(role, "left"):
            other = anatomy.partner(part.joint)
            if other is not None:
                across += places[rig.joint_index(part.joint)] - places[rig.joint_index(other)]
        forwards = np.cross(across, [0.0, 1.0, 0.0])
        if (length := float(np.linalg.norm(forwards))) > 1e-9:
            return np.asarray(forwards / length, np.float64)
    return np.array([0.0, 0.0, 1.0])
