"""Motion from body to body, beside rotation copy and a mink tracker, judged by an evaluator of its own.

`python -m benchmarks.retargeting [--json]`

Every source goes to every target, its first three seconds at 30 frames a second at most. *Rotation copy* is what most
add-ons do: each joint turns in the world from its rest as its like does, headings aligned, the root's way scaled by
the legs. The *mink tracker* solves inverse kinematics frame by frame on the same joints, warm-started: hips, hands and
feet are led to the goals by which all are judged, with the rotation copy as posture.

Poses are evaluated here, by scipy's rotations alone. Goals: a hand is as far from its shoulder as the source's, by the
length of the arms; an ankle is on the ground as far from its hip joint, and its ball as high above where it stands, by
the length of the legs. Feet stand where the source's toes (ankles where it has none) are slower than 0.12 legs a second
for 0.15 s, near the lowest that they are. Slide is the farthest of a standing foot from the mean of its places,
penetration the depth of the lowest vertex of a foot's skin, as it was bound, below nought.
"""

import sys
import time
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.harness import Figure, main
from inbetweener import formats
from inbetweener.document import Document
from inbetweener.document.edits.retarget import body_of
from inbetweener.motion import Clip
from inbetweener.retarget import retarget_clip

DATA = Path(__file__).parents[2] / "shared" / "data"
TARGETS = (
    "gltf/characters/kaykit_Knight.glb",
    "gltf/characters/quaternius_Farmer.glb",
    "gltf/characters/gdquest_mannequiny.glb",
    "gltf/characters/RobotExpressive.glb",
    "gltf/characters/babylon_riggedMesh.glb",
    "gltf/khronos-samples/CesiumMan.glb",
    "gltf/vrm/polygonalmind_Polybot.vrm",
)
SOURCES = (
    "bvh/cmu/02_01_walk.bvh",
    "bvh/cmu/09_03_run.bvh",
    "bvh/cmu/10_02_soccer_kick.bvh",
    "bvh/clips/fair1_dab.bvh",
    "bvh/clips/pymo_AV_8Walk_Meredith.bvh",
)
SECONDS, RATE = 3.0, 30.0
SLOW, LASTING, LOW = 0.12, 0.15, 0.08
PARTS = ("hips", "spine", "chest", "neck", "head")
LIMBS = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe")
WAYS = ("ours", "rotation copy", "mink")


@dataclass
class Skeleton:
    """Joints by role and side: rest places (3,) and turns in the world, and who carries whom."""

    document: Document
    joints: dict[tuple[str, str | None], int]
    places: np.ndarray
    turns: Rotation
    carrier: dict[tuple[str, str | None], tuple[str, str | None] | None]

    @classmethod
    def of(cls, document: Document) -> "Skeleton":
        rig, joints = document.rig, dict[tuple[str, str | None], int]()
        for part in document.anatomy().body:
            slot = part.role, part.side
            if part.role in PARTS or (part.role in LIMBS and part.side):
                joints.setdefault(slot, rig.joint_index(part.joint))
        places, turns = worlds(document, rig.defaults[None])
        by_joint = {j: slot for slot, j in joints.items()}
        carrier: dict[tuple[str, str | None], tuple[str, str | None] | None] = {}
        for slot, j in joints.items():
            above = rig.joints[j].parent
            while above >= 0 and above not in by_joint:
                above = rig.joints[above].parent
            carrier[slot] = by_joint.get(above)
            if slot[0] == "foot" and ("shin", slot[1]) in joints:
                carrier[slot] = ("shin", slot[1])
            if slot[0] != "hips" and carrier[slot] is None:
                carrier[slot] = ("hips", None)
        return cls(document, joints, places[0], Rotation.from_quat(turns[0].as_quat()), carrier)

    def length(self, *slots: tuple[str, str | None]) -> float:
        at = self.places[[self.joints[slot] for slot in slots]]
        return float(np.linalg.norm(np.diff(at, axis=0), axis=1).sum())

    @property
    def leg(self) -> float:
        """Down to the sole: as the skin was bound, or to the lowest joint or end of the foot at rest."""
        bones = self.length(("thigh", "left"), ("shin", "left"), ("foot", "left"))
        if self.document.meshes:
            return bones + bound_height(self, ("foot", "left"))
        ends = [self.document.rig.point(each.name) for each in self.document.rig.points]
        toe = self.joints.get(("toe", "left"), self.joints["foot", "left"])
        tips = [self.turns[toe].apply(end.offset)[1] for end in ends if self.document.rig.joint_index(end.joint) == toe]
        low = self.places[toe, 1] + min([0.0, *tips])
        return bones + float(self.places[self.joints["foot", "left"], 1] - low)

    def arm(self, side: str) -> float:
        if ("hand", side) not in self.joints:
            return 0.0
        return self.length(("upper_arm", side), ("forearm", side), ("hand", side))

    def heading(self) -> Rotation:
        left = self.places[self.joints["thigh", "left"]] - self.places[self.joints["thigh", "right"]]
        return Rotation.from_euler("y", np.arctan2(-left[2], left[0]))


