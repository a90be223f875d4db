"""From wishes to a bend: turns of the joints at which bones start, and small steps along the bones."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import dual_quaternions, euler, quaternions, transforms
from inbetweener.posing.sketch.bones import Bones, Samples, hung
from inbetweener.posing.sketch.wish import Wishes
from inbetweener.rig import DOFS, ROOT, Channel, Drive, Joint, Rig, bent
from inbetweener.rig.naming import free_name

_FADE = 0.5
"""Over which share of its bone a start that cannot be as wished comes round to the wish."""
_ROUNDING = 1e-12
"""What is less than this, in radians, metres and elements of rotations, is nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Woven:
    """Bones in their new pose.

    turns (9,) by joint are added to its degrees of freedom; frames (M, 3, 4) carry the samples into the world; world
    (J, 3, 4) are the joints.
    """

    turns: dict[int, Floats]
    samples: Samples
    frames: Floats
    world: Floats

    def shapes(self) -> Floats:
        """What all bends together do (M, 3, 4) at the samples, in their joints' rest frames."""
        shapes = transforms.product(transforms.inverse(self.world)[self.samples.owners], self.frames)
        linear = shapes[..., :3]
        if np.abs(np.swapaxes(linear, -1, -2) @ linear - np.eye(3)).max(initial=0.0) > _ROUNDING:
            # Where joints are scaled unevenly nothing rigid fits, but samples can still go where they should.
            wanted = np.einsum("src,sc->sr", linear, self.samples.at_rest)
            linear = nearest_rotations(linear)
            shapes[..., 3] += wanted - np.einsum("src,sc->sr", linear, self.samples.at_rest)
            shapes[..., :3] = linear
        shapes[[rows.start for rows in self.samples.rows.values()]] = np.eye(3, 4)
        return shapes


def woven(bones: Bones, wishes: Wishes, axis: Floats, level: Collection[int] = ()) -> Woven:
    """The pose in which every wish comes true, root to leaf; turns in wishes are about `axis` (3,).

    A bone's start turns by its joint, as keys would turn it: that is how skins bend best. A root also moves. Joints of
    IK handles go where their handles say; their bones come round to the wish on the way. Joints that are `level` keep
    their orientation in the world, whatever carries them.
    """
    rig = bones.rig
    handled = {rig.joint_index(name) for handle in rig.handles for name in handle.joints}
    made = _pass(bones, wishes, axis, level, handled, bones.dofs)
    if handled:
        # Handles aim anew once the joints above them have turned; what hangs below them then turns from there.
        for _ in range(2):
            made = _pass(bones, wishes, axis, level, handled, _handled_again(bones, made.turns))
    return made


def _pass(
    bones: Bones, wishes: Wishes, axis: Floats, level: Collection[int], handled: Collection[int], dofs: Floats
) -> Woven:
    rig, samples = bones.rig, wishes.samples
    world, turns = bones.world.copy(), {}
    linear = quaternions.to_matrix(quaternions.from_axis_angle(axis, wishes.angles)) @ samples.frames[..., :3]
    ways = _ways(wishes, axis)
    frames = np.concatenate([linear, np.zeros((len(linear), 3, 1))], axis=-1)
    old = {joint: bones.shape(joint, len(screws)) for joint, screws in bones.screws.items()}
    reached = {joint for joint in handled if not np.array_equal(dofs[joint], bones.dofs[joint])}
    for joint, each in enumerate(rig.joints):
        rows = samples.rows.get(joint)
        if rows is None and joint not in level and joint not in reached and each.parent not in reached:
            continue
        reached.add(joint)
        above = np.eye(3, 4)
        if each.parent in samples.rows:
            theirs = frames[samples.rows[each.parent]]
            above = theirs[bent.steps_passed(float(rig.bones.attachments[joint]), len(theirs) - 1)]
        elif each.parent != ROOT:
            above = hung(rig, joint, world[each.parent], old.get(each.parent))
        own = dofs[joint].copy()
        if rows is not None and each.parent == ROOT:
            own[:3] = wishes.positions[rows.start]
        if joint not in handled:
            if rows is not None or joint in level:
                wanted = bones.world[joint, :, :3] if rows is None else linear[rows.start]
                own[3:6] = _angles(each, rig.skeleton.rest[joint], own, np.linalg.inv(above[:, :3]) @ wanted)
            if np.abs(own - bones.dofs[joint]).max() > _ROUNDING:
                turns[joint] = own - bones.dofs[joint]
        world[joint] = transforms.product(above, _parent_from_joint(each, rig.skeleton.rest[joint], own))
        if rows is not None:
            frames[rows] = _frames(world[joint], linear[rows], ways[rows], samples, rows, wishes)
    return Woven(turns, samples, frames, world)


