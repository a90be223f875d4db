"""People of other proportions and rest poses, made by code, and dense motion for them."""

import math
from dataclasses import replace
from typing import cast

import numpy as np
from scipy.spatial.transform import Rotation

import inbetweener as ib
from inbetweener.anatomy import Part
from inbetweener.curves import Curve
from inbetweener.document import Document
from inbetweener.maths import quaternions
from inbetweener.maths.euler import Order
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Joint, Point, Rig, joint_channels
from inbetweener.rig.posed import Posed


def person(
    name: str = "person",
    *,
    leg: float = 1.0,
    arm: float = 1.0,
    droop: float = 0.0,
    spines: int = 2,
    order: str = "ZYX",
    facing: float = 0.0,
    size: float = 1.0,
) -> Document:
    """A body whose arms rest level, or `droop` radians below that; `size` scales what carries it, as armatures do."""
    joints: list[Joint] = []
    index: dict[str, int] = {}

    def add(each: str, parent: str | None, place: tuple[float, float, float], turn: float = 0.0) -> None:
        index[each] = len(joints)
        rest = Transform(place, (math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)))
        joints.append(Joint(each, -1 if parent is None else index[parent], rest, cast(Order, order)))

    add("root", None, (0.0, 0.0, 0.0))
    half = facing / 2
    joints[0] = replace(joints[0], rest=Transform((0, 0, 0), (math.cos(half), 0, math.sin(half), 0), (size,) * 3))
    add("hips", "root", (0.0, 0.82 * leg + 0.09, 0.0))
    last = "hips"
    for n in range(spines):
        add(f"spine_{n + 1}", last, (0.0, 0.24 / spines, 0.0))
        last = f"spine_{n + 1}"
    add("chest", last, (0.0, 0.12, 0.0))
    add("neck", "chest", (0.0, 0.16, 0.0))
    add("head", "neck", (0.0, 0.1, 0.0))
    for side, sign in (("l", 1.0), ("r", -1.0)):
        add(f"clavicle_{side}", "chest", (0.04 * sign, 0.1, 0.0))
        add(f"upper_arm_{side}", f"clavicle_{side}", (0.14 * sign, 0.0, 0.0), -sign * droop)
        add(f"forearm_{side}", f"upper_arm_{side}", (0.28 * arm * sign, 0.0, 0.0))
        add(f"hand_{side}", f"forearm_{side}", (0.26 * arm * sign, 0.0, 0.0))
        add(f"thigh_{side}", "hips", (0.09 * sign, -0.03, 0.0))
        add(f"shin_{side}", f"thigh_{side}", (0.0, -0.42 * leg, 0.01))
        add(f"foot_{side}", f"shin_{side}", (0.0, -0.4 * leg, -0.01))
        add(f"toe_{side}", f"foot_{side}", (0.0, -0.06, 0.13))
    points = [Point(f"toe_{side}", (0.0, 0.0, 0.07), f"tip_{side}") for side in "lr"]
    channels = [
        channel
        for joint in joints
        for channel in joint_channels(joint, "tx ty tz rx ry rz" if joint.name == "hips" else "rx ry rz")
    ]
    return Document(name, Rig(tuple(joints), tuple(channels), tuple(points)))


def dense(document: Document) -> Document:
    """The first clip with a key on every frame, and nothing else."""
    clip = document.clip()
    times = clip.frame_times
    values = document.motion(clip.name).channels(times)
    curves = {c.name: Curve.sampled(times, values[:, n]) for n, c in enumerate(document.rig.channels)}
    return replace(
        document,
        clips=(Clip(clip.name, float(times[-1]), float(times[0]), clip.rate, Curves(curves)),),
        constraints=(),
        loosenings=(),
    )


def stepping(frames: int = 61) -> Document:
    """A person who steps from foot to foot and swings both arms, dense: one foot always stands."""
    document = person("stepper")
    times = np.arange(frames) / 30.0
    beat = 2.0 * np.pi * times / 2.0
    lift = {"l": np.maximum(np.sin(beat), 0.0) ** 2, "r": np.maximum(-np.sin(beat), 0.0) ** 2}
    tracks = {
        "hips.rz": 0.03 * np.sin(beat),
        "chest.ry": 0.2 * np.sin(beat),
        "upper_arm_l.rz": -1.1 + 0.2 * np.sin(beat),
        "upper_arm_r.rz": 1.1 + 0.2 * np.sin(beat),
        "upper_arm_l.ry": -0.3 * np.sin(beat),
        "upper_arm_r.ry": -0.3 * np.sin(beat),
        "forearm_l.ry": -0.4 + 0.3 * np.sin(beat),
        "forearm_r.ry": 0.4 + 0.3 * np.sin(beat),
    }
    for side in "lr":
        tracks[f"thigh_{side}.rx"] = -0.7 * lift[side]
        tracks[f"shin_{side}.rx"] = 1.1 * lift[side]
        tracks[f"foot_{side}.rx"] = -0.3 * lift[side]
    rest = document.rig.defaults
    curves = {
        c.name: Curve.sampled(times, rest[n] + tracks.get(c.name, np.zeros(frames)))
        for n, c in enumerate(document.rig.channels)
        if c.name in tracks or c.name.startswith("hips")
    }
    return ib.edits.add_clip(document, Clip("steps", float(times[-1]), rate=30.0, curves=Curves(curves)))


