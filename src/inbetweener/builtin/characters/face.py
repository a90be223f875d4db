"""A face that talks: one skin with blend shapes for mouth, lids and brows, and joints for neck, head, jaw and eyes.

The skin is sculpted with the mouth open and no eye sockets. From there one field closes the lips and another sinks the
sockets: that is the face at rest, and the way back is the shape "open", or a lid that covers its eye. All places are
metres in the frame of the head joint.
"""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.builtin.rigging import HEADING, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Colour, Limb, Paint, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.builtin.sculpt.surface import strongest
from inbetweener.document import Document
from inbetweener.maths import transforms
from inbetweener.rig import Point, Rig, shape_channels
from inbetweener.skinning import BlendShape, Mesh, vertex_normals

MOUTH = (0.0, 0.0)
MOUTH_HALF = (0.036, 0.019)
"""The open mouth: middle (x, y), half width and half height."""
EYE = (0.047, 0.098, 0.08)
EYE_RADIUS = 0.036
EYE_HALF = (0.034, 0.029)
"""Half width and half height of the opening between the lids."""
SOCKET, RIM = 0.93, 1.08
"""Where the skin starts to rise from the socket and where it is out, as shares of that opening."""
LID = 0.07
"""How far a closed lid stands off the eyeball, in radii."""

SHAPES = ("open", "ooh", "wide", "smile", "frown", "brow_up", "brow_down", "blink_l", "blink_r")


@dataclass(frozen=True, slots=True)
class Expressions:
    """The skin at rest (V, 3), the offsets (V, 3) of each shape, and how far (V,) each vertex follows the jaw."""

    rest: Floats
    offsets: dict[str, Floats]
    jaw: Floats


def expressions(skin: Floats) -> Expressions:
    """The face at rest and its shapes, from the skin (V, 3) as sculpted."""
    opened = _mouth_opened(skin)
    closed = _lips_closed(opened, skin)
    x, y, z = skin.T
    front = _rise(z, 0.0, 0.06)
    mouth = _mouth_shapes(skin, _lower(opened - closed, skin), closed, front)
    # A hint of a smile is friendlier at rest than a straight line.
    rest = _sockets(closed) + 0.3 * mouth["smile"]
    offsets = {
        **mouth,
        "brow_up": _move(_brows(skin) * front, 0.0, 0.016, 0.001),
        "brow_down": _move(_brows(skin) * front, -np.sign(x) * 0.006, -0.015 * _bump(x, 0.11), 0.004),
        "blink_l": _lid(skin, rest, 1.0),
        "blink_r": _lid(skin, rest, -1.0),
    }
    below = _rise(MOUTH[1] - y, -0.006, 0.008) * _rise(z, -0.02, 0.05)
    return Expressions(rest, {name: offsets[name] for name in SHAPES}, below)


def _mouth_shapes(skin: Floats, apart: Floats, closed: Floats, front: Floats) -> dict[str, Floats]:
    x, y, _ = skin.T
    side = np.sign(x)
    corners = _bump(np.abs(x) - MOUTH_HALF[0], 0.026) * _bump(y - MOUTH[1], 0.03) * front
    cheeks = _bump(np.abs(x) - 0.058, 0.03) * _bump(y - 0.035, 0.03) * front
    lips = _bump(x, 0.05) * _bump(y - MOUTH[1], 0.032) * front
    chin = _bump(x, 0.04) * _bump(y + 0.04, 0.03) * front
    narrow = -0.5 * (closed[:, 0] - MOUTH[0])
    return {
        "open": apart,
        "ooh": 0.45 * apart + _move(lips, narrow, 0.0, 0.016),
        "wide": 0.22 * apart + _move(corners, 0.013 * side, 0.002, -0.006) + _move(cheeks, 0.003 * side, 0.002, 0.0),
        "smile": _move(corners, 0.013 * side, 0.017, -0.007)
        + _move(cheeks, 0.004 * side, 0.008, 0.006)
        + _move(lips * _bump(x, 0.02), 0.0, -0.003, -0.001),
        "frown": _move(corners, 0.003 * side, -0.016, -0.003) + _move(chin, 0.0, 0.006, 0.003),
    }


