"""Objects, their properties and what is connected to what."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from inbetweener.arrays import Floats
from inbetweener.document.budget import LONGEST_NAME
from inbetweener.formats.fbx.tree import Record, Tree
from inbetweener.formats.notes import Source

TICKS = 46_186_158_000
"""Of FBX's clock in a second."""


@dataclass(slots=True, eq=False)
class Thing:
    """An object: its number, kind (Model, Geometry …), name and sort (LimbNode, Mesh, Skin …)."""

    number: int
    kind: str
    name: str
    sort: str
    record: Record
    properties: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """How messages call it."""
        return f"{self.kind} {self.name!r}" if self.name else f"{self.kind} {self.number}"

    def number_of(self, name: str, otherwise: float) -> float:
        """The first number of a property."""
        found = self.properties.get(name, ())
        value = found[0] if found else otherwise
        return float(value) if isinstance(value, int | float) and np.isfinite(value) else otherwise

    def whole(self, name: str, otherwise: int) -> int:
        """The same as a whole number."""
        value = self.number_of(name, otherwise)
        return int(value) if abs(value) < 2**62 else otherwise

    def vector(self, name: str, otherwise: float = 0.0) -> Floats:
        """Three numbers of a property."""
        found = self.properties.get(name, ())[:3]
        if len(found) == 3 and all(isinstance(each, int | float) and abs(each) < 1e30 for each in found):
            return np.array(found, np.float64)
        return np.full(3, otherwise)


class Scene:
    """All objects of a file by number, and their connections."""

    def __init__(self, tree: Tree, source: Source) -> None:
        self.source = source
        self.tree = tree
        self._templates = _templates(tree.top)
        self.things: dict[int, Thing] = {}
        objects = tree.top.find("Objects")
        for record in objects.inside if objects is not None else ():
            thing = self._thing(record)
            if thing is None:
                continue
            if thing.number in self.things:
                source.fail(thing.place, f"two objects have the number {thing.number}", "export the file anew")
            self.things[thing.number] = thing
        self._below: dict[int, list[tuple[int, str]]] = {}
        self._above: dict[int, list[tuple[int, str]]] = {}
        connections = tree.top.find("Connections")
        for record in connections.inside if connections is not None else ():
            values = record.values
            if len(values) < 3 or not isinstance(values[1], int) or not isinstance(values[2], int):
                continue
            name = values[3] if len(values) > 3 and isinstance(values[3], str) else ""
            source.spend(300, "Connections")
            self._below.setdefault(values[2], []).append((values[1], name))
            self._above.setdefault(values[1], []).append((values[2], name))

    def _thing(self, record: Record) -> Thing | None:
        values = record.values
        if len(values) < 3 or not isinstance(values[0], int):
            return None
        title, sort = (str(value) for value in values[1:3])
        # "Class::Name" in text, "Name\0\1Class" in binary.
        name = title.partition("\0\1")[0] if "\0\1" in title else title.partition("::")[2] or title
        if title.endswith("::"):
            name = ""
        made = Thing(values[0], record.name, name[:LONGEST_NAME].strip(), sort, record)
        made.properties = {**self._templates.get(record.name, {}), **properties(record)}
        self.source.spend(60 * len(made.properties), made.place)
        return made

    @cached_property
    def settings(self) -> Thing:
        """The settings of the whole file."""
        record = self.tree.top.find("GlobalSettings") or Record("GlobalSettings")
        return Thing(0, "GlobalSettings", "", "", record, properties(record))

    def all(self, kind: str, *sorts: str) -> list[Thing]:
        """All objects of a kind, and of one of some sorts where these are given."""
        return [each for each in self.things.values() if each.kind == kind and (not sorts or each.sort in sorts)]

    def below(self, thing: Thing | int, kind: str = "") -> Iterator[tuple[Thing, str]]:
        """Objects connected to one, with the name of the property that they are connected to."""
        return self._connected(self._below, thing, kind)

    def above(self, thing: Thing, kind: str = "") -> Iterator[tuple[Thing, str]]:
        """Objects that one is connected to, with the name of their property."""
        return self._connected(self._above, thing, kind)

    def _connected(
        self, lists: dict[int, list[tuple[int, str]]], thing: Thing | int, kind: str
    ) -> Iterator[tuple[Thing, str]]:
        number = thing if isinstance(thing, int) else thing.number
        for other, name in lists.get(number, ()):
            found = self.things.get(other)
            if found is not None and (not kind or found.kind == kind):
                yield found, name


def properties(record: Record) -> dict[str, list[Any]]:
    """A record's properties: name, type, label, flags, then the values."""
    block = record.find("Properties70")
    if block is None:
        return {}
    return {str(each.values[0]): each.values[4:] for each in block.all("P") if len(each.values) > 4}


def _templates(top: Record) -> dict[str, dict[str, list[Any]]]:
    """What a property is where an object does not say, by kind of object."""
    made: dict[str, dict[str, list[Any]]] = {}
    definitions = top.find("Definitions")
    for each in definitions.all("ObjectType") if definitions is not None else ():
        template = each.find("PropertyTemplate")
        if each.values and template is not None:
            made[str(each.values[0])] = properties(template)
    return made
