"""Roles by name: what the names of a rig say, made sense of by what hangs on what."""

from collections.abc import Collection
from dataclasses import replace

from inbetweener.anatomy.part import ROLES, Part, Role, all_below
from inbetweener.anatomy.words import Said, said
from inbetweener.rig import ROOT, Rig

NAMED, DOUBTED, UNKNOWN = 0.95, 0.6, 0.2
"""How sure a name makes that fits what it hangs on, one that does not, and one that says nothing."""
_LIMB_ENDS = {"leg", "foot", "hand", "paw", "hoof"}
_FRONT = {"front", "fore"}
_HIND = {"back", "hind", "rear"}
_LEGS: tuple[Role, ...] = ("thigh", "shin", "foot", "toe")
_ARMS: tuple[Role, ...] = ("upper_arm", "forearm", "hand", "finger")
_ABOVE: dict[str, tuple[Role, ...]] = {
    "forearm": ("upper_arm",), "hand": ("forearm",), "finger": ("hand",), "shin": ("thigh",), "foot": ("shin",),
    "toe": ("foot",), "upper_arm": ("chest", "clavicle", "spine", "hips", "neck"), "neck": ("chest", "spine"),
    "head": ("neck", "chest", "spine"), "thigh": ("hips", "root", "spine"), "jaw": ("head",), "eye": ("head",),
    "ear": ("head",),
}  # fmt: skip
"""What has to be somewhere above a part, if the rig has it at all."""
_ONWARD: dict[Role, Role] = {
    "upper_arm": "forearm", "forearm": "hand", "hand": "finger", "thigh": "shin", "shin": "foot", "foot": "toe",
    "clavicle": "upper_arm", "neck": "head", "spine": "head",
}  # fmt: skip
_GOES_ON: dict[Role, Role] = {"hand": "finger", "finger": "finger", "foot": "toe", "tail": "tail", "wing": "wing"}


def by_names(rig: Rig, bound: Collection[str] = ()) -> list[Part]:
    """A part for every joint, as the names say; one whose name says nothing is a helper, hardly sure."""
    return _Reading(rig, frozenset(bound)).parts()


def _role(meaning: str) -> Role | None:
    """The role that a meaning is, if it is one by itself."""
    return next((role for role in ROLES if role == meaning), None)


