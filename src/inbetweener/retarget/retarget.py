"""Motion from one body to another: by roles, whatever their proportions, rest poses and numbers of bones."""

from dataclasses import dataclass, replace

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.contacts import hold
from inbetweener.contacts.measure import wandering
from inbetweener.maths import euler
from inbetweener.motion import Attach, Clip, Constraint, Contact, Curves, Layer, Motion, is_dense
from inbetweener.motion.way import trend
from inbetweener.retarget import channels, feet, hands
from inbetweener.retarget.body import Body
from inbetweener.retarget.figure import Figure, Limb
from inbetweener.retarget.ground import gone_by
from inbetweener.retarget.holds import Hold, find_holds, lead
from inbetweener.retarget.keys import keyed, sampled
from inbetweener.retarget.match import Pair, match
from inbetweener.retarget.quality import Quality, Stands, ball_point, measure
from inbetweener.retarget.settle import End, settle
from inbetweener.retarget.slots import ARM, LEG, SIDES, Slot
from inbetweener.retarget.stands import Planted, find_stands
from inbetweener.rig import Point, Rig

ENOUGH = 1e-3
"""Metres of slide that nobody sees."""
STAYS, SELDOM = 0.4, 0.2
"""Of the leg's length, and of all frames: whose hips go no farther, and whose feet stand less, walks on a belt."""
MOST_KEYS = 1000
"""With more, it takes too long to hold contacts by tangents."""


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
    """Channel values (T, C) of the target at times (T,), who plays whom, when which foot stands, and how good it is.

    scale  the target's legs by the source's; ground  the height on which the source walks, in metres
    trend  (T, 3) what was taken away of the way, in place
    """

    times: Floats
    values: Floats
    pairs: tuple[Pair, ...]
    stands: Stands
    goals: dict[int, Floats]
    trend: Floats
    scale: float
    ground: float
    holds: tuple[Hold, ...] = ()

    def contacts(self, body: Body) -> list[Contact]:
        """What stands, as contacts of the target; on a belt nothing does."""
        return [
            Contact(
                ball_point(body, body.feet[side]),
                float(self.times[each.first]),
                float(self.times[each.last]),
                "both" if each.flat else "position",
            )
            for side, many in self.stands.items()
            for each in many
            if side in body.feet and each.first < each.last and not self.treads
        ]

    @property
    def treads(self) -> bool:
        """Whether it walks in place, as on a belt."""
        return bool(np.abs(self.trend).max(initial=0.0) > ENOUGH)

    def attachments(self, body: Body) -> list[Attach]:
        """Hands that lie still on the body, as attachments of the target."""
        return [
            Attach(
                Point(body.rig.joints[body.slots["hand", each.side, 0, 0]].name),
                body.rig.joints[body.slots[each.on]].name,
                float(self.times[each.first]),
                float(self.times[each.last]),
            )
            for each in self.holds
            if each.still and each.on in body.slots and ("hand", each.side, 0, 0) in body.slots
        ]

    def quality(self, body: Body, values: Floats | None = None) -> Quality:
        """Measured on these values, or on others at the same times."""
        return measure(body, self.times, self.values if values is None else values, self.stands, self.trend, self.goals)


