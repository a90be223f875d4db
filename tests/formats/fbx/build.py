"""Small FBX files made by hand: nodes with any properties, and curves that move them."""

from pathlib import Path
from typing import Any

import numpy as np

from inbetweener.curves import Curve
from inbetweener.formats.fbx import container
from inbetweener.formats.fbx.tree import Record
from inbetweener.formats.fbx.write_keys import curve_records
from inbetweener.formats.fbx.writing import VERSION, Objects, node, properties, ticks


class Made:
    """Objects of a file in centimetres, Y up; one stack from 0 to 1 s at 24 frames a second."""

    def __init__(self) -> None:
        self.objects = Objects()
        self.stack = self.layer = 0
        self.models: dict[str, int] = {}

    def model(self, name: str, parent: int = 0, sort: str = "LimbNode", **given: Any) -> int:
        """A node."""
        number = self.objects.add(
            "Model", name, sort, [properties(**{"RotationActive": True, "InheritType": 1, **given})]
        )
        self.objects.connect(number, parent)
        self.models[name] = number
        return number

    def layered(self, **given: Any) -> int:
        """A layer of the one stack; curves go to the newest."""
        if not self.stack:
            span = properties(LocalStart=ticks(0.0), LocalStop=ticks(1.0))
            self.stack = self.objects.add("AnimationStack", "take", "", [span], "AnimStack")
        self.layer = self.objects.add("AnimationLayer", "layer", "", [properties(**given)], "AnimLayer")
        self.objects.connect(self.layer, self.stack)
        return self.layer

    def move(
        self, target: int, name: str, *curves: Curve | Record | None, rest: tuple[float, ...] = (0.0, 0.0, 0.0)
    ) -> None:
        """Curves, or their own records, for the components of a property."""
        if not self.layer:
            self.layered()
        labels = [f"d|{axis}" for axis in "XYZ"] if len(curves) == 3 else [f"d|{name}"]
        made = self.objects.add(
            "AnimationCurveNode", "", "", [properties(**dict(zip(labels, map(float, rest), strict=False)))]
        )
        self.objects.connect(made, self.layer)
        self.objects.connect(made, target, name)
        for label, curve in zip(labels, curves, strict=True):
            if curve is not None:
                inside = curve.inside if isinstance(curve, Record) else curve_records(curve, 0.0)
                self.objects.connect(self.objects.add("AnimationCurve", "", "", inside), made, label)

    def save(self, path: Path, rate: float = 24.0, unit: float = 1.0) -> Path:
        """The file."""
        path.write_bytes(container.pack(self.objects.file(rate, unit, (0.0, 1.0)), VERSION))
        return path


def keyed(times: list[float], values: list[float], flags: list[int], data: list[tuple[float, ...]]) -> Record:
    """A curve by its raw attributes, one for every key; whole numbers among the data are bits."""
    bits = np.array(
        [[v if isinstance(v, int) else np.float32(v).view(np.uint32) for v in row] for row in data], np.uint32
    )
    return node(
        "AnimationCurve",
        inside=[
            node("KeyTime", np.array([ticks(t) for t in times], "<i8")),
            node("KeyValueFloat", np.array(values, "<f4")),
            node("KeyAttrFlags", np.array(flags, "<i4")),
            node("KeyAttrDataFloat", bits.view(np.float32).ravel().astype("<f4")),
            node("KeyAttrRefCount", np.ones(len(times), "<i4")),
        ],
    )
