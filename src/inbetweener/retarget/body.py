"""A rig as a body: its neutral pose, its limbs by role, the anatomical frame of every bone, its soles.

A bone's *anatomical frame* is its direction and a second axis carried along from a standing body with its arms to the
sides, so that bodies in an A pose, a T pose or with bent arms speak of the same turn by the same frame.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from inbetweener.anatomy import Anatomy, Part, Role
from inbetweener.arrays import Floats
from inbetweener.errors import InvalidEdit
from inbetweener.rig import ROOT, Rig
from inbetweener.rig.mirror import Side
from inbetweener.skinning import Mesh

SIDES: tuple[Side, Side] = ("left", "right")
LEG: tuple[Role, ...] = ("thigh", "shin", "foot", "toe")
ARM: tuple[Role, ...] = ("clavicle", "upper_arm", "forearm", "hand")
TRUNK: tuple[Role, ...] = ("hips", "spine", "chest", "neck", "head")
BOUND_OTHERWISE = np.radians(5.0)
"""Where joints are turned by more from how their skin was bound, the file's own pose is no rest."""
BENT = np.radians(30.0)
"""A limb that is bent by more at rest shows about which axis it bends."""
FLAT_FOOT = 0.35
"""The share of a foot's length that lies level at rest; one that hangs down more says nothing of its heading."""
LOW = 0.02
"""Of the leg's length: what of a foot is no higher than this above its lowest place is of its sole."""

CORNERS = 16
"""Directions on the ground in which the corners of a sole are looked for."""

