"""A small document with one of everything."""

import base64

import numpy as np

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.document import Aim, Constraint, Document, Loosening, Prop, Source, View
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, PoseTarget, Spring
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import BlendedPoint, Joint, Point, Rig, control, joint_channels, shape_channels
from inbetweener.skinning import BlendShape, Material, Mesh
from inbetweener.tangents import Contact, Pin

PAPER = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP48PoOAAWGAriMjHL2AAAAAElFTkSuQmCC")
"""A picture of one pixel."""


def puppet() -> Document:
    """Two bones with a control and a shape, a mesh, three props, two clips; one has layers, constraints, targets."""
    hips = Joint("hips", rest=Transform((0.0, 1.0, 0.0)), order="YXZ")
    arm = Joint("arm.l", 0, Transform((0.1, 0.4, 0.0), (np.cos(0.2), 0.0, 0.0, np.sin(0.2))))
    rig = Rig(
        (hips, arm),
        (
            *joint_channels(hips, "tx ty tz rx ry rz"),
            *joint_channels(arm, limits={"rz": (-1.5, 2.0)}, stiffness=0.5),
            control("bend", {"hips.rz": 0.25, "arm.l.rz": 0.75}, lower=-2.0),
            *shape_channels(["smile"]),
        ),
        (Point("arm.l", (0.0, 0.3, 0.0), "hand"),),
    )
    swing = Curve.from_keys(
        [
            Key(0.0, 0.1, out_tangent=Tangent(0.2, 0.3)),
            Key(0.5, 1 / 3, Tangent(0.1, 0.0), Tangent(0.1, -0.2), tied=False),
            Key(1.0, -0.1, interpolation="constant"),
            Key(2.0, 0.7, interpolation="linear"),
        ]
    )
    walk = Clip(
        "walk",
        2.0,
        curves=Curves({"arm.l.rz": swing, "hips.tx": Curve.sampled([0.0, 0.1, 2.0], [0.0, 0.2, 0.1])}),
        layers=(
            Layer("breath", Curves({"hips.ty": Curve.constant(0.01)}), weight=0.5),
            Layer("polish", Curves({"arm.l.rz": swing, "smile": Curve.constant(1.0)}), muted=True),
        ),
        loops=True,
    )
    return Document(
        name="puppet",
        rig=rig,
        meshes=(skin(), Mesh.rigid("nail", "arm.l", np.eye(3), [[0, 1, 2]])),
        props=(
            Prop("ball", Sphere(0.1), role="obstacle"),
            Prop("wall", Box((1.0, 2.0, 0.1)), Transform((0.0, 0.0, -3.0))),
            Prop("stick", Capsule(0.02, 0.4), joint="arm.l", colour=(0.1, 0.2, 0.3)),
        ),
        clips=(walk, Clip("rest", 1.0, rate=30.0)),
        view=View((0.0, 1.0, 4.0), (0.0, 1.0, 0.0)),
        source=Source("bvh", 0.01, "z"),
        constraints=(
            Constraint("hand pin", "walk", Pin(rig.points[0], "both", end=1.5)),
            Constraint("hips contact", "walk", Contact(Point("hips"), 0.5, 1.0), on=False),
            Constraint("elbow lock", "walk", Pin(elbow(), start=0.25, end=0.25)),
        ),
        loosenings=(loosening(rig),),
    )


def loosening(rig: Rig) -> Loosening:
    """The walk with a loose arm and smile, a hand that is to hit a mark, and a pose that is not asked for."""
    springs = {"arm.l": Spring(3.5), "smile": Spring(5.0, 0.25), "hips.rx": Spring(8.0, 1.0)}
    mark = PointTarget(
        0.5, rig.points[0], (0.3, 1.5, 0.1), velocity="keyed", bell=Bell(0.4, 0.2), channels=frozenset({"arm.l.rz"})
    )
    drawn = Bell(drawn=((-1.0, 0.0), (0.0, 1.0), (0.5, 0.25), (1.0, 0.0)))
    return Loosening(
        "walk",
        Looseness(springs, 0.75, gravity=0.5, drag=0.25),
        aims=(
            Aim("hand target", mark),
            Aim("pose target", PoseTarget(1.0, {"arm.l.rz": 0.2, "smile": 1.0}, "still", 0.5, drawn), on=False),
        ),
    )


def elbow() -> BlendedPoint:
    """A place that both bones carry."""
    return BlendedPoint(((Point("arm.l", (0.0, 0.01, 0.0)), 0.75), (Point("hips", (0.1, 0.4, 0.0)), 0.25)), "elbow")


def skin() -> Mesh:
    """A strip bound to both bones, with a shape and a picture."""
    vertices = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0.1, 0.2, 0]], np.float32)
    weights = np.array([[1, 0], [0.75, 0.25], [0.5, 0.5], [0, 1]], np.float32)
    return Mesh(
        "skin", vertices, np.array([[0, 1, 2], [1, 3, 2]]), ("hips", "arm.l"), np.stack([np.eye(3, 4)] * 2),
        np.tile([0, 1], (4, 1)), weights, normals=np.tile([0, 0, 1], (4, 1)), uvs=vertices[:, :2],
        shapes=(BlendShape("grin", "smile", vertices * 0.1, vertices * 0),),
        material=Material("paper", (0.9, 0.8, 0.7, 1.0), PAPER),
    )  # fmt: skip