def retarget(target: Body, source: Body, motion: Motion, times: Floats, path: Path | None = None) -> Retargeted:
    """The poses of a target body, at times (T,) that are frames or more, in which it does what the source does."""
    path = path or Path()
    posed = motion.rig.posed(motion.channels(times))
    world, turns = posed.forward
    places, turns, rate = np.ascontiguousarray(world[..., 3]), turns, motion.clip.rate
    stands, belt = _stands(source, motion.clip, times, places, turns), np.zeros((len(times), 3))
    if _treads(source, times, places, stands):
        # As seen from the belt it walks on, it goes along, and stands.
        belt = gone_by(source, motion, times)
        places += belt[:, None]
        stands = _stands(source, motion.clip, times, places, turns)
    places, turns, belt = _headed(source, places, turns, belt, path)
    holds = find_holds(source, times, places, turns)
    balls = {side: places[:, foot.foot] + turns[:, foot.foot] @ foot.ball for side, foot in source.feet.items()}
    ground = feet.source_ground(
        source, [(source.feet[side], balls[side]) for side in balls], [stands[side] for side in balls]
    )
    scale = target.leg / source.leg
    pairs = match(target, source)
    figure = Figure(target, pairs, turns)
    hips = target.slots["hips", None, 0, 0]
    origin = np.array([0.0, ground, 0.0])
    if path.start is not None:
        first = places[0, source.slots["hips", None, 0, 0]]
        origin[[0, 2]] = first[[0, 2]] - np.array(path.start) / scale
    places = scale * (places - origin)
    figure.put(_hips(figure, source, places))
    limbs = []
    for side, foot in target.feet.items():
        joints = target.limb(LEG[:3], side)
        if side not in balls or len(joints) < 3 or not {*joints} <= figure.index.keys():
            continue
        feet.lay_flat(figure, foot, stands[side])
        ball = scale * (balls[side] - origin)
        ball[:, 1] += foot.height - scale * source.feet[side].height
        # On the ground ankles count, as feet may be longer, from where legs hang: wider hips stand wider.
        wider = figure.place(joints[0]) - places[:, source.slots["thigh", side, 0, 0]]
        level = places[:, source.feet[side].foot] + wider + figure.turn(foot.foot) @ foot.ball
        ball[:, [0, 2]] = level[:, [0, 2]]
        step = feet.steps(figure, foot, ball, stands[side], rate)
        figure.turns[:, figure.index[foot.foot]] = step.turn
        limbs.append((side, Limb.of(target, joints, -1.0), step))
    figure.put(figure.place(hips) + feet.led_hips(figure, [(limb, step) for _, limb, step in limbs], rate))
    goals: dict[int, Floats] = {}
    ends: list[End] = []
    for side, limb, step in limbs:
        goals[limb.end] = feet.ankle(step)
        limb.reach(figure, goals[limb.end])
        ends.append(End(limb.end, target.chain(LEG[:3], side), limb.lower, step.foot.ball))
    wished = hands.goals(figure, source, places, target.arm / (scale * source.arm) if source.arm > 0 else 1.0)
    arms = dict(hands.arms(target))
    for side, goal in lead(figure, source, holds, arms, wished, rate).items():
        goals[arms[side].end] = goal
        ends.append(End(arms[side].end, target.chain(ARM, side), arms[side].lower))
    taken = scale * belt if path.travels else trend(times, figure.place(hips))
    figure.places -= taken[:, None]
    for goal in goals.values():
        goal -= taken
    values = settle(figure, channels.values(figure), ends)
    _copy_alike(target.rig, motion.rig, motion.channels(times), values)
    return Retargeted(times, values, pairs, stands, goals, taken, scale, ground, holds)


def _treads(source: Body, times: Floats, places: Floats, stands: Stands) -> bool:
    """Whether a source stays in its place, and hardly ever stands."""
    stood = sum(each.last - each.first + 1 for many in stands.values() for each in many)
    hips = places[:, source.slots["hips", None, 0, 0]]
    stays = np.ptp(hips[:, [0, 2]], axis=0).max() < STAYS * source.leg
    return bool(source.feet) and len(times) > 2 and stays and stood < SELDOM * len(times)


def _headed(source: Body, places: Floats, turns: Floats, way: Floats, path: Path) -> tuple[Floats, Floats, Floats]:
    """Places, turns and a way of the source, turned so that its first pose faces the wished heading."""
    if path.heading is None:
        return places, turns, way
    hips = source.slots["hips", None, 0, 0]
    ahead = turns[0, hips] @ source.turns[hips].T @ source.axes[:, 2]
    angle = path.heading - np.arctan2(ahead[0], ahead[2])
    turn = euler.axis_matrix(1, angle)
    return places @ turn.T, turn @ turns, way @ turn.T


