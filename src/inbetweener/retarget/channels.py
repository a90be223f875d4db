"""From how joints are turned to the values of channels."""

from collections.abc import Mapping

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.maths import euler, quaternions
from inbetweener.retarget import stacks
from inbetweener.retarget.body import Body
from inbetweener.retarget.figure import Figure
from inbetweener.retarget.twists import shared
from inbetweener.rig import DOFS, ROOT, Rig
from inbetweener.rig.chains import above

STILL = 1e-9
"""What differs by less from a default is no change."""


def values(figure: Figure) -> Floats:
    """Channel values (T, C) with which the rig moves as the figure does, as far as its channels can."""
    rig = figure.body.rig
    made = np.tile(rig.defaults, (len(figure.turns), 1))
    plain = plain_channels(rig)
    local = shared(figure, _local_turns(figure))
    for joint, turns in local.items():
        _write_turn(rig, plain, joint, turns, made)
    for joint, row in stacks.stacks(figure, plain).items():
        found = stacks.angles(figure, row, joint, plain)
        for hinge, track in zip(row, found.T if found is not None else (), strict=found is not None):
            channel, weight = next(plain[9 * hinge + axis] for axis in (3, 4, 5) if 9 * hinge + axis in plain)
            made[:, channel] = rig.channels[channel].default + track / weight
    moved = _carry_hips(figure, plain, made)
    _place_apart(figure, plain, made, moved)
    for handle in rig.handles:
        # The joints' own channels tell the pose.
        made[:, rig.channel_index(handle.channels[-1])] = 0.0
    return np.clip(made, [c.lower for c in rig.channels], [c.upper for c in rig.channels])


def plain_channels(rig: Rig) -> dict[int, tuple[int, float]]:
    """By degree of freedom, the channel that drives it and nothing else, and by what factor."""
    found: dict[int, tuple[int, float]] = {}
    for c, channel in enumerate(rig.channels):
        if len(channel.drives) == 1 and channel.drives[0].weight != 0.0:
            drive = channel.drives[0]
            found.setdefault(9 * rig.joint_index(drive.joint) + DOFS.index(drive.axis), (c, drive.weight))
    return found


def _local_turns(figure: Figure) -> dict[int, Floats]:
    """What Euler angles of joints have to make (T or 1, 3, 3); joints that do not move stay as in the neutral pose."""
    body, rest = figure.body, figure.body.rig.skeleton.rest
    found: dict[int, Floats] = {}
    for j, joint in enumerate(body.rig.joints):
        parent = joint.parent
        if j in figure.index:
            if parent == ROOT:
                carried = np.eye(3)[None]
            elif parent in figure.index:
                carried = figure.turn(parent)
            else:
                n = figure.carrier[figure.index[j]]
                own = figure.joints[n] if n >= 0 else -1
                still = body.turns[parent]
                carried = still[None] if n < 0 else figure.turns[:, n] @ (body.turns[own].T @ still)
            found[j] = np.swapaxes(carried @ rest[j], 1, 2) @ figure.turn(j)
        else:
            still = np.eye(3) if parent == ROOT else body.turns[parent]
            local = rest[j].T @ still.T @ body.turns[j]
            if np.abs(local - np.eye(3)).max() > STILL:
                found[j] = local[None]
    return found


def _write_turn(rig: Rig, plain: Mapping[int, tuple[int, float]], joint: int, turns: Floats, made: Floats) -> None:
    order = rig.joints[joint].order
    known = [axis for axis in range(3) if 9 * joint + 3 + axis in plain]
    if not known:
        return
    if len(known) == 1:
        # A hinge takes what of the turn is about its axis.
        q = quaternions.from_matrix(turns)
        angles = np.zeros((len(turns), 3))
        angles[:, known[0]] = np.unwrap(2.0 * np.arctan2(q[:, 1 + known[0]], q[:, 0]))
        angles[:, known[0]] -= 2.0 * np.pi * np.round(np.median(angles[:, known[0]]) / (2.0 * np.pi))
    else:
        angles = euler.continuous(_first(euler.from_matrix(turns, order), order), order)
    for axis in known:
        channel, weight = plain[9 * joint + 3 + axis]
        made[:, channel] = rig.channels[channel].default + angles[:, axis] / weight