def worlds(document: Document, values: np.ndarray) -> tuple[np.ndarray, Any]:
    """Places (T, J, 3) and turns (T lists of J) of all joints, by scipy: T · rest · Euler · S down the tree."""
    rig, frames = document.rig, len(values)
    dofs = np.zeros((frames, len(rig.joints), 9))
    dofs[..., 6:] = 1.0
    for j, joint in enumerate(rig.joints):
        dofs[:, j, :3], dofs[:, j, 6:] = joint.rest.translation, joint.rest.scale
    for c, channel in enumerate(rig.channels):
        for drive in channel.drives:
            j, axis = (
                rig.joint_index(drive.joint),
                ("tx", "ty", "tz", "rx", "ry", "rz", "sx", "sy", "sz").index(drive.axis),
            )
            dofs[:, j, axis] += drive.weight * (values[:, c] - channel.default)
    linear, places, turns = np.empty((frames, len(rig.joints), 3, 3)), np.empty((frames, len(rig.joints), 3)), []
    for j, joint in enumerate(rig.joints):
        w, *xyz = joint.rest.rotation
        angles = dofs[:, j, 3:6][:, ["XYZ".index(letter) for letter in joint.order]]
        own = Rotation.from_quat([*xyz, w]) * Rotation.from_euler(joint.order, angles)
        local = own.as_matrix() * dofs[:, j, None, 6:]
        if joint.parent < 0:
            linear[:, j], places[:, j], turn = local, dofs[:, j, :3], own
        else:
            above = joint.parent
            linear[:, j] = linear[:, above] @ local
            places[:, j] = places[:, above] + np.einsum("tij,tj->ti", linear[:, above], dofs[:, j, :3])
            turn = turns[above] * own
        turns.append(turn)
    quats = np.stack([each.as_quat() for each in turns], axis=1)
    return places, [Rotation.from_quat(each) for each in quats]


def curve_values(document: Document, clip: Clip, times: np.ndarray) -> np.ndarray:
    """Channel values (T, C) of a clip whose keys lie on the times, or are to be evaluated."""
    values = np.tile(document.rig.defaults, (len(times), 1))
    for c, channel in enumerate(document.rig.channels):
        curve = clip.curves.get(channel.name)
        if curve is not None:
            values[:, c] = np.interp(times, curve.times, curve.values)
    return values


Track = dict[tuple[str, str | None], tuple[np.ndarray, Rotation]]
"""Places (T, 3) and turns (T) of joints by role and side."""


def track_of(skeleton: Skeleton, values: np.ndarray) -> Track:
    places, turns = worlds(skeleton.document, values)
    quats = np.stack([each.as_quat() for each in turns])
    return {slot: (places[:, j], Rotation.from_quat(quats[:, j])) for slot, j in skeleton.joints.items()}


def placed(skeleton: Skeleton, turns: dict[tuple[str, str | None], Rotation], hips: np.ndarray) -> Track:
    """Joints on their carriers."""
    made: Track = {}
    order = sorted(
        skeleton.joints, key=lambda slot: skeleton.joints[slot] + (10**6 if slot[0] in ("foot", "toe") else 0)
    )
    for slot in order:
        above = skeleton.carrier[slot]
        if above is None or above not in made:
            made[slot] = hips, turns[slot]
            continue
        j, k = skeleton.joints[slot], skeleton.joints[above]
        offset = skeleton.turns[k].inv().apply(skeleton.places[j] - skeleton.places[k])
        made[slot] = made[above][0] + made[above][1].apply(offset), turns[slot]
    return made


