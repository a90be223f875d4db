"""File axes and ours: Y up as it is, or Z up turned about x by a quarter.

With Z up, (x, y, z) of the file is (x, z, −y) of ours, and turning a whole skeleton is exact on its Euler channels:
R_x(a) stays, R_z(a) becomes R_y(a), R_y(a) becomes R_z(−a), in the same sequence.
"""

from typing import Literal

from inbetweener.maths.transforms import Vector

Up = Literal["y", "z"]
UPS: tuple[Up, ...] = ("y", "z")

FILE_AXIS: dict[Up, tuple[tuple[int, float], ...]] = {
    "y": ((0, 1.0), (1, 1.0), (2, 1.0)),
    "z": ((0, 1.0), (2, 1.0), (1, -1.0)),
}
"""For each of our axes x, y, z: the file's axis and the sign."""

OUR_AXIS: dict[Up, tuple[tuple[int, float], ...]] = {
    "y": ((0, 1.0), (1, 1.0), (2, 1.0)),
    "z": ((0, 1.0), (2, -1.0), (1, 1.0)),
}
"""For each of the file's axes X, Y, Z: our axis and the sign."""


def from_file(vector: Vector, unit: float, up: Up) -> Vector:
    """A length vector of the file in metres along our axes."""
    x, y, z = (sign * vector[axis] * unit for axis, sign in FILE_AXIS[up])
    return x, y, z


def to_file(vector: Vector, unit: float, up: Up) -> Vector:
    """A vector in metres along our axes, in the file's units and axes."""
    x, y, z = (sign * vector[axis] / unit for axis, sign in OUR_AXIS[up])
    return x, y, z
