"""A drag with a reach in time: the pose at one moment is pulled, and what that changes comes and goes around it.

For motion that has keys on every frame, where no tangent is left to shape. What changes is put into a layer that adds,
as a few keys with tangents a third wide: merging it is exact, and fitting can wait. The change of a lone drag is one
pose times a cubic B-spline, so that accelerations do not jump; where something is held meanwhile, the body is pulled on
more keys, as far each as the spline says, and a natural spline leads from one to the next.
"""

from dataclasses import dataclass

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.curves import Curve
from inbetweener.curves.addition import weighted_sum
from inbetweener.document.document import Document, Rule
from inbetweener.document.edits.chosen import Chosen
from inbetweener.document.edits.layers import add_layer
from inbetweener.errors import InvalidEdit
from inbetweener.kinodynamics.bell import cubic
from inbetweener.maths import quaternions
from inbetweener.motion import Clip, Held, Layer, Motion, is_dense
from inbetweener.motion.layers import channels_of
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import chains
from inbetweener.tangents import Certificate, DragRequest
from inbetweener.tangents.agreement import angles_between

REACH = 0.5
"""Seconds on either side, where nobody said."""
BY_HAND = "by hand"
"""The layer that drags on dense motion make and use."""
WIDE = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
"""Where a B-spline that reaches from −1 to 1 has its keys."""
WELL = 1e-4
"""Heights of the character or radians by which what is held may be off between keys, before one is put in between."""
ROUNDS = 5
"""How often keys are put in between."""


def reach_of(clip: Clip, layer: str | None, reach: float | None) -> float | None:
    """How far a drag reaches, in seconds; None where it is one by tangents: not asked for, and there are some."""
    if reach is None:
        return REACH if is_dense(clip) and (layer is None or layer == BY_HAND) else None
    if not (np.isfinite(reach) and reach > 0.0):
        raise InvalidEdit(f"a drag reaches some seconds to either side, not {reach:g}", "reach")
    return reach


def bell(x: Floats) -> tuple[Floats, Floats]:
    """A cubic B-spline from −1 to 1, 1 high, and its slope."""
    far, near = np.maximum(2.0 - 2.0 * np.abs(x), 0.0), np.maximum(1.0 - 2.0 * np.abs(x), 0.0)
    return (far**3 - 4.0 * near**3) / 4.0, -np.sign(x) * (far**2 - 4.0 * near**2) * 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """What one move came to: the document, and the proof."""

    document: Document
    proof: Certificate
    position: Floats
    turn: Floats


