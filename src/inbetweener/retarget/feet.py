"""Feet of the target: where those of the source are, by the length of the legs, planted where these are planted."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.maths import quaternions
from inbetweener.retarget.body import Body
from inbetweener.retarget.figure import REACH, Figure, Limb, least_turns, turned
from inbetweener.retarget.soles import Foot
from inbetweener.retarget.stands import Planted

EASE = 0.25
"""Seconds in which a foot comes to where it is planted, and leaves."""
LEVEL = 0.04
"""Of the leg's length: a contact no higher than this is on the ground, for captured soles are not that exact."""
FLAT = np.radians(20.0)
"""A foot that stands still and is tilted by less stands flat."""
DOWN = 30.0
"""Per cent of the frames of a foot that stands and rolls, on which its heel is down."""
TILTS = 6
"""How often a foot is tilted, each time about the corner that is lowest."""
ROLLED = np.radians(45.0)
"""More than this no neutral pose has its feet tilted."""
SINK = 0.12
"""Seconds in which hips sink, and rise, so that a planted foot can be reached."""
ROUNDS = 8
"""How often each of two feet is looked at while hips are led to both."""
DEEPEST = 0.2
"""Of the leg's length: deeper they do not sink."""


class Stretch(Protocol):
    """Frames from one to another, both included."""

    @property
    def first(self) -> int: ...  # noqa: D102

    @property
    def last(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Where a foot's ball shall be (T, 3) and how the foot shall be turned (T, 3, 3)."""

    foot: Foot
    ball: Floats
    turn: Floats
    stands: Sequence[Planted]


def lay_flat(figure: Figure, foot: Foot, stands: Sequence[Planted]) -> None:
    """Turn a foot and its toes, on all frames alike, so that they are flat where they stand with the heel down.

    Where the neutral pose of a source has its feet tilted, they would be tilted for good.
    """
    heel = -(figure.turn(foot.foot)[:, 1] @ foot.ball)
    at = []
    for each in stands:
        within = np.arange(each.first, each.last + 1)
        at.append(within if each.flat else within[heel[within] <= np.percentile(heel[within], DOWN)])
    for joint in (foot.foot, foot.toe) if at else ():
        if joint in figure.index:
            turn, level = figure.turn(joint), figure.body.turns[joint].T @ np.array([0.0, 1.0, 0.0])
            up = turn[np.concatenate(at), 1].mean(axis=0)
            up /= np.linalg.norm(up)
            ahead = figure.body.turns[joint].T @ figure.body.frames[joint][:, 0]
            # To the sides a foot is tilted because its neutral pose is; forward, maybe because it is on tiptoe.
            if up @ level > np.cos(ROLLED) and abs(up @ ahead) < np.sin(FLAT):
                figure.turns[:, figure.index[joint]] = turn @ least_turns(level[None], up[None])[0]


def steps(figure: Figure, foot: Foot, ball: Floats, stands: Sequence[Planted], rate: float) -> Steps:
    """A foot whose ball is at (T, 3), planted where it stands, and nowhere below the ground at nought."""
    turn, up = figure.turn(foot.foot), np.array([0.0, 1.0, 0.0])
    ball = ball.copy()
    goal, frame = ball.copy(), quaternions.from_matrix(turn)
    level = figure.body.turns[foot.foot].T @ up  # what of the foot points up where its sole is flat
    wished = frame.copy()
    for each in stands:
        span = slice(each.first, each.last + 1)
        place = ball[span].mean(axis=0)
        ankle_there = (ball[span] - turn[span] @ foot.ball).mean(axis=0)
        if abs(place[1] - foot.height) < LEVEL * figure.body.leg:
            place[1] = foot.height
        goal[span] = place
        if each.flat:
            mean = _mean(frame[span])
            stood = quaternions.to_matrix(mean)
            tilt = float(np.arccos(np.clip((stood @ level)[1], -1.0, 1.0)))
            if tilt < FLAT and place[1] == foot.height:
                stood = _upright(stood @ level) @ stood
            # The ankle stays, as the leg would have it.
            place[[0, 2]] = (ankle_there + stood @ foot.ball)[[0, 2]]
            goal[span] = place
            wished[span] = quaternions.from_matrix(stood)
        elif foot.toe not in figure.index and place[1] == foot.height:
            ahead = figure.body.turns[foot.foot].T @ figure.body.frames[foot.foot][:, 0]
            wished[span] = quaternions.from_matrix(_rolling(turn[span], level, ahead))
    ball += eased(goal - ball, stands, rate)
    offsets = _rotation_vector(quaternions.product(wished, quaternions.inverse(frame)))
    turn = _turned_by(eased(offsets, stands, rate)) @ turn
    ball, turn = _above_ground(foot, ball, turn)
    if foot.toe in figure.index:
        toes = figure.turn(foot.toe)
        flat = least_turns(toes @ (figure.body.turns[foot.toe].T @ up), np.tile(up, (len(toes), 1)))
        laid = eased(_rotation_vector(quaternions.from_matrix(flat)), stands, rate)
        toes = _turned_by(laid) @ toes
        ball, figure.turns[:, figure.index[foot.toe]] = _bent_toes(foot, ball, toes)
    return Steps(foot, ball, turn, stands)


def _rolling(turns: Floats, level: Floats, ahead: Floats) -> Floats:
    """Turns (n, 3, 3) of a foot in one piece that stands: its heel comes up and down, and its front edge stays.

    Turned any other way about its ball, which is one corner of that edge, all other corners would slide.
    """
    stood = quaternions.to_matrix(_mean(quaternions.from_matrix(turns)))
    stood = _upright(stood @ level) @ stood
    forward = stood @ ahead
    across = np.cross(forward, [0.0, 1.0, 0.0])
    across /= np.linalg.norm(across)
    high = np.arcsin(np.clip(np.append(turns @ ahead, forward[None], axis=0)[:, 1], -1.0, 1.0))
    return turned(np.tile(across, (len(turns), 1)), high[:-1] - high[-1]) @ stood


def _mean(rotations: Floats) -> Floats:
    """The mean of quaternions (n, 4) that are near each other."""
    near = rotations * np.where(rotations @ rotations[len(rotations) // 2] < 0, -1.0, 1.0)[:, None]
    return quaternions.normalised(near.mean(axis=0))


def _upright(up: Floats) -> Floats:
    """The smallest rotation that makes a direction point up."""
    axis = np.cross(up, [0.0, 1.0, 0.0])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return np.eye(3)
    return turned((axis / sine)[None], np.array([np.arctan2(sine, up[1])]))[0]


def _rotation_vector(q: Floats) -> Floats:
    q = q * np.where(q[:, :1] < 0, -1.0, 1.0)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    angle = 2.0 * np.arctan2(sine, q[:, 0])
    return np.asarray(q[:, 1:] * (angle / np.maximum(sine, 1e-12))[:, None])


def _turned_by(vectors: Floats) -> Floats:
    angle = np.linalg.norm(vectors, axis=1)
    axis = np.where(angle[:, None] > 1e-12, vectors / np.maximum(angle, 1e-12)[:, None], [1.0, 0.0, 0.0])
    return turned(axis, angle)


def eased(wished: Floats, stands: Sequence[Stretch], rate: float) -> Floats:
    """Changes (T, 3): as wished while the foot stands; between, from one to the next, or to nothing where that is far.

    `stands` are in time order and apart.
    """
    made, frames = np.zeros_like(wished), len(wished)
    ease = max(round(EASE * rate), 1)
    for n, each in enumerate(stands):
        made[each.first : each.last + 1] = wished[each.first : each.last + 1]
        begin = 0 if n == 0 else stands[n - 1].last + 1
        coming = np.arange(max(begin, each.first - ease), each.first)
        made[coming] = _smooth(1.0 - (each.first - coming) / ease)[:, None] * wished[each.first]
        end = frames if n + 1 == len(stands) else stands[n + 1].first
        going = np.arange(each.last + 1, min(end, each.last + ease + 1))
        made[going] = _smooth(1.0 - (going - each.last) / ease)[:, None] * wished[each.last]
    for one, other in pairwise(stands):
        # Where one has not come to an end before the next begins, one flows into the other.
        gap = other.first - one.last
        if gap < 4 * ease:
            share = _smooth(np.arange(1, gap) / gap)[:, None]
            made[one.last + 1 : other.first] = (1.0 - share) * wished[one.last] + share * wished[other.first]
    return made


def _smooth(share: npt.ArrayLike) -> Floats:
    share = np.asarray(share, np.float64)
    return np.asarray(share * share * (3.0 - 2.0 * share))


def _above_ground(foot: Foot, ball: Floats, turn: Floats) -> tuple[Floats, Floats]:
    """The same with no part of the sole below the ground: tilted about the ball, or else lifted."""
    up = np.array([0.0, 1.0, 0.0])
    ball = ball - np.minimum(ball[:, 1] - foot.height, 0.0)[:, None] * up
    turn = _tilted(ball, turn, foot.sole - foot.ball)
    low = (np.einsum("tj,nj->tn", turn[:, 1], foot.sole - foot.ball) + ball[:, 1:2]).min(axis=1)
    return ball - np.minimum(low, 0.0)[:, None] * up, turn


def _tilted(place: Floats, turn: Floats, corners: Floats) -> Floats:
    """Turns (T, 3, 3) about places (T, 3) on the ground by which no corner (n, 3) is below it, if that can be."""
    turn, left = turn.copy(), np.arange(len(turn))
    for _ in range(TILTS):
        heights = np.einsum("tj,nj->tn", turn[left, 1], corners) + place[left, 1:2]
        way = np.einsum("tij,tj->ti", turn[left], corners[heights.argmin(axis=1)])
        length = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
        axis = np.cross(way, [0.0, 1.0, 0.0])
        level = np.linalg.norm(axis, axis=1)
        # What is above the ground stays as it is, and need not be looked at again.
        able = (heights.min(axis=1) < -1e-6 * length) & (level > 1e-9)
        left, way, length, axis = left[able], way[able], length[able], axis[able] / level[able, None]
        if not len(left):
            break
        lifted = np.arcsin(np.clip(-place[left, 1] / length, -1.0, 1.0)) - np.arcsin(
            np.clip(way[:, 1] / length, -1.0, 1.0)
        )
        turn[left] = turned(axis, lifted) @ turn[left]
    return turn


def _bent_toes(foot: Foot, ball: Floats, turn: Floats) -> tuple[Floats, Floats]:
    """The ball (T, 3) and toes (T, 3, 3), bent up where they are below the ground; lifted where that is not enough."""
    if not len(foot.toes):
        return ball, turn
    turn = _tilted(ball, turn, foot.toes)
    low = (np.einsum("tj,nj->tn", turn[:, 1], foot.toes) + ball[:, 1:2]).min(axis=1)
    return np.asarray(ball - np.minimum(low, 0.0)[:, None] * [0.0, 1.0, 0.0]), turn


def led_hips(figure: Figure, limbs: Sequence[tuple[Limb, Steps]], rate: float) -> Floats:
    """How far hips have to move (T, 3) so that planted feet are reached: down, and to one that is too far even so."""
    frames = len(figure.turns)
    moved = np.zeros((frames, 3))
    watched = []
    for limb, step in limbs:
        stands = np.zeros(frames, np.bool_)
        for each in step.stands:
            stands[each.first : each.last + 1] = True
        watched.append((stands, figure.place(limb.upper) - ankle(step), REACH * limb.length(figure.body)))
    need = np.zeros(frames)
    for stands, away, reach in watched:
        high = np.sqrt(np.maximum(reach**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
        need = np.maximum(need, np.where(stands, away[:, 1] - high, 0.0))
    moved[:, 1] = -widened(np.clip(need, 0.0, DEEPEST * figure.body.leg), rate)
    aside = np.zeros((frames, 3))
    for _ in range(ROUNDS):
        for stands, away, reach in watched:
            now = away + moved + aside
            far = np.linalg.norm(now, axis=1)
            aside -= np.where(stands & (far > reach), 1.0 - reach / np.maximum(far, 1e-9), 0.0)[:, None] * now
    if np.abs(aside).max(initial=0.0) > 1e-9:
        # What comes and goes smoothly is everywhere as much as is needed: a little more around.
        size = np.linalg.norm(aside, axis=1)
        spread = _smoothed(aside, rate)
        way = spread / np.maximum(np.linalg.norm(spread, axis=1), 1e-12)[:, None]
        eased = way * widened(size, rate)[:, None]
        moved += np.where((size > 0.0)[:, None], aside, eased)
    return moved


def widened(need: Floats, rate: float) -> Floats:
    """Somewhat more than what is needed (T,), coming and going smoothly."""
    if not need.any():
        return need
    half = max(round(SINK * rate), 1)
    window = np.lib.stride_tricks.sliding_window_view(np.pad(need, half, mode="edge"), 2 * half + 1).max(axis=1)
    return _smoothed(window[:, None], rate)[:, 0]


def _smoothed(track: Floats, rate: float) -> Floats:
    half = max(round(SINK * rate), 1)
    bell = np.hanning(2 * half + 3)[1:-1]
    padded = np.pad(track, ((half, half), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, bell / bell.sum(), mode="valid") for column in padded.T], axis=1)


def ankle(step: Steps) -> Floats:
    """Where the foot's joint is (T, 3) when its ball is where it shall be."""
    return np.asarray(step.ball - step.turn @ step.foot.ball)


def source_ground(body: Body, balls: Sequence[tuple[Foot, Floats]], stands: Sequence[Sequence[Planted]]) -> float:
    """The height on which a source walks.

    Nought of a character with a skin, and where its neutral pose stands there, unless it goes below; else where it
    stands, and where it never does the lowest that its feet are.
    """
    if not balls:
        return body.floor
    lowest = min(float(np.percentile(ball[:, 1], 2)) - foot.height for foot, ball in balls)
    levels = [
        float(np.median(ball[each.first : each.last + 1, 1])) - foot.height
        for (foot, ball), many in zip(balls, stands, strict=True)
        for each in many
    ]
    if (body.skinned or abs(body.floor) < 0.02 * body.leg) and lowest > -2 * LEVEL * body.leg:
        return 0.0
    # Of stairs the lowest; of feet that stand on one level all, which is more exact than any.
    low = [level for level in levels if level < min(levels) + 2 * LEVEL * body.leg]
    return float(np.median(low)) if low else lowest
