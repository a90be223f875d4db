"""Records of objects, properties and connections, as a file lists them."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

import inbetweener
from inbetweener.formats.fbx.container import FILE_ID, MADE
from inbetweener.formats.fbx.scene import TICKS
from inbetweener.formats.fbx.tree import Record

VERSION = 7400
FIRST_NUMBER = 1_000_000
_TIME_MODES = {
    120.0: 1, 100.0: 2, 60.0: 3, 50.0: 4, 48.0: 5, 30.0: 6, 25.0: 10, 24.0: 11, 1000.0: 12, 96.0: 15, 72.0: 16,
}  # fmt: skip
_CUSTOM = 14
_LABELS = {
    "Lcl Translation": ("Lcl Translation", "", "A"),
    "Lcl Rotation": ("Lcl Rotation", "", "A"),
    "Lcl Scaling": ("Lcl Scaling", "", "A"),
    "DeformPercent": ("Number", "", "A"),
}
"""What properties that may be animated are called."""


def node(name: str, *values: Any, inside: list[Record] | None = None) -> Record:
    """A record."""
    return Record(name, list(values), inside or [])


def ticks(seconds: float) -> np.int64:
    """Of FBX's clock."""
    return np.int64(round(seconds * TICKS))


def properties(**given: Any) -> Record:
    """Properties by name, "_" for blanks: a whole number, a number, a truth, a text or three numbers."""
    made = []
    for label, value in given.items():
        made.append(_property(label.replace("_", " ") if label.startswith("Lcl_") else label, value))
    return node("Properties70", inside=made)


def _property(name: str, value: Any) -> Record:
    if isinstance(value, str):
        return node("P", name, "KString", "", "", value)
    if isinstance(value, np.int64):
        return node("P", name, "KTime", "Time", "", value)
    if isinstance(value, bool):
        return node("P", name, "bool", "", "", int(value))
    if isinstance(value, int):
        return node("P", name, "enum", "", "", value)
    if isinstance(value, float):
        return node("P", name, *_LABELS.get(name, ("double", "Number", "")), value)
    x, y, z = (float(each) for each in value)
    kind = ("Color", "", "A") if name.endswith("Color") else ("Vector3D", "Vector", "")
    return node("P", name, *_LABELS.get(name, kind), x, y, z)


class Objects:
    """Objects as they are added, each with a number of its own, and what is connected to what."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.connections: list[Record] = []
        self._next = FIRST_NUMBER

    def add(self, kind: str, name: str, sort: str, inside: list[Record], title: str = "") -> int:
        """A new object; returns its number. `title` is the word in its name where that is not its kind."""
        self._next += 1
        full = f"{name}\0\1{title or kind}"
        self.records.append(node(kind, np.int64(self._next), full, sort, inside=inside))
        return self._next

    def connect(self, child: int, parent: int, name: str = "") -> None:
        """An object to another, or to a property of it."""
        values: list[Any] = ["OP" if name else "OO", np.int64(child), np.int64(parent)]
        self.connections.append(node("C", *values, *([name] if name else [])))

    def file(self, rate: float, unit: float, span: tuple[float, float]) -> Record:
        """The whole file."""
        counts = Counter(record.name for record in self.records)
        kinds = [node("ObjectType", "GlobalSettings", inside=[node("Count", 1)])]
        kinds += [node("ObjectType", kind, inside=[node("Count", count)]) for kind, count in counts.items()]
        creator = f"inbetweener {inbetweener.__version__}"
        document = [properties(SourceObject="", ActiveAnimStackName=""), node("RootNode", np.int64(0))]
        return node(
            "",
            inside=[
                node(
                    "FBXHeaderExtension",
                    inside=[
                        node("FBXHeaderVersion", 1003),
                        node("FBXVersion", VERSION),
                        node("EncryptionType", 0),
                        node("Creator", creator),
                    ],
                ),
                node("FileId", FILE_ID),
                node("CreationTime", MADE),
                node("Creator", creator),
                node("GlobalSettings", inside=[node("Version", 1000), _settings(rate, unit, span)]),
                node(
                    "Documents",
                    inside=[node("Count", 1), node("Document", np.int64(FIRST_NUMBER), "", "Scene", inside=document)],
                ),
                node("References"),
                node("Definitions", inside=[node("Version", 100), node("Count", 1 + len(self.records)), *kinds]),
                node("Objects", inside=self.records),
                node("Connections", inside=self.connections),
                node("Takes", inside=[node("Current", "")]),
            ],
        )


def _settings(rate: float, unit: float, span: tuple[float, float]) -> Record:
    axes = {"UpAxis": 1, "FrontAxis": 2, "CoordAxis": 0}
    return node(
        "Properties70",
        inside=[
            *(node("P", name, "int", "Integer", "", value) for name, value in axes.items()),
            *(node("P", f"{name}Sign", "int", "Integer", "", 1) for name in axes),
            _property("UnitScaleFactor", unit),
            _property("OriginalUnitScaleFactor", unit),
            _property("TimeMode", _TIME_MODES.get(rate, _CUSTOM)),
            _property("TimeSpanStart", ticks(span[0])),
            _property("TimeSpanStop", ticks(span[1])),
            _property("CustomFrameRate", rate),
        ],
    )


def numbers(values: npt.ArrayLike, dtype: str = "<f8") -> npt.NDArray[Any]:
    """An array as records hold it."""
    return np.ascontiguousarray(np.asarray(values).ravel(), dtype)
