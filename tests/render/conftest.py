"""Small documents to draw, made by code."""

import numpy as np
import pytest

from inbetweener.curves import Curve
from inbetweener.curves.key import Key, Tangent
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.maths import transforms
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.render import shapes
from inbetweener.render.gl import GLBackend
from inbetweener.rig import Joint, Point, Rig, joint_channels
from inbetweener.skinning import Material, Mesh

SEGMENT = 0.4


def eased(*values: float, seconds: float = 1.0) -> Curve:
    """Keys evenly over the given time, with flat tangents."""
    times = np.linspace(0, seconds, len(values))
    width = seconds / (len(values) - 1) / 3
    flat = Tangent(width, 0.0)
    return Curve.from_keys([Key(float(t), v, flat, flat) for t, v in zip(times, values, strict=True)])


def tentacle(joints: int = 4, offset: tuple[float, float, float] = (0.0, 0.1, 0.0), scale: float = 1.0) -> Document:
    """A round tentacle that sways: a skinned tube along a chain of joints."""
    step = SEGMENT * scale
    chain = [Joint("root", rest=Transform(offset))]
    chain += [Joint(f"j{i}", i - 1, Transform((0.0, step, 0.0))) for i in range(1, joints)]
    channels = [c for j in chain for c in joint_channels(j, "tx ty tz rx ry rz" if j.name == "root" else "rx ry rz")]
    rig = Rig(tuple(chain), tuple(channels), (Point(chain[-1].name, (0.0, step, 0.0), "tip"),))
    path = np.linspace(0, joints * step, 30)[:, None] * [0.0, 1.0, 0.0] + np.asarray(offset)
    vertices, normals, triangles = shapes.tube(path, 0.3 * step, 12)
    along = np.clip((vertices[:, 1] - offset[1]) / step - 0.5, 0, joints - 1)
    first = np.floor(along).astype(np.int32)
    weights = np.stack([1 - (along - first), along - first], axis=-1)
    mesh = Mesh(
        "skin",
        vertices,
        triangles,
        tuple(j.name for j in chain),
        transforms.inverse(rig.rest_world()),
        np.stack([first, np.minimum(first + 1, joints - 1)], axis=-1),
        weights,
        normals=normals,
        material=Material(colour=(0.6, 0.3, 0.2, 1.0)),
    )
    curves = {f"j{i}.rz": eased(0.5, -0.4, 0.3) for i in range(1, joints)}
    curves["root.tx"] = eased(-0.5 * step, 0.5 * step, 0.0)
    if offset[0]:
        curves["root.tx"] = eased(offset[0], offset[0] + step, offset[0])
    return Document("tentacle", rig, (mesh,), (), (Clip("sway", 1.0, curves=Curves(curves)),))


@pytest.fixture(scope="session")
def swaying() -> Document:
    return tentacle()


@pytest.fixture(scope="session")
def gl() -> None:
    """For tests that need OpenGL; a machine without it says what it lacks."""
    try:
        GLBackend((8, 8)).close()
    except InbetweenerError as error:
        pytest.skip(str(error))