def _ways(wishes: Wishes, axis: Floats) -> Floats:
    """Where samples go (M, 3) from the start of their bone, if every step of it keeps its length; else from nowhere."""
    if not wishes.kept:
        return wishes.positions
    samples = wishes.samples
    mean = quaternions.from_axis_angle(axis, 0.5 * (wishes.angles[1:] + wishes.angles[:-1]))
    steps = np.einsum("src,sc->sr", quaternions.to_matrix(mean), np.diff(samples.positions, axis=0))
    grown = np.concatenate([np.zeros((1, 3)), np.cumsum(np.where(samples.continues[:, None], steps, 0.0), axis=0)])
    starts = [rows.start for rows in samples.rows.values()]
    return grown - np.repeat(grown[starts], [rows.stop - rows.start for rows in samples.rows.values()], axis=0)


def _frames(world: Floats, linear: Floats, ways: Floats, samples: Samples, rows: slice, wishes: Wishes) -> Floats:
    """The frames (S + 1, 3, 4) of one bone that starts at `world` (3, 4)."""
    t = np.clip(samples.places[rows] / _FADE, 0.0, 1.0)
    left = (1.0 - t * t * (3.0 - 2.0 * t))[:, None]
    if np.abs(world[:, :3] - linear[0]).max() > _ROUNDING:
        # What the start could not turn fades along the bone.
        late = _rotation_vector(world[:, :3] @ np.linalg.inv(linear[0]))
        turns = _rotations(left * late)
        linear = turns @ linear
        if wishes.kept:
            steps = np.diff(ways, axis=0)
            ways = np.concatenate([ways[:1], np.cumsum(np.einsum("src,sc->sr", turns[:-1], steps), axis=0)])
    positions = world[:, 3] + ways if wishes.kept else ways + left * (world[:, 3] - ways[0])
    shift = positions - np.einsum("src,sc->sr", linear, samples.at_rest[rows])
    return np.concatenate([linear, shift[..., None]], axis=-1)


def _angles(joint: Joint, rest: Floats, dofs: Floats, wanted: Floats) -> Floats:
    """The Euler angles (3,) nearest to those of now at which a joint's linear part is `wanted` (3, 3) in its parent."""
    turn = rest.T @ wanted / dofs[6:]
    if np.abs(turn - euler.to_matrix(dofs[3:6], joint.order)).max() < _ROUNDING:
        return dofs[3:6]
    found = euler.from_matrix(nearest_rotations(turn), joint.order)
    return euler.continuous(np.stack([dofs[3:6], found]), joint.order)[1]


def _parent_from_joint(joint: Joint, rest: Floats, dofs: Floats) -> Floats:
    linear = rest @ euler.to_matrix(dofs[3:6], joint.order) * dofs[6:]
    return np.concatenate([linear, dofs[:3, None]], axis=1)


def _handled_again(bones: Bones, turns: Mapping[int, Floats]) -> Floats:
    """Degrees of freedom (J, 9), handles solved after the turns."""
    rig = bones.rig
    drives = tuple(Drive(dof, amount) for dof, amount in named(rig, turns).items())
    extra = Channel(free_name("sketch", {channel.name for channel in rig.channels}), "bend", drives)
    turned = replace(rig, channels=(*rig.channels, extra), bends=())
    return turned.dof_map.dofs(np.append(bones.channels, 1.0)[None])[0].reshape(-1, 9)


def named(rig: Rig, turns: Mapping[int, Floats]) -> dict[str, float]:
    """Turns by degree of freedom, as drives name them; those that are nothing are left out."""
    return {
        f"{rig.joints[joint].name}.{dof}": float(amount)
        for joint, amounts in turns.items()
        for dof, amount in zip(DOFS, amounts, strict=True)
        if abs(amount) > _ROUNDING
    }


def _rotations(vectors: Floats) -> Floats:
    q = dual_quaternions.exponential(np.concatenate([vectors, np.zeros_like(vectors)], axis=1))
    return quaternions.to_matrix(q[:, :4])


def _rotation_vector(matrix: Floats) -> Floats:
    q = quaternions.from_matrix(nearest_rotations(matrix))
    return dual_quaternions.logarithm(np.concatenate([q, np.zeros(4)]))[:3]


def nearest_rotations(matrices: Floats) -> Floats:
    """The rotations (..., 3, 3) nearest to matrices (..., 3, 3)."""
    u, _, vt = np.linalg.svd(matrices)
    u[..., 2] *= np.sign(np.linalg.det(u @ vt))[..., None]
    rotations: Floats = u @ vt
    return rotations