class Reaching:
    """A drag with a reach, moved any number of times, as under a hand."""

    def __init__(self, document: Document, clip: str, request: DragRequest, reach: float) -> None:
        name = BY_HAND if request.layer is None else request.layer
        if request.layer is None and all(each.name != name for each in document.clip(clip).layers):
            document = add_layer(document, clip, Layer(name))
        self._document, self._chosen = document, Chosen(document, clip, name)
        owner = self._chosen.clip.layer(name)
        if owner.override:
            raise InvalidEdit(f"layer {name!r} overrides; a drag with a reach needs one that adds", "layer")
        self.request, self.layer, self.motion, self.reach = request, name, self._chosen.motion, reach
        self._free = request.channels
        if owner.joints:
            masked = frozenset(channels_of(document.rig, owner.joints))
            self._free = masked if self._free is None else self._free & masked
        self._rules = tuple(each.of(request.point) for each in request.constraints)
        self._height = chains.size(document.rig)
        self._drags: dict[float, PoseDrag] = {}
        self._last = self._pose(request.time).solution
        (self.start,), (self.start_turn,) = self.motion.states([request.time], request.point)

    def to(self, position: Floats | None, turn: Floats | None, *, finer: bool = False) -> Reached:
        """Pull towards a position (3,), an orientation (3, 3) or both; `finer`, until what is held is held well."""
        times = self._times()
        pulled = self._pulled(times, position, turn)
        made = self._made(times, pulled)
        for _ in range(ROUNDS if finer and self._held(self.reach) else 0):
            between = self._badly_held(made, times)
            if len(between) == 0:
                break
            times = np.unique(np.concatenate([times, between]))
            pulled = self._pulled(times, position, turn)
            made = self._made(times, pulled)
        return self._result(made, position, turn)

    def _held(self, reach: float) -> list[Rule]:
        """What holds anywhere within the reach, and is not the dragged place itself at another time."""
        first, last = self.request.time - reach, self.request.time + reach
        return [each for each in self._rules if each.start < last and each.end > first]

    def _times(self) -> Floats:
        """The keys: those of the spline; every eighth of the reach, and where something begins or ends, if it holds."""
        even = self.request.time + self.reach * WIDE
        rules = self._held(self.reach)
        if not rules:
            return even
        fine = self.request.time + self.reach * np.linspace(-1.0, 1.0, 17)
        ends = np.array([end for rule in rules for end in (rule.start, rule.end) if even[0] < end < even[-1]])
        clear = np.abs(fine[:, None] - ends).min(axis=1, initial=np.inf) > 1.0 / self.motion.clip.rate
        return np.unique(np.concatenate([fine[clear], ends, even[[0, 2, -1]]]).round(9))

    def _pose(self, time: float) -> PoseDrag:
        """The body as it is at a time, ready to be pulled while what holds then holds."""
        key = round(time, 9)
        if key not in self._drags:
            # Times are rounded, and what ends there still holds; what holds at an end of the clip does so beyond it.
            at = min(max(time, self.motion.clip.start), self.motion.clip.end)
            holding = tuple(
                rule
                for rule in self._rules
                if rule.start - 1e-6 <= at <= rule.end + 1e-6 and rule.point != self.request.point
            )
            asked = PoseRequest((Pull(self.request.point, self.request.wanted),), holding, self._free)
            self._drags[key] = PoseDrag(self.motion.rig, self.motion.channels([time])[0], asked)
        return self._drags[key]

    def _pulled(self, times: Floats, position: Floats | None, turn: Floats | None) -> Floats:
        """(n, C) how channels change at times, each as far of the way as the spline says."""
        if len(times) == len(WIDE):
            whole = self._change(self.request.time, 1.0, position, turn)
            return bell(WIDE)[0][:, None] * whole
        shares = bell((times - self.request.time) / self.reach)[0]
        locked = [rule.start for rule in self._rules if rule.point == self.request.point and rule.is_momentary]
        for time in locked:
            shares[np.abs(times - time) < 1e-6] = 0.0
        return np.stack(
            [self._change(float(time), float(share), position, turn) for time, share in zip(times, shares, strict=True)]
        )

    def _change(self, time: float, share: float, position: Floats | None, turn: Floats | None) -> Floats:
        if share == 0.0:
            return np.zeros(len(self.motion.rig.channels))
        (at,), (how,) = self.motion.states([time], self.request.point)
        drag = self._pose(time)
        wished = None if turn is None else _turned(np.eye(3), turn @ self.start_turn.T, share) @ how
        solution = drag.to(State(None if position is None else at + share * (position - self.start), wished))
        if time == self.request.time:
            self._last = solution
        return np.asarray(solution.channels - drag.problem.channels)

    def _made(self, times: Floats, pulled: Floats) -> Document:
        """The document with the changes (n, C) at times as curves of the layer."""
        from scipy.interpolate import CubicSpline

        moved = np.flatnonzero(np.abs(pulled).max(axis=0) > 0.0)
        if len(moved) == 0:
            return self._document
        if len(times) == len(WIDE):
            shape, slopes = bell(WIDE)
            middle = len(WIDE) // 2
            values, rates = np.outer(shape, pulled[middle]), np.outer(slopes / self.reach, pulled[middle])
        else:
            values, rates = pulled, CubicSpline(times, pulled, bc_type="clamped").derivative()(times)
        weights = np.array([self._chosen.weights(moved, float(time)) for time in times])
        curves: dict[str, Curve | None] = {}
        for n, c in enumerate(moved):
            name = self.motion.rig.channels[c].name
            bump = cubic(times, values[:, c] / weights[:, n], rates[:, c] / weights[:, n])
            old = self._chosen.curves.get(name)
            curves[name] = bump if old is None else weighted_sum([(1.0, old), (1.0, bump)])
        return self._chosen.put(curves)

    def _looks(self) -> Floats:
        """Twice a frame within the reach."""
        clip, first = self.motion.clip, self.request.time - self.reach
        count = max(2, int(np.ceil(4.0 * self.reach * clip.rate)) + 1)
        return np.asarray(np.clip(np.linspace(first, first + 2.0 * self.reach, count), clip.start, clip.end))

    def _off(self, rule: Rule, after: Motion, times: Floats) -> tuple[Floats, Floats]:
        """By how many metres and radians a rule's place has left the motion that it had."""
        before, now = rule.states(self.motion, times), rule.states(after, times)
        far = np.linalg.norm(now[0] - before[0], axis=1) * rule.wants[0]
        return far, angles_between(now[1], before[1]) * rule.wants[1]

    def _badly_held(self, made: Document, times: Floats) -> Floats:
        """Middles between keys where something is not held well, no nearer to each other than half a frame."""
        looks, after = self._looks(), made.motion(self.motion.clip.name)
        bad = np.zeros(len(looks), np.bool_)
        for rule in self._held(self.reach):
            if rule.point != self.request.point:
                far, wide = self._off(rule, after, looks)
                inside = (looks >= rule.start) & (looks <= rule.end)
                bad |= inside & ((far > WELL * self._height) | (wide > WELL))
        between = np.unique(np.clip(np.searchsorted(times, looks[bad], side="right") - 1, 0, len(times) - 2))
        wide_enough = times[between + 1] - times[between] > 1.0 / self.motion.clip.rate
        chosen = between[wide_enough]
        return np.asarray(0.5 * (times[chosen] + times[chosen + 1]).round(9))

    def _result(self, made: Document, position: Floats | None, turn: Floats | None) -> Reached:
        after = made.motion(self.motion.clip.name)
        (at,), (how,) = after.states([self.request.time], self.request.point)
        looks, kept = self._looks(), []
        for rule in self._rules:
            times = looks[(looks >= rule.start) & (looks <= rule.end)]
            times = times if len(times) else np.array([max(rule.start, self.motion.clip.start)])
            far, wide = self._off(rule, after, times)
            kept.append(Held(rule.name, float(far.max()), float(wide.max()), float(times[np.argmax(far + wide)])))
        distance = 0.0 if position is None else float(np.linalg.norm(at - position))
        turned = 0.0 if turn is None else float(angles_between(how[None], turn)[0])
        solution = self._last
        reached = bool(solution.reached)
        proof = Certificate(
            distance, turned, tuple(kept), (), 0.0, True, reached, solution.iterations, tuple(solution.blockers)
        )
        return Reached(made, proof, at, how)


def _turned(start: Floats, end: Floats, share: float) -> Floats:
    """The orientation (3, 3) that is `share` of the way from one to the other."""
    both = quaternions.from_matrix(np.stack([start, end]))
    return quaternions.to_matrix(quaternions.slerp(both[:1], both[1:], np.array([share])))[0]