Slot = tuple[Role, Side | None, int, int]
"""A joint of a body by what it is: role, side, number and digit."""


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """A foot in its neutral pose; offsets (3,) in the frames of joints, without their scale.

    foot, toe  their joints; the toe is below nought where there is none
    ball       where it rolls, carried by the foot: its toe's origin or, without toes, the tip
    sole       (n, 3) corners of what the foot carries of the sole; of toes in the frame of theirs
    height     of the ball above the sole, in metres
    """

    foot: int
    toe: int
    ball: Floats
    sole: Floats
    toes: Floats
    height: float


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A rig in its neutral pose.

    slots   joints by what they are; trunk, fingers and tail by their rows in `chains`
    turns   (J, 3, 3) orientations, places (J, 3)
    frames  (J, 3, 3) anatomical frames, of joints that are of the body
    leg, arm  lengths in metres, the leg's down to the sole
    """

    rig: Rig
    slots: Mapping[Slot, int]
    chains: Mapping[Slot, tuple[int, ...]]
    turns: Floats
    places: Floats
    axes: Floats
    frames: Floats
    palms: Mapping[Side, Floats]
    feet: Mapping[Side, Foot]
    leg: float
    arm: float
    floor: float
    skinned: bool

    def limb(self, roles: Sequence[Role], side: Side) -> tuple[int, ...]:
        """The joints of a limb that are there, from the trunk outwards."""
        found = (self.slots.get((role, side, 0, 0)) for role in roles)
        return tuple(joint for joint in found if joint is not None)

    def chain(self, roles: Sequence[Role], side: Side) -> tuple[int, ...]:
        """The same with the hinges in between: robots have a joint of three axes as three joints of one."""
        limb = self.limb(roles, side)
        if len(limb) < 2:
            return limb
        turning: dict[int, int] = {}
        for channel in self.rig.channels:
            for drive in channel.drives:
                if channel.kind == "rotation":
                    joint = self.rig.joint_index(drive.joint)
                    turning[joint] = turning.get(joint, 0) + 1
        between = [j for j in above(self.rig, limb[-1]) if limb[0] in above(self.rig, j)]
        return tuple(sorted({*limb, *(j for j in between if turning.get(j) == 1)}))

    @classmethod
    def of(
        cls, rig: Rig, anatomy: Anatomy, meshes: Iterable[Mesh] = (), poses: Floats | None = None, what: str = "it"
    ) -> "Body":
        """The body of a recognised rig; where it does not rest as one stands, a pose of `poses` (T, C) is taken."""
        slots, rows = _slots(rig, anatomy)
        missing = [role for role in ("hips", "thigh") if not any(slot[0] == role for slot in slots)]
        if missing or not all(("thigh", side, 0, 0) in slots for side in SIDES):
            raise InvalidEdit(
                f"{what} cannot give or take motion: no {' and no '.join(missing or ['pair of thighs'])} was "
                f"recognised ({anatomy.summary}); say which joints they are with set_roles, or `inbetweener recognise "
                "--set JOINT=hips --set JOINT=thigh:left`"
            )
        listed = tuple(meshes)
        world, orientation = (each[0] for each in rig.skeleton.forward(rig.rest_dofs[None]))
        turns, places = _bound(rig, listed, slots, world, orientation)
        if not _stands(slots, rows, places) and poses is not None and len(poses):
            posed = rig.posed(poses)
            best = int(np.argmax([_standing(slots, rows, each) for each in posed.world_from_joint[..., 3]]))
            turns, places = posed.forward[1][best], posed.forward[0][best, :, :, 3]
        axes = _axes(slots, rows, places)
        frames, palms = _frames(rig, slots, rows, places, axes)
        lengths = {side: _length(places, _limb(slots, LEG[:3], side)) for side in SIDES}
        linear = turns @ orientation.transpose(0, 2, 1) @ world[:, :, :3]
        skin = _skin(rig, listed, linear, places)
        feet = {}
        for side in SIDES:
            if (foot := _foot(rig, slots, side, turns, linear, places, axes, skin, lengths[side])) is not None:
                feet[side] = foot
        floor = min((_sole(foot, turns, places) for foot in feet.values()), default=float(places[:, 1].min()))
        ankles = [places[feet[side].foot, 1] - floor for side in feet]
        leg = float(np.mean(list(lengths.values())) + (np.mean(ankles) if ankles else 0.0))
        arms = [_length(places, _limb(slots, ARM[1:], side)) for side in SIDES]
        return cls(
            rig, slots, rows, turns, places, axes, frames, palms, feet, leg, float(np.mean(arms)), floor, bool(skin)
        )  # fmt: skip


def _slots(rig: Rig, anatomy: Anatomy) -> tuple[dict[Slot, int], dict[Slot, tuple[int, ...]]]:
    """Joints by what they are; of several in a row, the one nearest to the trunk. And rows: trunk, fingers, tails."""
    depth = [0] * len(rig.joints)
    for j, each in enumerate(rig.joints):
        depth[j] = depth[each.parent] + 1 if each.parent != ROOT else 0
    slots: dict[Slot, int] = {}
    rows: dict[Slot, list[int]] = {}
    for part in sorted(anatomy.body, key=lambda each: depth[rig.joint_index(each.joint)]):
        joint = rig.joint_index(part.joint)
        if part.role in ("finger", "tail"):
            rows.setdefault((part.role, part.side, 0, part.digit), []).append(joint)
        elif part.role not in TRUNK:
            slots.setdefault((part.role, part.side, _pair(part), part.digit), joint)
        elif part.role in ("hips", "chest", "head"):
            slots.setdefault((part.role, None, 0, 0), joint)
    _carry_legs(rig, slots)
    _stand_on_last(rig, anatomy, slots)
    trunk = _trunk(rig, anatomy, slots)
    hips, chest = slots.get(("hips", None, 0, 0)), slots.get(("chest", None, 0, 0))
    made = {slot: tuple(row) for slot, row in rows.items()}
    if hips is not None and trunk:
        top = trunk.index(chest) if chest in trunk else len(trunk) - 1
        made["spine", None, 0, 0] = tuple(trunk[: top + 1])
        made["neck", None, 0, 0] = tuple(trunk[top:])
    return slots, made


def _carry_legs(rig: Rig, slots: dict[Slot, int]) -> None:
    """Where legs hang beside the hips, take for these what carries both."""
    hips = slots.get(("hips", None, 0, 0))
    thighs = [joint for side in SIDES for joint in _limb(slots, ("thigh",), side)]
    if hips is not None:
        paths = [{joint, *above(rig, joint)} for joint in (hips, *thighs)]
        shared = set.intersection(*paths)
        if shared and hips not in shared:
            slots["hips", None, 0, 0] = max(shared)


def _stand_on_last(rig: Rig, anatomy: Anatomy, slots: dict[Slot, int]) -> None:
    """Where an ankle is several hinges, the foot is the last of them, which carries the sole."""
    for side in SIDES:
        foot = slots.get(("foot", side, 0, 0))
        while foot is not None:
            slots["foot", side, 0, 0] = foot
            below = [j for j, joint in enumerate(rig.joints) if joint.parent == foot]
            hinge = len(below) == 1 and anatomy[rig.joints[below[0]].name].role in ("twist", "foot")
            foot = below[0] if hinge else None


def _pair(part: Part) -> int:
    """Which pair a limb is of; numbers within one limb do not tell."""
    return max(part.number - 1, 0) if part.role in ("thigh", "shin", "wing") else 0


def _trunk(rig: Rig, anatomy: Anatomy, slots: Mapping[Slot, int]) -> list[int]:
    """The joints of the trunk from the hips up to the head, as one hangs on the other."""
    hips = slots.get(("hips", None, 0, 0))
    if hips is None:
        return []
    roles = {hips, *(rig.joint_index(part.joint) for part in anatomy.body if part.role in TRUNK)}
    tops = [slots[slot] for slot in (("head", None, 0, 0), ("chest", None, 0, 0)) if slot in slots]
    for top in [*tops, *sorted(roles, reverse=True)]:
        path, joint = [], top
        while joint != ROOT:
            if joint in roles:
                path.append(joint)
            if joint == hips:
                return path[::-1]
            joint = rig.joints[joint].parent
    return [hips]


def _limb(slots: Mapping[Slot, int], roles: Sequence[Role], side: Side) -> list[int]:
    return [slots[role, side, 0, 0] for role in roles if (role, side, 0, 0) in slots]


def _length(places: Floats, joints: Sequence[int]) -> float:
    return float(np.linalg.norm(np.diff(places[list(joints)], axis=0), axis=1).sum())


# The neutral pose.


def _bound(
    rig: Rig, meshes: Sequence[Mesh], slots: Mapping[Slot, int], world: Floats, orientation: Floats
) -> tuple[Floats, Floats]:
    """Orientations and places as the skin was bound, where the file's own pose is another; else as the rig rests."""
    bound: dict[int, Floats] = {}
    for mesh in meshes:
        for name, matrix in zip(mesh.joints, mesh.joint_from_mesh, strict=True):
            if len(mesh.joints) > 1 and abs(np.linalg.det(matrix[:, :3])) > 1e-18:
                bound.setdefault(rig.joint_index(name), matrix)
    body = [j for j in slots.values() if j in bound]
    if len(body) < 4:
        return orientation, world[..., 3]
    # Where all was bound as it rests, every joint says the same of where the mesh is.
    seen = np.array([world[j, :, :3] @ bound[j][:, :3] for j in body])
    turned = np.array([_rotation(each) for each in seen])
    if _angles(turned[0].T @ turned).max() < BOUND_OTHERWISE:
        return orientation, world[..., 3]
    # A mesh lies in the world as axes do: turned by right angles, as most of its joints nearly have it.
    mesh_turn = min(_RIGHT_ANGLES, key=lambda each: float(np.median(_angles(each.T @ turned))))
    size = float(np.median(np.cbrt(np.abs(np.linalg.det(seen)))))
    turns, places = orientation.copy(), world[..., 3].copy()
    for j, joint in enumerate(rig.joints):
        if joint.parent == ROOT:
            continue
        above = joint.parent
        if j in bound:
            turns[j] = mesh_turn @ _rotation(bound[j][:, :3]).T
        else:
            turns[j] = turns[above] @ orientation[above].T @ orientation[j]
        places[j] = places[above] + turns[above] @ orientation[above].T @ (world[j, :, 3] - world[above, :, 3])
    _set_apart(rig, slots, bound, mesh_turn * size, turns, places)
    return turns, places