def _mouth_opened(skin: Floats) -> Floats:
    """The sculpted skin with a hollow behind the lips, and lips that swell around it."""
    reach = _from_mouth(skin)
    front = skin[:, 2] > 0.05
    hollow = np.where(front, -0.042 * _rise(1.0 - reach, 0.0, 0.3), 0.0)
    swell = np.where(front, 0.005 * _bump(reach - 1.3, 0.5) * _bump(skin[:, 0], 1.1 * MOUTH_HALF[0]), 0.0)
    return skin + _move(1.0, 0.0, 0.0, hollow + swell)


def _lips_closed(opened: Floats, skin: Floats) -> Floats:
    """The mouth pressed flat to a line; the squeeze fades out around the lips."""
    reach = _from_mouth(skin)
    squeeze = np.where(skin[:, 2] > 0.05, 0.93 * (1.0 - _rise(reach, 1.0, 2.1)), 0.0)
    return opened - _move(1.0, 0.0, (opened[:, 1] - MOUTH[1]) * squeeze, 0.0)


def _lower(offsets: Floats, skin: Floats) -> Floats:
    """An opening mouth, moved down as a whole together with the chin: the jaw does it, not the upper lip."""
    x, y, z = skin.T
    fall = _bump(x, 0.065) * _rise(-y, -0.03, 0.0) * _rise(z, 0.0, 0.05) * _rise(y, -0.13, -0.06)
    return offsets + _move(fall, 0.0, -0.011, -0.002)


def _sockets(skin: Floats) -> Floats:
    """Where an eyeball looks out, the skin lies behind it: shallow at the upper lid, deep at the lower."""
    result = skin.copy()
    for sign in (1.0, -1.0):
        away, reach = _from_eye(skin, sign)
        distance = np.linalg.norm(away, axis=1)
        # The deeper the skin, the later a blink brings it out: so it closes from above, like a lid, and evenly.
        emerges = 0.25 + 0.63 * np.clip(0.5 - away[:, 1] / (2 * EYE_HALF[1]), 0.0, 1.0)
        sunk = EYE_RADIUS * (1.0 - LID * emerges / (1.0 - emerges))
        share = 1.0 - _rise(reach, SOCKET, RIM)
        result += away * ((sunk / distance - 1.0) * share)[:, None]
    return result


def _lid(skin: Floats, rest: Floats, sign: float) -> Floats:
    """Offsets that bring the skin of a socket out, just over the eyeball."""
    away, reach = _from_eye(skin, sign)
    distance = np.linalg.norm(away, axis=1)
    over = skin + away * ((1.0 + LID) * EYE_RADIUS / distance - 1.0)[:, None]
    return (over - rest) * (1.0 - _rise(reach, SOCKET, 1.15))[:, None]


def _brows(skin: Floats) -> Floats:
    x, y, _ = skin.T
    return _bump(np.abs(x) - 0.045, 0.05) * _bump(y - 0.15, 0.034)


def _from_mouth(skin: Floats) -> Floats:
    """How far from the middle of the mouth, 1 at its border."""
    return np.hypot((skin[:, 0] - MOUTH[0]) / MOUTH_HALF[0], (skin[:, 1] - MOUTH[1]) / MOUTH_HALF[1])


def _from_eye(skin: Floats, sign: float) -> tuple[Floats, Floats]:
    """Vectors (V, 3) from the middle of the left (+1) or right (−1) eye, and how far along the face, 1 at the lids."""
    away = skin - np.array([sign * EYE[0], EYE[1], EYE[2]])
    reach = np.hypot(away[:, 0] / EYE_HALF[0], away[:, 1] / EYE_HALF[1])
    return away, np.where(skin[:, 2] > 0.04, reach, np.inf)


def _rise(value: Floats, low: float, high: float) -> Floats:
    """From 0 at `low` to 1 at `high`, smooth at both ends."""
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _bump(value: Floats, width: float) -> Floats:
    """1 at zero, falling smoothly to 0 at ±`width`."""
    t = np.clip(1.0 - (value / width) ** 2, 0.0, 1.0)
    return t * t


def _move(share: Floats | float, x: Floats | float, y: Floats | float, z: Floats | float) -> Floats:
    """Offsets (V, 3): a share (V,) of a displacement."""
    return np.stack(np.broadcast_arrays(share * np.asarray(x), share * np.asarray(y), share * np.asarray(z)), axis=-1)


SKIN = paint_for("#c98a62")
LID_PAINT = paint_for("#b3754f")
LASH = paint_for("#2a1a14")
LIPS = paint_for("#a94f45")
INSIDE = paint_for("#3a0f12")
HAIR = paint_for("#2c1c18")
SHIRT = paint_for("#e2a63b")
IRIS = paint_for("#3b6ea0")
TEETH = paint_for("#f3efe6")
TONGUE = paint_for("#c4605c")


