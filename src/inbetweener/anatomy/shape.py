"""Roles by shape alone: which rows of bones come in pairs, what carries what, what stands on the ground.

Names are not looked at. Two rows on one joint are a pair where their bones are as many and as long, however they are
posed: many files have rest poses that no body was ever in. Places are only asked where lengths do not tell, with Y up
as our readers turn every file.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from inbetweener.anatomy.part import Part, Role, all_below
from inbetweener.arrays import Floats
from inbetweener.maths.transforms import Transform
from inbetweener.rig import ROOT, Joint, Rig
from inbetweener.rig.mirror import Side

SHAPED = 0.6
"""How sure a shape makes."""
_NEAR = 0.02
"""Of the body's size: what is nearer is hardly apart."""
_LOW = 0.2
"""Of its height: what ends lower stands on the ground."""
_SOLE = 0.05
"""Of its height: what ends no higher stands, where that is to be sure."""
_ALIKE = 0.25
"""How much two rows may differ and still be a pair."""
_SAME = 0.08
"""The same for rows that lie anyhow: left and right are made alike then."""
_LIMB = 0.35
"""Of the longest pair: what is shorter is no limb."""


def by_shape(rig: Rig, bound: Collection[str] = ()) -> list[Part]:
    """A part for every joint; what makes no sense is a helper, not sure at all.

    Where the rig begins at the chest, as robots may, it is looked at as if it began at the hips.
    """
    body = _Body(rig, frozenset(bound))
    hips = body.hips_below()
    if hips is None:
        return body.parts()
    turned = _begun_at(rig, hips)
    found = {part.joint: part for part in _Body(turned, frozenset(bound)).parts()}
    return [found[joint.name] for joint in rig.joints]


def _begun_at(rig: Rig, first: int) -> Rig:
    """The same bones in the same places, hung on another joint."""
    at = rig.rest_world()[:, :, 3]
    near: list[list[int]] = [[] for _ in rig.joints]
    for j, joint in enumerate(rig.joints):
        if joint.parent != ROOT:
            near[j].append(joint.parent)
            near[joint.parent].append(j)
    made: list[Joint] = []
    left = [(first, ROOT, np.zeros(3))]
    roots = [j for j, joint in enumerate(rig.joints) if joint.parent == ROOT]
    seen: set[int] = set()
    while left or roots:
        if not left:
            left.append((roots.pop(), ROOT, np.zeros(3)))
        j, parent, origin = left.pop(0)
        if j not in seen:
            seen.add(j)
            made.append(Joint(rig.joints[j].name, parent, Transform(tuple((at[j] - origin).tolist()))))
            left += [(k, len(made) - 1, at[j]) for k in near[j] if k not in seen]
    return Rig(tuple(made))


@dataclass(slots=True)
class _Limb:
    """A limb of one side: its joints from the trunk to the last before the digits."""

    joints: list[int]
    side: Side


