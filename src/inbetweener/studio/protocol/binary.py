"""The hot path: sixteen bytes of header, then plain numbers, little-endian.

Header: u8 kind, u8 flag, u16 small, then three u32 a, b, c.

MOVE 1    small: number of values; a: gesture; b: sequence. Then f64 values.
POSES 2   flag: 1 of the keyed motion, where a loose one is shown, 2 of a step of the history that is compared with;
          a: revision; b: first frame; c: frames. Then u32 joints, u32 channels; f32 frames·joints·12; f32
          frames·channels. A pose is a row of 3×4 matrices world_from_joint, each row by row.
ARC 3     flag: has turns; small: samples a frame; a: revision; b: the arc's number; c: samples. Then u32 keys, f32
          start; f32 positions samples·3, speeds samples, turns samples·4 (wxyz, if any), key times keys, key
          positions keys·3. Sample i is at start + i / (samples a frame · rate). No samples: the place is gone.
CURVES 4  flag: whole, curves not named are gone as well; a: revision; b: keys in all; c: curves. Then u32 curves·3
          (channel, layer + 1 or 0 for the base, keys); f32 keys·8: time, value, in x, in y, out x, out y,
          interpolation (0 constant, 1 linear, 2 Bezier), tied. A curve of no keys is gone.
BLEND 5   flag: 1 has stretches, 2 of the keyed motion, 4 of a step compared with; small: the mesh's number; a:
          revision; b: first frame; c: frames. Then u32 plan, u32 nodes, u32 joints of the mesh; f32 frames·nodes·8, the
          differentials that the plan blends; with stretches f32 frames·joints·12, matrices for the rest shape before it
          is moved. Comes right behind the poses of the same frames.
SOFT 6    small: the mesh's number; a: revision; b: first frame; c: frames. Then u32 vertices; f32 frames·vertices·3:
          how far the soft vertices of a mesh, as `SoftVertices` lists them, are off on each frame, in the mesh's own
          space and before joints carry them, like a blend shape. Comes behind the poses of the same frames.

Meshes, and how their vertices are blended, as blocks of bytes that are fetched once: little-endian.

A mesh, every array on a multiple of four. Header, u32 each: vertices V, triangles F, influences a vertex N, joints K,
shapes S, flags (1 normals, 2 uvs, 4 colours). Then f32 vertices V·3; u32 triangles F·3; u32 influences V·N (indices
into the mesh's joints); f32 weights V·N; f32 joint_from_mesh K·12; f32 normals V·3; f32 uvs V·2; f32 colours V·4; f32
shape offsets S·V·3. What a mesh does not have is left out.

A plan. Header, u32 each: vertices V, nodes N, entries E, kind (0 attachments, 1 steps). Then i32 parents N (−1 for the
first); i32 prefixes V, −1 for none; u32 starts V + 1 of each vertex's entries; i32 nodes E; f32 weights E; for
attachments f32 fractions E.

Attachments: each entry is an influence and stands for the transform at a place along a bone, q of the node's parent ·
Δ of the node to the power of the fraction. Steps: the entries follow the prefix, and a negative weight ends its step.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.errors import InbetweenerError
from inbetweener.skinning import Mesh, Skin

ATTACHMENTS, STEPS = 0, 1
_MESH_HEADER = struct.Struct("<6I")
_PLAN_HEADER = struct.Struct("<4I")


def mesh_arrays(mesh: Mesh) -> bytes:
    """Everything the page needs to draw a mesh in any pose."""
    flags = sum(bit for bit, part in ((1, mesh.normals), (2, mesh.uvs), (4, mesh.colours)) if part is not None)
    vertices, influences = mesh.influences.shape
    head = _MESH_HEADER.pack(vertices, len(mesh.triangles), influences, len(mesh.joints), len(mesh.shapes), flags)
    parts: list[npt.NDArray[np.generic] | None] = [
        mesh.vertices,
        mesh.triangles.astype("<u4"),
        mesh.influences.astype("<u4"),
        mesh.weights,
        mesh.joint_from_mesh.astype("<f4"),
        mesh.normals,
        mesh.uvs,
        mesh.colours,
        *(shape.offsets for shape in mesh.shapes),
    ]
    return head + b"".join(part.tobytes() for part in parts if part is not None)


def blends_steps(skin: Skin) -> bool:
    """Whether a skin is blended step by step, rather than whole transform by whole transform."""
    return skin.blending == "differential"


def plan_arrays(skin: Skin) -> bytes:
    """Everything the page needs to blend a mesh from the differentials of any pose."""
    parents = skin.tree.parents.astype("<i4")
    if blends_steps(skin):
        plan = skin.plan
        head = _PLAN_HEADER.pack(len(plan.prefixes), len(parents), len(plan.nodes), STEPS)
        parts = [plan.prefixes.astype("<i4"), plan.starts.astype("<u4"), plan.nodes.astype("<i4"), plan.weights]
    else:
        nodes, fractions = skin.attachments
        there = skin.mesh.weights != 0
        starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        head = _PLAN_HEADER.pack(len(there), len(parents), int(starts[-1]), ATTACHMENTS)
        parts = [
            np.full(len(there), -1, "<i4"),
            starts.astype("<u4"),
            nodes[there].astype("<i4"),
            skin.mesh.weights[there],
            fractions[there].astype("<f4"),
        ]
    return head + parents.tobytes() + b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


MOVE, POSES, ARC, CURVES, BLEND, SOFT = 1, 2, 3, 4, 5, 6
_HEADER = struct.Struct("<BBHIII")
MOST_VALUES = 4000
"""A gesture moves by a handful of numbers; a stroke by two a point."""


class MalformedMessage(InbetweenerError):
    """A message that breaks the protocol; says how."""


@dataclass(frozen=True, slots=True)
class Move:
    """Where the hand is, in the numbers that its gesture names."""

    gesture: int
    sequence: int
    values: tuple[float, ...]


def read_move(data: bytes) -> Move:
    """The move in a binary message from the page."""
    if len(data) < _HEADER.size:
        raise MalformedMessage(f"a binary message of {len(data)} bytes is shorter than its header")
    kind, _, count, gesture, sequence, _ = _HEADER.unpack_from(data)
    if kind != MOVE:
        raise MalformedMessage(f"a page sends moves (kind {MOVE}), not binary messages of kind {kind}")
    if count > MOST_VALUES or len(data) != _HEADER.size + 8 * count:
        raise MalformedMessage(f"a move of {count} values cannot be {len(data)} bytes long")
    values = struct.unpack_from(f"<{count}d", data, _HEADER.size)
    if not np.isfinite(values).all():
        raise MalformedMessage("a move holds a value that is not a finite number")
    return Move(gesture, sequence, values)


Whose = Literal["shown", "keyed", "compared"]
"""The motion that a page shows, the keyed one where that is loose, or that of a step of the history."""
_WHOSE = ("shown", "keyed", "compared")


def poses(revision: int, first: int, world: Floats, channels: Floats, whose: Whose = "shown") -> bytes:
    """Poses (F, J, 3, 4) and channel values (F, C) of consecutive frames."""
    frames, joints = world.shape[:2]
    head = _HEADER.pack(POSES, _WHOSE.index(whose), 0, revision, first, frames)
    head += struct.pack("<II", joints, channels.shape[1])
    return head + _singles(world) + _singles(channels)


@dataclass(frozen=True, slots=True, eq=False)
class ArcSamples:
    """A motion curve, sampled evenly: positions (S, 3), speeds (S,), turns (S, 4) or none, keys (K,) and (K, 3)."""

    start: float
    per_frame: int
    positions: Floats
    speeds: Floats
    turns: Floats | None
    keys: Floats
    key_positions: Floats


def arc(revision: int, number: int, samples: ArcSamples) -> bytes:
    """A motion curve under the page's own number."""
    count = len(samples.positions)
    head = _HEADER.pack(ARC, int(samples.turns is not None), samples.per_frame, revision, number, count)
    parts = [samples.positions, samples.speeds, samples.turns, samples.keys, samples.key_positions]
    numbers = b"".join(_singles(part) for part in parts if part is not None)
    return head + struct.pack("<If", len(samples.keys), samples.start) + numbers


