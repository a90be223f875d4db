"""Judges what was recognised by what is right, read off the files by hand; it shares no code with the recogniser."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from inbetweener import formats
from inbetweener.anatomy import Part, recognise
from inbetweener.rig import Rig
from inbetweener.skinning import bound_joints

ROLES = Path(__file__).parent / "roles.toml"
NO_BODY = ("root", "twist", "helper", "end", "control")
Right = dict[str, tuple[str, int, str | None]]
"""By joint its role, its digit or nought, and its side."""


def expanded(listed: Iterable[str]) -> list[str]:
    """Names with their numbers written out."""
    made = []
    for name in listed:
        found = re.search(r"<(\d)-(\d)>", name)
        numbers = range(int(found[1]), int(found[2]) + 1) if found else [None]
        made += [name if found is None else name.replace(found[0], str(n)) for n in numbers]
    return made


def right_roles(table: Mapping[str, list[str]]) -> Right:
    """What is right of a family of rigs."""
    sides = dict(zip(("left", "right"), table["sides"], strict=True))
    right: Right = {}
    for key, listed in table.items():
        if key in ("files", "sides", "tree"):
            continue
        role, *more = key.split()
        digit = next((int(word) for word in more if word.isdigit()), 0)
        said = next((word for word in more if word in sides), None)
        for name in expanded(listed):
            if "{}" in name:
                right.update({name.replace("{}", word): (role, digit, side) for side, word in sides.items()})
            else:
                right[name] = (role, digit, said)
    return right


def families(path: Path = ROLES) -> dict[str, dict[str, list[str]]]:
    """All tables of a file of right roles."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Judgement:
    """How many body joints were recognised as what they are, of how many; what was wrong, and taken for a body."""

    right: int
    all: int
    wrong: tuple[str, ...]
    taken: tuple[str, ...]


def judge(found: Iterable[Part], right: Right, digits: bool = True) -> Judgement:
    """Role, side and digit have to be right; a joint that is no part of a body but taken for one is told besides."""
    by = {part.joint: part for part in found}
    absent = [name for name in right if name not in by]
    assert not absent, f"the file has no such joints: {absent}"
    wrong = []
    for name, (role, digit, side) in right.items():
        part = by[name]
        same = part.role == role and part.side == side and (not digit or not digits or part.digit == digit)
        if not same:
            wrong.append(f"{name}: {part} {part.side or ''}".strip())
    taken = [
        f"{p.joint}: {p}" for p in by.values() if p.joint not in right and p.role not in NO_BODY and p.confidence >= 0.5
    ]
    return Judgement(len(right) - len(wrong), len(right), tuple(wrong), tuple(taken))


@dataclass(frozen=True)
class Character:
    """A shared file, what was read from it, and what is right of it."""

    path: Path
    rig: Rig
    bound: frozenset[str]
    right: Right

    def by_names(self) -> Judgement:
        """How well it is recognised; a map that the file brings along is not looked at."""
        return judge(recognise(self.rig, self.bound), self.right)

    def by_shape(self) -> Judgement:
        """The same where joints are called j0, j1 …; which finger is which is not asked then."""
        new = {joint.name: f"j{n}" for n, joint in enumerate(self.rig.joints)}
        old = {name: joint for joint, name in new.items()}
        bare = Rig(tuple(replace(joint, name=new[joint.name]) for joint in self.rig.joints))
        parts = recognise(bare, {new[name] for name in self.bound})
        return judge([replace(part, joint=old[part.joint]) for part in parts], self.right, digits=False)


def opened(data: Path, wanted: Callable[[Path], bool]) -> Iterator[Character]:
    """All shared files whose roles are known, family by family."""
    for table in families().values():
        right = right_roles(table)
        for path in sorted(each for pattern in table["files"] for each in data.glob(pattern) if wanted(each)):
            document = formats.read(path).document
            yield Character(path, document.rig, bound_joints(document.meshes), right)