def _first(angles: Floats, order: str) -> Floats:
    """The same with the first row as near to nought as its two families of angles allow."""
    i, j, k = euler.axes(order)
    other = angles[0].copy()
    other[[i, k]] += np.pi
    other[j] = np.pi - other[j]
    other = (other + np.pi) % (2.0 * np.pi) - np.pi
    made = angles.copy()
    if np.abs(other).sum() < np.abs(angles[0]).sum():
        made[0] = other
    return made


def _carry_hips(figure: Figure, plain: Mapping[int, tuple[int, float]], made: Floats) -> tuple[int, Floats]:
    """Write where the hips are, into them or what carries them; which joint that is, and how far it moves (T, 3)."""
    body, rig = figure.body, figure.body.rig
    hips = body.slots["hips", None, 0, 0]
    path = [hips, *above(rig, hips)]
    able = [j for j in path if all(9 * j + axis in plain for axis in range(3))]
    free = [j for j in able if all(rig.channels[plain[9 * j + axis][0]].free for axis in range(3))]
    moved = figure.place(hips) - body.places[hips]
    if not able:
        return -1, moved
    carrier = (free or able)[0]
    _write_place(body, plain, carrier, moved @ np.linalg.inv(_linear(body, rig.joints[carrier].parent)).T, made)
    return carrier, moved


def _linear(body: Body, joint: int) -> Floats:
    """How a joint carries what hangs on it in the neutral pose (3, 3), scale included."""
    if joint == ROOT:
        return np.eye(3)
    world, orientation = (each[0, joint] for each in body.rig.skeleton.forward(body.rig.rest_dofs[None]))
    return np.asarray(body.turns[joint] @ orientation.T @ world[:, :3])


def _write_place(body: Body, plain: Mapping[int, tuple[int, float]], joint: int, moved: Floats, made: Floats) -> None:
    """Write how far (T, 3) a joint is from where it rests, in the frame of what carries it."""
    for axis in range(3):
        channel, weight = plain[9 * joint + axis]
        made[:, channel] = body.rig.channels[channel].default + moved[:, axis] / weight


def _place_apart(
    figure: Figure, plain: Mapping[int, tuple[int, float]], made: Floats, carried: tuple[int, Floats]
) -> None:
    """Write where joints are that the trunk does not carry, such as feet that hang on a root."""
    body, rig = figure.body, figure.body.rig
    for n, joint in enumerate(figure.joints):
        if figure.carrier[n] >= 0 or joint == body.slots["hips", None, 0, 0]:
            continue
        if not all(9 * joint + axis in plain for axis in range(3)):
            continue
        parent = rig.joints[joint].parent
        rests = rig.rest_world()[[joint, parent], :, 3] if parent != ROOT else rig.rest_world()[[joint], :, 3]
        linear = _linear(body, parent)
        origin = body.places[parent] if parent != ROOT else np.zeros(3)
        along = np.zeros(3) if parent == ROOT else carried[1] * (parent in [carried[0], *_below(rig, carried[0])])
        own = (figure.places[:, n] - origin - along) @ np.linalg.inv(linear).T
        if parent == ROOT:
            rest = rests[0]
        else:
            world = rig.skeleton.world(rig.rest_dofs[None])[0, parent]
            rest = np.linalg.solve(world[:, :3], rests[0] - world[:, 3])
        _write_place(body, plain, joint, own - rest, made)


def _below(rig: Rig, joint: int) -> list[int]:
    return [j for j in range(len(rig.joints)) if joint >= 0 and joint in above(rig, j)]