def rotation_copy(target: Skeleton, source: Skeleton, track: Track, ground: float, scale: float) -> Track:
    """Each joint turned in the world from its rest as its like in the source; without one, as what carries it."""
    frames = len(track["hips", None][0])
    align = target.heading() * source.heading().inv()
    turns: dict[tuple[str, str | None], Rotation] = {}
    for slot in sorted(target.joints, key=lambda each: target.joints[each]):
        rest = target.turns[target.joints[slot]]
        if slot in source.joints:
            delta = track[slot][1] * source.turns[source.joints[slot]].inv()
            # The source's own rest heading is taken out, the target's put in: headings are of the world.
            turns[slot] = delta * align.inv() * rest
        else:
            above = target.carrier[slot]
            kept = target.turns[target.joints[above]].inv() * rest if above else rest
            turns[slot] = turns[above] * kept if above else Rotation.concatenate([rest] * frames)
    hips = scale * (track["hips", None][0] - [0.0, ground, 0.0])
    made = placed(target, turns, hips)
    # Hips are put so that legs hang as high as the source's.
    middle = 0.5 * (track["thigh", "left"][0] + track["thigh", "right"][0])
    own = 0.5 * (made["thigh", "left"][0] + made["thigh", "right"][0])
    return placed(target, turns, hips + scale * (middle - [0.0, ground, 0.0]) - own)


def mink_tracker(
    target: Skeleton, posture: Track, goals: dict[tuple[str, str | None], np.ndarray]
) -> tuple[Track, float]:
    """Inverse kinematics on every frame: hips and ends as wished, all else near the posture; seconds it took."""
    import mink
    import mujoco

    slots = sorted(posture, key=lambda slot: target.joints[slot] + (10**6 if slot[0] in ("foot", "toe") else 0))
    name = {slot: f"{slot[0]}-{slot[1] or 'middle'}" for slot in slots}
    children: dict[Any, list[Any]] = {slot: [] for slot in slots}
    for slot in slots:
        if slot[0] != "hips":
            children[target.carrier[slot]].append(slot)

    def written(slot: tuple[str, str | None]) -> str:
        above = target.carrier[slot]
        place, turn = target.places[target.joints[slot]], target.turns[target.joints[slot]]
        if slot[0] != "hips" and above is not None:
            base, frame = target.places[target.joints[above]], target.turns[target.joints[above]]
            place, turn = frame.inv().apply(place - base), frame.inv() * turn
        x, y, z, w = turn.as_quat()
        joint = '<freejoint name="root"/>' if slot[0] == "hips" else f'<joint name="{name[slot]}" type="ball"/>'
        inner = "".join(written(each) for each in children[slot])
        return (
            f'<body name="{name[slot]}" pos="{place[0]} {place[1]} {place[2]}" quat="{w} {x} {y} {z}">{joint}'
            f'<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><site name="{name[slot]}"/>{inner}</body>'
        )

    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{written(('hips', None))}</worldbody></mujoco>")
    configuration = mink.Configuration(model)
    frames = len(posture["hips", None][0])
    wished = np.empty((frames, model.nq))
    for slot in slots:
        own = posture[slot][1]
        if slot[0] == "hips":
            x, y, z, w = own.as_quat().T
            wished[:, :7] = np.column_stack([posture[slot][0], w, x, y, z])
            continue
        above = target.carrier[slot]
        rest = target.turns[target.joints[above]].inv() * target.turns[target.joints[slot]]
        x, y, z, w = (rest.inv() * posture[above][1].inv() * own).as_quat().T
        at = model.jnt_qposadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name[slot])]
        wished[:, at : at + 4] = np.column_stack([w, x, y, z])
    tasks = {slot: mink.FrameTask(name[slot], "site", 10.0 if slot[0] == "foot" else 5.0, 0.0) for slot in goals}
    root = mink.FrameTask(name["hips", None], "site", 3.0, 3.0)
    hold = mink.PostureTask(model, cost=0.05)
    began = time.process_time()
    places = {slot: np.empty((frames, 3)) for slot in slots}
    quats = {slot: np.empty((frames, 4)) for slot in slots}
    configuration.update(wished[0])
    for frame in range(frames):
        hold.set_target(wished[frame])
        x, y, z, w = posture["hips", None][1][frame].as_quat()
        turn = mink.SO3(np.array([w, x, y, z]))
        root.set_target(mink.SE3.from_rotation_and_translation(turn, posture["hips", None][0][frame]))
        for slot, task in tasks.items():
            task.set_target(mink.SE3.from_rotation_and_translation(mink.SO3.identity(), goals[slot][frame]))
        for _ in range(8):
            velocity = mink.solve_ik(configuration, [root, hold, *tasks.values()], 1.0, "daqp", damping=1e-3)
            configuration.integrate_inplace(velocity, 1.0)
        for slot in slots:
            site = configuration.data.site(name[slot])
            places[slot][frame] = site.xpos
            quats[slot][frame] = Rotation.from_matrix(site.xmat.reshape(3, 3)).as_quat()
    took = time.process_time() - began
    return {slot: (places[slot], Rotation.from_quat(quats[slot])) for slot in slots}, took


