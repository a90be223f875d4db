"""A rig as a body: its neutral pose, its limbs by role, the anatomical frame of every bone, its soles.

A bone's *anatomical frame* is its direction and a second axis carried along from a standing body with its arms to the
sides, so that bodies in an A pose, a T pose or with bent arms speak of the same turn by the same frame.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

import numpy as np

from inbetweener.anatomy import Anatomy, Role
from inbetweener.arrays import Floats
from inbetweener.errors import InvalidEdit
from inbetweener.retarget.frames import anatomical_frames, unit
from inbetweener.retarget.slots import ARM, LEG, SIDES, Slot, length_of, limb_of, slots_of
from inbetweener.retarget.soles import Foot, foot_of, skin_by_joint, sole_height
from inbetweener.rig import ROOT, Rig
from inbetweener.rig.chains import above
from inbetweener.rig.mirror import Side
from inbetweener.skinning import Mesh

BOUND_OTHERWISE = np.radians(5.0)
"""Where joints are turned by more from how their skin was bound, the file's own pose is no rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A rig in its neutral pose.

    slots   joints by what they are; trunk, fingers and tail by their rows in `chains`
    turns   (J, 3, 3) orientations, places (J, 3)
    frames  (J, 3, 3) anatomical frames, of joints that are of the body
    leg, arm  lengths in metres, the leg's down to the sole
    flesh   vertices (n, 3) by joint, in its anatomical frame, of what hands may lie on
    twists  joints that twist
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
    flesh: Mapping[int, Floats] = field(default_factory=dict)
    twists: frozenset[int] = frozenset()

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
        slots, rows = slots_of(rig, anatomy)
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
        if not _stands(slots, places) and poses is not None and len(poses):
            posed = rig.posed(poses)
            best = int(np.argmax([_standing(slots, each) for each in posed.world_from_joint[..., 3]]))
            turns, places = posed.forward[1][best], posed.forward[0][best, :, :, 3]
        axes = _axes(slots, places)
        frames, palms = anatomical_frames(rig, slots, rows, places, axes)
        lengths = {side: length_of(places, limb_of(slots, LEG[:3], side)) for side in SIDES}
        linear = turns @ orientation.transpose(0, 2, 1) @ world[:, :, :3]
        skin = skin_by_joint(rig, listed, linear, places)
        feet = {}
        for side in SIDES:
            if (foot := foot_of(rig, slots, side, turns, linear, places, axes, skin, lengths[side])) is not None:
                feet[side] = foot
        floor = min((sole_height(foot, turns, places) for foot in feet.values()), default=float(places[:, 1].min()))
        ankles = [places[feet[side].foot, 1] - floor for side in feet]
        leg = float(np.mean(list(lengths.values())) + (np.mean(ankles) if ankles else 0.0))
        arms = [length_of(places, limb_of(slots, ARM[1:], side)) for side in SIDES]
        trunk = rows.get(("spine", None, 0, 0), ())
        flesh = {
            joint: (np.concatenate(found) - places[joint]) @ frames[joint]
            for slot, joint in slots.items()
            if slot[0] in ("head", "hips", "thigh", "forearm", "upper_arm")
            and (found := [skin[j] for j in (trunk if slot[0] == "hips" else (joint,)) if j in skin])
        }
        twists = frozenset(rig.joint_index(part.joint) for part in anatomy.find("twist"))
        return cls(
            rig, slots, rows, turns, places, axes, frames, palms, feet, leg, float(np.mean(arms)), floor, bool(skin),
            flesh, twists,
        )  # fmt: skip


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
        up = joint.parent
        if j in bound:
            turns[j] = mesh_turn @ _rotation(bound[j][:, :3]).T
        else:
            turns[j] = turns[up] @ orientation[up].T @ orientation[j]
        places[j] = places[up] + turns[up] @ orientation[up].T @ (world[j, :, 3] - world[up, :, 3])
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


def _stands(slots: Mapping[Slot, int], places: Floats) -> bool:
    return _standing(slots, places) > 0.7


def _standing(slots: Mapping[Slot, int], places: Floats) -> float:
    """Up to 1: how upright the legs stand below the trunk, both straight and side by side."""
    found = []
    for side in SIDES:
        leg = limb_of(slots, LEG[:3], side)
        way = places[leg[-1]] - places[leg[0]]
        found.append(-way[1] / max(length_of(places, leg), 1e-9))
    across = places[slots["thigh", "left", 0, 0]] - places[slots["thigh", "right", 0, 0]]
    level = np.hypot(across[0], across[2]) / max(float(np.linalg.norm(across)), 1e-9)
    return float(min(*found, level))


def _axes(slots: Mapping[Slot, int], places: Floats) -> Floats:
    """Columns: the body's left, up and forward."""
    across = places[slots["thigh", "left", 0, 0]] - places[slots["thigh", "right", 0, 0]]
    left = unit(across - across[1] * np.array([0.0, 1.0, 0.0]))
    up = np.array([0.0, 1.0, 0.0])
    return np.stack([left, up, np.cross(left, up)], axis=1)
