"""What stays out of what: parts of a body, each the hull of its skin, against solids, the ground and one another."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

import numpy as np

from inbetweener.arrays import Floats, Ints, frozen, read_only, stacked_offsets
from inbetweener.maths import convex_kernels, transforms
from inbetweener.maths.convex_kernels import SIDES, Bodies
from inbetweener.maths.solids import Box, Solid, corners
from inbetweener.maths.transforms import Transform
from inbetweener.motion.constraints import Held
from inbetweener.motion.motion import Motion
from inbetweener.rig import Point, Rig
from inbetweener.rig.posed import Posed

REACH = 0.03
"""What is further apart than this share of the height cannot meet with the next step."""

AIM = 3e-4
"""How far apart a step leads what comes near, as a share of the height: later ones are glad of the room, and what is
looked at four times a frame passes an edge in between."""

DEEP = 3e-3
"""What is further inside than this share of the height is led out one way, all of it and at all times together: the
nearest ways out of its single moments lead back to where it came from and on to where it goes."""

AROUND = 32
"""Ways that are looked at for that."""

BALL = 400
"""Points that stand for a ball that is squeezed."""

SMALL = 0.04
"""Parts whose ball is smaller than this share of the height, such as fingers, do not mind each other."""

ITSELF = "itself"
"""What a body is clear of that stays out of itself."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A solid that the body stays out of, placed in the world or, with `joint`, in that joint's frame."""

    name: str
    solid: Solid
    transform: Transform = field(default_factory=Transform)
    joint: str | None = None


GROUND = Obstacle("the ground", Box((1e3, 1e3, 1e3)), Transform((0.0, -1e3, 0.0)))
"""Everything below y = 0."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Points of the `body` stay out of obstacles: those of one joint are a part, and stand for their convex hull.

    So do solids that are `worn`, each a part as well. With `itself`, parts stay out of each other, except of neighbours
    and where they overlap at rest or in a key pose.
    """

    obstacles: tuple[Obstacle, ...] = ()
    body: tuple[Point, ...] = ()
    worn: tuple[Obstacle, ...] = ()
    itself: bool = False


class Near(NamedTuple):
    """Places that are near each other: gaps (K,) in metres, how they grow with all channels (K, C), when each is
    (K,) and whose (K,): the number of a pair."""

    gaps: Floats
    rows: Floats
    times: Ints
    pairs: Ints


@dataclass(frozen=True, slots=True)
class Inside:
    """How deep a body is at most in what it should be clear of: metres, which part, where, at which look."""

    name: str
    depth: float
    part: str
    into: str
    time: int

    def held(self, before: "Inside", times: Floats, allowed: float) -> Held:
        """How well it holds, and which part does not, when."""
        holds = self.depth <= allowed
        part = "" if holds else f"{self.part} in {self.into}"
        return Held(f"clear of {self.name}", self.depth, 0.0, float(times[self.time]), holds, before.depth, part=part)