def face() -> Document:
    """Head and shoulders at rest: eyes open, lips closed."""
    rig = _rig()
    meshes = (
        _shaped(sculpted("face", _sculpt(), rig), rig),
        eye("eye_l", "eye_l", (0.0, 0.0, 0.0), EYE_RADIUS, IRIS, iris_size=30.0),
        eye("eye_r", "eye_r", (0.0, 0.0, 0.0), EYE_RADIUS, IRIS, iris_size=30.0),
        bead("teeth", "head", (MOUTH[0], MOUTH[1] + 0.009, 0.08), (0.029, 0.009, 0.012), TEETH),
        bead("tongue", "jaw", (0.0, -0.056, 0.074), (0.026, 0.009, 0.022), TONGUE),
    )
    return Document("face", rig, meshes)


def _rig() -> Rig:
    look = {"rx": (-25.0, 25.0), "ry": (-35.0, 35.0)}
    bones = [
        Bone("bust", None, (0.0, 0.1, 0.0), order=HEADING, dofs="tx ty tz rx ry rz"),
        Bone("neck", "bust", (0.0, 0.11, -0.015), order=HEADING,
             limits={"rx": (-30.0, 30.0), "ry": (-35.0, 35.0), "rz": (-25.0, 25.0)}, stiffness=1.5),
        Bone("head", "neck", (0.0, 0.1, 0.01), order=HEADING,
             limits={"rx": (-30.0, 30.0), "ry": (-45.0, 45.0), "rz": (-30.0, 30.0)}),
        Bone("jaw", "head", (0.0, 0.035, 0.005), order=HEADING, dofs="rx ry",
             limits={"rx": (0.0, 20.0), "ry": (-6.0, 6.0)}),
        *both_sides([Bone("eye_l", "head", EYE, order=LIMB_Y, dofs="rx ry", limits=look, stiffness=0.5)]),
    ]  # fmt: skip
    points = [
        Point("head", (0.0, 0.055, 0.15), "nose"),
        Point("jaw", (0.0, -0.085, 0.1), "chin"),
        Point("bust", (0.0, 0.0, 0.0), "middle"),
    ]
    return build_rig(bones, shape_channels(SHAPES), points)


def _shaped(mesh: Mesh, rig: Rig) -> Mesh:
    """The sculpted skin brought to rest, with its blend shapes, the lower face handed over to the jaw."""
    world_from_head = rig.rest_world()[rig.joint_index("head")]
    # The head is not turned at rest, so offsets in its frame are offsets in the world.
    made = expressions(transforms.apply(transforms.inverse(world_from_head), mesh.vertices))
    vertices = transforms.apply(world_from_head, made.rest)
    normals = vertex_normals(vertices, mesh.triangles)
    shapes = tuple(
        BlendShape(
            name,
            name,
            offsets.astype(np.float32),
            vertex_normals(vertices + offsets, mesh.triangles) - normals,
        )
        for name, offsets in made.offsets.items()
    )
    joints, influences, weights = _with_jaw(mesh, made.jaw)
    return replace(
        mesh,
        vertices=vertices.astype(np.float32),
        normals=normals,
        joints=joints,
        joint_from_mesh=transforms.inverse(rig.rest_world()[[rig.joint_index(name) for name in joints]]),
        influences=influences.astype(np.int32),
        weights=weights.astype(np.float32),
        shapes=shapes,
    )


def _with_jaw(mesh: Mesh, share: Floats) -> tuple[tuple[str, ...], Ints, Floats]:
    """Joints, influences and weights of the mesh, where the jaw takes a share (V,) of what the head moves."""
    joints = ("bust", "neck", "head", "jaw")
    weights = np.zeros((len(mesh.vertices), len(joints)))
    for n, name in enumerate(mesh.joints):
        if name in joints:
            weights[:, joints.index(name)] += np.where(mesh.influences == n, mesh.weights, 0.0).sum(axis=1)
    head, jaw = joints.index("head"), joints.index("jaw")
    weights[:, jaw] = weights[:, head] * share
    weights[:, head] *= 1.0 - share
    return joints, *strongest(weights)


