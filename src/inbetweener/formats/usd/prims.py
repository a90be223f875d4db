"""What is to be written, told prim by prim in plain arrays; see `inside.writing`."""

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from inbetweener.arrays import Floats
from inbetweener.formats.names import Names
from inbetweener.formats.usd.inside.ours import OURS
from inbetweener.formats.usd.inside.telling import Telling

_NUMBERS: dict[str, npt.DTypeLike] = {
    "point3f[]": "f4", "normal3f[]": "f4", "vector3f[]": "f4", "color3f[]": "f4", "float3[]": "f4",
    "texCoord2f[]": "f4", "half3[]": "f2", "quatf[]": "f4", "matrix4d[]": "f8", "float[]": "f4", "double[]": "f8",
    "int[]": "i4",
}  # fmt: skip


class Idents:
    """Names that a path may hold, each only once below one parent."""

    def __init__(self, *taken: str) -> None:
        self._names = Names(taken)

    def unused(self, wanted: str) -> str:
        """`wanted`, with whatever a path cannot hold replaced."""
        made = re.sub(r"[^A-Za-z0-9_]", "_", wanted) or "_"
        return self._names.unused(f"_{made}" if made[0].isdigit() else made)


class Prim:
    """A prim as it is told."""

    def __init__(self, telling: Telling, path: str, kind: str, title: str | None, schemas: tuple[str, ...]) -> None:
        self.path = path
        self._telling = telling
        self.told: dict[str, Any] = {
            "path": path, "type": kind, "schemas": list(schemas), "attributes": [], "relations": {}, "variants": {},
            "about": {} if title is None else {"displayName": title},
        }  # fmt: skip

    def attribute(
        self,
        name: str,
        kind: str,
        value: Any = None,
        *,
        samples: tuple[Floats, npt.ArrayLike] | None = None,
        knots: Floats | None = None,
        connected: str | None = None,
        uniform: bool = False,
        **about: Any,
    ) -> None:
        """A value for good, samples (time codes and values), a spline, or what it is connected to."""
        ours = name.startswith(OURS)
        self.told["attributes"].append(
            {
                "name": name, "type": kind, "uniform": uniform, "custom": ours, "about": about,
                "value": None if value is None else self._put(kind, value),
                "times": None if samples is None else self._telling.put(samples[0]),
                "values": None if samples is None else self._put(kind, samples[1], many=True),
                "knots": None if knots is None else self._telling.put(knots),
                "connected": [] if connected is None else [connected],
            }
        )  # fmt: skip

    def relation(self, name: str, *targets: str) -> None:
        """Leads to other prims."""
        self.told["relations"][name] = list(targets)

    def _put(self, kind: str, value: Any, *, many: bool = False) -> Any:
        if kind in _NUMBERS:
            return self._telling.put(value, _NUMBERS[kind])
        return self._telling.put(value) if many else value


class Prims:
    """Prims as they are added, parents before children."""

    def __init__(self) -> None:
        self.telling = Telling(float("inf"))
        self._all: list[Prim] = []

    def add(self, path: str, kind: str, title: str | None = None, *schemas: str) -> Prim:
        """A prim of a kind; of none where it says more of one that is told elsewhere."""
        made = Prim(self.telling, path, kind, title, schemas)
        self._all.append(made)
        return made

    def packed(self, name: str, head: dict[str, Any], pictures: list[str]) -> bytes:
        """All of it, for the process that writes."""
        prims = [each.told for each in self._all]
        return self.telling.packed({"name": name, "head": head, "pictures": pictures, "prims": prims})


def rows_of(placed: Floats) -> Floats:
    """Transforms (…, 3, 4) as USD has them, (…, 4, 4) for rows of coordinates."""
    whole = np.zeros((*placed.shape[:-2], 4, 4))
    whole[..., :3, :] = placed
    whole[..., 3, 3] = 1.0
    return np.swapaxes(whole, -1, -2)
