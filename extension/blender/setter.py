# SPDX-License-Identifier: GPL-3.0-or-later
"""Setting properties of bones and objects by their paths, as F-curves name them."""

from typing import Any

import bpy
import numpy as np


class Setter:
    """Sets one property of a bone or object, all of its parts at once."""

    def __init__(self, ob: bpy.types.Object, path: str) -> None:
        head, _, self._name = path.rpartition(".") if not path.endswith("]") else _split(path)
        self._owner: Any = ob.path_resolve(head) if head else ob
        self._custom = path.endswith("]")
        value = self._owner[self._name] if self._custom else getattr(self._owner, self._name)
        self._array = hasattr(value, "__len__")
        self._value = list(value) if self._array else [value]
        self._kind = type(self._value[0])
        self.columns: list[int] = []
        self._indices: list[int] = []

    def take(self, column: int, index: int) -> None:
        """Which column of poses tells one of its parts."""
        self.columns.append(column)
        self._indices.append(index if self._array else 0)

    def put(self, pose: np.ndarray) -> bool:
        """Set it; whether somebody must tell Blender so."""
        for column, index in zip(self.columns, self._indices, strict=True):
            value = float(pose[column])
            self._value[index] = self._kind(round(value) if self._kind is not float else value)
        new = self._value if self._array else self._value[0]
        if self._custom:
            self._owner[self._name] = new
        else:
            setattr(self._owner, self._name, new)
        return self._custom


def _split(path: str) -> tuple[str, str, str]:
    """'pose.bones["a"]["b"]' as what owns the custom property, nothing, and its name."""
    start = path.rindex('["')
    return path[:start].rstrip("."), "", path[start + 2 : -2].replace('\\"', '"').replace("\\\\", "\\")
