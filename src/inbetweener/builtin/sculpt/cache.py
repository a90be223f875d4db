"""Sculpts are made once a machine: the mesh is kept in the user's cache folder, named after what it was made from."""

import hashlib
import io
import zipfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.builtin.sculpt.borders import Skin, with_border
from inbetweener.builtin.sculpt.field import Field, region_distances
from inbetweener.builtin.sculpt.shape import Colour, Sculpt
from inbetweener.builtin.sculpt.surface import polygonised, smooth_weights, strongest
from inbetweener.maths import transforms, vector_kernels
from inbetweener.rig import Rig
from inbetweener.skinning import Mesh
from inbetweener.system import NotOurs, cache_root, own_folder, read_own, replace_file


def coloured(skin: Skin, sculpt: Sculpt, rig: Rig, field: Field) -> tuple[Skin, Floats]:
    """The skin cut along every border between colours, and linear RGB (V, 3) for its vertices."""
    width = 0.08 * sculpt.cell
    layers = [*_layers(sculpt, field), *_paint(sculpt, rig)]
    for _, function in layers:
        skin = with_border(skin, function, width)
    rgb = np.empty((len(skin.points), 3))
    rgb[:] = _colours(sculpt)[-1]
    # The first of the plain colours wins, the last of the paints.
    plain = len(layers) - len(sculpt.paint)
    for colour, function in [*reversed(layers[:plain]), *layers[plain:]]:
        rgb[function(skin.points) > -0.5 * width] = colour
    return skin, rgb


def _colours(sculpt: Sculpt) -> list[Colour]:
    return list(dict.fromkeys(part.colour for limb in sculpt.limbs for part in limb.parts))


def _layers(sculpt: Sculpt, field: Field) -> list[tuple[Colour, Callable[[Floats], Floats]]]:
    """For every colour but the last, a function that is positive where it is nearer than all those after it."""
    colours = _colours(sculpt)
    which = np.array([colours.index(part.colour) for limb in sculpt.limbs for part in limb.parts])

    def nearer(n: int) -> Callable[[Floats], Floats]:
        def function(points: Floats) -> Floats:
            distances = field.part_distances(points)
            return distances[:, which > n].min(axis=1) - distances[:, which == n].min(axis=1)

        return function

    return [(colour, nearer(n)) for n, colour in enumerate(colours[:-1])]


def _paint(sculpt: Sculpt, rig: Rig) -> list[tuple[Colour, Callable[[Floats], Floats]]]:
    def within(n: int) -> Callable[[Floats], Floats]:
        return lambda points: -region_distances(sculpt.paint[n].region, rig, points)

    return [(paint.region.colour, within(n)) for n, paint in enumerate(sculpt.paint)]


def sculpt_mesh(name: str, sculpt: Sculpt, rig: Rig) -> Mesh:
    """The skinned mesh of a sculpt on a rig at rest, made afresh."""
    field = Field.of(sculpt, rig)
    points, triangles = polygonised(field, sculpt.cell)
    owning = np.array([rig.joint_index(part.joint) for limb in sculpt.limbs for part in limb.parts])
    owners = owning[np.argmin(field.part_distances(points), axis=1)]
    weights = smooth_weights(rig, owners, triangles, sculpt.softness)
    skin, rgb = coloured(Skin(points, weights, triangles), sculpt, rig, field)
    vertices, normals = field.pulled(skin.points, np.full((len(skin.points), 1), 0.1 * sculpt.cell), 3)
    influences, kept = strongest(skin.extra)
    used, slots = np.unique(influences, return_inverse=True)
    return Mesh(
        name=name,
        vertices=vertices.astype(np.float32),
        triangles=skin.triangles.astype(np.int32),
        joints=tuple(rig.joints[j].name for j in used),
        joint_from_mesh=transforms.inverse(rig.rest_world()[used]),
        influences=slots.reshape(influences.shape).astype(np.int32),
        weights=kept.astype(np.float32),
        normals=normals.astype(np.float32),
        colours=np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1).astype(np.float32),
    )


_reading = Lock()
_ARRAYS = ("vertices", "triangles", "joint_from_mesh", "influences", "weights", "normals", "colours")


def sculpted(name: str, sculpt: Sculpt, rig: Rig) -> Mesh:
    """The skinned mesh of a sculpt on a rig at rest; from the cache where it is there and sound."""
    path = cache_root() / "sculpts" / f"{name}-{_digest(sculpt, rig)}.npz"
    mesh = _read(name, path)
    if mesh is None:
        mesh = sculpt_mesh(name, sculpt, rig)
        _write(mesh, path)
    return mesh


@lru_cache(maxsize=1)
def _code() -> bytes:
    """The code that sculpts: other code may make other meshes."""
    sources = *sorted(Path(__file__).parent.glob("*.py")), Path(vector_kernels.__file__)
    return b"".join(path.read_bytes() for path in sources)


def _digest(sculpt: Sculpt, rig: Rig) -> str:
    made = hashlib.sha256(_code())
    made.update(repr((sculpt, rig.joints)).encode())
    return made.hexdigest()[:20]


def _read(name: str, path: Path) -> Mesh | None:
    try:
        # From memory: numpy leaves the file open when it turns out not to be an archive. One thread at a time: numpy
        # parses headers as Python, and Python before 3.11.8 miscounts when two threads parse at once.
        with _reading, np.load(io.BytesIO(read_own(path)), allow_pickle=False) as stored:
            arrays = {key: stored[key] for key in _ARRAYS}
            joints = tuple(str(joint) for joint in stored["joints"])
        return Mesh(name=name, joints=joints, **arrays)
    except (OSError, NotOurs, ValueError, KeyError, EOFError, NotImplementedError, zipfile.BadZipFile):
        # Absent, cut short or not what it should be: sculpting again mends it.
        return None


def _write(mesh: Mesh, path: Path) -> None:
    content = io.BytesIO()
    np.savez(content, joints=np.array(mesh.joints), **{key: getattr(mesh, key) for key in _ARRAYS})
    try:
        own_folder(path.parent)
        replace_file(path, content.getvalue(), own=True)
    except (OSError, NotOurs):
        # A cache that cannot be written only costs time.
        return