def stands(source: Skeleton, track: Track, rate: float) -> dict[str, list[tuple[int, int]]]:
    """When which foot of the source stands: first and last frames."""
    found = {}
    for side in ("left", "right"):
        slot = ("toe", side) if ("toe", side) in source.joints else ("foot", side)
        place = track[slot][0]
        speed = np.linalg.norm(np.gradient(place, axis=0), axis=1) * rate / source.leg
        still = (speed < SLOW) & (place[:, 1] < place[:, 1].min() + LOW * source.leg)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], still.astype(int), [0]]))).reshape(-1, 2)
        found[side] = [(int(a), int(b) - 1) for a, b in edges if b - a >= max(LASTING * rate, 3)]
    return found


def soles(skeleton: Skeleton) -> dict[tuple[str, str | None], np.ndarray]:
    """Vertices (n, 3) of feet and toes, in frames of their joints without scale."""
    document, found = skeleton.document, dict[tuple[str, str | None], np.ndarray]()
    rig, by_joint = document.rig, {j: slot for slot, j in skeleton.joints.items()}
    places, turns = worlds(document, rig.defaults[None])
    for mesh in document.meshes:
        lead = mesh.influences[np.arange(len(mesh.vertices)), mesh.weights.argmax(axis=1)]
        for k, name in enumerate(mesh.joints):
            j = above = rig.joint_index(name)
            while above >= 0 and above not in by_joint:
                above = rig.joints[above].parent
            slot, own = by_joint.get(above), mesh.vertices[lead == k].astype(np.float64)
            if slot is None or slot[0] not in ("foot", "toe") or not len(own):
                continue
            own = (own @ mesh.joint_from_mesh[k][:, :3].T + mesh.joint_from_mesh[k][:, 3]) * scale_of(document, j)
            rest = places[0, j] + turns[0][j].apply(own)
            mine = turns[0][above].inv().apply(rest - places[0, above])
            found[slot] = np.concatenate([found.get(slot, np.zeros((0, 3))), mine])
    return found


def scale_of(document: Document, joint: int) -> np.ndarray:
    made = np.ones(3)
    while joint >= 0:
        made = made * np.array(document.rig.joints[joint].rest.scale)
        joint = document.rig.joints[joint].parent
    return made


@dataclass
class Judged:
    slide: float
    below: float
    ends: float
    beyond: float = 0.0