@dataclass(frozen=True, eq=False)
class Apart:
    """P pairs of bodies (P, 2), which parts of a rig and obstacles are; `clear_of` (P,) says what counts together."""

    rig: Rig
    bodies: Bodies
    joints: Ints
    labels: tuple[str, ...]
    pairs: Ints
    clear_of: tuple[str, ...]
    height: float

    @classmethod
    def of(cls, motion: Motion, clear: Clear, free: Collection[int], height: float, span: tuple[float, float]) -> Self:
        """The pairs that free channels move against each other; key poses are those within a span of time."""
        rig, found = motion.rig, defaultdict[str, list[tuple[float, float, float]]](list)
        for point in clear.body:
            found[point.joint].append(point.offset)
        solids = (*clear.worn, *clear.obstacles)
        carriers = [*found, *(each.joint for each in solids)]
        joints = [-1 if joint is None else rig.joint_index(joint) for joint in carriers]
        shapes = [(np.array(points), 0.0, np.zeros((0, 3))) for points in found.values()]
        shapes += [_placed(each) for each in solids]
        count, labels = len(found) + len(clear.worn), (*found, *(each.name for each in solids))
        hidden, moved = _hidden(rig, joints[:count], shapes), _carried_by(rig, free)
        of = [moved[joint] if joint >= 0 else 0 for joint in joints]
        pairs = [
            (a, b)
            for a in range(count)
            for b in (*range(a if clear.itself else count, count), *range(count, len(joints)))
            if of[a] != of[b] and joints[a] != joints[b] and hidden.isdisjoint((a, b))
        ]
        names = [labels[b] if b >= count else ITSELF for _, b in pairs]
        bodies = _bodies(joints, shapes, len(rig.joints))
        made = cls(
            rig, bodies, frozen(joints, np.int64), labels,
            frozen(np.array(pairs).reshape(-1, 2), np.int64), tuple(names), height,
        )  # fmt: skip
        return made.without(made._grown_together(motion, count, span)) if len(pairs) else made

    def without(self, left_out: Collection[int]) -> Self:
        """The same without some pairs."""
        kept = [p for p in range(len(self.pairs)) if p not in left_out]
        return type(self)(
            self.rig, self.bodies, self.joints, self.labels,
            frozen(self.pairs[kept], np.int64), tuple(self.clear_of[p] for p in kept), self.height,
        )  # fmt: skip

    def _grown_together(self, motion: Motion, parts: int, span: tuple[float, float]) -> set[int]:
        """Pairs that are left out: neighbours, parts that overlap at rest or in a key pose, and what a part holds on to
        in all key poses."""
        rig, skinned = self.rig, set(self.joints[:parts].tolist())
        keys = [curve.times for curves in motion.sources for curve in curves.values() if len(curve) > 1]
        times = np.unique(np.concatenate([np.zeros(0), *keys]).round(9))
        times = np.union1d(times[(times > span[0]) & (times < span[1])], span)
        poses = np.concatenate([rig.defaults[None], motion.channels(times)])
        overlap = self.separations(self.frames(Posed(rig, poses)), 0.0) < 0.0
        small = self.bodies.sizes + self.bodies.radii < SMALL * self.height
        above = [_above(rig, int(joint), skinned) for joint in self.joints]
        result = set()
        for p, (a, b) in enumerate(self.pairs):
            together = self.joints[b] == above[a] or self.joints[a] == above[b] or (small[a] and small[b])
            held = self.joints[b] >= 0 and overlap[p, 1:].all()
            if together or overlap[p].any() if b < parts else held:
                result.add(p)
        return result

    def frames(self, posed: Posed) -> Floats:
        """(T, J + 1, 3, 4) of all joints in all poses, and of the world."""
        world = posed.world_from_joint
        still = np.broadcast_to(np.eye(3, 4), (len(world), 1, 3, 4))
        return np.concatenate([world, still], axis=1)

    def separations(self, frames: Floats, reach: float | None = None) -> Floats:
        """(P, T) metres, negative inside, infinite out of reach."""
        result = np.empty((len(self.pairs), len(frames)))
        within = REACH * self.height if reach is None else reach
        convex_kernels.separations(self.bodies, read_only(frames), self.pairs, within, result)
        return result

    def near(self, posed: Posed, frames: Floats, apart: Floats, *, out: bool = False) -> Near:
        """What to mind in a step: pairs when they are inside, or nearest within reach; `out`, only what is inside, and
        one way out of what is deep."""
        before, after = (np.roll(apart, by, axis=1) for by in (1, -1))
        before[:, 0], after[:, -1] = np.inf, np.inf
        room = AIM * self.height
        matters = apart < room
        if not out:
            matters |= np.isfinite(apart) & (apart <= before) & (apart <= after)
        chosen = np.ascontiguousarray(np.argwhere(matters))
        if not len(chosen):
            return Near(
                np.zeros(0), np.zeros((0, len(self.rig.channels))), np.zeros(0, np.int64), np.zeros(0, np.int64)
            )
        gaps, found = np.empty((len(chosen), SIDES)), np.empty((len(chosen), SIDES, 3, 3))
        convex_kernels.touching(self.bodies, read_only(frames), self.pairs, chosen, gaps, found)
        if out:
            self._led_out(frames, apart, chosen, gaps, found)
        row, side = np.nonzero(gaps < max(REACH * self.height, room))
        # Corners that are one and the same speak once.
        _, first = np.unique(np.c_[row, found[row, side].reshape(len(row), -1).round(9)], axis=0, return_index=True)
        row, side = row[first], side[first]
        (pairs, times), places = chosen[row].T, found[row, side]
        rows = posed.towards(times, self.joints[self.pairs[pairs, 0]], places[:, 1], places[:, 0])
        rows -= posed.towards(times, self.joints[self.pairs[pairs, 1]], places[:, 2], places[:, 0])
        return Near(gaps[row, side], rows, times, pairs)

    def _led_out(self, frames: Floats, apart: Floats, chosen: Ints, gaps: Floats, found: Floats) -> None:
        """Have all that is deep in one body, while it is, go out of it the same way: the shortest square to its course,
        as that leads from one side to the other whatever is in between."""
        of = self.pairs[chosen[:, 0], 1]
        for body in np.unique(of):
            mine = np.flatnonzero(of == body)
            times = np.unique(chosen[mine, 1])
            for stretch in np.split(times, np.flatnonzero(np.diff(times) > 1) + 1):
                these = mine[np.isin(chosen[mine, 1], stretch)]
                depths = -apart[chosen[these, 0], chosen[these, 1]]
                if depths.max() < DEEP * self.height:
                    continue
                part = int(self.pairs[chosen[these[np.argmax(depths)], 0], 0])
                ends = [max(stretch[0] - 1, 0), min(stretch[-1] + 1, len(frames) - 1)]
                course = np.diff(self._centres(frames[ends], part) - self._centres(frames[ends], int(body)), axis=0)[0]
                ways = _all_around(course if np.linalg.norm(course) > DEEP * self.height else None)
                only = np.ascontiguousarray(chosen[these])
                along, where = np.empty((len(these), len(ways))), np.empty((len(these), len(ways), 2, 3))
                convex_kernels.gaps_along(self.bodies, read_only(frames), self.pairs, only, ways, along, where)
                best = int(np.argmax(along.min(axis=0)))
                gaps[these], gaps[these, 0] = np.inf, along[:, best]
                found[these, 0, 0], found[these, 0, 1:] = ways[best], where[:, best]

    def _centres(self, frames: Floats, body: int) -> Floats:
        frame = frames[:, self.bodies.frames[body]]
        return frame[..., :3] @ self.bodies.centres[body] + frame[..., 3]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What to be clear of, each once."""
        return tuple(dict.fromkeys(self.clear_of))

    def inside(self, apart: Floats) -> tuple[Inside, ...]:
        """How deep anything is in each of `names`, at most."""
        result = []
        for name in self.names:
            mine = [p for p, each in enumerate(self.clear_of) if each == name]
            p, t = np.unravel_index(int(np.argmin(apart[mine])), (len(mine), apart.shape[1]))
            a, b = (self.labels[each] for each in self.pairs[mine[p]])
            result.append(Inside(name, max(0.0, -float(apart[mine[p], t])), a, b, int(t)))
        return tuple(result)


def _placed(obstacle: Obstacle) -> tuple[Floats, float, Floats]:
    """Points, radius and good ways out of an obstacle, in the frame that carries it."""
    points, radius = corners(obstacle.solid)
    matrix = obstacle.transform.matrix()
    scale = np.abs(obstacle.transform.scale)
    stretch = float(scale.max())
    if radius and np.ptp(scale) > 1e-9 * stretch:
        # Squeezed, a ball is none: points on it tell its shape.
        points, radius = (points[:, None] + radius * _all_around(None, BALL)).reshape(-1, 3), 0.0
    ways = np.concatenate([np.eye(3), -np.eye(3)]) if isinstance(obstacle.solid, Box) else np.zeros((0, 3))
    turned = transforms.inverse(matrix)[:, :3].T if np.linalg.det(matrix[:, :3]) else np.eye(3)
    return points @ matrix[:, :3].T + matrix[:, 3], radius * stretch, ways @ turned.T


def _bodies(joints: list[int], shapes: list[tuple[Floats, float, Floats]], world: int) -> Bodies:
    centres = [0.5 * (points.min(axis=0) + points.max(axis=0)) for points, _, _ in shapes]
    sizes = [np.linalg.norm(each[0] - centre, axis=1).max() for each, centre in zip(shapes, centres, strict=True)]
    none = np.zeros((0, 3))
    first = stacked_offsets(len(points) for points, _, _ in shapes)
    listed = [
        [start + own for own in _candidates(np.asarray(points, np.float64).tobytes())]
        for start, (points, _, _) in zip(first, shapes, strict=False)
    ]
    cells = [own for each in listed for own in each]
    return Bodies(
        frozen([joint if joint >= 0 else world for joint in joints], np.int64),
        frozen(np.concatenate([none, *(points for points, _, _ in shapes)])),
        frozen(stacked_offsets(len(own) for own in cells), np.int64),
        frozen(np.concatenate([np.zeros(0, np.int64), *cells]), np.int64),
        frozen([radius for _, radius, _ in shapes]),
        frozen(np.array(centres).reshape(-1, 3)),
        frozen(sizes),
        frozen(stacked_offsets(len(ways) for _, _, ways in shapes), np.int64),
        frozen(np.concatenate([none, *(ways for _, _, ways in shapes)])),
    )


@lru_cache(maxsize=256)
def _candidates(data: bytes) -> list[Ints]:
    """For each cell of ways, those of the points (n, 3) that may be furthest along one of its ways.

    Kept for the next drag of the same body, and therefore told by their bytes.
    """
    points = np.frombuffer(data).reshape(-1, 3)
    along = points @ _MIDDLES.T
    best = points[np.argmax(along, axis=0)]
    behind = np.maximum(along.max(axis=0) - along, 0.0)
    away = np.linalg.norm(points[:, None] - best, axis=2)
    # A point that is so far behind in the middle of a cell is behind all over it.
    return [np.flatnonzero(each) for each in (behind <= _WIDTH * away + 1e-12).T]


def _hidden(rig: Rig, joints: list[int], shapes: list[tuple[Floats, float, Floats]]) -> set[int]:
    """Parts that are inside of larger ones at rest, as eyes are in a head."""
    world, result = rig.rest_world()[joints], set[int]()
    sizes = [float(np.ptp(points, axis=0).max()) + radius for points, radius, _ in shapes]
    middles = np.array([points.mean(axis=0) for points, _, _ in shapes[: len(joints)]]).reshape(-1, 3)
    placed = np.einsum("brc,bc->br", world[..., :3], middles) + world[..., 3]
    for b, frame in enumerate(world):
        points, radius, _ = shapes[b]
        seen = (placed - frame[:, 3]) @ np.linalg.pinv(frame[:, :3]).T
        inside = (seen @ _MIDDLES.T - (points @ _MIDDLES.T).max(axis=0)).max(axis=1) < radius
        result |= {a for a in np.flatnonzero(inside).tolist() if sizes[a] < 0.5 * sizes[b]}
    return result


def _carried_by(rig: Rig, free: Collection[int]) -> list[int]:
    """For each joint, a bit for each of those above it and itself that a free channel moves: two joints of the same
    bits cannot move against each other."""
    mapping, result = rig.dof_map, list[int]()
    for number, joint in enumerate(rig.joints):
        driving = mapping.channels[mapping.starts[9 * number] : mapping.starts[9 * number + 9]]
        own = 1 << number if not set(free).isdisjoint(driving.tolist()) else 0
        result.append(own | (result[joint.parent] if joint.parent >= 0 else 0))
    return result


def _above(rig: Rig, joint: int, among: Collection[int]) -> int:
    """The nearest of some joints that carries one."""
    joint = rig.joints[joint].parent if joint >= 0 else -2
    while joint >= 0 and joint not in among:
        joint = rig.joints[joint].parent
    return joint if joint >= 0 else -2


def _all_around(course: Floats | None, count: int = AROUND) -> Floats:
    """Ways (count, 3): square to a course, or all."""
    if course is None:
        n = np.arange(count)
        y = 1.0 - (2.0 * n + 1.0) / count
        turn, r = n * convex_kernels.GOLDEN, np.sqrt(1.0 - y * y)
        return np.stack([r * np.cos(turn), y, r * np.sin(turn)], axis=1)
    along = course / np.linalg.norm(course)
    one = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    one /= np.linalg.norm(one)
    angles = 2.0 * np.pi * np.arange(count) / count
    return np.outer(np.cos(angles), one) + np.outer(np.sin(angles), np.cross(along, one))


def _cell_middles() -> tuple[Floats, float]:
    """The way in the middle of each cell (CELLS, 3), and how far the furthest corner of any is from its middle."""
    u, v = np.meshgrid(*[(np.arange(convex_kernels.SPLIT) + 0.5) * 2.0 / convex_kernels.SPLIT - 1.0] * 2, indexing="ij")
    half = 1.0 / convex_kernels.SPLIT
    found, width = [], 0.0
    for axis in range(3):
        for sign in (1.0, -1.0):
            ways = np.zeros((u.size, 5, 3))
            ways[..., axis] = sign
            for n, (du, dv) in enumerate(((0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))):
                ways[:, n, (axis + 1) % 3], ways[:, n, (axis + 2) % 3] = u.ravel() + half * du, v.ravel() + half * dv
            ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
            found.append(ways[:, 0])
            width = max(width, float(np.linalg.norm(ways[:, 1:] - ways[:, :1], axis=-1).max()))
    return np.concatenate(found), width


_MIDDLES, _WIDTH = _cell_middles()