def _sculpt() -> Sculpt:
    bust = Limb.of(
        "bust", None, 0.03, 1,
        Part("bust", (0.0, 0.0, 0.0), 1.0, scale=(0.15, 0.1, 0.115), colour=SHIRT),
        *(Part("bust", (x, 0.0, -0.01), 0.08, (x * 1.6, -0.04, -0.01), 0.06, blend=0.08, colour=SHIRT)
          for x in (0.1, -0.1)),
    )  # fmt: skip
    neck = Limb.of(
        "neck", "bust", 0.03, 1,
        Part("neck", (0.0, -0.03, 0.0), 0.056, (0.0, 0.09, 0.005), 0.05, colour=SKIN),
    )  # fmt: skip
    head = Limb.of(
        "head", "neck", 0.03, 2,
        Part("head", (0.0, 0.1, 0.0), 1.0, scale=(0.115, 0.125, 0.12), colour=SKIN),
        Part("head", (0.0, 0.015, 0.035), 1.0, scale=(0.084, 0.09, 0.078), blend=0.06, colour=SKIN),
    )  # fmt: skip
    front = Limb.of(
        "front", "head", 0.03, 4,
        Part("head", (0.0, -0.045, 0.07), 0.034, blend=0.03, colour=SKIN),
        Part("head", (0.0, 0.02, 0.035), 1.0, scale=(0.076, 0.086, 0.072), blend=0.04, colour=SKIN),
        Part("head", (0.0, 0.09, 0.108), 0.011, (0.0, 0.05, 0.132), 0.0195, blend=0.02, colour=SKIN),
        Part("head", (0.0, 0.1, 0.07), 1.0, scale=(0.085, 0.055, 0.04), blend=0.02, colour=SKIN),
    )  # fmt: skip
    brow = Limb.of(
        "brow_l", "head", 0.004, 4,
        Part("head", (0.023, 0.151, 0.112), 0.007, (0.05, 0.156, 0.104), 0.0085, blend=0.004, colour=HAIR),
        Part("head", (0.05, 0.156, 0.104), 0.0085, (0.077, 0.146, 0.086), 0.005, blend=0.004, colour=HAIR),
    )  # fmt: skip
    ear = Limb.of(
        "ear_l", "head", 0.015, 2,
        Part("head", (0.117, 0.07, -0.01), 1.0, scale=(0.017, 0.036, 0.024), colour=SKIN),
    )  # fmt: skip
    hair = Limb.of(
        "hair", "head", 0.006, 2,
        Part("head", (0.0, 0.132, -0.022), 1.0, scale=(0.126, 0.118, 0.118), colour=HAIR),
        Part("head", (0.0, 0.07, -0.055), 1.0, scale=(0.105, 0.1, 0.08), blend=0.04, colour=HAIR),
        Part("head", (0.05, 0.215, 0.05), 0.036, (-0.045, 0.225, 0.055), 0.045, blend=0.03, colour=HAIR),
        Part("head", (-0.045, 0.225, 0.055), 0.045, (-0.09, 0.2, 0.045), 0.025, blend=0.03, colour=HAIR),
    )  # fmt: skip
    sides = [item for limb in (brow, ear) for item in (limb, mirrored(limb))]
    return Sculpt((bust, neck, head, front, hair, *sides), _paint(), cell=0.037, softness=3)


def _paint() -> tuple[Paint, ...]:
    """Lips, the inside of the mouth, rims, lashes and lids: borders that also give the shapes their creases."""
    mouth = (_through(MOUTH, (1.12 * MOUTH_HALF[0], 1.4 * MOUTH_HALF[1]), LIPS), _through(MOUTH, MOUTH_HALF, INSIDE))
    rim = _through(EYE[:2], (RIM * EYE_HALF[0], RIM * EYE_HALF[1]), LID_PAINT)
    lash = _through(EYE[:2], (SOCKET * EYE_HALF[0], SOCKET * EYE_HALF[1]), LASH)
    lid = _through((EYE[0], EYE[1] + 0.004), (SOCKET * EYE_HALF[0], SOCKET * EYE_HALF[1]), LID_PAINT)
    return *mouth, *(side for paint in (rim, lash, lid) for side in (paint, mirrored(paint)))


def _through(middle: tuple[float, float], half: tuple[float, float], colour: Colour) -> Paint:
    """Everything within an ellipse as seen from the front."""
    (x, y), (width, height) = middle, half
    return Paint(Part("head", (x, y, 0.08), 1.0, (x, y, 0.16), 1.0, (width, height, 0.02), colour=colour))