def judge(
    target: Skeleton,
    track: Track,
    goals: dict[tuple[str, str | None], np.ndarray],
    when: dict[str, list[tuple[int, int]]],
    lifts: dict[str, np.ndarray],
) -> Judged:
    slide, balls = 0.0, {side: ball_of(target, track, side) for side in when}
    for side, ranges in when.items():
        for a, b in ranges:
            place = balls[side][a : b + 1]
            slide = max(slide, float(np.linalg.norm(place - place.mean(axis=0), axis=1).max()))
    below = 0.0
    for slot, vertices in soles(target).items():
        place, turn = track[slot]
        heights = np.einsum("ti,vi->tv", turn.as_matrix()[:, 1], vertices) + place[:, 1:2]
        below = max(below, float(-heights.min()))
    off = []
    for slot, goal in goals.items():
        away = track[slot][0] - goal
        if slot[0] == "foot":
            # A foot is as high as its ball is above where that rests.
            ball = balls[str(slot[1])]
            rests = bound_height(target, ("toe", slot[1])) if ("toe", slot[1]) in target.joints else 0.0
            away[:, 1] = ball[:, 1] - rests - lifts[str(slot[1])]
        off.append(np.linalg.norm(away, axis=1))
    return Judged(slide, below, float(np.concatenate(off).mean()))


def goals_of(
    target: Skeleton, source: Skeleton, theirs: Track, ours: Track, when: dict[str, list[tuple[int, int]]], scale: float
) -> dict[tuple[str, str | None], np.ndarray]:
    """Where hands and feet shall be, as seen from the shoulders and hip joints of a track of the target."""
    goals = {}
    for side in ("left", "right"):
        if source.arm(side) > 0 and target.arm(side) > 0:
            away = theirs["hand", side][0] - theirs["upper_arm", side][0]
            goals["hand", side] = ours["upper_arm", side][0] + target.arm(side) / source.arm(side) * away
        theirs_at, hip = theirs["foot", side][0], theirs["thigh", side][0]
        goal = ours["thigh", side][0] + scale * (theirs_at - hip)
        standing = np.concatenate(
            [theirs_at[a : b + 1, 1] for a, b in when[side]] or [theirs_at[:, 1].min(keepdims=True)]
        )
        goal[:, 1] = bound_height(target, ("foot", side)) + scale * (theirs_at[:, 1] - np.median(standing))
        goals["foot", side] = goal
    return goals


def bound_height(target: Skeleton, slot: tuple[str, str | None]) -> float:
    """Of a joint above the lowest vertex of its foot, as the skin was bound, which is flat."""
    j, rig = target.joints[slot], target.document.rig
    of_foot = {
        rig.joints[target.joints[each]].name for each in (("foot", slot[1]), ("toe", slot[1])) if each in target.joints
    }
    heights = []
    for mesh in target.document.meshes:
        name, top = rig.joints[j].name, _top(target, mesh)
        if name not in mesh.joints or not top:
            continue
        k, high = mesh.joints.index(name), mesh.joints.index(top)
        lead = mesh.influences[np.arange(len(mesh.vertices)), mesh.weights.argmax(axis=1)]
        own = mesh.vertices[np.isin(lead, [mesh.joints.index(each) for each in of_foot if each in mesh.joints])]
        if not len(own):
            continue
        # Up of a mesh is the axis from the ankle to the hips.
        origin, above = (
            -np.linalg.solve(mesh.joint_from_mesh[n][:, :3], mesh.joint_from_mesh[n][:, 3]) for n in (k, high)
        )
        axis = int(np.abs(above - origin).argmax())
        size = np.cbrt(abs(np.linalg.det(mesh.joint_from_mesh[k][:, :3]))) * scale_of(target.document, j)[0]
        heights.append(float((np.sign((above - origin)[axis]) * (origin[axis] - own[:, axis])).max()) * size)
    return max(heights, default=0.0)


def ball_of(target: Skeleton, track: Track, side: str) -> np.ndarray:
    """Where a foot rolls (T, 3): its toe or, without one, the vertex of its skin that is foremost at rest."""
    if ("toe", side) in target.joints:
        return track["toe", side][0]
    vertices = soles(target)["foot", side]
    ahead = target.heading().apply([0.0, 0.0, 1.0])
    rest = target.turns[target.joints["foot", side]].apply(vertices)
    low = np.flatnonzero(rest[:, 1] < rest[:, 1].min() + 0.02 * target.leg)
    place, turn = track["foot", side]
    return place + turn.apply(vertices[low[int((rest[low] @ ahead).argmax())]])