def _set_apart(
    rig: Rig, slots: Mapping[Slot, int], bound: Mapping[int, Floats], linear: Floats, turns: Floats, places: Floats
) -> None:
    """Put feet that hang on no shin, as exported IK leaves them, to where the skin was bound."""
    for side in SIDES:
        shin, foot = slots.get(("shin", side, 0, 0)), slots.get(("foot", side, 0, 0))
        if shin is None or foot is None or shin in above(rig, foot) or not {shin, foot} <= bound.keys():
            continue
        one, other = (-np.linalg.solve(bound[j][:, :3], bound[j][:, 3]) for j in (shin, foot))
        moved = places[shin] + linear @ (other - one) - places[foot]
        for j in range(foot, len(rig.joints)):
            if j == foot or foot in above(rig, j):
                places[j] += moved


def above(rig: Rig, joint: int) -> list[int]:
    """All joints that carry a joint."""
    found, index = [], rig.joints[joint].parent
    while index != ROOT:
        found.append(index)
        index = rig.joints[index].parent
    return found


def _rotation(matrix: Floats) -> Floats:
    """The rotation nearest to a matrix."""
    u, _, v = np.linalg.svd(matrix)
    u[:, -1] *= np.sign(np.linalg.det(u @ v))
    return np.asarray(u @ v)


