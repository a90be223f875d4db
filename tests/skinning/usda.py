"""Just enough of USD's text form to read the arrays of an oracle: numbers of one attribute of one prim."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def numbers(text: str) -> np.ndarray:
    return np.array([float(n) for n in NUMBER.findall(text)])


@dataclass
class Prim:
    """The text between the braces of `def TYPE "name"`."""

    body: str

    @staticmethod
    def find(path: Path, name: str) -> "Prim":
        text = path.read_text()
        start = text.index("{", re.search(rf'def \w+ "{name}"[^{{]*', text).start())  # type: ignore[union-attr]
        depth = 0
        for end in range(start, len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                return Prim(text[start + 1 : end])
        raise AssertionError(f"{path}: {name} does not end")

    def array(self, name: str, *shape: int) -> np.ndarray:
        """The value of an attribute that does not change over time."""
        # One of the files defines an attribute twice; the later one counts.
        after = self.body.rsplit(f" {name} = ", 1)[1]
        value = after[: after.index("]")] if after.startswith("[") else after[: after.index("\n")]
        return numbers(value).reshape(-1, *shape)

    def samples(self, name: str, *shape: int) -> dict[int, np.ndarray]:
        """The values of an attribute by frame."""
        after = self.body.split(f" {name}.timeSamples = {{", 1)[1]
        rows = re.findall(r"(\d+): \[(.*?)\],\n", after[: after.index("}")])
        return {int(frame): numbers(row).reshape(-1, *shape) for frame, row in rows}