def curves(revision: int, changes: Sequence[tuple[int, int, Curve | None]], *, whole: bool = False) -> bytes:
    """Curves as (channel, layer + 1 or 0 for the base, curve); a curve of None is gone."""
    there = [curve for _, _, curve in changes if curve is not None]
    lengths = [0 if curve is None else len(curve) for _, _, curve in changes]
    head = _HEADER.pack(CURVES, int(whole), 0, revision, sum(lengths), len(changes))
    table = np.array([(c, layer, n) for (c, layer, _), n in zip(changes, lengths, strict=True)], "<u4")
    return head + table.tobytes() + curve_rows(there).tobytes()


def curve_rows(curves: Sequence[Curve]) -> npt.NDArray[np.float32]:
    """(N, 8) all keys of curves: time, value, in x and y, out x and y, interpolation, whether tied."""
    rows = np.empty((sum(map(len, curves)), 8), "<f4")
    if curves:
        # One array of all curves: joining columns is much quicker than making a table of each curve.
        rows[:, 0] = np.concatenate([curve.times for curve in curves])
        rows[:, 1] = np.concatenate([curve.values for curve in curves])
        rows[:, 2:4] = np.concatenate([curve.ins for curve in curves])
        rows[:, 4:6] = np.concatenate([curve.outs for curve in curves])
        rows[:, 6] = np.concatenate([curve.interpolations for curve in curves])
        rows[:, 7] = np.concatenate([curve.tied for curve in curves])
    return rows


def blend(
    revision: int,
    mesh: int,
    plan: int,
    first: int,
    differentials: Floats,
    stretches: Floats | None,
    joints: int,
    whose: Whose = "shown",
) -> bytes:
    """What a plan blends on consecutive frames: differentials (F, N, 8), stretches (F, K, 3, 4) where there are any."""
    frames, nodes = differentials.shape[:2]
    head = _HEADER.pack(BLEND, int(stretches is not None) + 2 * _WHOSE.index(whose), mesh, revision, first, frames)
    numbers = _singles(differentials) + (b"" if stretches is None else _singles(stretches))
    return head + struct.pack("<III", plan, nodes, joints) + numbers


def soft(revision: int, mesh: int, first: int, offsets: npt.NDArray[np.float32]) -> bytes:
    """How far the soft vertices of a mesh are off (F, V, 3) on consecutive frames, in the mesh's own space."""
    frames, count = offsets.shape[:2]
    head = _HEADER.pack(SOFT, 0, mesh, revision, first, frames) + struct.pack("<I", count)
    return head + np.ascontiguousarray(offsets, "<f4").tobytes()


def _singles(array: Floats) -> bytes:
    return np.ascontiguousarray(array, "<f4").tobytes()
