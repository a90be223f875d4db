"""A face that talks: one skin with blend shapes for mouth, lids and brows, and joints for neck, head, jaw and eyes."""

from dataclasses import replace

import numpy as np

from inbetweener.arrays import Floats, Ints
from inbetweener.builtin.characters.face_shapes import (
    EYE,
    EYE_HALF,
    EYE_RADIUS,
    MOUTH,
    MOUTH_HALF,
    RIM,
    SHAPES,
    SOCKET,
    expressions,
)
from inbetweener.builtin.rigging import HEADING, LIMB_Y, Bone, both_sides, build_rig
from inbetweener.builtin.sculpt import Colour, Limb, Paint, Part, Sculpt, bead, eye, mirrored, paint_for, sculpted
from inbetweener.builtin.sculpt.surface import strongest
from inbetweener.document import Document
from inbetweener.maths import transforms
from inbetweener.rig import Point, Rig, shape_channels
from inbetweener.skinning import BlendShape, Mesh, vertex_normals

SKIN = paint_for("#c98a62")
LID = paint_for("#b3754f")
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
    rim = _through(EYE[:2], (RIM * EYE_HALF[0], RIM * EYE_HALF[1]), LID)
    lash = _through(EYE[:2], (SOCKET * EYE_HALF[0], SOCKET * EYE_HALF[1]), LASH)
    lid = _through((EYE[0], EYE[1] + 0.004), (SOCKET * EYE_HALF[0], SOCKET * EYE_HALF[1]), LID)
    return *mouth, *(side for paint in (rim, lash, lid) for side in (paint, mirrored(paint)))


def _through(middle: tuple[float, float], half: tuple[float, float], colour: Colour) -> Paint:
    """Everything within an ellipse as seen from the front."""
    (x, y), (width, height) = middle, half
    return Paint(Part("head", (x, y, 0.08), 1.0, (x, y, 0.16), 1.0, (width, height, 0.02), colour=colour))