class _Reading:
    """One rig being read."""

    def __init__(self, rig: Rig, bound: frozenset[str]) -> None:
        self.rig, self.bound = rig, bound
        self.said: list[Said] = said([joint.name for joint in rig.joints])
        self.parents = [joint.parent for joint in rig.joints]
        self.below: list[list[int]] = [[] for _ in rig.joints]
        for j, parent in enumerate(self.parents):
            if parent != ROOT:
                self.below[parent].append(j)
        self.found: list[Role | None] = [None] * len(rig.joints)
        self.digits = [each.digit for each in self.said]
        self.numbers = [0] * len(rig.joints)
        meanings = [each.meaning for each in self.said]
        self.held = [not bound or joint.name in bound for joint in rig.joints]
        """Whether a joint, or one below it, holds vertices."""
        for j in range(len(self.parents) - 1, -1, -1):
            if self.held[j] and self.parents[j] != ROOT:
                self.held[self.parents[j]] = True
        self.meanings = meanings
        self.guessed: set[int] = set()
        self.fore: set[int] = set()

    def parts(self) -> list[Part]:
        """All of them."""
        self._plain()
        self._legs_and_arms()
        self._trunk()
        self._limbs_of_beasts()
        self._beside()
        self._beside_fingers()
        self._palms()
        self._unnamed()
        self._digits()
        self._rows()
        return [self._part(j) for j in range(len(self.found))]

    def _path(self, j: int) -> list[int]:
        """What is above a joint, the nearest first."""
        above = []
        while (j := self.parents[j]) != ROOT:
            above.append(j)
        return above

    def _plain(self) -> None:
        """Names that mean the same wherever they hang; nodes that carry nothing and hang on nothing are no bones."""
        for j, each in enumerate(self.said):
            meaning = each.meaning
            if meaning and not meaning.startswith("?"):
                self.found[j] = _role(meaning)
            if meaning == "end" and self.below[j]:
                self.found[j] = _role(each.goes_on)
            if meaning in ("hips", "spine", "chest", "neck", "head") and each.side is not None:
                # What has a side is beside the trunk.
                self.found[j] = "helper"
            if meaning == "neck" and "twist" in each.words and not self._has(all_below(self.below, j), "head"):
                self.found[j] = "twist"
            if meaning == "control" and self.rig.joints[j].name in self.bound and _LIMB_ENDS.intersection(each.words):
                # Feet that are skinned to what once was a target of IK.
                self.found[j] = "foot"
            if self._is_mesh_node(j) or self._makes_room(j):
                self.found[j] = "helper"

    def _makes_room(self, j: int) -> bool:
        """Whether a joint is called like the only one on it, but for signs: it stands between two bones."""
        names = ["".join(filter(str.isalnum, self.rig.joints[k].name)).lower() for k in (j, *self.below[j])]
        return len(names) == 2 and names[0] == names[1]

    def _is_mesh_node(self, j: int) -> bool:
        """Whether a joint only stands for a mesh: a leaf outside the body, or one that its bone is called like."""
        if self.below[j] or not self.bound or self.meanings[j] in ("control", "end", "root"):
            return False
        if not self.held[j]:
            return not any(self.meanings[each] not in ("", "root", "helper") for each in self._path(j))
        parent = self.parents[j]
        if parent == ROOT or self.rig.joints[parent].name in self.bound or not self.said[j].words:
            return False
        mine, above = self.said[j], self.said[parent]
        longer = len(above.words) > len(mine.words) and above.words[-len(mine.words) :] == mine.words
        like = self.rig.joints[j].name.startswith(self.rig.joints[parent].name) or longer or above.meaning == "?body"
        return mine.side == above.side and like

    def _has(self, joints: list[int], *roles: str) -> bool:
        return any(self.found[each] in roles or self.meanings[each] in roles for each in joints)

    def _legs_and_arms(self) -> None:
        """Words that are the first or second bone of a limb, according to what hangs on them."""
        for j, each in enumerate(self.said):
            above, under = self._path(j), all_below(self.below, j)
            if self.found[j] is not None:
                continue
            match each.meaning:
                case "?shoulder" if _HIND & set(each.words):
                    self.found[j] = "helper"
                case "?shoulder":
                    carries = self._has(under, "upper_arm", "?arm")
                    self.found[j] = (
                        "chest" if each.side is None and not carries else "clavicle" if carries else "upper_arm"
                    )
                case "?arm":
                    if self._has(under, "upper_arm"):
                        self.found[j] = "clavicle"
                    else:
                        self.found[j] = self._next_of_row(j, "?arm", _ARMS)
                case "?hip":
                    if each.side is None:
                        self.found[j] = "hips"
                    else:
                        self.found[j] = "helper" if self._has(under, "thigh", "?leg") else "thigh"
                case "?leg" | "?frontleg":
                    girdle = self._has(under, "thigh") or (
                        each.meaning == "?frontleg" and self._has(under, "upper_arm")
                    )
                    hung = (
                        bool(above)
                        and self.meanings[above[0]] in ("?shoulder", "?hip")
                        and self.said[above[0]].side == each.side
                    )
                    if girdle and hung:
                        self._shift(j)
                    elif girdle:
                        self.found[j] = "clavicle" if each.meaning == "?frontleg" else "helper"
                    else:
                        self.found[j] = self._next_of_row(j, each.meaning, _LEGS)
        for j, each in enumerate(self.said):
            # Where ankles turn feet, what is called foot is where the toes bend.
            if self.found[j] == "foot" and "ankle" not in each.words:
                ankles = [a for a in self._path(j) if "ankle" in self.said[a].words and self.said[a].side == each.side]
                if ankles and not self._has(all_below(self.below, j), "toe"):
                    self.found[j] = "toe"

    def _shift(self, j: int) -> None:
        """A limb whose first bone is called leg, its second upper leg: they are thigh, shin and foot all the same."""
        for each in all_below(self.below, j):
            role = self.found[each]
            if role in _LEGS:
                self.found[each] = _LEGS[min(_LEGS.index(role) + 1, len(_LEGS) - 1)]
        self.found[j] = "thigh"

    def _next_of_row(self, j: int, meaning: str, roles: tuple[Role, ...]) -> Role:
        """The role of a joint in a row of those called alike, or after others of the limb."""
        for above in self._path(j):
            role = self.found[above]
            if role in roles:
                return roles[min(roles.index(role) + 1, len(roles) - 1)]
            if role is not None and role not in ("twist", "helper", "end"):
                break
        return roles[0]

    def _trunk(self) -> None:
        """Hips where nobody is called so, the chest that carries the arms, the head at the end of a neck."""
        thighs = [j for j, role in enumerate(self.found) if role == "thigh" and self._is_first(j)]
        for j, role in enumerate(self.found):
            # Hips carry something of the body, whatever is called so.
            if (
                role == "hips"
                and len(thighs) > 1
                and not self._has(all_below(self.below, j), "thigh", "spine", "chest", "head")
            ):
                self.found[j] = "helper"
        if "hips" not in self.found:
            base = self._common(thighs) if len(thighs) > 1 else None
            body = next((j for j, each in enumerate(self.meanings) if each == "?body" and self.found[j] is None), None)
            hips = base if base is not None and self.found[base] in (None, "spine", "root") else body
            if hips is not None:
                self.found[hips] = "hips"
        for j, meaning in enumerate(self.meanings):
            if meaning == "?body" and self.found[j] is None:
                self.found[j] = (
                    "root" if any(self.found[each] == "hips" for each in all_below(self.below, j)) else "spine"
                )
        arms = [j for j, role in enumerate(self.found) if role in ("clavicle", "upper_arm") and self._is_first(j)]
        if "chest" not in self.found and len(arms) > 1:
            chest = self._common([j for j in arms if self.said[j].side is not None] or arms)
            while chest is not None and self.found[chest] == "neck":
                chest = self.parents[chest] if self.parents[chest] != ROOT else None
            if chest is not None and self.found[chest] == "spine":
                self.found[chest] = "chest"
                if "neck" not in self.found and "head" not in self.found:
                    self._onward(chest)
        for j, role in enumerate(self.found):
            if role == "spine" and any(self.found[each] == "chest" for each in self._path(j)):
                self.found[j] = "chest"
        if "head" not in self.found:
            for j, role in enumerate(self.found):
                beyond = [
                    each
                    for each in all_below(self.below, j)
                    if self.found[each] not in ("end", "helper", "eye", "ear", "jaw")
                ]
                if role == "neck" and not beyond and self.found[self.parents[j]] == "neck":
                    self.found[j] = "head"

    def _onward(self, chest: int) -> None:
        """A row of spine joints that goes on beyond the arms is the neck, and ends in the head."""
        row = [j for j in all_below(self.below, chest) if self.found[j] == "spine" and self.said[j].side is None]
        for j in row:
            self.found[j] = "neck" if any(each in row for each in all_below(self.below, j)) else "head"

    def _is_first(self, j: int) -> bool:
        """Whether no joint above it is of the same limb."""
        limb = ("clavicle", "upper_arm") if self.found[j] in ("clavicle", "upper_arm") else (self.found[j],)
        return not any(self.found[each] in limb for each in self._path(j))

    def _common(self, joints: list[int]) -> int | None:
        """The lowest joint that all hang on."""
        paths = [set(self._path(j)) for j in joints]
        shared = set.intersection(*paths) if paths else set()
        return max(shared, default=None)

    def _limbs_of_beasts(self) -> None:
        """Front legs are arms where there are hind legs too; more than two pairs are counted."""
        legs = [j for j, role in enumerate(self.found) if role in _LEGS]
        fronts = {j for j in legs if self._is_front(j)}
        thighs = [j for j in legs if self.found[j] == "thigh" and self._is_first(j)]
        pairs = list(dict.fromkeys(self._pair(j) for j in thighs))
        if len(pairs) > 2:
            for j, each in enumerate(self.said):
                if self.found[j] == "hand" and "foot" in each.words:
                    self.found[j] = "foot"
                if self.found[j] in _LEGS:
                    first = next((a for a in (j, *self._path(j)) if a in thighs), j)
                    self.numbers[j] = pairs.index(self._pair(first)) + 1 if self._pair(first) in pairs else 0
            return
        if fronts and len(fronts) < len(legs):
            for j in fronts:
                self.found[j] = _ARMS[_LEGS.index(self.found[j])]
                self.fore.add(j)

    def _is_front(self, j: int) -> bool:
        words = set(self.said[j].words)
        if words & _FRONT:
            return True
        return not words & _HIND and any(set(self.said[each].words) & _FRONT for each in self._path(j))

    def _pair(self, j: int) -> tuple[object, ...]:
        """What tells a leg's pair from others: words, or where there are none a number."""
        words = tuple(word for word in self.said[j].words if word in _FRONT | _HIND | {"mid", "middle"})
        return words or self.said[j].numbers[:1]

    def _beside(self) -> None:
        """Joints called like the limb that they hang on, beside the one that goes on with it, only help its skin."""
        for j, role in enumerate(self.found):
            onward = _ONWARD.get(role) if role is not None else None
            if onward is None or self._leads(j, onward):
                continue
            above = [a for a in self._path(j) if self.found[a] == role and self.said[a].side == self.said[j].side]
            if any(self._leads(a, onward) for a in above):
                self.found[j] = "helper"

    def _beside_fingers(self) -> None:
        """What hangs on a finger beside its next joint, and is called otherwise, only helps."""
        for parent, below in enumerate(self.below):
            if self.found[parent] in ("finger", "toe") and len(below) > 1:
                alike = [j for j in below if self.said[j].words == self.said[parent].words]
                for j in below if alike else ():
                    if j not in alike and self.found[j] == self.found[parent]:
                        self.found[j] = "helper"

    def _leads(self, j: int, role: Role) -> bool:
        return any(
            self.found[each] == role and self.said[each].side == self.said[j].side for each in all_below(self.below, j)
        )

    def _palms(self) -> None:
        """Hands or feet that are counted, on one joint, are bones of digits; a foot in two parts ends in its toes."""
        rows: dict[tuple[object, ...], list[int]] = {}
        for j, each in enumerate(self.said):
            if self.found[j] in ("hand", "foot") and each.numbers:
                rows.setdefault((self.parents[j], self.found[j], each.side, each.words), []).append(j)
        for same in rows.values():
            for j in same if len(same) > 1 else ():
                self.found[j] = "finger" if self.found[j] == "hand" else "toe"
        for j, role in enumerate(self.found):
            parent = self.parents[j]
            # A paw is a foot below a hock, as it is a hand in front.
            last = not all_below(self.below, j) and not {"paw", "hoof"} & set(self.said[j].words)
            if role == "foot" and parent != ROOT and self.found[parent] == "foot" and last:
                self.found[j] = "toe"

    def _unnamed(self) -> None:
        """Joints whose names say nothing, but go on from what does: fingers of a hand, toes of a foot, a tail."""
        for j, role in enumerate(self.found):
            parent = self.parents[j]
            if role is not None or parent == ROOT or not self.held[j] or self.said[j].meaning:
                continue
            above = self.found[parent]
            # What a hand holds is no finger of it, unless there are several.
            if above in _GOES_ON and not (above == "hand" and len(self.below[parent]) < 3 and parent not in self.fore):
                self.found[j] = _GOES_ON[above]
                self.guessed.add(j)

    def _digits(self) -> None:
        """Which finger or toe a joint is of, where numbers tell: Finger12, finger5-1."""
        self.digits = [n if role in ("finger", "toe") else 0 for n, role in zip(self.digits, self.found, strict=True)]
        for j, role in enumerate(self.found):
            if role not in ("finger", "toe") or self.digits[j]:
                continue
            numbers, words = self.said[j].numbers, self.said[j].words
            if len(numbers) >= 2:
                self.digits[j] = min(numbers[0], 9)
            elif role == "finger" and numbers and ("finger" in words and self._is_biped()):
                self.digits[j] = min(int(self.said[j].first[0]) + 1, 9)
        for j, role in enumerate(self.found):
            if role in ("finger", "toe") and not self.digits[j]:
                above = next((self.digits[a] for a in self._path(j) if self.found[a] == role and self.digits[a]), 0)
                self.digits[j] = above

    def _is_biped(self) -> bool:
        """Whether fingers are counted from nought, as 3ds Max does: Finger0, Finger01, Finger1, Finger11 …"""
        return any("finger" in each.words and each.first == "0" for each in self.said)

    def _rows(self) -> None:
        """Count those of one role that follow one another; nought where there is one alone."""
        for j, role in enumerate(self.found):
            if (
                role is None
                or self.numbers[j]
                or role in ("root", "twist", "helper", "end", "control", "eye", "ear", "jaw")
            ):
                continue
            mine = [a for a in self._path(j) if self._alike(a, j)]
            if mine:
                self.numbers[j] = self.numbers[mine[0]] + 1
                if (
                    role == "finger"
                    and not self.below[j]
                    and self.numbers[j] > 3
                    and max(self.said[j].numbers, default=0) > 3
                ):
                    # A fourth joint of a finger that carries nothing is its tip.
                    self.found[j], self.numbers[j], self.digits[j] = "end", 0, 0
            elif role in ("spine", "finger", "tail") or any(self._alike(each, j) for each in all_below(self.below, j)):
                self.numbers[j] = 1

    def _alike(self, a: int, b: int) -> bool:
        return (self.found[a], self.said[a].side, self.digits[a]) == (self.found[b], self.said[b].side, self.digits[b])

    def _part(self, j: int) -> Part:
        name, role, each = self.rig.joints[j].name, self.found[j], self.said[j]
        if role is None:
            return Part(name, "helper", each.side, confidence=UNKNOWN)
        part = Part(name, role, each.side, self.numbers[j], self.digits[j], NAMED)
        if j in self.guessed:
            return replace(part, confidence=DOUBTED)
        needed = _ABOVE.get(role, ())
        if needed and any(any_ in self.found for any_ in needed) and not self._has(self._path(j), *needed):
            return replace(part, confidence=DOUBTED)
        return part