STANCE = 0.62
"""Of a round of two steps: so long a foot of the walker stands."""


def walking(speed: float = 1.0, rounds: int = 3, in_place: bool = False) -> Document:
    """A person who walks along +z, dense, a round a second; feet stand flat, or go by below it as on a treadmill."""
    document = person("walker")
    times = np.arange(30 * rounds + 1) / 30.0
    way = speed * times
    tracks = {"hips.tz": 0.0 * way if in_place else way, "hips.ty": np.full(len(times), 0.82)}
    upper, lower = np.array([-0.42, 0.01]), np.array([-0.4, -0.01])
    angle = lambda vector: np.arctan2(vector[..., 1], vector[..., 0])  # noqa: E731
    for side, phase in (("l", 0.0), ("r", 0.5)):
        count, share = np.divmod(times + phase, 1.0)
        swing = np.clip((share - STANCE) / (1.0 - STANCE), 0.0, 1.0)
        eased = swing**2 * (3.0 - 2.0 * swing)
        # It comes down half of its stance's way ahead of the hips.
        place = speed * (count - phase + 0.5 * STANCE + eased)
        ankle = np.stack([0.09 + 0.12 * (np.sin(np.pi * eased) ** 2) - 0.79, place - way], axis=1)
        far = np.linalg.norm(ankle, axis=1)
        one, other = np.linalg.norm(upper), np.linalg.norm(lower)
        bend = np.arccos((far**2 - one**2 - other**2) / (2.0 * one * other))
        knee = bend - (angle(lower) - angle(upper))
        turned = lower[0] * np.stack([np.cos(knee), np.sin(knee)], 1) + lower[1] * np.stack(
            [-np.sin(knee), np.cos(knee)], 1
        )
        hip = angle(ankle) - angle(upper + turned)
        hip = (hip + np.pi) % (2.0 * np.pi) - np.pi
        tracks |= {f"thigh_{side}.rx": hip, f"shin_{side}.rx": knee, f"foot_{side}.rx": -hip - knee}
    curves = {name: Curve.sampled(times, track) for name, track in tracks.items()}
    return ib.edits.add_clip(document, Clip("walk", float(times[-1]), rate=30.0, curves=Curves(curves)))


def hinged() -> Document:
    """A person as robots are: every hip, shoulder and ankle is a stack of hinges, every knee and elbow one."""
    whole = person("robot").rig
    stacks = {"thigh": "rx rz ry", "upper_arm": "ry rz rx", "foot": "rx rz", "shin": "rx", "forearm": "ry"}
    joints: list[Joint] = []
    channels, parts, last = [], list[Part](), dict[str, int]()
    for joint in whole.joints:
        role, _, letter = joint.name.rpartition("_")
        axes = stacks.get(role, "").split() or [""]
        parent = last[whole.joints[joint.parent].name] if joint.parent >= 0 else -1
        for n, axis in enumerate(axes):
            name = joint.name if n == (len(axes) - 1 if role == "foot" else 0) else f"{joint.name}_{axis}"
            rest = joint.rest if n == 0 else Transform((0.0, 0.0, 0.0))
            made = Joint(name, parent if n == 0 else len(joints) - 1, rest, joint.order)
            free = "tx ty tz rx ry rz" if role == "" and joint.name == "hips" else axis or "rx ry rz"
            channels += joint_channels(made, free)
            if name != joint.name:
                parts.append(Part(name, "twist", "left" if letter == "l" else "right"))
            joints.append(made)
        last[joint.name] = len(joints) - 1
    return ib.edits.set_roles(Document("robot", Rig(tuple(joints), tuple(channels), whole.points)), parts)


def twisted(document: Document) -> Document:
    """The same with two twist bones beside every forearm and one beside every upper arm and thigh, turned anyhow."""
    rig = document.rig
    joints, channels = list(rig.joints), list(rig.channels)
    for bone, following, shares in (
        ("forearm", "hand", (0.3, 0.8)),
        ("upper_arm", "forearm", (0.25,)),
        ("thigh", "shin", (0.5,)),
    ):
        for side in "lr":
            parent = rig.joint_index(f"{bone}_{side}")
            way = np.array(rig.joint(f"{following}_{side}").rest.translation)
            for n, share in enumerate(shares):
                # One of its axes lies along the bone, the other two as they like.
                along = way / np.linalg.norm(way)
                aside = np.cross(along, [0.3, 0.5, 0.8])
                aside /= np.linalg.norm(aside)
                turn = np.stack([aside, along, np.cross(aside, along)], axis=1)
                place, (w, x, y, z) = (share * way).tolist(), quaternions.from_matrix(turn).tolist()
                joint = Joint(f"{bone}_twist_{n + 1}_{side}", parent, Transform(tuple(place), (w, x, y, z)))
                joints.append(joint)
                channels += joint_channels(joint, "rx ry rz")
    return replace(document, rig=Rig(tuple(joints), tuple(channels), rig.points))


