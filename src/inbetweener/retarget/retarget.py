"""Motion from one body to another: by roles, whatever their proportions, rest poses and numbers of bones."""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.contacts import suggest_contacts
from inbetweener.contacts.slide import TRUSTED
from inbetweener.motion import Clip, Motion
from inbetweener.retarget import channels, feet, hands
from inbetweener.retarget.body import LEG, SIDES, Body, Foot
from inbetweener.retarget.figure import Figure, Limb
from inbetweener.retarget.match import match
from inbetweener.rig import Point
from inbetweener.rig.mirror import Side


@dataclass(frozen=True, slots=True)
class Path:
    """Where the target goes.

    travels  whether it goes along; in place it stays where it starts
    heading  radians from +z towards +x to which the body faces on the first frame; None as the source
    start    x and z in metres of the hips on the first frame; None as the source, by the length of the legs
    """

    travels: bool = True
    heading: float | None = None
    start: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Retargeted:
    """Channel values (T, C) of the target at times (T,); what stands when, and how far ends were missed (T,)."""

    times: Floats
    values: Floats
    stands: dict[Side, tuple[feet.Planted, ...]]
    missed: dict[str, Floats]
    scale: float
    ground: float


def retarget(target: Body, source: Body, motion: Motion, times: Floats, path: Path = Path()) -> Retargeted:
    """The poses of a target body in which it does what the source does."""
    posed = motion.rig.posed(motion.channels(times))
    world, turns = posed.forward
    places = np.ascontiguousarray(world[..., 3])
    rate = motion.clip.rate
    stands = _stands(source, motion, times)
    balls = {side: places[:, foot.foot] + turns[:, foot.foot] @ foot.ball for side, foot in source.feet.items()}
    ground = feet.source_ground(
        source, [(source.feet[side], balls[side]) for side in balls], [stands[side] for side in balls]
    )
    scale = target.leg / source.leg
    figure = Figure(target, match(target, source), turns)

    def scaled(place: Floats) -> Floats:
        return scale * (place - [0.0, ground, 0.0])

    figure.put(_hips(figure, source, scaled(places)))
    limbs = []
    for side, foot in target.feet.items():
        joints = target.limb(LEG[:3], side)
        if side not in balls or not {*joints} <= figure.index.keys():
            continue
        ball = scaled(balls[side])
        ball[:, 1] += foot.height - scale * source.feet[side].height
        step = feet.steps(figure, foot, ball, stands[side], rate)
        figure.turns[:, figure.index[foot.foot]] = step.turn
        if len(joints) == 3:
            limbs.append((side, Limb.of(target, joints, -1.0), step))
    sink = feet.sunken(figure, [(limb, step) for _, limb, step in limbs], rate)
    if sink.any():
        hips = figure.place(target.slots["hips", None, 0, 0]).copy()
        hips[:, 1] -= sink
        figure.put(hips)
    missed: dict[str, Floats] = {}
    for side, limb, step in limbs:
        missed[f"{side} foot"] = limb.reach(figure, feet.ankle(step))
        feet.flat_toes(figure, step.foot)
    for side, limb in hands.arms(target):
        if (goal := hands.goals(figure, source, places).get(side)) is not None:
            missed[f"{side} hand"] = limb.reach(figure, goal)
    return Retargeted(times, channels.values(figure), stands, missed, scale, ground)


def _hips(figure: Figure, source: Body, places: Floats) -> Floats:
    """Where the hips are (T, 3) so that the legs hang where the source's do, given its joints by scale (T, J, 3)."""
    body = figure.body
    thighs = [("thigh", side, 0, 0) for side in SIDES]
    middle = np.mean([places[:, source.slots[slot]] for slot in thighs], axis=0)
    hips = body.slots["hips", None, 0, 0]
    own = np.mean([body.places[body.slots[slot]] for slot in thighs], axis=0) - body.places[hips]
    return np.asarray(middle - figure.turn(hips) @ (body.turns[hips].T @ own))


def _stands(source: Body, motion: Motion, times: Floats) -> dict[Side, tuple[feet.Planted, ...]]:
    """When which foot of the source stands, as contacts are found."""
    found: dict[Side, tuple[feet.Planted, ...]] = {side: () for side in source.feet}
    points = {side: ball_point(source, foot) for side, foot in source.feet.items()}
    suggested = suggest_contacts(motion, list(points.values()))
    for side, point in points.items():
        made = []
        for each in suggested:
            if each.point == point and each.confidence >= TRUSTED:
                within = np.flatnonzero((times >= each.start - 1e-9) & (times <= each.end + 1e-9))
                if len(within):
                    made.append(feet.Planted(int(within[0]), int(within[-1]), each.wanted == "both"))
        found[side] = tuple(sorted(made, key=lambda each: each.first))
    return found


def ball_point(body: Body, foot: Foot) -> Point:
    """The ball of a foot as a point of its rig."""
    joint = body.rig.joints[foot.foot if foot.toe < 0 else foot.toe].name
    if foot.toe >= 0:
        return Point(joint)
    world = body.rig.skeleton.world(body.rig.rest_dofs[None])[0, foot.foot, :, :3]
    turn = body.rig.skeleton.forward(body.rig.rest_dofs[None])[1][0, foot.foot]
    return Point(joint, tuple(np.linalg.solve(world, turn @ foot.ball).tolist()), f"{joint} ball")


def sampled(target: Body, clip: Clip, made: Retargeted) -> Clip:
    """The clip of the target with a key on every frame."""
    from inbetweener.curves import Curve
    from inbetweener.motion import Curves

    curves = {}
    for c, channel in enumerate(target.rig.channels):
        if np.ptp(made.values[:, c]) > 0 or abs(made.values[0, c] - channel.default) > 1e-9:
            curves[channel.name] = Curve.sampled(made.times, made.values[:, c])
    return Clip(clip.name, clip.end, clip.start, clip.rate, Curves(curves), loops=clip.loops)