def _right_angles() -> list[Floats]:
    """The 24 rotations that take axes to axes."""
    signs = [np.diag(each) for each in product((1.0, -1.0), repeat=3)]
    every = [np.eye(3)[list(order)] @ sign for order in permutations(range(3)) for sign in signs]
    return [each for each in every if np.linalg.det(each) > 0]


_RIGHT_ANGLES = _right_angles()


def _angles(rotations: Floats) -> Floats:
    """By how much rotations (n, 3, 3) turn."""
    return np.asarray(np.arccos(np.clip((np.trace(rotations, axis1=1, axis2=2) - 1.0) / 2.0, -1.0, 1.0)))


def _stands(slots: Mapping[Slot, int], rows: Mapping[Slot, tuple[int, ...]], places: Floats) -> bool:
    return _standing(slots, rows, places) > 0.7


def _standing(slots: Mapping[Slot, int], rows: Mapping[Slot, tuple[int, ...]], places: Floats) -> float:
    """Up to 1: how upright the legs stand below the trunk, both straight and side by side."""
    found = []
    for side in SIDES:
        leg = _limb(slots, LEG[:3], side)
        way = places[leg[-1]] - places[leg[0]]
        found.append(-way[1] / max(_length(places, leg), 1e-9))
    across = places[slots["thigh", "left", 0, 0]] - places[slots["thigh", "right", 0, 0]]
    level = np.hypot(across[0], across[2]) / max(float(np.linalg.norm(across)), 1e-9)
    return float(min(*found, level))


def _axes(slots: Mapping[Slot, int], rows: Mapping[Slot, tuple[int, ...]], places: Floats) -> Floats:
    """Columns: the body's left, up and forward."""
    across = places[slots["thigh", "left", 0, 0]] - places[slots["thigh", "right", 0, 0]]
    left = _unit(across - across[1] * np.array([0.0, 1.0, 0.0]))
    up = np.array([0.0, 1.0, 0.0])
    return np.stack([left, up, np.cross(left, up)], axis=1)


# Anatomical frames.


def _frames(
    rig: Rig, slots: Mapping[Slot, int], rows: Mapping[Slot, tuple[int, ...]], places: Floats, axes: Floats
) -> tuple[Floats, dict[Side, Floats]]:
    frames = np.tile(axes, (len(rig.joints), 1, 1))
    left, up, forward = axes.T
    palms: dict[Side, Floats] = {}
    for side in SIDES:
        outward = left if side == "left" else -left
        leg, arm = _limb(slots, LEG[:2], side), _limb(slots, ARM[1:], side)
        ends = [*leg[1:], *_limb(slots, ("foot",), side)]
        _carry(frames, places, leg, _targets(rig, places, leg, ends), np.stack([-up, forward], axis=1), -1.0)
        for role in ("foot", "toe"):
            for joint in _limb(slots, (role,), side):
                frames[joint] = _level(rig, slots, side, places, axes)
        hand = slots.get(("hand", side, 0, 0))
        targets = _targets(rig, places, arm, arm[1:])
        _carry(frames, places, arm, targets, np.stack([outward, forward], axis=1), 1.0)
        fingers = {slot[3]: row for slot, row in rows.items() if slot[:2] == ("finger", side)}
        if hand is not None:
            if len(arm) > 1:
                # Without fingers nobody knows how a hand is turned: it goes on as its arm does.
                frames[hand] = frames[arm[-2]]
            palm = _palm(places, hand, fingers)
            if palm is not None:
                palms[side] = palm
        for row in fingers.values():
            base = palms.get(side, frames[hand] if hand is not None else axes)
            ends_ = _targets(rig, places, list(row), list(row[1:]))
            for joint, end in zip(row, ends_, strict=True):
                frames[joint] = _along(base, end - places[joint])
                base = frames[joint]
    for slot, row in rows.items():
        if slot[0] == "tail":
            base = np.stack([-forward, up, np.cross(-forward, up)], axis=1)
            for joint, end in zip(row, _targets(rig, places, list(row), list(row[1:])), strict=True):
                frames[joint] = base = _along(base, end - places[joint])
    return frames, palms