def resting(on: str = "thigh", frames: int = 61) -> Document:
    """A person who sits down and up a little with both hands on the thighs, or the left hand at the hip; dense."""
    document = person("rester")
    times = np.arange(frames) / 30.0
    sway = 0.5 - 0.5 * np.cos(2.0 * np.pi * times / 2.0)
    tracks = {"hips.ry": 0.2 * sway, "spine_1.rx": 0.25 * sway}
    thighs = {"l": -1.2 - 0.2 * sway, "r": -1.2 + 0.1 * sway} if on == "thigh" else {}
    tracks |= {f"thigh_{side}.rx": track for side, track in thighs.items()}
    tracks |= {f"shin_{side}.rx": np.full(frames, 1.3) for side in thighs}
    reached = {"l": 1.0, "r": -1.0} if on == "thigh" else {"l": 1.0}
    place = {"thigh": np.array([0.02, -0.12, 0.07]), "hips": np.array([0.17, 0.05, 0.04])}[on]
    for side, sign in reached.items():
        bare = posed_by(document, tracks, times)
        part = document.rig.joint_index(f"thigh_{side}" if on == "thigh" else "hips")
        upper, chest = (document.rig.joint_index(name) for name in (f"upper_arm_{side}", f"clavicle_{side}"))
        world = bare.world_from_joint
        goal = world[:, part, :, :3] @ (place * [sign, 1.0, 1.0]) + world[:, part, :, 3]
        # In the frame that carries the arm: aimed, and bent about y so that the elbow points out and back.
        away = np.einsum("tji,tj->ti", world[:, chest, :, :3], goal - world[:, upper, :, 3])
        far = np.linalg.norm(away, axis=1)
        bend = np.pi - np.arccos((0.28**2 + 0.26**2 - far**2) / (2 * 0.28 * 0.26))
        inner = np.arctan2(0.26 * np.sin(bend), 0.28 + 0.26 * np.cos(bend))
        along = away / far[:, None]
        yaw = np.arctan2(-sign * along[:, 2], sign * along[:, 0])
        pitch = np.arcsin(np.clip(sign * along[:, 1], -1.0, 1.0))
        turns = [
            Rotation.from_euler("y", y) * Rotation.from_euler("z", p) * Rotation.from_euler("y", sign * i)
            for y, p, i in zip(yaw, pitch, inner, strict=True)
        ]
        angles = np.array([turn.as_euler("ZYX") for turn in turns])
        tracks |= {f"upper_arm_{side}.r{axis}": np.unwrap(angles[:, n]) for n, axis in enumerate("zyx")}
        tracks[f"forearm_{side}.ry"] = -sign * bend
    curves = {name: Curve.sampled(times, track + document.rig.channel(name).default) for name, track in tracks.items()}
    return ib.edits.add_clip(document, Clip("rests", float(times[-1]), rate=30.0, curves=Curves(curves)))


def posed_by(document: Document, tracks: dict[str, np.ndarray], times: np.ndarray) -> Posed:
    """The rig as some tracks have it."""
    values = np.tile(document.rig.defaults, (len(times), 1))
    for name, track in tracks.items():
        values[:, document.rig.channel_index(name)] += track
    return document.rig.posed(values)


def rising(frames: int = 61) -> Document:
    """A person whose feet are of one piece, who rises on their tips and comes down again, dense."""
    document = person("riser")
    times = np.arange(frames) / 30.0
    tilt = 0.6 * np.sin(np.pi * times / times[-1]) ** 2
    sine, cosine = np.sin(tilt), np.cos(tilt)
    # The tips stay where they are: 6 cm below the ankles and 20 cm ahead of them.
    tracks = {"hips.ty": 0.06 * (cosine - 1.0) + 0.2 * sine, "hips.tz": 0.2 * (1.0 - cosine) + 0.06 * sine}
    tracks |= {"foot_l.rx": tilt, "foot_r.rx": tilt}
    curves = {name: Curve.sampled(times, track + document.rig.channel(name).default) for name, track in tracks.items()}
    document = ib.edits.add_clip(document, Clip("rises", float(times[-1]), rate=30.0, curves=Curves(curves)))
    return ib.edits.set_roles(document, [Part("toe_l", "end", "left"), Part("toe_r", "end", "right")])
