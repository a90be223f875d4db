"""The HIERARCHY section: words to nodes."""

from dataclasses import dataclass, field

from inbetweener.formats.bvh.lines import Lines
from inbetweener.formats.bvh.node import CHANNELS, Node
from inbetweener.maths.transforms import Vector

_CANONICAL = {name.upper(): name for name in CHANNELS}
MOST_JOINTS = 10_000
"""Far more than any character has; a file of more is refused before it fills the memory."""

MOST_ENDS = 100
"""The format speaks of one a leaf; some programs write a few."""

_INSIDE = ("OFFSET", "CHANNELS", "JOINT", "END", "}")


@dataclass(slots=True)
class _Open:
    """A joint whose closing brace has not come yet."""

    index: int
    name: str
    line: int
    offset: Vector | None = None
    channels: tuple[str, ...] | None = None
    ends: list[Vector] = field(default_factory=list)


def parse_hierarchy(lines: Lines) -> list[Node]:
    """All nodes in file order, parents first; stops before MOTION or at the end of the file.

    Iterative, so that a chain of any depth is read.
    """
    if lines.peek().upper() != "HIERARCHY":
        lines.expect("HIERARCHY", where="at the start of a BVH file")
    lines.take()
    nodes: list[Node | None] = []
    parents: list[int] = []
    path: list[_Open] = []
    while True:
        word = lines.peek().upper()
        if not path:
            if word in ("MOTION", "") and nodes:
                return [node for node in nodes if node is not None]
            lines.expect("ROOT", where="in HIERARCHY" if nodes else "after HIERARCHY")
            _open(lines, nodes, parents, path)
            continue
        joint = path[-1]
        if word in ("MOTION", ""):
            lines.take()
            found = "MOTION" if word else "the end of the file"
            lines.fail(f"joint {joint.name!r}, opened on line {joint.line}, is not closed before {found}", "add a }")
        word = lines.expect(*_INSIDE, where=f"in joint {joint.name!r}")
        if word == "OFFSET":
            if joint.offset is not None:
                lines.fail(f"joint {joint.name!r} has a second OFFSET")
            joint.offset = _vector(lines, f"OFFSET of joint {joint.name!r}")
        elif word == "CHANNELS":
            if joint.channels is not None:
                lines.fail(f"joint {joint.name!r} has a second CHANNELS line")
            joint.channels = _channels(lines, joint.name)
        elif word == "JOINT":
            _open(lines, nodes, parents, path)
        elif word == "END":
            joint.ends.append(_end_site(lines, joint.name))
            if len(joint.ends) > MOST_ENDS:
                lines.fail(f"joint {joint.name!r} has more than {MOST_ENDS} End Sites")
        else:
            if joint.offset is None:
                lines.fail(f"joint {joint.name!r} has no OFFSET")
            nodes[joint.index] = Node(
                joint.name,
                parents[joint.index],
                joint.offset,
                joint.channels or (),
                tuple(joint.ends),
                joint.line,
            )
            path.pop()


def _open(lines: Lines, nodes: list[Node | None], parents: list[int], path: list[_Open]) -> None:
    line = lines.number
    name = lines.rest_of_line(until_brace=True)
    lines.expect("{", where=f"after the name of joint {name!r}")
    if len(nodes) == MOST_JOINTS:
        lines.fail(f"there are more than {MOST_JOINTS} joints")
    parents.append(path[-1].index if path else -1)
    path.append(_Open(len(nodes), name, line))
    nodes.append(None)


def _vector(lines: Lines, what: str) -> Vector:
    x, y, z = lines.numbers(3, what)
    return x, y, z


def _channels(lines: Lines, joint: str) -> tuple[str, ...]:
    """The names after CHANNELS; the count must be that of the names on the same line."""
    word = lines.take()
    names = []
    while lines.peek_on_line() and lines.peek_on_line().upper() not in _INSIDE:
        names.append(lines.take())
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        lines.fail(f"joint {joint!r}: CHANNELS needs a count, found {word[:40]!a}")
    if len(names) != int(word):
        lines.fail(f"joint {joint!r} declares {word} channels and names {len(names)}", "make the count match")
    known = []
    for name in names:
        if name.upper() not in _CANONICAL:
            lines.fail(f"joint {joint!r}: unknown channel {name[:40]!a}; known: {', '.join(CHANNELS)}")
        known.append(_CANONICAL[name.upper()])
    if len(set(known)) < len(known):
        lines.fail(f"joint {joint!r} names a channel twice: {' '.join(known)}")
    return tuple(known)


def _end_site(lines: Lines, joint: str) -> Vector:
    # "End Site", but some programs write another word or a name; none of it matters.
    lines.rest_of_line(until_brace=True)
    lines.expect("{", where=f"after the End Site of joint {joint!r}")
    lines.expect("OFFSET", where=f"in the End Site of joint {joint!r}")
    offset = _vector(lines, f"OFFSET of the End Site of joint {joint!r}")
    lines.expect("}", where=f"after the End Site of joint {joint!r}")
    return offset