def _carry(
    frames: Floats, places: Floats, joints: Sequence[int], ends: Sequence[Floats], neutral: Floats, flexes: float
) -> None:
    """Frames of a limb, each carried on from the one before; `neutral` is how it stands, and where it bends to."""
    if not joints:
        return
    base = np.stack([neutral[:, 0], neutral[:, 1], np.cross(neutral[:, 0], neutral[:, 1])], axis=1)
    ways = [end - places[joint] for joint, end in zip(joints, ends, strict=True)]
    base = _along(base, ways[0])
    if len(ways) > 1 and np.linalg.norm(ways[1]) > 0:
        one, other = _unit(ways[0]), _unit(ways[1])
        aside = flexes * (other - (other @ one) * one)
        # A limb that is bent at rest shows its hinge, unless it is bent as none bends.
        if np.arccos(np.clip(one @ other, -1.0, 1.0)) > BENT and _unit(aside) @ base[:, 1] > 0.3:
            second = _unit(aside)
            base = np.stack([one, second, np.cross(one, second)], axis=1)
    for joint, way in zip(joints, ways, strict=True):
        frames[joint] = base = _along(base, way)


def _along(base: Floats, way: Floats) -> Floats:
    """A frame turned as little as can be, so that its first axis points along a way."""
    length = float(np.linalg.norm(way))
    return base if length < 1e-9 else _least_turn(base[:, 0], way / length) @ base


def _least_turn(one: Floats, other: Floats) -> Floats:
    """The smallest rotation that takes one direction to another."""
    axis, cosine = np.cross(one, other), float(one @ other)
    if cosine < -0.999999:
        axis = _unit(np.cross(one, np.eye(3)[int(np.abs(one).argmin())]))
        return 2.0 * np.outer(axis, axis) - np.eye(3)
    skew = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.eye(3) + skew + skew @ skew / (1.0 + cosine)


def _targets(rig: Rig, places: Floats, joints: Sequence[int], following: Sequence[int]) -> list[Floats]:
    """Where the bone of each joint ends: at the next one, or at what hangs on the last."""
    found = [places[j] for j in following][: len(joints)]
    for joint in joints[len(found) :]:
        below = [j for j, each in enumerate(rig.joints) if each.parent == joint]
        far = [places[j] for j in below if np.linalg.norm(places[j] - places[joint]) > 1e-9]
        if far:
            found.append(np.mean(far, axis=0))
        elif found and len(joints) > 1:
            found.append(2.0 * places[joint] - places[joints[len(found) - 1]])
        else:
            found.append(places[joint])
    return found


def _level(rig: Rig, slots: Mapping[Slot, int], side: Side, places: Floats, axes: Floats) -> Floats:
    """The frame of a foot that stands: along it, and up."""
    foot, toe = slots.get(("foot", side, 0, 0)), slots.get(("toe", side, 0, 0))
    way = np.zeros(3)
    if foot is not None:
        way = (places[toe] if toe is not None else _targets(rig, places, [foot], [])[0]) - places[foot]
    level = way * np.array([1.0, 0.0, 1.0])
    if np.linalg.norm(level) < max(FLAT_FOOT * float(np.linalg.norm(way)), 1e-9) or level @ axes[:, 2] < 0.0:
        level = axes[:, 2]
    along, up = _unit(level), axes[:, 1]
    return np.stack([along, up, np.cross(along, up)], axis=1)