def _stands(source: Body, clip: Clip, times: Floats, places: Floats, turns: Floats) -> Stands:
    """When which foot of the source stands, by the numbers of times; it is found on whole frames."""
    frames = clip.frame_times
    at = np.searchsorted(times, frames - 1e-9)
    found = find_stands(source, frames, clip.rate, places[at], turns[at])
    return {
        side: tuple(Planted(int(at[each.first]), int(at[each.last]), each.flat) for each in many)
        for side, many in found.items()
    }


def _copy_alike(target: Rig, source: Rig, theirs: Floats, values: Floats) -> None:
    """Copy what no joint tells and both call the same: blend shapes of a face."""
    known = {channel.name: c for c, channel in enumerate(source.channels) if channel.kind == "shape"}
    for c, channel in enumerate(target.channels):
        if channel.kind == "shape" and channel.name in known:
            values[:, c] = np.clip(theirs[:, known[channel.name]], channel.lower, channel.upper)


def _hips(figure: Figure, source: Body, places: Floats) -> Floats:
    """Where the hips are (T, 3) so that the legs hang where the source's do, given its joints by scale (T, J, 3)."""
    body = figure.body
    slots: list[Slot] = [("thigh", side, 0, 0) for side in SIDES]
    middle = np.mean([places[:, source.slots[slot]] for slot in slots], axis=0)
    hips = body.slots["hips", None, 0, 0]
    own = np.mean([body.places[body.slots[slot]] for slot in slots], axis=0) - body.places[hips]
    return np.asarray(middle - figure.turn(hips) @ (body.turns[hips].T @ own))


def retarget_clip(target: Body, source: Body, clip: Clip, path: Path | None = None) -> tuple[Clip, Retargeted, Quality]:
    """A clip of the target: a keyed one keeps its key times, tangents solved in between, a dense one its frames."""
    motion = Motion(source.rig, clip)
    # The same body does the same with the same curves.
    same = path in (None, Path()) and is_same(target.rig, source.rig)
    if is_dense(clip):
        made = retarget(target, source, motion, clip.frame_times, path)
        values = motion.channels(made.times) if same else made.values
        curves = clip.curves if same else sampled(target.rig, clip, made.times, values)
        return _clip(clip, curves, clip.layers if same else ()), made, made.quality(target, values)
    layers = (clip.curves, *(layer.curves for layer in clip.layers))
    own = [curve.times for curves in layers for curve in curves.values()]
    asked = np.concatenate([clip.frame_times, clip.frame_times[:-1] + 0.5 / clip.rate, *own])
    times = np.unique(asked[(asked >= clip.start) & (asked <= clip.end)].round(9))
    made = retarget(target, source, motion, times, path)
    if same:
        short = _clip(clip, clip.curves, clip.layers)
    else:
        short = _clip(clip, keyed(target, source, made.pairs, clip, times, made.values))
        short = _held(target, short, made) if path is None or path.travels else short
    return short, made, made.quality(target, Motion(target.rig, short).channels(times))


def is_same(one: Rig, other: Rig) -> bool:
    """Whether two rigs have the same joints and channels, whatever their points."""
    return one is other or (one.joints == other.joints and one.channels == other.channels)


def _held(target: Body, clip: Clip, made: Retargeted) -> Clip:
    """The clip with its contacts held by tangents, where that is needed, pays, and is soon done."""
    motion = Motion(target.rig, clip)
    contacts: list[Constraint] = [*made.contacts(target), *made.attachments(target)]
    slid = max((wandering(motion, each) for each in contacts), default=0.0)
    if slid <= ENOUGH or sum(len(curve) for curve in clip.curves.values()) > MOST_KEYS:
        return clip
    report = hold(motion, contacts)
    held = replace(clip, curves=report.curves)

    def sunk(each: Clip) -> float:
        return float(made.quality(target, Motion(target.rig, each).channels(made.times)).below.max())

    # Where limbs cannot follow, tangents that hold a foot push it into the ground: that is worth no less slide.
    after = max(each.after for each in report.report)
    return held if after < slid and after + sunk(held) < slid + sunk(clip) else clip


def _clip(clip: Clip, curves: Curves, layers: tuple[Layer, ...] = ()) -> Clip:
    return Clip(clip.name, clip.end, clip.start, clip.rate, curves, layers, loops=clip.loops)
