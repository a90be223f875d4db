"""Documents made by hand for what no real file has: uneven handles, full turns, controls, layers, many influences."""

import numpy as np

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.document import Document
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import Joint, Rig, control, joint_channels, shape_channels
from inbetweener.skinning import BlendShape, Material, Mesh

ALL = "tx ty tz rx ry rz sx sy sz"


def weighted(*points: tuple[float, float], reach: float = 0.6) -> Curve:
    """Keys with uneven handles: nearly flat out, long and steep in."""
    keys = [
        Key(time, value, Tangent(0.05 + 0.1 * n, 0.3 * n), Tangent(reach, -0.2 * n), tied=False)
        for n, (time, value) in enumerate(points)
    ]
    return Curve.from_keys(keys)


def straight(*points: tuple[float, float]) -> Curve:
    return Curve.from_keys([Key(time, value, interpolation="linear") for time, value in points])


def held(*points: tuple[float, float]) -> Curve:
    return Curve.from_keys([Key(time, value, interpolation="constant") for time, value in points])


def mixed() -> Curve:
    """Straight, then held, then a curve."""
    return Curve.from_keys(
        [
            Key(0.0, 0.0, interpolation="linear"),
            Key(0.5, 1.0, interpolation="constant"),
            Key(1.1, -0.4, out_tangent=Tangent(0.2, 0.5)),
            Key(2.0, 0.7, in_tangent=Tangent(0.4, 0.1)),
        ]
    )


def chain(count: int, order: str = "ZYX") -> tuple[Joint, ...]:
    turned = (0.8, 0.0, 0.6, 0.0)
    return tuple(
        Joint(f"bone_{n}", n - 1, Transform((0.0, 0.5 if n else 0.0, 0.0), turned if n == 1 else (1, 0, 0, 0)), order)  # type: ignore[arg-type]
        for n in range(count)
    )


def animated(name: str, curves: dict[str, Curve], *, layers: tuple[Layer, ...] = (), order: str = "ZYX") -> Document:
    joints = chain(3, order)
    channels = [channel for joint in joints for channel in joint_channels(joint, ALL)]
    channels.append(control("curl", {"bone_1.rz": 0.5, "bone_2.rz": 1.0, "bone_2.tx": 0.1}))
    return Document(
        name,
        Rig(joints, tuple(channels)),
        clips=(Clip("move", 2.0, curves=Curves(curves), layers=layers), Clip("still", 1.5)),
    )


def ribbon(joints: tuple[str, ...], influences: int) -> Mesh:
    """A strip of triangles whose vertices follow many joints each."""
    steps = 12
    y = np.linspace(0, 1, steps)
    vertices = np.array([(x, v, 0.1 * x) for v in y for x in (-0.1, 0.1)], np.float32)
    triangles = [(2 * n + a, 2 * n + b, 2 * n + c) for n in range(steps - 1) for a, b, c in ((0, 1, 2), (1, 3, 2))]
    shares = np.abs(np.sin(np.arange(len(vertices) * influences).reshape(-1, influences) + 1.0)).astype(np.float32)
    shares /= shares.sum(axis=1, keepdims=True)
    return Mesh(
        "ribbon", vertices, np.array(triangles), joints, np.repeat(np.eye(3, 4)[None], len(joints), axis=0),
        (np.arange(influences) + np.arange(len(vertices))[:, None]) % len(joints), shares,
        normals=np.repeat([[0.0, 0.0, 2.0]], len(vertices), axis=0),
        colours=np.full((len(vertices), 4), 0.5),
        material=Material("cloth", (0.2, 0.4, 0.6, 0.5), double_sided=True),
    )  # fmt: skip


def many_influences() -> Document:
    joints = chain(11)
    mesh = ribbon(tuple(joint.name for joint in joints), 11)
    channels = tuple(channel for joint in joints for channel in joint_channels(joint))
    return Document("many-influences", Rig(joints, channels), (mesh,))


def two_roots() -> Document:
    """A skin over joints that have no common root, which glTF forbids."""
    joints = (Joint("left"), Joint("right", rest=Transform((1.0, 0.0, 0.0))))
    return Document("two-roots", Rig(joints), (ribbon(("left", "right"), 2),))


def face() -> Document:
    joints = (Joint("head"),)
    vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], np.float32)
    names = ("smile", "blink")
    shapes = tuple(
        BlendShape(name, name, np.roll(np.eye(3, dtype=np.float32), n, axis=0)) for n, name in enumerate(names)
    )
    mesh = Mesh.rigid("face", "head", vertices, [[0, 1, 2]], shapes=shapes)
    curves = Curves({"smile": weighted((0.0, 0.0), (1.0, 0.6), (2.0, 0.1)), "blink": held((0.5, 1.0), (0.7, 0.0))})
    rig = Rig(joints, (*joint_channels(joints[0]), *shape_channels(names)))
    return Document("face", rig, (mesh,), clips=(Clip("talk", 2.0, curves=curves),))


def moving_documents() -> list[Document]:
    """Documents without meshes whose joints move in every awkward way."""
    spin = straight((0.0, 0.0), (2.0, 7 * np.pi))
    return [
        animated("weighted", {f"bone_0.{dof}": weighted((0, 0), (0.9, 1), (2, -0.5)) for dof in ("tx", "rz", "ry")}),
        animated("full-turns", {"bone_0.rx": spin, "bone_1.ry": weighted((0, -4), (1, 9), (2, 0)), "bone_1.rx": spin}),
        animated("staggered", {
            "bone_0.tx": weighted((0, 0), (1, 1)), "bone_0.ty": straight((0.3, 1), (1.7, 2)),
            "bone_0.tz": held((0.2, 0), (0.9, 3)), "bone_0.rx": mixed(), "bone_0.ry": straight((0.2, 0), (1.3, 1)),
            "bone_1.sx": weighted((0, 1), (1, 2)),
        }, order="YXZ"),
        animated("held", {"bone_0.rz": held((0, 0), (0.5, 2), (1, 4)), "bone_1.ty": held((0, 0.5), (1, 1.0))}),
        animated("mixed", {"bone_0.rz": mixed(), "bone_1.tx": mixed()}, order="XZY"),
        animated("controls", {"curl": weighted((0, 0), (1, 1.5), (2, -1)), "bone_2.rz": straight((0, 0), (2, 1))}),
        animated("layers", {"bone_0.rz": weighted((0, 0), (2, 1))}, layers=(
            Layer("more", Curves({"bone_0.rz": mixed(), "bone_0.tx": straight((0.5, 0), (1, 1))}), 0.5),
            Layer("muted", Curves({"bone_0.rz": straight((0, 9), (1, 7))}), muted=True),
        )),
        animated("before-zero", {"bone_0.tx": weighted((-1.0, 0), (0.5, 1)), "bone_0.rx": straight((-0.5, 0), (1, 3))}),
    ]  # fmt: skip


def documents() -> list[Document]:
    """All of them."""
    return [*moving_documents(), many_influences(), two_roots(), face(), Document("empty")]