def _top(target: Skeleton, mesh: Any) -> str:
    for role in ("hips", "spine", "chest"):
        j = target.joints.get((role, None))
        if j is not None and target.document.rig.joints[j].name in mesh.joints:
            return target.document.rig.joints[j].name
    return ""


def opened(name: str) -> Document:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return formats.load(DATA / name)


def pair(target: Document, source: Document) -> tuple[dict[str, Judged], float, float]:
    """How each way does on a pair; how many times faster than real time ours and mink are."""
    whole = source.clips[0]
    clip = replace(whole, end=min(whole.end, whole.start + SECONDS), rate=min(whole.rate, RATE))
    times = clip.frame_times
    ours_body, their_body = body_of(target), body_of(source, whole)
    seconds = []
    for _ in range(4):
        began = time.process_time()
        retarget_clip(ours_body, their_body, whole)
        seconds.append(time.process_time() - began)
    made, found, quality = retarget_clip(ours_body, their_body, clip)
    a, b = Skeleton.of(target), Skeleton.of(source)
    theirs = track_of(b, curve_values(source, clip, times))
    when = stands(b, theirs, clip.rate)
    ours = track_of(a, curve_values(target, made, times))
    scale = a.leg / b.leg
    copied = rotation_copy(a, b, theirs, found.ground, scale)
    tracked, took = mink_tracker(a, copied, goals_of(a, b, theirs, copied, when, scale))
    lifts = {}
    for side, ranges in when.items():
        high = theirs["toe", side][0][:, 1]
        standing = np.concatenate([high[first : last + 1] for first, last in ranges] or [high.min(keepdims=True)])
        lifts[side] = scale * (high - np.median(standing))
    judged = {
        way: judge(a, track, goals_of(a, b, theirs, track, when, scale), when, lifts)
        for way, track in zip(WAYS, (ours, copied, tracked), strict=True)
    }
    judged["ours"].beyond = float(quality.beyond.max())
    span = whole.end - whole.start
    return judged, span / float(np.median(seconds[1:])), (times[-1] - times[0]) / took


def measure() -> list[Figure]:
    rows = []
    for source in SOURCES:
        giver = opened(source)
        for target in TARGETS:
            judged, faster, mink_faster = pair(opened(target), giver)
            rows.append((judged, faster, mink_faster))
            told = "; ".join(
                f"{way} slide {1000 * j.slide:.2f}, below {1000 * j.below:.1f}, ends {1000 * j.ends:.1f} mm"
                for way, j in judged.items()
            )
            print(
                f"{Path(source).stem} → {Path(target).stem}: {told}; {faster:.0f}× and {mink_faster:.1f}×",
                file=sys.stderr,
                flush=True,
            )
    figures = [Figure("pairs", len(rows), "", at_least=30)]
    bounds = {"slide": 1.0, "below": 5.0}
    for what in ("slide", "below", "ends"):
        for way in WAYS:
            sizes = 1000 * np.array([getattr(judged[way], what) for judged, *_ in rows])
            at_most = bounds.get(what) if way == "ours" else None
            figures.append(Figure(f"{what}, {way}, median", float(np.median(sizes)), "mm"))
            figures.append(Figure(f"{what}, {way}, worst", float(sizes.max()), "mm", at_most=at_most))
    best = [min(judged[way].ends for way in WAYS[1:]) for judged, *_ in rows]
    share = [judged["ours"].ends / max(peer, 1e-9) for (judged, *_), peer in zip(rows, best, strict=True)]
    figures.append(Figure("ends, ours of the best peer, median", float(np.median(share)), "", at_most=0.5))
    figures.append(Figure("beyond limits, worst", max(judged["ours"].beyond for judged, *_ in rows), "", at_most=0.0))
    figures.append(
        Figure("times faster than real time, median", float(np.median([r[1] for r in rows])), "×", at_least=50)
    )
    figures.append(Figure("times faster than real time, least", float(min(r[1] for r in rows)), "×"))
    figures.append(Figure("times faster than real time, mink, median", float(np.median([r[2] for r in rows])), "×"))
    return figures


if __name__ == "__main__":
    main("retargeting", measure)