def _palm(places: Floats, hand: int, fingers: Mapping[int, Sequence[int]]) -> Floats | None:
    """The frame of a hand by its fingers: along them, and from the first of them to the last."""
    rows = [fingers[digit] for digit in sorted(fingers) if digit > 1]
    if len(rows) < 2:
        return None
    along = np.mean([places[row[0]] for row in rows], axis=0) - places[hand]
    across = places[rows[0][0]] - places[rows[-1][0]]
    if min(np.linalg.norm(along), np.linalg.norm(across)) < 1e-9:
        return None
    one = _unit(along)
    second = across - (across @ one) * one
    if np.linalg.norm(second) < 1e-9:
        return None
    second = _unit(second)
    return np.stack([one, second, np.cross(one, second)], axis=1)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-12))


# Feet.


def _skin(rig: Rig, meshes: Sequence[Mesh], linear: Floats, places: Floats) -> dict[int, Floats]:
    """Vertices (n, 3) by the joint that moves them most, where they are in the neutral pose."""
    found: dict[int, list[Floats]] = {}
    for mesh in meshes:
        lead = mesh.influences[np.arange(len(mesh.vertices)), mesh.weights.argmax(axis=1)]
        for k in np.unique(lead):
            joint, matrix = rig.joint_index(mesh.joints[k]), mesh.joint_from_mesh[k]
            own = mesh.vertices[lead == k].astype(np.float64) @ matrix[:, :3].T + matrix[:, 3]
            found.setdefault(joint, []).append(own @ linear[joint].T + places[joint])
    return {joint: np.concatenate(each) for joint, each in found.items()}


def _foot(
    rig: Rig,
    slots: Mapping[Slot, int],
    side: Side,
    turns: Floats,
    linear: Floats,
    places: Floats,
    axes: Floats,
    skin: Mapping[int, Floats],
    leg: float,
) -> Foot | None:
    foot, toe = slots.get(("foot", side, 0, 0)), slots.get(("toe", side, 0, 0), -1)
    if foot is None:
        return None
    ahead = _level(rig, slots, side, places, axes)[:, 0]
    of_toes = [j for j in range(len(rig.joints)) if j == toe or toe in above(rig, j)] if toe >= 0 else []
    of_foot = [j for j in range(len(rig.joints)) if j not in of_toes and (j == foot or foot in above(rig, j))]
    flesh = [_flesh(rig, joints, linear, places, skin) for joints in (of_foot, of_toes)]
    floor = float(np.concatenate(flesh)[:, 1].min())
    soles = []
    for each, joints in zip(flesh, (of_foot, of_toes), strict=True):
        # Without a skin, the sole is below what is known of the foot.
        known = any(j in skin for j in joints)
        soles.append(_corners(each if known else each * [1.0, 0.0, 1.0] + [0.0, floor, 0.0], axes))
    every = np.concatenate(soles)
    low = every[every[:, 1] <= floor + LOW * leg]
    ball = places[toe] if toe >= 0 else low[(low @ ahead).argmax()]
    return Foot(
        foot,
        toe,
        turns[foot].T @ (ball - places[foot]),
        (soles[0] - places[foot]) @ turns[foot],
        (soles[1] - places[toe]) @ turns[toe],
        float(ball[1] - floor),
    )


def _flesh(rig: Rig, joints: Sequence[int], linear: Floats, places: Floats, skin: Mapping[int, Floats]) -> Floats:
    """Vertices (n, 3) that joints carry; where there are none, the joints themselves and points on them."""
    found = [skin[j] for j in joints if j in skin]
    if found:
        return np.concatenate(found)
    marks = [places[j] for j in joints]
    marks += [
        places[j] + linear[j] @ np.asarray(point.offset)
        for point in rig.points
        if (j := rig.joint_index(point.joint)) in joints
    ]
    return np.array(marks).reshape(-1, 3)


def _corners(points: Floats, axes: Floats) -> Floats:
    """Those of some points (n, 3) that lie farthest in any of many directions."""
    if not len(points):
        return points
    angles, down = np.meshgrid(
        np.arange(CORNERS) * 2.0 * np.pi / CORNERS, np.radians([-50.0, -20.0, 2.0, 25.0, 50.0, 75.0])
    )
    ways = np.stack([np.cos(down) * np.sin(angles), -np.sin(down), np.cos(down) * np.cos(angles)], axis=-1)
    return points[np.unique((points @ (ways.reshape(-1, 3) @ axes.T).T).argmax(axis=0))]


def _sole(foot: Foot, turns: Floats, places: Floats) -> float:
    return float((places[foot.foot] + turns[foot.foot] @ foot.ball)[1] - foot.height)