class _Body:
    """A rig being looked at, in metres in the world of its rest pose."""

    def __init__(self, rig: Rig, bound: frozenset[str]) -> None:
        self.rig = rig
        self.at: Floats = rig.rest_world()[:, :, 3]
        self.parents = [joint.parent for joint in rig.joints]
        count = len(self.parents)
        self.below: list[list[int]] = [[] for _ in range(count)]
        if len(bound) < 0.2 * count:
            bound = frozenset()
        self.skinned = [not bound or joint.name in bound for joint in rig.joints]
        self.bone = list(self.skinned)
        for j, parent in enumerate(self.parents):
            # Skins leave out single joints of a limb; what hangs on a bone is one as well.
            self.bone[j] |= parent != ROOT and self.bone[parent]
        for j in range(count - 1, -1, -1):
            # What carries a bone is one, for all that shape can tell.
            if self.bone[j] and self.parents[j] != ROOT:
                self.bone[self.parents[j]] = True
        for j, parent in enumerate(self.parents):
            if parent != ROOT and self.bone[j]:
                self.below[parent].append(j)
        self.bones = [j for j in range(count) if self.bone[j]]
        self.found: dict[int, Part] = {}
        spans = np.ptp(self.at[self.bones], axis=0) if self.bones else np.zeros(3)
        self.size = float(max(spans.max(initial=0.0), 1e-9))
        self.height = float(max(spans[1], 1e-9))
        self.floor = float(self.at[self.bones][:, 1].min()) if self.bones else 0.0
        self.under, self.reach = [0] * count, [0.0] * count
        for j in range(count - 1, -1, -1):
            if self.bone[j]:
                self.under[j] += 1
                parent = self.parents[j]
                if parent != ROOT:
                    length = float(np.linalg.norm(self.at[j] - self.at[parent]))
                    self.under[parent] += self.under[j]
                    self.reach[j] += length
                    self.reach[parent] = max(self.reach[parent], self.reach[j])

    def parts(self) -> list[Part]:
        """All of them."""
        if self.bones and not self._hand():
            pairs = self._pairs()
            longest = max((self._inner(pair[0]) for pair in pairs), default=0.0)
            limbs = [pair for pair in pairs if self._inner(pair[0]) > _LIMB * longest]
            if limbs:
                self._give_roles(limbs, pairs)
        return [
            self.found.get(j, Part(joint.name, "helper", confidence=0.1)) for j, joint in enumerate(self.rig.joints)
        ]

    def hips_below(self) -> int | None:
        """Where legs hang that stand on the ground, if what hangs nearer to the root does not; None as a rule."""
        if not self.bones or self._hand():
            self.found.clear()
            return None
        pairs = self._pairs()
        longest = max((self._inner(pair[0]) for pair in pairs), default=0.0)
        limbs = [pair for pair in pairs if self._inner(pair[0]) > _LIMB * longest]
        depth = {pair: len(self._path(pair[0])) for pair in limbs}
        stands = [pair for pair in limbs if self._lowest(pair) - self.floor < _SOLE * self.height]
        near = [pair for pair in limbs if depth[pair] == min(depth.values())]
        if (
            len(stands) == 1
            and len(limbs) == 2
            and stands[0] not in near
            and self._lowest(near[0]) > self._rises(stands[0])
        ):
            return self.parents[stands[0][0]]
        return None

    def _rises(self, pair: tuple[int, int]) -> float:
        """Half way up a pair that stands."""
        return float(0.5 * (self._lowest(pair) + self._start(pair)[1]))

    def _say(self, j: int, role: Role, side: Side | None = None, number: int = 0, digit: int = 0) -> None:
        if j not in self.found:
            self.found[j] = Part(self.rig.joints[j].name, role, side, number, digit, SHAPED)

    def _hand(self) -> bool:
        """Whether all there is is a hand: four rows or more of two to four bones on one joint."""
        for j in self.bones:
            rows = [k for k in self.below[j] if 2 <= self.under[k] <= 4 and self._is_row(k)]
            if len(rows) >= 4 and sum(self.under[k] for k in rows) >= 0.7 * len(self.bones):
                for each in self._path(j):
                    self._say(each, "root")
                self._say(j, "hand")
                for k in self.bones:
                    if k not in self.found and any(row in (k, *self._path(k)) for row in rows):
                        self._say(k, "finger", number=sum(row in self._path(k) for row in self._path(k)) + 1)
                return True
        return False

    def _is_row(self, j: int) -> bool:
        while self.below[j]:
            if len(self.below[j]) > 1:
                return False
            j = self.below[j][0]
        return True

    def _pairs(self) -> list[tuple[int, int]]:
        """Rows on one joint of the trunk that are alike, found from the root outwards."""
        pairs, left = [], [j for j in self.bones if self.parents[j] == ROOT]
        while left:
            j = left.pop(0)
            rows = sorted(self.below[j], key=lambda k: -self.reach[k])
            taken: set[int] = set()
            for n, one in enumerate(rows):
                if one in taken or self.reach[one] <= _NEAR * self.size:
                    continue
                other = min(
                    (k for k in rows[n + 1 :] if k not in taken), key=lambda k: self._unlike(one, k), default=None
                )
                if other is not None and self._unlike(one, other) < (_ALIKE if self._face(one, other) else _SAME):
                    taken |= {one, other}
                    pairs.append((one, other))
            left += [k for k in self.below[j] if k not in taken]
        return pairs

    def _face(self, a: int, b: int) -> bool:
        """Whether two rows end at either side of a body, at about the same height."""
        one, other = self.at[self._row(a)[-1]], self.at[self._row(b)[-1]]
        return bool(abs(one[0] - other[0]) > 0.05 * self.size and abs(one[1] - other[1]) < 0.2 * self.size)

    def _inner(self, j: int) -> float:
        """How far a row reaches from its first joint."""
        return max((self.reach[k] for k in self.below[j]), default=0.0)

    def _unlike(self, a: int, b: int) -> float:
        """How much two rows differ: in the lengths of their first bones, and in how many they are."""
        rows = self._row(a), self._row(b)
        many = abs(self.under[a] - self.under[b]) / max(self.under[a], self.under[b])
        lengths = [[self._length(j) for j in row[:4]] for row in rows]
        if min(map(len, lengths)) < 2:
            return (
                float("inf")
                if max(map(len, lengths)) > 1
                else abs(lengths[0][0] - lengths[1][0]) / max(*lengths[0], *lengths[1])
            )
        most = max(*lengths[0], *lengths[1])
        apart = [abs(x - y) / most for x, y in zip(*lengths, strict=False)]
        return max(apart) + 0.2 * many

    def _length(self, j: int) -> float:
        return float(np.linalg.norm(self.at[j] - self.at[self.parents[j]]))

    def _give_roles(self, limbs: list[tuple[int, int]], pairs: list[tuple[int, int]]) -> None:
        paired = {j for pair in pairs for one in pair for j in (one, *all_below(self.below, one))}
        middle = {j for j in self.bones if j not in paired}
        depth = {pair: len(self._path(pair[0])) for pair in limbs}
        top = self._head(middle, {self.parents[pair[0]] for pair in limbs})
        first = min(depth.values())
        legs = [pair for pair in limbs if depth[pair] == first]
        arms = [pair for pair in limbs if depth[pair] > first]
        heights = {pair: self._lowest(pair) for pair in legs}
        low = [pair for pair in legs if heights[pair] - min(heights.values()) < _LOW * self.height]
        if len(legs) == 2 and len(low) == 2:
            # Four on the ground: those nearer to the head are the fore legs.
            legs.sort(key=lambda pair: float(np.linalg.norm(self._start(pair) - self.at[top])))
            arms, legs = [*arms, legs[0]], legs[1:]
        elif len(low) < len(legs):
            arms, legs = [*arms, *(pair for pair in legs if pair not in low)], low
        hips = self.parents[legs[0][0]]
        for j in self._path(hips):
            self._say(j, "root")
        flies = len(limbs) == 1 and min(heights.values()) - self.floor > _LOW * self.height
        self._say(hips, "spine" if flies else "hips")
        self._spine(hips, top, [self.parents[pair[0]] for pair in arms], middle)
        ahead = self._ahead(legs, hips, top)
        for n, pair in enumerate(legs):
            for side, one in self._sides(pair, ahead):
                if flies:
                    for j in (one, *all_below(self.below, one)):
                        self._say(j, "end" if self._is_tip(j) else "wing", side)
                else:
                    self._leg(_Limb(self._row(one), side), n + 1 if len(legs) > 1 else 0)
        for pair in arms:
            for side, one in self._sides(pair, ahead):
                if top in (self.parents[one], *self._path(one)):
                    self._say(one, "helper", side)
                else:
                    self._arm(_Limb(self._row(one), side))
        for pair in pairs:
            if self.parents[pair[0]] == top and pair not in limbs:
                for side, one in self._sides(pair, ahead):
                    self._say(one, "helper", side)
        self._tail(hips, middle)

    def _start(self, pair: tuple[int, int]) -> Floats:
        middle: Floats = (self.at[pair[0]] + self.at[pair[1]]) / 2
        return middle

    def _lowest(self, pair: tuple[int, int]) -> float:
        """How low a pair comes, in metres."""
        return min(float(self.at[j, 1]) for one in pair for j in (one, *all_below(self.below, one)))

    def _ahead(self, legs: list[tuple[int, int]], hips: int, top: int) -> float:
        """1 for who looks along +Z, as most do, −1 for who looks the other way: by the head of a beast, or by toes."""
        lies = self.at[top] - self.at[hips]
        if abs(lies[2]) > max(0.2 * self.size, 0.5 * abs(lies[1])):
            return float(np.sign(lies[2]))
        toes = np.zeros(3)
        for one in (j for pair in legs for j in pair):
            row = self._row(one)
            if len(row) >= 4:
                toes += self.at[row[3]] - self.at[row[2]]
        # Feet that hang down in some pose tell nothing.
        return -1.0 if toes[2] < -max(abs(toes[1]), abs(toes[0])) else 1.0

    def _sides(self, pair: tuple[int, int], ahead: float) -> list[tuple[Side, int]]:
        """Which of a pair is on which side: the left is at +X of who looks along +Z."""
        x = [float(np.mean([self.at[j, 0] for j in (one, *all_below(self.below, one))])) for one in pair]
        left, right = pair if (x[0] - x[1]) * ahead >= 0 else pair[::-1]
        return [("left", left), ("right", right)]

    def _row(self, j: int) -> list[int]:
        """From a joint outwards, along what reaches farthest, to where several rows of digits begin or it ends."""
        row = [j]
        while self.below[row[-1]]:
            rows = [k for k in self.below[row[-1]] if self.below[k]] or self.below[row[-1]]
            if len(rows) >= 3 and len(row) >= 2 and self.reach[rows[0]] < 0.6 * self.reach[row[0]]:
                break
            row.append(max(rows, key=lambda k: (round(self.reach[k], 6), self.under[k])))
        return row

    def _head(self, middle: set[int], bases: set[int]) -> int:
        """The end of the way along the trunk that limbs hang on most, and that goes on highest or longest."""
        ends = [j for j in middle if not any(k in middle for k in self.below[j])] or self.bones[:1]

        def worth(j: int) -> tuple[int, float, int]:
            way = [j, *self._path(j)]
            return sum(each in bases for each in way), round(float(self.at[j, 1]) / self.size, 2), len(way)

        best = max(ends, key=worth)
        parent = self.parents[best]
        return parent if self._is_tip(best) and parent in middle and parent not in bases else best

    def _is_tip(self, j: int) -> bool:
        """Whether a joint ends a row and moves nothing: no skin is bound to it."""
        return not self.below[j] and not self.skinned[j]

    def _path(self, j: int) -> list[int]:
        above = []
        while (j := self.parents[j]) != ROOT:
            above.append(j)
        return above

    def _spine(self, hips: int, top: int, arms: list[int], middle: set[int]) -> None:
        way = [top, *self._path(top)]
        shared = next((j for j in (hips, *self._path(hips)) if j in way), None)
        way = way[: way.index(shared)][::-1] if shared is not None else way[::-1]
        bases = [way.index(base) for base in arms if base in way and base != top]
        chest = max(bases, default=-1)
        if chest < 0:
            chest = max(len(way) - 3, 0) if len(way) > 2 else -1
        for n, j in enumerate(way):
            if n < chest:
                self._say(j, "spine", number=n + 1)
            elif n == chest:
                self._say(j, "chest")
            elif j != top:
                self._say(j, "neck", number=n - chest)
        self._say(top, "head")
        for j in self.below[top]:
            self._say(j, "end" if not self.below[j] and j in middle else "helper")

    def _leg(self, limb: _Limb, pair: int) -> None:
        row = self._without_tips(limb.joints)
        lengths = [float(np.linalg.norm(self.at[b] - self.at[a])) for a, b in pairwise(row)]
        # A girdle is a short way outwards before the thigh.
        first = (
            1
            if len(row) >= 4
            and lengths
            and lengths[0] < 0.4 * max(lengths)
            and len(lengths) >= 3
            and lengths[0] < 0.4 * lengths[1]
            else 0
        )
        for j in row[:first]:
            self._say(j, "helper", limb.side)
        roles: tuple[Role, ...] = ("thigh", "shin", "foot", "toe")
        for n, j in enumerate(row[first:]):
            self._say(j, roles[min(n, 3)], limb.side, pair)
        self._rest(limb, "toe")

    def _arm(self, limb: _Limb) -> None:
        row = self._without_tips(limb.joints)
        last = row[-1]
        fingers = [k for k in self.below[last] if self.below[k]] if len(self.below[last]) >= 2 else []
        roles: tuple[Role, ...] = ("clavicle", "upper_arm", "forearm", "hand")
        if fingers:
            hand = len(row) - 1
        else:
            lengths = [float(np.linalg.norm(self.at[b] - self.at[a])) for a, b in pairwise(row)]
            short = len(lengths) >= 2 and lengths[0] < (0.75 if len(row) > 3 else 0.5) * lengths[1]
            hand = 3 if short else 2
        for n, j in enumerate(row):
            place = n - hand + 3
            self._say(j, roles[max(place, 0)] if place <= 3 else "finger", limb.side)
        self._rest(limb, "finger")

    def _without_tips(self, row: list[int]) -> list[int]:
        while len(row) > 2 and self._is_tip(row[-1]):
            self._say(row[-1], "end")
            row = row[:-1]
        return row

    def _rest(self, limb: _Limb, role: Role) -> None:
        """All that hangs on the end of a limb are its digits; what hangs elsewhere on it helps."""
        ends = [j for j in limb.joints if j in self.found and self.found[j].role in ("hand", "foot")]
        for j in self.bones:
            if j in self.found:
                continue
            above = self._path(j)
            if any(end in above for end in ends):
                if self._is_tip(j) and not self.below[j]:
                    self._say(j, "end", limb.side)
                else:
                    number = sum(a in self.found and self.found[a].role == role for a in above) + 1
                    self._say(j, role, limb.side, number)
            elif limb.joints[0] in above:
                self._say(j, "helper", limb.side)

    def _tail(self, hips: int, middle: set[int]) -> None:
        """What is left on the plane below the hips and goes backwards in a row."""
        for start in self.below[hips]:
            if start in self.found or start not in middle:
                continue
            row, j = [], start
            while j >= 0:
                row.append(j)
                j = next((k for k in self.below[j] if k in middle and k not in self.found), -1)
            for n, each in enumerate(row):
                tip = n == len(row) - 1 and self._is_tip(each)
                self._say(
                    each,
                    "end" if tip else "tail" if len(row) > 1 else "helper",
                    number=0 if tip or len(row) < 2 else n + 1,
                )


def agreed(named: Part, shaped: Part) -> Part:
    """What a name says, less sure where the shape says otherwise; the shape, where the name says nothing."""
    if named.confidence < SHAPED and shaped.confidence >= SHAPED:
        return shaped
    same = named.role == shaped.role or shaped.confidence < SHAPED
    return named if same else replace(named, confidence=round(0.85 * named.confidence, 4))
